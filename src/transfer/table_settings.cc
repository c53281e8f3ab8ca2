#include "transfer/table_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "codec/json_writer.h"
#include "transfer/json_answer.h"

namespace taula::transfer {
namespace {

constexpr std::int64_t kAskAgainMs = 200;
constexpr std::int64_t kReadyMsMax = 600'000;  // a table with large indexes may take minutes on Amazon's side

std::string Object(std::string_view name, std::string_view value) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key(name).String(value);
  json.EndObject();
  return body;
}

bool HasNoSuchOperation(const Error& error) {
  return error.code == ErrorCode::kUnknownOperationException || error.message.contains("UnknownOperation") ||
         error.message.contains("not currently supported") || error.message.contains("not supported in DynamoDB Local");
}

// Asks for a setting besides DescribeTable's; a server without it has it off.
void Ask(const client::CallFunction& call, std::string_view operation, const std::string& body, std::string_view what,
         Sentences& warnings, const std::function<void(codec::Json)>& read) {
  const auto answer = call(operation, body);
  if (!answer) {
    if (!HasNoSuchOperation(answer.error())) {
      warnings.push_back(
          fmt::format("The {} cannot be read, and will not be copied: {}", what, answer.error().message));
    }
    return;
  }
  simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(*answer).get(json) == simdjson::SUCCESS) read(json);
}

// Tags that Amazon gives itself are nobody else's to give.
std::string ReadTags(const client::CallFunction& call, const std::string& arn, Sentences& warnings) {
  std::string tags;
  codec::JsonWriter writer(tags);
  writer.BeginArray();
  std::string body = Object("ResourceArn", arn);
  while (!body.empty()) {
    std::string next;
    Ask(call, "ListTagsOfResource", body, "list of tags", warnings, [&](codec::Json json) {
      ForEachAt(json, "/Tags", [&](codec::Json tag) {
        if (!TextAt(tag, "/Key").starts_with("aws:")) writer.Json(simdjson::minify(tag));
      });
      if (const std::string token = TextAt(json, "/NextToken"); !token.empty()) {
        codec::JsonWriter more(next);
        more.BeginObject();
        more.Key("ResourceArn").String(arn);
        more.Key("NextToken").String(token);
        more.EndObject();
      }
    });
    body = std::move(next);
  }
  writer.EndArray();
  return tags;
}

Result<std::string> Describe(const client::CallFunction& call, const std::string& table) {
  const auto answer = call("DescribeTable", Object("TableName", table));
  if (!answer) return std::unexpected(answer.error());
  simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS) return NotAnAnswer("DescribeTable");
  std::string description = JsonAt(json, "/Table");
  if (description.empty()) return NotAnAnswer("DescribeTable");
  return description;
}

// Reading what was read before cannot fail.
codec::Json Parse(simdjson::dom::parser& parser, const std::string& description) {
  codec::Json json;
  return parser.parse(description).get(json) == simdjson::SUCCESS ? json : codec::Json();
}

void WriteProvisioned(codec::JsonWriter& json, codec::Json from) {
  json.Key("ProvisionedThroughput").BeginObject();
  json.Key("ReadCapacityUnits").Integer(IntegerAt(from, "/ProvisionedThroughput/ReadCapacityUnits"));
  json.Key("WriteCapacityUnits").Integer(IntegerAt(from, "/ProvisionedThroughput/WriteCapacityUnits"));
  json.EndObject();
}

void WriteOnDemand(codec::JsonWriter& json, codec::Json from) {
  const std::int64_t read = IntegerAt(from, "/OnDemandThroughput/MaxReadRequestUnits");
  const std::int64_t write = IntegerAt(from, "/OnDemandThroughput/MaxWriteRequestUnits");
  if (read <= 0 && write <= 0) return;
  json.Key("OnDemandThroughput").BeginObject();
  if (read > 0) json.Key("MaxReadRequestUnits").Integer(read);
  if (write > 0) json.Key("MaxWriteRequestUnits").Integer(write);
  json.EndObject();
}

bool IsProvisioned(codec::Json table) { return TextAt(table, "/BillingModeSummary/BillingMode") != "PAY_PER_REQUEST"; }

void WriteIndexes(codec::JsonWriter& json, codec::Json table, const char* kind, bool plain) {
  const bool is_global = kind == std::string_view("GlobalSecondaryIndexes");
  bool is_first = true;
  ForEachAt(table, std::string("/") + kind, [&](codec::Json index) {
    if (std::exchange(is_first, false)) json.Key(kind).BeginArray();
    json.BeginObject();
    json.Key("IndexName").String(TextAt(index, "/IndexName"));
    json.Key("KeySchema").Json(JsonAt(index, "/KeySchema"));
    json.Key("Projection").Json(JsonAt(index, "/Projection"));
    if (is_global && IsProvisioned(table)) WriteProvisioned(json, index);
    if (is_global && !IsProvisioned(table) && !plain) WriteOnDemand(json, index);
    json.EndObject();
  });
  if (!is_first) json.EndArray();
}

