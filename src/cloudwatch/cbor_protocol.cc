#include "cloudwatch/cbor_protocol.h"

#include <simdjson.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/timestamp.h"

namespace taula::cloudwatch {
namespace {

// The three upper bits of a value's first byte.
enum Major : std::uint8_t { kUnsigned, kNegative, kBytes, kText, kArray, kMap, kTag, kOther };

constexpr std::uint8_t kIndefinite = 31;
constexpr std::uint64_t kTimeTag = 1;
constexpr std::uint8_t kFalse = 20;
constexpr std::uint8_t kTrue = 21;
constexpr std::uint8_t kNull = 22;
constexpr std::uint8_t kUndefined = 23;
constexpr std::uint8_t kHalf = 25;
constexpr std::uint8_t kSingle = 26;
constexpr std::uint8_t kDouble = 27;

double FromHalf(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const double fraction = bits & 0x3ff;
  double value = 0;
  if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else if (exponent != 31) {
    value = std::ldexp(fraction + 1024, exponent - 25);
  } else {
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

// Reads one value; nothing when the bytes are not what they should be. Lengths are
// never believed before the bytes are there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  std::optional<Document> Value(std::size_t depth) {
    const std::optional<Head> head = TakeHead();
    if (!head || depth > kDepthMax) return std::nullopt;
    switch (head->major) {
      case kUnsigned:
      case kNegative:
        return Integer(*head);
      case kText: {
        std::optional<std::string> text = Text(*head);
        if (!text) return std::nullopt;
        return Document{*std::move(text)};
      }
      case kArray:
        return List(*head, depth);
      case kMap:
        return Map(*head, depth);
      case kTag:
        return Tagged(*head, depth);
      case kOther:
        return Simple(*head);
      case kBytes:
        break;  // no operation takes any
    }
    return std::nullopt;
  }

 private:
  struct Head {
    Major major;
    std::uint8_t info;
    std::uint64_t argument;
  };

  std::optional<Head> TakeHead() {
    if (rest_.empty()) return std::nullopt;
    const auto first = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    Head head{static_cast<Major>(first >> 5), static_cast<std::uint8_t>(first & 0x1f), 0};
    if (head.info < 24) {
      head.argument = head.info;
    } else if (head.info < 28) {
      const std::size_t bytes = std::size_t{1} << (head.info - 24);
      if (rest_.size() < bytes) return std::nullopt;
      for (std::size_t i = 0; i < bytes; ++i) {
        head.argument = head.argument << 8 | static_cast<std::uint8_t>(rest_[i]);
      }
      rest_.remove_prefix(bytes);
    } else if (head.info != kIndefinite || head.major < kBytes || head.major == kTag) {
      return std::nullopt;
    }
    return head;
  }

  // Whether the end of something of indefinite length is next, which it takes.
  bool TakeBreak() {
    if (rest_.empty() || static_cast<std::uint8_t>(rest_[0]) != 0xff) return false;
    rest_.remove_prefix(1);
    return true;
  }

  static Document Integer(const Head& head) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (head.argument > kMax) return {std::numeric_limits<double>::infinity()};
    const auto number = static_cast<std::int64_t>(head.argument);
    return {head.major == kUnsigned ? number : -1 - number};
  }

  std::optional<std::string> Text(const Head& head) {
    if (head.info != kIndefinite) {
      if (head.argument > rest_.size()) return std::nullopt;
      std::string text(rest_.substr(0, head.argument));
      rest_.remove_prefix(head.argument);
      if (!simdjson::validate_utf8(text)) return std::nullopt;
      return text;
    }
    std::string text;
    while (!TakeBreak()) {
      const std::optional<Head> piece = TakeHead();
      if (!piece || piece->major != kText || piece->info == kIndefinite) return std::nullopt;
      const std::optional<std::string> more = Text(*piece);
      if (!more) return std::nullopt;
      text.append(*more);
    }
    return text;
  }

  // Calls `element` for each; false where one of them or their number is wrong.
  template <typename Element>
  bool ForEach(const Head& head, Element element) {
    if (head.info == kIndefinite) {
      while (!TakeBreak()) {
        if (!element()) return false;
      }
      return true;
    }
    for (std::uint64_t i = 0; i < head.argument; ++i) {
      if (!element()) return false;
    }
    return true;
  }

