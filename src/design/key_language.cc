#include "design/key_language.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "design/terms.h"

namespace taula::design {
namespace {

using Class = std::bitset<256>;

Class Characters(std::string_view characters) {
  Class set;
  for (const char c : characters) set.set(static_cast<unsigned char>(c));
  return set;
}

Class Where(int (*is)(int)) {
  Class set;
  for (int c = 0; c < 128; ++c) set.set(static_cast<std::size_t>(c), is(c) != 0);
  return set;
}

Class PatternClass(char c) {
  switch (c) {
    case 'd':
      return Characters("0123456789");
    case 'x':
      return Where(std::isxdigit);
    case 'u':
      return Characters("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    default:
      return Characters({&c, 1});
  }
}

// The attribute that a reference names, through the fields of maps; nothing
// where the design does not say what it is.
const Attribute* AttributeOf(const Entity& entity, std::string_view reference) {
  std::size_t dot = reference.find('.');
  const Attribute* attribute = entity.Find(reference.substr(0, dot));
  while (attribute != nullptr && dot != std::string_view::npos) {
    reference.remove_prefix(dot + 1);
    dot = reference.find('.');
    const auto field = std::ranges::find(attribute->fields, reference.substr(0, dot), &Attribute::name);
    attribute = field == attribute->fields.end() ? nullptr : &*field;
  }
  return attribute;
}

// Whether values are free text, rather than of a form of their own.
bool IsFreeText(const Attribute* attribute) {
  if (attribute == nullptr) return true;
  switch (attribute->type) {
    case AttributeType::kString:
    case AttributeType::kEmail:
    case AttributeType::kAny:
    case AttributeType::kBinary:
      return true;
    default:
      return false;
  }
}

}  // namespace

KeyLanguage KeyLanguage::Of(const Template& text, const Entity& entity, Text strings, std::string_view separators) {
  return OfBeginning(text, text.parts().size(), entity, strings, separators);
}

KeyLanguage KeyLanguage::OfBeginning(const Template& text, std::size_t count, const Entity& entity, Text strings,
                                     std::string_view separators) {
  KeyLanguage language;
  const std::vector<Template::Part>& parts = text.parts();
  for (std::size_t i = 0; i < std::min(count, parts.size()); ++i) {
    if (!parts[i].is_reference()) {
      language.AppendLiteral(parts[i].literal);
      continue;
    }
    Class free_text;
    free_text.set();
    if (strings == Text::kOrdinary) free_text &= ~Characters(separators);
    const bool ends_at_one = i + 1 < parts.size() && parts[i + 1].literal.size() == 1;
    if (ends_at_one) free_text &= ~Characters(parts[i + 1].literal);
    language.AppendReference(parts[i], AttributeOf(entity, parts[i].reference), free_text);
  }
  if (count < parts.size()) language.AppendAnything();
  return language;
}

void KeyLanguage::AppendReference(const Template::Part& part, const Attribute* attribute, const Class& free_text) {
  switch (part.transform) {
    case Transform::kPad:
      AppendPattern(std::string(part.width, 'd'));
      return;
    case Transform::kDate:
      AppendPattern("dddd-dd-dd");
      return;
    case Transform::kSlug:
      AppendOneOrMore((Where(std::isdigit) | Where(std::islower) | Characters("-")) & free_text);
      return;
    case Transform::kLower:
      AppendOneOrMore(free_text & ~Where(std::isupper));
      return;
    case Transform::kUpper:
      AppendOneOrMore(free_text & ~Where(std::islower));
      return;
    case Transform::kNone:
      break;
  }
  if (attribute == nullptr) {
    AppendOneOrMore(free_text);
  } else {
    AppendTyped(*attribute, free_text);
  }
}

void KeyLanguage::AppendTyped(const Attribute& attribute, const Class& free_text) {
  switch (attribute.type) {
    case AttributeType::kEnum: {
      std::vector<std::string> texts;
      for (const Value& value : attribute.values) texts.push_back(TextOf(value.view()).value_or(""));
      AppendAlternatives(texts);
      return;
    }
    case AttributeType::kBoolean:
      AppendAlternatives({"true", "false"});
      return;
    case AttributeType::kDate:
      AppendPattern("dddd-dd-dd");
      return;
    case AttributeType::kTimestamp:
      if (attribute.format == TimeFormat::kEpoch) {
        AppendOneOrMore(PatternClass('d'));
      } else {
        AppendPattern("dddd-dd-ddTdd:dd:dd");
        AppendOneOrMore(PatternClass('d') | Characters(".Z"));
      }
      return;
    case AttributeType::kUlid:
      AppendLiteral(attribute.prefix);
      AppendPattern(std::string(26, 'u'));
      return;
    case AttributeType::kUuid:
      AppendLiteral(attribute.prefix);
      AppendPattern("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
      return;
    case AttributeType::kNumber:
    case AttributeType::kInteger:
      AppendOneOrMore(Characters("0123456789+-.eE"));
      return;
    default:
      AppendOneOrMore(free_text);
      return;
  }
}

void KeyLanguage::AppendLiteral(std::string_view text) {
  for (const char c : text) AppendClass(Characters({&c, 1}));
}

void KeyLanguage::AppendPattern(std::string_view pattern) {
  for (const char c : pattern) AppendClass(PatternClass(c));
}

void KeyLanguage::AppendAlternatives(const std::vector<std::string>& texts) {
  const std::vector<std::size_t> begins = ends_;
  std::vector<std::size_t> ends;
  for (const std::string& text : texts) {
    ends_ = begins;
    AppendLiteral(text);
    ends.insert(ends.end(), ends_.begin(), ends_.end());
  }
  ends_ = std::move(ends);
}

void KeyLanguage::AppendClass(const Class& on) {
  const std::size_t next = AddState();
  for (const std::size_t end : ends_) states_[end].push_back({.to = next, .on = on});
  ends_ = {next};
}

void KeyLanguage::AppendOneOrMore(const Class& on) {
  AppendClass(on);
  states_[ends_.front()].push_back({.to = ends_.front(), .on = on});
}

void KeyLanguage::AppendAnything() {
  Class anything;
  anything.set();
  for (const std::size_t end : ends_) states_[end].push_back({.to = end, .on = anything});
}

std::size_t KeyLanguage::AddState() {
  states_.emplace_back();
  return states_.size() - 1;
}

bool KeyLanguage::Intersects(const KeyLanguage& other) const {
  // Walks both machines at once, over every pair of states that one text leads to.
  const std::size_t width = other.states_.size();
  std::vector<bool> seen(states_.size() * width);
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, 0}};
  seen[0] = true;
  while (!open.empty()) {
    const auto [mine, theirs] = open.back();
    open.pop_back();
    const bool ends_here =
        std::ranges::find(ends_, mine) != ends_.end() && std::ranges::find(other.ends_, theirs) != other.ends_.end();
    if (ends_here) return true;
    for (const Edge& a : states_[mine]) {
      for (const Edge& b : other.states_[theirs]) {
        if ((a.on & b.on).none() || seen[a.to * width + b.to]) continue;
        seen[a.to * width + b.to] = true;
        open.emplace_back(a.to, b.to);
      }
    }
  }
  return false;
}

std::string SeparatorsOf(const Template& text) {
  std::string separators;
  for (const Template::Part& part : text.parts()) {
    for (const char c : part.literal) {
      if (std::ispunct(static_cast<unsigned char>(c)) != 0) separators.push_back(c);
    }
  }
  return separators;
}

bool CanHoldSeparator(const Template& text, std::size_t part, const Entity& entity) {
  const std::vector<Template::Part>& parts = text.parts();
  const Template::Part& reference = parts[part];
  if (!reference.is_reference() || part + 1 >= parts.size()) return false;
  const bool is_free = IsFreeText(AttributeOf(entity, reference.reference));
  switch (reference.transform) {
    case Transform::kPad:
    case Transform::kDate:
      return false;
    case Transform::kSlug:
      return parts[part + 1].is_reference() || parts[part + 1].literal == "-";
    default:
      return is_free;
  }
}

}  // namespace taula::design
