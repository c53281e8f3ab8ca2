#include "design/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace taula::design {
namespace {

constexpr std::size_t kDateBytes = 10;
constexpr unsigned kWidthMax = 38;

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '$';
}

// "now+7d" is a reference too.
bool IsReference(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return IsNameCharacter(c) || c == '+'; });
}

// What follows the colon in "{name:lower}".
std::optional<std::string> ReadTransform(std::string_view text, Template::Part& part) {
  constexpr std::array<std::pair<std::string_view, Transform>, 4> kNamed = {{{"lower", Transform::kLower},
                                                                             {"upper", Transform::kUpper},
                                                                             {"slug", Transform::kSlug},
                                                                             {"date", Transform::kDate}}};
  for (const auto& [name, transform] : kNamed) {
    if (text != name) continue;
    part.transform = transform;
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part.width);
  const bool is_width = error == std::errc() && end == text.data() + text.size() && text.starts_with('0');
  if (!is_width || part.width == 0 || part.width > kWidthMax) {
    return fmt::format("'{}' is no transform; there are lower, upper, slug, date and a width such as 08", text);
  }
  part.transform = Transform::kPad;
  return std::nullopt;
}

std::string Mapped(std::string_view text, int (*map)(int)) {
  std::string mapped(text);
  for (char& c : mapped) {
    if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(map(static_cast<unsigned char>(c)));
  }
  return mapped;
}

// The letters of Latin-1 and Latin Extended-A (U+00C0 to U+017F) without their
// accents, by code point; a space where there is none.
constexpr std::string_view kPlainLetters =
    "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"                  // C0 to FF
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooo"  // 100 to 14F
    "oooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";                                 // 150 to 17F
constexpr unsigned kFirstAccented = 0xC0;

// The character at `at` as a plain lower-case letter or digit, or nothing; moves
// `at` behind it.
std::optional<char> PlainCharacter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned first = byte(at++);
  if (first < 0x80) {
    if (std::isalnum(static_cast<int>(first)) == 0) return std::nullopt;
    return static_cast<char>(std::tolower(static_cast<int>(first)));
  }
  const unsigned code = ((first & 0x1FU) << 6U) | (byte(at) & 0x3FU);
  while ((byte(at) & 0xC0U) == 0x80) ++at;
  const bool has_two_bytes = (first & 0xE0U) == 0xC0;
  if (!has_two_bytes || code < kFirstAccented || code - kFirstAccented >= kPlainLetters.size()) return std::nullopt;
  const char plain = kPlainLetters[code - kFirstAccented];
  return plain == ' ' ? std::nullopt : std::optional(plain);
}

std::string Slug(std::string_view text) {
  std::string slug;
  bool gap = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<char> plain = PlainCharacter(text, at);
    if (!plain) {
      gap = !slug.empty();
      continue;
    }
    if (gap) slug.push_back('-');
    gap = false;
    slug.push_back(*plain);
  }
  return slug;
}

std::optional<std::string> Pad(std::string_view text, unsigned width) {
  const bool is_whole = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_whole || text.size() > width) return std::nullopt;
  return std::string(width - text.size(), '0').append(text);
}

}  // namespace

std::optional<std::string> Apply(Transform transform, unsigned width, std::string_view text) {
  switch (transform) {
    case Transform::kNone:
      return std::string(text);
    case Transform::kLower:
      return Mapped(text, std::tolower);
    case Transform::kUpper:
      return Mapped(text, std::toupper);
    case Transform::kSlug: {
      std::string slug = Slug(text);
      if (slug.empty()) return std::nullopt;
      return slug;
    }
    case Transform::kDate:
      if (text.size() < kDateBytes) return std::nullopt;
      return std::string(text.substr(0, kDateBytes));
    case Transform::kPad:
      return Pad(text, width);
  }
  return std::nullopt;
}

std::expected<Template, Template::SyntaxError> Template::Parse(std::string_view text) {
  Template parsed;
  parsed.text_ = text;
  std::string literal;
  const auto end_literal = [&] {
    if (literal.empty()) return;
    parsed.parts_.push_back({.literal = literal, .reference = {}});
    literal.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c != '{' && c != '}') {
      literal.push_back(c);
      continue;
    }
    if (at + 1 < text.size() && text[at + 1] == c) {
      literal.push_back(c);
      ++at;
      continue;
    }
    if (c == '}') return std::unexpected(SyntaxError{at, "there is no '{' for this '}'"});
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) return std::unexpected(SyntaxError{at, "this '{' is never closed"});
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    const std::size_t colon = inside.find(':');
    const std::string_view name = inside.substr(0, colon);
    if (!IsReference(name)) {
      return std::unexpected(SyntaxError{at, fmt::format("'{}' is not the name of an attribute", name)});
    }
    end_literal();
    Part part{.literal = {}, .reference = std::string(name)};
    if (colon != std::string_view::npos) {
      if (std::optional<std::string> wrong = ReadTransform(inside.substr(colon + 1), part)) {
        return std::unexpected(SyntaxError{at + 1 + colon, std::move(*wrong)});
      }
    }
    parsed.parts_.push_back(std::move(part));
    at = end;
  }
  end_literal();
  return parsed;
}

