#include "transfer/table_shape.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "base/limits.h"
#include "client/patience.h"
#include "codec/json_types.h"
#include "codec/json_writer.h"
#include "transfer/json_answer.h"
#include "value/size.h"
#include "value/type_name.h"

namespace taula::transfer {
namespace {

constexpr std::size_t kNamesMax = 1000;
constexpr std::int64_t kCreatedMsMax = 120'000;
constexpr std::int64_t kAskAgainMs = 200;

std::string NameBody(const std::string& table) {
  std::string body = R"({"TableName":)";
  codec::AppendStringJson(body, table);
  return body + "}";
}

TableShape ShapeIn(codec::Json table) {
  TableShape shape;
  shape.name = TextAt(table, "/TableName");
  shape.id = TextAt(table, "/TableId");
  shape.active = TextAt(table, "/TableStatus") != "CREATING";
  shape.item_count = static_cast<std::uint64_t>(IntegerAt(table, "/ItemCount"));
  ForEachAt(table, "/KeySchema", [&](codec::Json part) {
    const bool is_partition = TextAt(part, "/KeyType") == "HASH";
    shape.key.insert(is_partition ? shape.key.begin() : shape.key.end(), TextAt(part, "/AttributeName"));
  });
  ForEachAt(table, "/AttributeDefinitions", [&](codec::Json definition) {
    const std::string type = TextAt(definition, "/AttributeType");
    shape.typed.push_back({TextAt(definition, "/AttributeName"), type == "N"   ? Type::kNumber
                                                                 : type == "B" ? Type::kBinary
                                                                               : Type::kString});
  });
  for (const char* kind : {"/GlobalSecondaryIndexes", "/LocalSecondaryIndexes"}) {
    ForEachAt(table, kind, [&](codec::Json index) { shape.indexes.push_back(TextAt(index, "/IndexName")); });
  }
  return shape;
}

std::string CreateBody(const std::string& table, const ColumnTypes& key) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("TableName").String(table);
  json.Key("BillingMode").String("PAY_PER_REQUEST");
  json.Key("AttributeDefinitions").BeginArray();
  for (const ColumnType& part : key) {
    json.BeginObject();
    json.Key("AttributeName").String(part.name);
    json.Key("AttributeType").String(value::TypeName(part.type));
    json.EndObject();
  }
  json.EndArray();
  json.Key("KeySchema").BeginArray();
  for (const ColumnType& part : key) {
    json.BeginObject();
    json.Key("AttributeName").String(part.name);
    json.Key("KeyType").String(&part == &key.front() ? "HASH" : "RANGE");
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return body;
}

}  // namespace

Result<TableShape> DescribeTable(const client::CallFunction& call, const std::string& table) {
  const auto answer = call("DescribeTable", NameBody(table));
  if (!answer) return std::unexpected(answer.error());
  simdjson::dom::parser parser;
  codec::Json json;
  codec::Json description;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS || json["Table"].get(description) != simdjson::SUCCESS) {
    return NotAnAnswer("DescribeTable");
  }
  return ShapeIn(description);
}

Result<TableShape> CreateTable(const client::CallFunction& call, const std::string& table, const ColumnTypes& key) {
  const auto created = call("CreateTable", CreateBody(table, key));
  if (!created) return std::unexpected(created.error());
  for (std::int64_t waited_ms = 0; waited_ms < kCreatedMsMax; waited_ms += kAskAgainMs) {
    auto shape = DescribeTable(call, table);
    if (!shape || shape->active) return shape;
    client::WaitFor(kAskAgainMs, {});
  }
  return Fail(ErrorCode::kServiceUnavailable, fmt::format("Table {} is still being created.", table));
}

Result<std::vector<std::string>> TableNames(const client::CallFunction& call) {
  std::vector<std::string> names;
  std::string body = "{}";
  while (names.size() < kNamesMax) {
    const auto answer = call("ListTables", body);
    if (!answer) return std::unexpected(answer.error());
    simdjson::dom::parser parser;
    codec::Json json;
    if (parser.parse(*answer).get(json) != simdjson::SUCCESS) break;
    ForEachAt(json, "/TableNames", [&](codec::Json name) {
      std::string_view text;
      if (name.get(text) == simdjson::SUCCESS) names.emplace_back(text);
    });
    const std::string last = TextAt(json, "/LastEvaluatedTableName");
    if (last.empty()) break;
    body = R"({"ExclusiveStartTableName":)";
    codec::AppendStringJson(body, last);
    body += '}';
  }
  return names;
}

std::optional<std::string> WhyRefused(const TableShape& shape, const Item& item) {
  for (const std::string& name : shape.key) {
    const auto value = item.Find(name);
    if (!value) return fmt::format("the key attribute {} is missing", name);
    const std::size_t bytes_max = name == shape.key.front() ? base::kPartitionKeyBytesMax : base::kSortKeyBytesMax;
    if (value->type() != Type::kNumber && value::ValueSize(*value) > bytes_max) {
      return fmt::format("the key attribute {} is longer than {} bytes", name, bytes_max);
    }
  }
  for (const ColumnType& typed : shape.typed) {
    const auto value = item.Find(typed.name);
    if (!value) continue;
    if (value->type() != typed.type) {
      return fmt::format("the key attribute {} is of type {}, and of type {} in the table", typed.name,
                         value::TypeName(value->type()), value::TypeName(typed.type));
    }
    if (typed.type != Type::kNumber && value->bytes().empty()) {
      return fmt::format("the key attribute {} is empty", typed.name);
    }
  }
  if (const std::size_t bytes = value::ItemSize(item.attributes()); bytes > base::kItemBytesMax) {
    return fmt::format("the item has {} bytes, and {} at most are possible", bytes, base::kItemBytesMax);
  }
  if (value::NestingDepth(item.view()) > base::kNestingLevelsMax) return "the item is nested too deeply";
  return std::nullopt;
}

}  // namespace taula::transfer
