#include "design/attribute_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "base/random_id.h"
#include "base/timestamp.h"
#include "base/ulid.h"
#include "design/attribute_text.h"
#include "value/digits.h"

namespace taula::design {
namespace {

std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

bool IsWhole(ValueView number) {
  const value::Digits digits = value::DigitsFromOrdered(number.ordered_number());
  return digits.count == 0 || digits.exponent >= digits.count - 1;
}

bool HasIdForm(const Attribute& attribute, std::string_view text) {
  if (!text.starts_with(attribute.prefix)) return false;
  text.remove_prefix(attribute.prefix.size());
  return attribute.type == AttributeType::kUlid ? base::IsUlid(text) : base::IsUuid(text);
}

bool HasTimeForm(const Attribute& attribute, std::string_view text) {
  if (attribute.format == TimeFormat::kSeconds || text.size() == base::kIsoSecondsChars) {
    return base::ParseIsoTimestampSeconds(text).has_value();
  }
  return base::ParseIsoTimestamp(text).has_value();
}

Type StoredType(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kInteger:
      return Type::kNumber;
    case AttributeType::kBoolean:
      return Type::kBool;
    case AttributeType::kBinary:
      return Type::kBinary;
    case AttributeType::kList:
      return Type::kList;
    case AttributeType::kMap:
      return Type::kMap;
    case AttributeType::kStringSet:
      return Type::kStringSet;
    case AttributeType::kNumberSet:
      return Type::kNumberSet;
    case AttributeType::kBinarySet:
      return Type::kBinarySet;
    case AttributeType::kTimestamp:
      return attribute.format == TimeFormat::kEpoch ? Type::kNumber : Type::kString;
    default:
      return Type::kString;
  }
}

// What it must be: "a string", "a timestamp such as …".
std::string Expected(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::kNumber:
      return "a number";
    case AttributeType::kInteger:
      return "a whole number";
    case AttributeType::kBoolean:
      return "true or false";
    case AttributeType::kBinary:
      return "a binary";
    case AttributeType::kList:
      return "a list";
    case AttributeType::kMap:
      return "a map";
    case AttributeType::kStringSet:
      return "a set of strings";
    case AttributeType::kNumberSet:
      return "a set of numbers";
    case AttributeType::kBinarySet:
      return "a set of binaries";
    case AttributeType::kTimestamp:
      if (attribute.format == TimeFormat::kEpoch) return "a time as a whole number of seconds since 1970";
      if (attribute.format == TimeFormat::kSeconds) return "a timestamp such as 2024-11-02T15:30:00Z";
      return "a timestamp such as 2024-11-02T15:30:00.000Z";
    case AttributeType::kDate:
      return "a date such as 2024-11-02";
    case AttributeType::kUlid:
      return attribute.prefix.empty() ? "a ULID" : fmt::format("'{}' and a ULID", attribute.prefix);
    case AttributeType::kUuid:
      return attribute.prefix.empty() ? "a UUID" : fmt::format("'{}' and a UUID", attribute.prefix);
    case AttributeType::kEmail:
      return "an email address";
    case AttributeType::kBcrypt:
      return "a bcrypt hash";
    default:
      return "a string";
  }
}

class Checker {
 public:
  Checker(const Attribute& attribute, ValueView value, const AttributePath& path, Problems& problems,
          std::optional<ValueView> before)
      : attribute_(attribute), value_(value), path_(path), problems_(problems), before_(before) {}

  void Check() const {
    if (attribute_.type == AttributeType::kAny || before_ == value_) return;
    if (attribute_.type == AttributeType::kEnum) return CheckEnum();
    if (value_.type() != StoredType(attribute_) || !HasForm()) return AddWrong(Expected(attribute_));
    switch (value_.type()) {
      case Type::kNumber:
        return CheckRange();
      case Type::kString:
      case Type::kBinary:
        if (attribute_.min_length || attribute_.max_length) CheckLength();
        return;
      case Type::kMap:
        return CheckFields();
      case Type::kList:
        return CheckElements();
      default:
        return;
    }
  }

 private:
  // Of a value that has the right type.
  [[nodiscard]] bool HasForm() const {
    switch (attribute_.type) {
      case AttributeType::kInteger:
        return IsWhole(value_);
      case AttributeType::kTimestamp:
        return attribute_.format == TimeFormat::kEpoch ? IsWhole(value_) : HasTimeForm(attribute_, value_.bytes());
      case AttributeType::kDate:
        return base::ParseIsoDate(value_.bytes()).has_value();
      case AttributeType::kUlid:
      case AttributeType::kUuid:
        return HasIdForm(attribute_, value_.bytes());
      case AttributeType::kEmail:
        return IsEmail(value_.bytes());
      case AttributeType::kBcrypt:
        return IsBcryptHash(value_.bytes());
      default:
        return true;
    }
  }

  void CheckEnum() const {
    const std::string_view encoded = value_.encoded();
    for (const Value& allowed : attribute_.values) {
      if (allowed.encoded() == encoded) return;
    }
    std::string names;
    for (const Value& allowed : attribute_.values) {
      if (!names.empty()) names += ", ";
      NumberText room;
      names += TextOf(allowed.view(), room).value_or("''");
    }
    AddWrong("one of " + names);
  }