bool Template::has_references() const { return std::ranges::any_of(parts_, &Part::is_reference); }

bool Template::is_single_reference() const {
  return parts_.size() == 1 && parts_[0].is_reference() && parts_[0].transform == Transform::kNone;
}

bool Template::Refers(std::string_view reference) const {
  return std::ranges::any_of(parts_, [&](const Part& part) { return part.reference == reference; });
}

std::string_view Template::Prefix() const {
  if (parts_.empty() || parts_[0].is_reference()) return {};
  return parts_[0].literal;
}

std::optional<std::string> Template::Render(Lookup lookup) const {
  bool complete = false;
  std::string text = RenderPrefix(lookup, complete);
  if (!complete) return std::nullopt;
  return text;
}

std::string Template::RenderPrefix(Lookup lookup, bool& complete) const {
  std::string text;
  complete = false;
  for (const Part& part : parts_) {
    if (!part.is_reference()) {
      text += part.literal;
      continue;
    }
    const std::optional<std::string> value = lookup(part.reference);
    if (!value) return text;
    const std::optional<std::string> transformed = Apply(part.transform, part.width, *value);
    if (!transformed) return text;
    text += *transformed;
  }
  complete = true;
  return text;
}

std::optional<Template::Values> Template::Match(std::string_view text) const {
  Values values;
  const auto add = [&](std::string_view reference, std::string_view value) { values.emplace_back(reference, value); };
  if (!MatchEach(text, add)) return std::nullopt;
  return values;
}

bool Template::MatchEach(std::string_view text, Visit visit) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!part.is_reference()) {
      if (text.compare(at, part.literal.size(), part.literal) != 0) return false;
      at += part.literal.size();
      continue;
    }
    std::size_t end = text.size();
    if (part.transform == Transform::kPad) {
      end = std::min(at + part.width, text.size());
    } else if (i + 1 < parts_.size() && !parts_[i + 1].is_reference()) {
      end = text.find(parts_[i + 1].literal, at);
      if (end == std::string_view::npos) return false;
    }
    if (end == at) return false;
    visit(part.reference, text.substr(at, end - at));
    at = end;
  }
  return at == text.size();
}

bool Template::CanHold(std::size_t part, std::string_view value) const {
  if (value.empty()) return false;
  if (part + 1 >= parts_.size() || parts_[part + 1].is_reference()) return true;
  // Together with what follows, lest the value's end and the literal's beginning
  // make an earlier match.
  const std::string joined = std::string(value) + parts_[part + 1].literal;
  return joined.find(parts_[part + 1].literal) == value.size();
}

namespace {

// The shape of a template: its characters, and a mark for anything not empty.
constexpr int kAnything = -1;

std::vector<int> Shape(const std::vector<Template::Part>& parts) {
  std::vector<int> shape;
  for (const Template::Part& part : parts) {
    if (part.is_reference()) {
      shape.push_back(kAnything);
    } else {
      for (const char c : part.literal) shape.push_back(static_cast<unsigned char>(c));
    }
  }
  return shape;
}

}  // namespace

// Whether some text fits both, by the pairs of places that a common beginning
// can lead to. A reference is one character or more: its mark is left only after
// it has taken one.
bool Template::Overlaps(const Template& other) const {
  const std::vector<int> a = Shape(parts_);
  const std::vector<int> b = Shape(other.parts_);
  // reached[i][j]: some text takes a up to i and b up to j, where a place inside
  // a reference is the one behind it.
  std::vector<std::vector<bool>> reached(a.size() + 1, std::vector<bool>(b.size() + 1, false));
  reached[0][0] = true;
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (!reached[i][j]) continue;
      const bool a_goes_on = i > 0 && a[i - 1] == kAnything;
      const bool b_goes_on = j > 0 && b[j - 1] == kAnything;
      const bool a_has_next = i < a.size();
      const bool b_has_next = j < b.size();
      if (a_has_next && b_has_next && (a[i] == b[j] || a[i] == kAnything || b[j] == kAnything)) {
        reached[i + 1][j + 1] = true;
      }
      if (a_has_next && b_goes_on) reached[i + 1][j] = true;
      if (b_has_next && a_goes_on) reached[i][j + 1] = true;
    }
  }
  return reached[a.size()][b.size()];
}

}  // namespace taula::design
