// Templates whose keys come out wrong: attributes that are absent, hold a
// separator, or do not sort.
#include <fmt/core.h>

#include "design/check/families.h"
#include "design/key_language.h"

namespace taula::design {
namespace {

bool IsNumber(const Attribute& attribute) {
  return attribute.type == AttributeType::kNumber || attribute.type == AttributeType::kInteger;
}

bool MayBeAbsent(const Attribute& attribute) {
  return !attribute.required && !attribute.default_value && !attribute.generated && attribute.set == SetWhen::kNever;
}

void CheckOptional(const EntityKey& key, const Template::Part& part, const Attribute& attribute, Findings& findings) {
  if (key.index == nullptr || !MayBeAbsent(attribute)) return;
  findings.Note("optional-in-key", key.place,
                {.what = fmt::format("a '{}' without '{}' is not in {}", key.entity.name, part.reference,
                                     NameOf(key.table, key.index)),
                 .why = "Queries through the index do not find it. A sparse index is often just what is wanted.",
                 .fix = fmt::format("If every item is to be found there, add required: true or a default to '{}'.",
                                    part.reference)});
}

void CheckSeparator(const EntityKey& key, std::size_t at, Findings& findings) {
  if (!CanHoldSeparator(key.text, at, key.entity)) return;
  const Template::Part& part = key.text.parts()[at];
  const Template::Part& next = key.text.parts()[at + 1];
  if (next.is_reference()) {
    findings.Warning(
        "key-separator", key.place,
        {.what = fmt::format("nothing separates {{{}}} from {{{}}}", part.reference, next.reference),
         .why = "Different values can make one key: \"a\" and \"bc\" as well as \"ab\" and \"c\".",
         .fix = fmt::format("Put a separator between them: {{{}}}#{{{}}}.", part.reference, next.reference)});
    return;
  }
  findings.Note(
      "key-separator", key.place,
      {.what = fmt::format("'{}' must not hold \"{}\", which ends it in the key", part.reference, next.literal),
       .why = "A write with such a value is refused, because the key could not be read back.",
       .fix = fmt::format("Nothing, if it never does. Otherwise use {{{}:slug}}, another separator, or put "
                          "the attribute last.",
                          part.reference)});
}

void CheckNumber(const EntityKey& key, const Template::Part& part, const Attribute& attribute, Findings& findings) {
  const bool is_unpadded = IsNumber(attribute) && part.transform != Transform::kPad;
  if (!is_unpadded || !key.is_sort || key.part.type != Type::kString) return;
  findings.Warning(
      "unsorted-number", key.place,
      {.what = fmt::format("the numbers of '{}' do not sort in '{}'", part.reference, key.part.name),
       .why = "Keys are compared as text, and there \"10\" comes before \"9\".",
       .fix = fmt::format("Write {{{}:08}}: with zeros in front, so that it is always eight digits.", part.reference)});
}

void CheckSecret(const EntityKey& key, const Attribute& attribute, Findings& findings) {
  if (attribute.type != AttributeType::kBcrypt) return;
  findings.Error("secret-in-key", key.place,
                 {.what = fmt::format("the secret '{}' is in the key '{}'", attribute.name, key.part.name),
                  .why = "Keys are seen in logs, in pages and in every index. A hash is salted anew each time, so "
                         "nothing can be looked up by it either.",
                  .fix = "Take it out of the template; 'verify' compares a password with its hash."});
}

// A key attribute that is a number or binary is one attribute's value, and not
// text around it.
void CheckType(const EntityKey& key, Findings& findings) {
  if (key.part.type == Type::kString) return;
  const Attribute* attribute =
      key.text.is_single_reference() ? key.entity.Find(key.text.parts().front().reference) : nullptr;
  const bool fits = attribute != nullptr &&
                    (key.part.type == Type::kNumber
                         ? IsNumber(*attribute) ||
                               (attribute->type == AttributeType::kTimestamp && attribute->format == TimeFormat::kEpoch)
                         : attribute->type == AttributeType::kBinary);
  if (fits) return;
  const std::string_view type = key.part.type == Type::kNumber ? "number" : "binary";
  findings.Error("key-type", key.place,
                 {.what = fmt::format("\"{}\" does not make a {}, which '{}' is", key.text.text(), type, key.part.name),
                  .why = "A key of that type holds one attribute of the same type and nothing else.",
                  .fix = fmt::format("Write \"{{name}}\" with the name of a {} attribute, or make '{}' a string.", type,
                                     key.part.name)});
}

// The value of an attribute that is only in the key must be there to be read.
void CheckUnstored(const Entity& entity, Findings& findings) {
  for (const Attribute& attribute : entity.attributes) {
    const bool in_key =
        entity.key.partition.Refers(attribute.name) || (entity.key.sort && entity.key.sort->Refers(attribute.name));
    if (attribute.stored || in_key) continue;
    findings.Error("unstored-attribute", attribute.place,
                   {.what = fmt::format("'{}' of entity '{}' is kept nowhere", attribute.name, entity.name),
                    .why = "With stored: false it is read from the primary key, and it is not in there.",
                    .fix = "Leave out stored: false, or put it into a template of 'key'."});
  }
}

}  // namespace

void CheckKeyTemplates(const Design& design, Findings& findings) {
  ForEachKeyTemplate(design, [&](const EntityKey& key) {
    CheckType(key, findings);
    for (std::size_t i = 0; i < key.text.parts().size(); ++i) {
      const Template::Part& part = key.text.parts()[i];
      const Attribute* attribute = part.is_reference() ? key.entity.Find(part.reference) : nullptr;
      if (attribute == nullptr) continue;
      CheckOptional(key, part, *attribute, findings);
      CheckSeparator(key, i, findings);
      CheckNumber(key, part, *attribute, findings);
      CheckSecret(key, *attribute, findings);
    }
  });
  for (const Entity& entity : design.entities) CheckUnstored(entity, findings);
}

}  // namespace taula::design
