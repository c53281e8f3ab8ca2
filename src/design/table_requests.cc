#include "design/table_requests.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "codec/json_writer.h"

namespace taula::design {
namespace {

using codec::JsonWriter;

// One object with the table's name, and whatever `write` adds to it.
template <typename Write>
std::string Body(std::string_view name, Write write) {
  std::string body;
  JsonWriter json(body);
  json.BeginObject();
  json.Key("TableName").String(name);
  write(json);
  json.EndObject();
  return body;
}

void WriteKey(JsonWriter& json, const KeyPart& partition, const std::optional<KeyPart>& sort) {
  const auto element = [&](const KeyPart& part, std::string_view type) {
    json.BeginObject();
    json.Key("AttributeName").String(part.name);
    json.Key("KeyType").String(type);
    json.EndObject();
  };
  json.Key("KeySchema").BeginArray();
  element(partition, "HASH");
  if (sort) element(*sort, "RANGE");
  json.EndArray();
}

void WriteThroughput(JsonWriter& json, const Throughput& throughput) {
  json.Key("ProvisionedThroughput").BeginObject();
  json.Key("ReadCapacityUnits").Integer(throughput.read);
  json.Key("WriteCapacityUnits").Integer(throughput.write);
  json.EndObject();
}

void WriteProjection(JsonWriter& json, const Index& index) {
  json.Key("Projection").BeginObject();
  switch (index.projection) {
    case Projection::kAll:
      json.Key("ProjectionType").String("ALL");
      break;
    case Projection::kKeys:
      json.Key("ProjectionType").String("KEYS_ONLY");
      break;
    case Projection::kInclude:
      json.Key("ProjectionType").String("INCLUDE");
      json.Key("NonKeyAttributes").BeginArray();
      for (const std::string& attribute : index.included) json.String(attribute);
      json.EndArray();
      break;
  }
  json.EndObject();
}

void WriteIndexMembers(JsonWriter& json, const Table& table, const Index& index) {
  json.Key("IndexName").String(index.name);
  WriteKey(json, index.partition, index.sort);
  WriteProjection(json, index);
  if (!index.local && table.provisioned) WriteThroughput(json, index.provisioned.value_or(*table.provisioned));
}

void WriteIndexes(JsonWriter& json, const Table& table, bool local) {
  if (std::ranges::find(table.indexes, local, &Index::local) == table.indexes.end()) return;
  json.Key(local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes").BeginArray();
  for (const Index& index : table.indexes) {
    if (index.local != local) continue;
    json.BeginObject();
    WriteIndexMembers(json, table, index);
    json.EndObject();
  }
  json.EndArray();
}

void WriteDefinitions(JsonWriter& json, const std::vector<const KeyPart*>& parts) {
  json.Key("AttributeDefinitions").BeginArray();
  std::vector<std::string_view> written;
  for (const KeyPart* const part : parts) {
    if (std::ranges::find(written, part->name) != written.end()) continue;
    written.push_back(part->name);
    json.BeginObject();
    json.Key("AttributeName").String(part->name);
    json.Key("AttributeType").String(WireName(part->type));
    json.EndObject();
  }
  json.EndArray();
}

void AddParts(const KeyPart& partition, const std::optional<KeyPart>& sort, std::vector<const KeyPart*>& parts) {
  parts.push_back(&partition);
  if (sort) parts.push_back(&*sort);
}

void WriteBilling(JsonWriter& json, const Table& table) {
  json.Key("BillingMode").String(table.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (table.provisioned) WriteThroughput(json, *table.provisioned);
}

void WriteStream(JsonWriter& json, const Table& table) {
  json.Key("StreamSpecification").BeginObject();
  json.Key("StreamEnabled").Boolean(table.stream.has_value());
  if (table.stream) json.Key("StreamViewType").String(WireName(*table.stream));
  json.EndObject();
}

void WriteEncryption(JsonWriter& json, const Encryption& encryption) {
  using enum Encryption::Keeper;
  json.Key("SSESpecification").BeginObject();
  json.Key("Enabled").Boolean(encryption.keeper != kAwsOwned);
  if (encryption.keeper != kAwsOwned) json.Key("SSEType").String("KMS");
  if (encryption.keeper == kOwnKey) json.Key("KMSMasterKeyId").String(encryption.key);
  json.EndObject();
}

void WriteTags(JsonWriter& json, const Table& table) {
  if (table.tags.empty()) return;
  json.Key("Tags").BeginArray();
  for (const auto& [key, value] : table.tags) {
    json.BeginObject();
    json.Key("Key").String(key);
    json.Key("Value").String(value);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string_view WireName(Type key_type) {
  switch (key_type) {
    case Type::kNumber:
      return "N";
    case Type::kBinary:
      return "B";
    default:
      return "S";
  }
}

std::string_view WireName(StreamView view) {
  switch (view) {
    case StreamView::kKeysOnly:
      return "KEYS_ONLY";
    case StreamView::kNewImage:
      return "NEW_IMAGE";
    case StreamView::kOldImage:
      return "OLD_IMAGE";
    case StreamView::kNewAndOldImages:
      break;
  }
  return "NEW_AND_OLD_IMAGES";
}

std::string CreateTableBody(const Table& table, std::string_view name) {
  return Body(name, [&](JsonWriter& json) {
    std::vector<const KeyPart*> parts;
    AddParts(table.partition, table.sort, parts);
    for (const Index& index : table.indexes) AddParts(index.partition, index.sort, parts);
    WriteDefinitions(json, parts);
    WriteKey(json, table.partition, table.sort);
    WriteIndexes(json, table, true);
    WriteIndexes(json, table, false);
    WriteBilling(json, table);
    if (table.stream) WriteStream(json, table);
    if (table.encryption) WriteEncryption(json, *table.encryption);
    if (table.deletion_protection) json.Key("DeletionProtectionEnabled").Boolean(true);
    WriteTags(json, table);
  });
}

std::string TableNameBody(std::string_view name) {
  return Body(name, [](JsonWriter&) {});
}

std::string AddIndexBody(const Table& table, std::string_view name, const Index& index) {
  return Body(name, [&](JsonWriter& json) {
    std::vector<const KeyPart*> parts;
    AddParts(index.partition, index.sort, parts);
    WriteDefinitions(json, parts);
    json.Key("GlobalSecondaryIndexUpdates").BeginArray();
    json.BeginObject();
    json.Key("Create").BeginObject();
    WriteIndexMembers(json, table, index);
    json.EndObject();
    json.EndObject();
    json.EndArray();
  });
}

std::string BillingBody(const Table& table, std::string_view name, bool table_differs,
                        const std::vector<IndexUnits>& indexes) {
  return Body(name, [&](JsonWriter& json) {
    if (table_differs) WriteBilling(json, table);
    if (indexes.empty()) return;
    json.Key("GlobalSecondaryIndexUpdates").BeginArray();
    for (const IndexUnits& index : indexes) {
      json.BeginObject();
      json.Key("Update").BeginObject();
      json.Key("IndexName").String(index.name);
      WriteThroughput(json, index.units);
      json.EndObject();
      json.EndObject();
    }
    json.EndArray();
  });
}

std::string StreamBody(const Table& table, std::string_view name) {
  return Body(name, [&](JsonWriter& json) { WriteStream(json, table); });
}

std::string EncryptionBody(const Encryption& encryption, std::string_view name) {
  return Body(name, [&](JsonWriter& json) { WriteEncryption(json, encryption); });
}

std::string DeletionProtectionBody(const Table& table, std::string_view name) {
  return Body(name,
              [&](JsonWriter& json) { json.Key("DeletionProtectionEnabled").Boolean(table.deletion_protection); });
}

std::string TimeToLiveBody(const Table& table, std::string_view name) {
  return Body(name, [&](JsonWriter& json) {
    json.Key("TimeToLiveSpecification").BeginObject();
    json.Key("AttributeName").String(table.ttl);
    json.Key("Enabled").Boolean(true);
    json.EndObject();
  });
}

}  // namespace taula::design