  std::optional<Document> List(const Head& head, std::size_t depth) {
    Document::List list;
    const bool whole = ForEach(head, [&] {
      std::optional<Document> value = Value(depth + 1);
      if (!value) return false;
      list.push_back(*std::move(value));
      return true;
    });
    if (!whole) return std::nullopt;
    return Document{std::move(list)};
  }

  std::optional<Document> Map(const Head& head, std::size_t depth) {
    Document::Struct members;
    const bool whole = ForEach(head, [&] {
      const std::optional<Head> key = TakeHead();
      if (!key || key->major != kText) return false;
      std::optional<std::string> name = Text(*key);
      if (!name) return false;
      std::optional<Document> value = Value(depth + 1);
      if (!value) return false;
      members.push_back({*std::move(name), *std::move(value)});
      return true;
    });
    if (!whole) return std::nullopt;
    return Document{std::move(members)};
  }

  std::optional<Document> Tagged(const Head& head, std::size_t depth) {
    std::optional<Document> value = Value(depth + 1);
    if (!value || head.argument != kTimeTag) return std::nullopt;
    if (value->As<std::int64_t>() == nullptr && value->As<double>() == nullptr) return std::nullopt;
    return value;
  }

  static std::optional<Document> Simple(const Head& head) {
    switch (head.info) {
      case kFalse:
      case kTrue:
        return Document{head.info == kTrue};
      case kNull:
      case kUndefined:
        return Document{Document::Null()};
      case kHalf:
        return Document{FromHalf(static_cast<std::uint16_t>(head.argument))};
      case kSingle:
        return Document{double{std::bit_cast<float>(static_cast<std::uint32_t>(head.argument))}};
      case kDouble:
        return Document{std::bit_cast<double>(head.argument)};
      default:
        return std::nullopt;
    }
  }

  std::string_view rest_;
};

void AppendHead(std::string& out, Major major, std::uint64_t argument) {
  const auto put = [&](std::uint8_t info) { out.push_back(static_cast<char>(major << 5 | info)); };
  if (argument < 24) {
    put(static_cast<std::uint8_t>(argument));
  } else if (argument <= 0xff) {
    put(24);
    out.push_back(static_cast<char>(argument));
  } else if (argument <= 0xffffffff) {
    put(26);
    base::AppendBigEndianU32(out, static_cast<std::uint32_t>(argument));
  } else {
    put(27);
    base::AppendBigEndianU64(out, argument);
  }
}

struct Writer {
  std::string& out;

  void operator()(const Document::Null&) const { AppendHead(out, kOther, kNull); }
  void operator()(const Document::Raw& raw) const { (*this)(raw.text); }
  void operator()(const std::string& text) const {
    AppendHead(out, kText, text.size());
    out.append(text);
  }
  void operator()(std::int64_t number) const {
    const bool negative = number < 0;
    AppendHead(out, negative ? kNegative : kUnsigned, static_cast<std::uint64_t>(negative ? -1 - number : number));
  }
  void operator()(double number) const {
    out.push_back(static_cast<char>(kOther << 5 | kDouble));
    base::AppendBigEndianU64(out, std::bit_cast<std::uint64_t>(number));
  }
  void operator()(bool truth) const { AppendHead(out, kOther, truth ? kTrue : kFalse); }
  void operator()(const Document::Time& time) const {
    AppendHead(out, kTag, kTimeTag);
    (*this)(static_cast<double>(time.ms) / 1000);
  }
  void operator()(const Document::List& list) const {
    AppendHead(out, kArray, list.size());
    for (const Document& each : list) std::visit(*this, each.value);
  }
  void operator()(const Document::Struct& members) const { WriteMembers(members); }
  void operator()(const Document::Map& map) const { WriteMembers(map.entries); }

  void WriteMembers(const std::vector<Member>& members) const {
    AppendHead(out, kMap, members.size());
    for (const Member& each : members) {
      (*this)(each.name);
      std::visit(*this, each.value.value);
    }
  }
};

}  // namespace

Outcome<Document> ReadCbor(std::string_view body) {
  if (body.empty()) return Document{Document::Struct()};
  Reader reader(body);
  std::optional<Document> document = reader.Value(0);
  if (!document || !reader.at_end() || document->As<Document::Struct>() == nullptr) return Malformed("");
  return *std::move(document);
}

HttpAnswer WriteCbor(const Document& output) {
  HttpAnswer answer{.content_type = "application/cbor", .fields = "smithy-protocol: rpc-v2-cbor\r\n"};
  std::visit(Writer{answer.body}, output.value);
  return answer;
}

}  // namespace taula::cloudwatch
