#include "api/table_members.h"

#include <utility>

#include "api/table_name.h"
#include "base/limits.h"
#include "catalog/enum_names.h"

namespace taula::api {

namespace {

constexpr std::size_t kNonKeyAttributesMax = 20;

std::optional<std::string> Text(const codec::JsonValue& json) {
  const std::optional<std::string_view> text = json.String();
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

}  // namespace

template <typename Enum>
std::optional<Enum> TableMembers::Enumeration(const codec::JsonValue& json, const std::string& path,
                                              std::string_view values, bool required) {
  const std::optional<std::string_view> text = json.String();
  if (!text) {
    if (required) constraints_.Missing(path);
    return std::nullopt;
  }
  const std::optional<Enum> value = catalog::FromName<Enum>(*text);
  if (!value) constraints_.Violated(path, *text, IsOneOf(values));
  return value;
}

std::string TableMembers::AttributeName(const codec::JsonValue& json, const std::string& path) {
  const std::optional<std::string_view> name = json.String();
  if (!name) {
    constraints_.Missing(path);
    return {};
  }
  if (name->empty()) constraints_.Violated(path, *name, LengthAtLeast(1));
  if (name->size() > base::kKeyNameBytesMax) {
    constraints_.Violated(path, *name, LengthAtMost(base::kKeyNameBytesMax));
  }
  return std::string(*name);
}

std::optional<std::vector<AttributeDefinition>> TableMembers::AttributeDefinitions(const codec::JsonValue& json,
                                                                                   bool required) {
  std::vector<AttributeDefinition> definitions;
  const std::optional<std::size_t> given = ForEach(
      json, "attributeDefinitions", "AttributeDefinition",
      [&](const codec::JsonStruct& members, const std::string& path) {
        AttributeDefinition definition;
        definition.type = Enumeration<Type>(members["AttributeType"], path + ".attributeType", "[B, N, S]", true)
                              .value_or(Type::kString);
        definition.name = AttributeName(members["AttributeName"], path + ".attributeName");
        definitions.push_back(std::move(definition));
      });
  if (given) return definitions;
  if (required) constraints_.Missing("attributeDefinitions");
  return std::nullopt;
}

std::vector<KeySchemaElement> TableMembers::KeySchema(const codec::JsonValue& json, const std::string& path) {
  std::vector<KeySchemaElement> key;
  const std::optional<std::size_t> given =
      ForEach(json, path, "KeySchemaElement", [&](const codec::JsonStruct& members, const std::string& element_path) {
        KeySchemaElement element;
        element.name = AttributeName(members["AttributeName"], element_path + ".attributeName");
        element.type = Enumeration<KeyType>(members["KeyType"], element_path + ".keyType", "[HASH, RANGE]", true)
                           .value_or(KeyType::kHash);
        key.push_back(std::move(element));
      });
  if (!given) {
    constraints_.Missing(path);
  } else if (*given == 0) {
    constraints_.Violated(path, "[]", LengthAtLeast(1));
  }
  return key;
}

std::int64_t TableMembers::Units(const codec::JsonValue& json, const std::string& path) {
  const std::optional<std::int64_t> units = json.Long();
  if (!units) {
    constraints_.Missing(path);
    return 0;
  }
  if (*units < 1) constraints_.Violated(path, std::to_string(*units), ValueAtLeast(1));
  return *units;
}

std::optional<Throughput> TableMembers::ProvisionedThroughput(const codec::JsonValue& json, const std::string& path) {
  const std::optional<codec::JsonStruct> members = json.Struct("ProvisionedThroughput");
  if (!members) return std::nullopt;
  Throughput throughput;
  throughput.write_units = Units((*members)["WriteCapacityUnits"], path + ".writeCapacityUnits");
  throughput.read_units = Units((*members)["ReadCapacityUnits"], path + ".readCapacityUnits");
  return throughput;
}

std::optional<OnDemandThroughput> TableMembers::OnDemand(const codec::JsonValue& json) {
  const std::optional<codec::JsonStruct> members = json.Struct("OnDemandThroughput");
  if (!members) return std::nullopt;
  return OnDemandThroughput{(*members)["MaxReadRequestUnits"].Long(), (*members)["MaxWriteRequestUnits"].Long()};
}

std::optional<WarmThroughput> TableMembers::Warm(const codec::JsonValue& json) {
  const std::optional<codec::JsonStruct> members = json.Struct("WarmThroughput");
  if (!members) return std::nullopt;
  return WarmThroughput{(*members)["ReadUnitsPerSecond"].Long(), (*members)["WriteUnitsPerSecond"].Long()};
}

std::optional<StreamSpecification> TableMembers::Stream(const codec::JsonValue& json) {
  const std::optional<codec::JsonStruct> members = json.Struct("StreamSpecification");
  if (!members) return std::nullopt;
  StreamSpecification stream;
  const std::optional<bool> enabled = (*members)["StreamEnabled"].Boolean();
  if (!enabled) constraints_.Missing("streamSpecification.streamEnabled");
  stream.enabled = enabled.value_or(false);
  stream.view_type = Enumeration<StreamViewType>((*members)["StreamViewType"], "streamSpecification.streamViewType",
                                                 "[OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]", false);
  return stream;
}

std::optional<EncryptionSpecification> TableMembers::Encryption(const codec::JsonValue& json) {
  const std::optional<codec::JsonStruct> members = json.Struct("SSESpecification");
  if (!members) return std::nullopt;
  EncryptionSpecification encryption;
  encryption.enabled = (*members)["Enabled"].Boolean();
  encryption.type = Text((*members)["SSEType"]);
  if (encryption.type && *encryption.type != "AES256" && *encryption.type != "KMS") {
    constraints_.Violated("sSESpecification.sSEType", *encryption.type, IsOneOf("[AES256, KMS]"));
  }
  encryption.kms_key = Text((*members)["KMSMasterKeyId"]);
  if (encryption.kms_key && encryption.kms_key->empty()) {
    constraints_.Violated("sSESpecification.kMSMasterKeyId", "", LengthAtLeast(1));
  }
  return encryption;
}

std::optional<BillingMode> TableMembers::Billing(const codec::JsonValue& json) {
  return Enumeration<BillingMode>(json, "billingMode", "[PROVISIONED, PAY_PER_REQUEST]", false);
}

std::optional<TableClass> TableMembers::Class(const codec::JsonValue& json, bool& unknown) {
  const std::optional<std::string_view> text = json.String();
  if (!text) return std::nullopt;
  const std::optional<TableClass> table_class = catalog::FromName<TableClass>(*text);
  unknown = !table_class;
  return table_class;
}

std::string TableMembers::IndexName(const codec::JsonValue& json, const std::string& path) {
  const std::optional<std::string_view> name = json.String();
  if (!name) {
    constraints_.Missing(path);
    return {};
  }
  if (name->size() < kResourceNameMin) constraints_.Violated(path, *name, LengthAtLeast(kResourceNameMin));
  if (name->size() > kResourceNameMax) constraints_.Violated(path, *name, LengthAtMost(kResourceNameMax));
  if (!IsResourceName(*name)) constraints_.Violated(path, *name, MatchesPattern(kResourceNamePattern));
  return std::string(*name);
}

std::optional<Projection> TableMembers::ReadProjection(const codec::JsonValue& json, const std::string& path) {
  const std::optional<codec::JsonStruct> members = json.Struct("Projection");
  if (!members) {
    constraints_.Missing(path);
    return std::nullopt;
  }
  Projection projection;
  const std::optional<ProjectionType> type = Enumeration<ProjectionType>(
      (*members)["ProjectionType"], path + ".projectionType", "[ALL, INCLUDE, KEYS_ONLY]", false);
  if (const std::optional<codec::JsonList> names = (*members)["NonKeyAttributes"].List()) {
    const std::string names_path = path + ".nonKeyAttributes";
    std::string text = "[";
    for (const codec::JsonValue element : *names) {
      const std::optional<std::string_view> name = element.String();
      if (!projection.non_key_attributes.empty()) text += ", ";
      text += name.value_or("");
      projection.non_key_attributes.emplace_back(name.value_or(""));
    }
    text += "]";
    const std::size_t count = projection.non_key_attributes.size();
    if (count == 0) constraints_.Violated(names_path, text, LengthAtLeast(1));
    if (count > kNonKeyAttributesMax) constraints_.Violated(names_path, text, LengthAtMost(kNonKeyAttributesMax));
  }
  if (!type) return std::nullopt;
  projection.type = *type;
  return projection;
}

IndexDefinition TableMembers::LocalIndex(const codec::JsonStruct& json, const std::string& path) {
  IndexDefinition index;
  index.name = IndexName(json["IndexName"], path + ".indexName");
  index.key_schema = KeySchema(json["KeySchema"], path + ".keySchema");
  index.projection = ReadProjection(json["Projection"], path + ".projection");
  return index;
}

IndexDefinition TableMembers::GlobalIndex(const codec::JsonStruct& json, const std::string& path) {
  IndexDefinition index = LocalIndex(json, path);
  index.provisioned_throughput = ProvisionedThroughput(json["ProvisionedThroughput"], path + ".provisionedThroughput");
  index.on_demand_throughput = OnDemand(json["OnDemandThroughput"]);
  index.warm_throughput = Warm(json["WarmThroughput"]);
  return index;
}

std::vector<IndexDefinition> TableMembers::Indexes(const codec::JsonValue& json, const std::string& path, bool global,
                                                   bool& empty) {
  std::vector<IndexDefinition> indexes;
  const std::optional<std::size_t> given =
      ForEach(json, path, global ? "GlobalSecondaryIndex" : "LocalSecondaryIndex",
              [&](const codec::JsonStruct& members, const std::string& element_path) {
                indexes.push_back(global ? GlobalIndex(members, element_path) : LocalIndex(members, element_path));
              });
  empty = given && indexes.empty();
  return indexes;
}

}  // namespace taula::api
