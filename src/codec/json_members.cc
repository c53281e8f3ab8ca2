#include "codec/json_members.h"

#include <algorithm>

namespace taula::codec {
namespace {

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::optional<std::vector<JsonMember>> Split() {
    std::vector<JsonMember> members;
    SkipBlanks();
    if (!Take('{')) return std::nullopt;
    SkipBlanks();
    while (at_ < text_.size() && text_[at_] == '"') {
      const std::string_view name = TakeString();
      SkipBlanks();
      if (!Take(':')) return std::nullopt;
      SkipBlanks();
      const std::string_view value = TakeValue();
      if (value.empty()) return std::nullopt;
      members.push_back({name.substr(1, name.size() - 2), value});
      SkipBlanks();
      if (!Take(',')) break;
      SkipBlanks();
    }
    if (!Take('}')) return std::nullopt;
    return members;
  }

  std::vector<std::string_view> SplitArray() {
    std::vector<std::string_view> elements;
    SkipBlanks();
    if (!Take('[')) return elements;
    do {
      SkipBlanks();
      const std::string_view value = TakeValue();
      if (!value.empty()) elements.push_back(value);
      SkipBlanks();
    } while (Take(','));
    return elements;
  }

 private:
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // With its quotes.
  std::string_view TakeString() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(begin, std::max<std::size_t>(at_ - begin, 2));
  }

  // Brackets are counted, whatever is in them.
  std::string_view TakeValue() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        TakeString();
        if (depth == 0) break;
        continue;
      }
      if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n')) break;
      if (c == '{' || c == '[') ++depth;
      ++at_;
      if ((c == '}' || c == ']') && --depth == 0) break;
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<JsonMember>> SplitJsonObject(std::string_view text) { return Splitter(text).Split(); }

std::vector<std::string_view> SplitJsonArray(std::string_view text) { return Splitter(text).SplitArray(); }

std::string JoinJsonObject(const std::vector<JsonMember>& members) {
  std::string out = "{";
  for (const JsonMember& member : members) {
    if (out.size() > 1) out.push_back(',');
    out.append("\"").append(member.name).append("\":").append(member.value);
  }
  out.push_back('}');
  return out;
}

}  // namespace taula::codec