// Until the table and its indexes are there, and its stream can be read.
Result<void> AwaitActive(const client::CallFunction& call, const std::string& table, const client::Patience& patience) {
  for (std::int64_t waited_ms = 0; waited_ms < kReadyMsMax; waited_ms += kAskAgainMs) {
    const auto description = Describe(call, table);
    // A table that was made a moment ago may not be found yet.
    if (!description && description.error().code != ErrorCode::kResourceNotFoundException) {
      return std::unexpected(description.error());
    }
    if (description) {
      simdjson::dom::parser parser;
      const codec::Json json = Parse(parser, *description);
      bool ready = TextAt(json, "/TableStatus") == "ACTIVE";
      ForEachAt(json, "/GlobalSecondaryIndexes",
                [&](codec::Json index) { ready = ready && TextAt(index, "/IndexStatus") == "ACTIVE"; });
      if (ready) return {};
    }
    if (!client::WaitFor(kAskAgainMs, patience.stop)) break;
  }
  return Fail(ErrorCode::kServiceUnavailable, fmt::format("Table {} is not ready for use.", table));
}

void Try(const client::CallFunction& call, std::string_view operation, const std::string& body, std::string_view what,
         Sentences& warnings) {
  const auto answer = call(operation, body);
  if (!answer) warnings.push_back(fmt::format("The target does not take the {}: {}", what, answer.error().message));
}

// Of the attributes that keys are made of.
std::map<std::string, std::string> TypesOf(const TableSettings& settings) {
  simdjson::dom::parser parser;
  std::map<std::string, std::string> types;
  ForEachAt(Parse(parser, settings.description), "/AttributeDefinitions", [&](codec::Json definition) {
    types[TextAt(definition, "/AttributeName")] = TextAt(definition, "/AttributeType");
  });
  return types;
}

}  // namespace

Result<TableSettings> ReadSettings(const client::CallFunction& call, const std::string& table, Sentences& warnings) {
  auto description = Describe(call, table);
  if (!description) return std::unexpected(description.error());
  TableSettings settings;
  settings.description = *std::move(description);
  simdjson::dom::parser parser;
  const codec::Json json = Parse(parser, settings.description);
  settings.name = TextAt(json, "/TableName");
  settings.arn = TextAt(json, "/TableArn");
  settings.items = static_cast<std::uint64_t>(std::max<std::int64_t>(0, IntegerAt(json, "/ItemCount")));
  settings.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, IntegerAt(json, "/TableSizeBytes")));
  ForEachAt(json, "/KeySchema", [&](codec::Json part) {
    const bool is_partition = TextAt(part, "/KeyType") == "HASH";
    settings.key.insert(is_partition ? settings.key.begin() : settings.key.end(), TextAt(part, "/AttributeName"));
  });
  for (const char* const kind : {"/LocalSecondaryIndexes", "/GlobalSecondaryIndexes"}) {
    ForEachAt(json, kind, [&](codec::Json index) { settings.indexes.push_back(TextAt(index, "/IndexName")); });
  }
  if (FlagAt(json, "/StreamSpecification/StreamEnabled")) {
    settings.stream_view = TextAt(json, "/StreamSpecification/StreamViewType");
  }
  settings.protection = FlagAt(json, "/DeletionProtectionEnabled");
  settings.tags = ReadTags(call, settings.arn, warnings);
  const std::string body = Object("TableName", table);
  Ask(call, "DescribeTimeToLive", body, "time to live", warnings, [&](codec::Json answer) {
    const std::string status = TextAt(answer, "/TimeToLiveDescription/TimeToLiveStatus");
    if (status == "ENABLED" || status == "ENABLING") {
      settings.expires = TextAt(answer, "/TimeToLiveDescription/AttributeName");
    }
  });
  Ask(call, "DescribeContinuousBackups", body, "point-in-time recovery", warnings, [&](codec::Json answer) {
    const std::string recovery = "/ContinuousBackupsDescription/PointInTimeRecoveryDescription";
    settings.recovery = TextAt(answer, recovery + "/PointInTimeRecoveryStatus") == "ENABLED";
    settings.recovery_days = IntegerAt(answer, recovery + "/RecoveryPeriodInDays");
  });
  return settings;
}