  // Numbers in their ordered form compare as bytes, behind one for the type.
  void CheckRange() const {
    if (!attribute_.min && !attribute_.max) return;
    const std::string_view number = value_.encoded();
    if (attribute_.min && number < attribute_.min->encoded()) {
      AddWrong("at least " + attribute_.min->view().number_text());
    } else if (attribute_.max && number > attribute_.max->encoded()) {
      AddWrong("at most " + attribute_.max->view().number_text());
    }
  }

  void CheckLength() const {
    // A character has one to four bytes: most texts need not be counted.
    const std::size_t bytes = value_.bytes().size();
    if (bytes <= attribute_.max_length.value_or(bytes) && bytes / 4 >= attribute_.min_length.value_or(0)) return;
    const bool is_text = value_.type() == Type::kString;
    const std::size_t length = is_text ? CountCharacters(value_.bytes()) : value_.bytes().size();
    const std::string_view unit = is_text ? "characters" : "bytes";
    if (attribute_.min_length && length < *attribute_.min_length) {
      Add(fmt::format("must have at least {} {}, not {}", *attribute_.min_length, unit, length));
    } else if (attribute_.max_length && length > *attribute_.max_length) {
      Add(fmt::format("must have at most {} {}, not {}", *attribute_.max_length, unit, length));
    }
  }

  void CheckFields() const {
    const bool was_map = before_ && before_->type() == Type::kMap;
    for (const Attribute& field : attribute_.fields) {
      const AttributePath path{.name = field.name, .parent = &path_};
      const std::optional<ValueView> before = was_map ? before_->Find(field.name) : std::nullopt;
      if (const std::optional<ValueView> value = value_.Find(field.name)) {
        CheckValue(field, *value, path, problems_, before);
      } else if (field.required && (!was_map || before)) {
        problems_.Add(path.Text() + " is required");
      }
    }
  }

  void CheckElements() const {
    if (attribute_.elements.empty()) return;
    std::unordered_set<std::string_view> before;
    if (before_ && before_->type() == Type::kList) {
      for (const ValueView element : before_->list()) before.insert(element.encoded());
    }
    AttributePath path{.name = {}, .parent = &path_};
    for (const ValueView element : value_.list()) {
      // Wherever: elements move when others go.
      if (!before.contains(element.encoded())) CheckValue(attribute_.elements.front(), element, path, problems_);
      ++path.index;
    }
  }

  void AddWrong(std::string_view expected) const {
    const bool is_secret = attribute_.secret || attribute_.type == AttributeType::kBcrypt;
    Add(is_secret ? fmt::format("must be {}", expected) : fmt::format("must be {}, not {}", expected, Quoted(value_)));
  }

  void Add(std::string_view clause) const { problems_.Add(fmt::format("{} {}", path_.Text(), clause)); }

  const Attribute& attribute_;
  ValueView value_;
  const AttributePath& path_;
  Problems& problems_;
  std::optional<ValueView> before_;
};

}  // namespace

std::string AttributePath::Text() const {
  if (parent == nullptr) return std::string(name);
  if (name.empty()) return fmt::format("{}[{}]", parent->Text(), index);
  return fmt::format("{}.{}", parent->Text(), name);
}

void CheckValue(const Attribute& attribute, ValueView value, const AttributePath& path, Problems& problems,
                std::optional<ValueView> before) {
  Checker(attribute, value, path, problems, before).Check();
}

bool IsEmail(std::string_view text) {
  constexpr std::size_t kEmailBytesMax = 254;
  constexpr std::size_t kLocalBytesMax = 64;
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || text.size() > kEmailBytesMax) return false;
  const std::string_view local = text.substr(0, at);
  const std::string_view domain = text.substr(at + 1);
  const auto is_dotted = [](std::string_view dotted) {
    return !dotted.empty() && dotted.front() != '.' && dotted.back() != '.' &&
           dotted.find("..") == std::string_view::npos;
  };
  const auto fits_local = [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7f' &&
           std::string_view("()<>[]:;,\\\"").find(c) == std::string_view::npos;
  };
  // Beyond ASCII anything may be a letter.
  const auto fits_domain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '.';
  };
  return local.size() <= kLocalBytesMax && is_dotted(local) && std::ranges::all_of(local, fits_local) &&
         is_dotted(domain) && domain.find('.') != std::string_view::npos && std::ranges::all_of(domain, fits_domain);
}

bool IsBcryptHash(std::string_view text) {
  constexpr std::size_t kBytes = 60;
  if (text.size() != kBytes || !text.starts_with("$2") || text[3] != '$' || text[6] != '$') return false;
  if (text[2] != 'a' && text[2] != 'b' && text[2] != 'y') return false;
  const std::string_view cost = text.substr(4, 2);
  if (cost[0] < '0' || cost[0] > '3' || cost[1] < '0' || cost[1] > '9' || cost < "04" || cost > "31") return false;
  return std::ranges::all_of(
      text.substr(7), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/'; });
}

}  // namespace taula::design
