#include "design/summary.h"

#include <string_view>
#include <vector>

#include "codec/json_writer.h"
#include "design/json_schema.h"
#include "design/members.h"
#include "design/parameters.h"

namespace taula::design {
namespace {

using codec::JsonWriter;

void WriteText(JsonWriter& json, std::string_view name, std::string_view text) {
  if (!text.empty()) json.Key(name).String(text);
}

void WriteTexts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  json.Key(name).BeginArray();
  for (const std::string& text : texts) json.String(text);
  json.EndArray();
}

void WriteKey(JsonWriter& json, const KeyPart& partition, const std::optional<KeyPart>& sort) {
  json.Key("partition").String(partition.name);
  if (sort) json.Key("sort").String(sort->name);
}

void WriteTable(JsonWriter& json, const Design& design, const Table& table, std::string_view stage) {
  json.BeginObject();
  json.Key("id").String(table.id);
  json.Key("name").String(design.TableName(table, stage));
  WriteKey(json, table.partition, table.sort);
  json.Key("indexes").BeginArray();
  for (const Index& index : table.indexes) {
    json.BeginObject();
    json.Key("name").String(index.name);
    WriteKey(json, index.partition, index.sort);
    if (index.local) json.Key("local").Boolean(true);
    json.EndObject();
  }
  json.EndArray();
  WriteText(json, "ttl", table.ttl);
  if (table.range_queries) json.Key("extensions").Json(R"(["range-queries"])");
  json.EndObject();
}

void WriteEntity(JsonWriter& json, const Design& design, const Entity& entity) {
  const Table& table = design.TableOf(entity);
  json.BeginObject();
  json.Key("name").String(entity.name);
  WriteText(json, "description", entity.description);
  json.Key("table").String(entity.table);
  json.Key("key").BeginObject();
  json.Key(table.partition.name).String(entity.key.partition.text());
  if (table.sort && entity.key.sort) json.Key(table.sort->name).String(entity.key.sort->text());
  json.EndObject();
  json.Key("indexes").BeginObject();
  for (const IndexKey& key : entity.indexes) {
    const Index* const index = table.FindIndex(key.index);
    if (index == nullptr) continue;
    json.Key(key.index).BeginObject();
    if (key.partition) json.Key(index->partition.name).String(key.partition->text());
    if (key.sort && index->sort) json.Key(index->sort->name).String(key.sort->text());
    json.EndObject();
  }
  json.EndObject();
  json.Key("attributes").BeginArray();
  for (const Attribute& attribute : entity.attributes) {
    json.BeginObject();
    json.Key("name").String(attribute.name);
    json.Key("type").String(NameOf(attribute.type));
    WriteText(json, "description", attribute.description);
    if (attribute.required) json.Key("required").Boolean(true);
    if (attribute.secret) json.Key("secret").Boolean(true);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

void WriteOperation(JsonWriter& json, const Design& design, const Operation& operation) {
  json.BeginObject();
  json.Key("name").String(operation.name);
  WriteText(json, "description", operation.description);
  json.Key("kind").String(NameOf(operation.kind));
  WriteTexts(json, "entities", operation.entities);
  WriteText(json, "index", operation.index);
  WriteTexts(json, "covers", operation.covers);
  json.Key("parameters").BeginArray();
  for (const Parameter& parameter : ParametersOf(design, operation)) {
    json.BeginObject();
    json.Key("name").String(parameter.name);
    json.Key("type").String(NameOf(parameter.shape.type));
    json.Key("required").Boolean(parameter.required);
    WriteText(json, "description", parameter.shape.description);
    json.Key("schema");
    WriteSchema(json, parameter.shape);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string DesignSummary(const Design& design, std::string_view stage) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("design").String(design.name);
  WriteText(json, "description", design.description);
  json.Key("stage").String(stage.empty() ? std::string_view(design.stage) : stage);
  json.Key("tables").BeginArray();
  for (const Table& table : design.tables) WriteTable(json, design, table, stage);
  json.EndArray();
  json.Key("entities").BeginArray();
  for (const Entity& entity : design.entities) WriteEntity(json, design, entity);
  json.EndArray();
  json.Key("operations").BeginArray();
  for (const Operation& operation : design.operations) WriteOperation(json, design, operation);
  json.EndArray();
  json.EndObject();
  return out;
}

}  // namespace taula::design