std::string CreateTableBody(const TableSettings& settings, const std::string& name, bool plain) {
  simdjson::dom::parser parser;
  const codec::Json table = Parse(parser, settings.description);
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("TableName").String(name);
  json.Key("AttributeDefinitions").Json(JsonAt(table, "/AttributeDefinitions"));
  json.Key("KeySchema").Json(JsonAt(table, "/KeySchema"));
  json.Key("BillingMode").String(IsProvisioned(table) ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (IsProvisioned(table)) WriteProvisioned(json, table);
  if (!IsProvisioned(table) && !plain) WriteOnDemand(json, table);
  WriteIndexes(json, table, "LocalSecondaryIndexes", plain);
  WriteIndexes(json, table, "GlobalSecondaryIndexes", plain);
  if (!settings.stream_view.empty()) {
    json.Key("StreamSpecification").BeginObject();
    json.Key("StreamEnabled").Boolean(true);
    json.Key("StreamViewType").String(settings.stream_view);
    json.EndObject();
  }
  const std::string table_class = TextAt(table, "/TableClassSummary/TableClass");
  if (!table_class.empty() && !plain) json.Key("TableClass").String(table_class);
  json.EndObject();
  return body;
}

Result<void> MakeTable(const client::CallFunction& call, const TableSettings& settings, const std::string& name,
                       const client::Patience& patience, Sentences& warnings) {
  const std::string body = CreateTableBody(settings, name);
  const std::string plain = CreateTableBody(settings, name, /*plain=*/true);
  auto made = call("CreateTable", body);
  if (!made && plain != body &&
      (made.error().code == ErrorCode::kValidationException || HasNoSuchOperation(made.error()))) {
    warnings.push_back(
        fmt::format("The target does not take the table class or the limits on demand: {}", made.error().message));
    made = call("CreateTable", plain);
  }
  if (!made) return std::unexpected(made.error());
  if (auto active = AwaitActive(call, name, patience); !active) return active;
  const auto target = Describe(call, name);
  if (!target) return std::unexpected(target.error());
  simdjson::dom::parser parser;
  const std::string arn = TextAt(Parse(parser, *target), "/TableArn");
  if (settings.tags != "[]") {
    Try(call, "TagResource", fmt::format(R"({{"ResourceArn":"{}","Tags":{}}})", arn, settings.tags), "tags", warnings);
  }
  if (settings.recovery) {
    const std::string days =
        settings.recovery_days > 0 ? fmt::format(R"(,"RecoveryPeriodInDays":{})", settings.recovery_days) : "";
    Try(call, "UpdateContinuousBackups",
        fmt::format(
            R"({{"TableName":"{}","PointInTimeRecoverySpecification":{{"PointInTimeRecoveryEnabled":true{}}}}})", name,
            days),
        "point-in-time recovery", warnings);
  }
  return {};
}

void FinishSettings(const client::CallFunction& call, const TableSettings& settings, const std::string& name,
                    Sentences& warnings) {
  if (!settings.expires.empty()) {
    std::string body;
    codec::JsonWriter json(body);
    json.BeginObject();
    json.Key("TableName").String(name);
    json.Key("TimeToLiveSpecification").BeginObject();
    json.Key("Enabled").Boolean(true);
    json.Key("AttributeName").String(settings.expires);
    json.EndObject();
    json.EndObject();
    Try(call, "UpdateTimeToLive", body, "time to live", warnings);
  }
  if (settings.protection) {
    Try(call, "UpdateTable", fmt::format(R"({{"TableName":"{}","DeletionProtectionEnabled":true}})", name),
        "deletion protection", warnings);
  }
}

Result<void> TurnStreamOn(const client::CallFunction& call, const std::string& table,
                          const client::Patience& patience) {
  const auto updated = call(
      "UpdateTable",
      fmt::format(
          R"({{"TableName":"{}","StreamSpecification":{{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}}})",
          table));
  if (!updated) return std::unexpected(updated.error());
  return AwaitActive(call, table, patience);
}

std::optional<std::string> WhyKeysDiffer(const TableSettings& source, const TableSettings& target) {
  if (source.key != target.key) {
    return fmt::format("its key is {}, the source's {}", fmt::join(target.key, " and "),
                       fmt::join(source.key, " and "));
  }
  auto source_types = TypesOf(source);
  auto target_types = TypesOf(target);
  for (const std::string& name : source.key) {
    if (source_types[name] == target_types[name]) continue;
    return fmt::format("its key {} is of type {}, the source's of type {}", name, target_types[name],
                       source_types[name]);
  }
  return std::nullopt;
}

}  // namespace taula::transfer
