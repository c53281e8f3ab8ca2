#include "engine/index_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/limits.h"
#include "catalog/enum_names.h"

namespace taula::engine {

namespace {

constexpr std::string_view kFirstNotHash = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
constexpr std::string_view kSecondNotRange = "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type";
constexpr std::string_view kSameName =
    "Both the Hash Key and the Range Key element in the KeySchema have the same name";

template <typename Named>
std::vector<std::string_view> NamesOf(std::span<const Named> elements) {
  std::vector<std::string_view> names;
  for (const Named& element : elements) names.push_back(element.name);
  return names;
}

}  // namespace

std::unexpected<Error> InvalidParameter(std::string_view what) {
  return ValidationError(fmt::format("One or more parameter values were invalid: {}", what));
}

Result<void> CheckDefined(std::span<const KeySchemaElement> key, std::span<const AttributeDefinition> definitions) {
  const bool all_defined = std::ranges::all_of(key, [&](const KeySchemaElement& element) {
    return std::ranges::find(definitions, element.name, &AttributeDefinition::name) != definitions.end();
  });
  if (all_defined) return {};
  return InvalidParameter(fmt::format(
      "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], AttributeDefinitions: [{}]",
      fmt::join(NamesOf(key), ", "), fmt::join(NamesOf(definitions), ", ")));
}

Result<void> CheckPlainKey(std::span<const KeySchemaElement> key) {
  if (key.size() > 1 && key[0].name == key[1].name) return ValidationError(std::string(kSameName));
  if (key.empty() || key[0].type != KeyType::kHash) return ValidationError(std::string(kFirstNotHash));
  if (key.size() > 1 && key[1].type != KeyType::kRange) return ValidationError(std::string(kSecondNotRange));
  return {};
}

Result<void> CheckGlobalIndexKey(std::span<const KeySchemaElement> key) {
  if (key.size() == 2 && key[0].name == key[1].name && key[0].type != key[1].type) {
    return ValidationError(std::string(kSameName));
  }
  if (key.empty() || key[0].type != KeyType::kHash) return ValidationError(std::string(kFirstNotHash));
  for (const KeyType type : {KeyType::kHash, KeyType::kRange}) {
    const auto count = std::ranges::count(key, type, &KeySchemaElement::type);
    if (static_cast<std::size_t>(count) > base::kIndexKeyAttributesMax) {
      return InvalidParameter(
          fmt::format("The KeySchema exceeds the maximum allowed number of {} key attributes", catalog::NameOf(type)));
    }
  }
  if (!std::ranges::is_sorted(key, {}, &KeySchemaElement::type)) {
    return InvalidParameter("All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  const std::vector<std::string_view> names = NamesOf(key);
  if (std::set<std::string_view>(names.begin(), names.end()).size() != names.size()) {
    return ValidationError("The KeySchema contains multiple key attributes with the same name");
  }
  return {};
}

Result<void> CheckProjection(const std::optional<Projection>& projection) {
  if (!projection) return InvalidParameter("Unknown ProjectionType: null");
  const std::vector<std::string>& names = projection->non_key_attributes;
  if (projection->type != ProjectionType::kInclude) {
    if (names.empty()) return {};
    return InvalidParameter(
        fmt::format("ProjectionType is {}, but NonKeyAttributes is specified", catalog::NameOf(projection->type)));
  }
  if (names.empty()) {
    return InvalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      return InvalidParameter(fmt::format("Duplicate element in NonKeyAttributes: {}", name));
    }
  }
  return {};
}

std::size_t ProjectedByName(const std::optional<Projection>& projection) {
  return projection ? projection->non_key_attributes.size() : 0;
}

Result<void> CheckProjectedTotal(std::size_t projected) {
  if (projected <= base::kProjectedAttributesMax) return {};
  return InvalidParameter(fmt::format("Number of NonKeyAttributes of all indexes exceeds per-table limit of {}",
                                      base::kProjectedAttributesMax));
}

catalog::KeySchema MakeKey(std::span<const KeySchemaElement> key, std::span<const AttributeDefinition> definitions) {
  catalog::KeySchema schema;
  for (const KeySchemaElement& element : key) {
    const auto definition = std::ranges::find(definitions, element.name, &AttributeDefinition::name);
    (element.type == KeyType::kHash ? schema.partition : schema.sort).push_back({element.name, definition->type});
  }
  return schema;
}

Projection MakeProjection(const std::optional<Projection>& projection) {
  Projection kept = projection.value_or(Projection{});
  std::ranges::sort(kept.non_key_attributes);
  return kept;
}

}  // namespace taula::engine
