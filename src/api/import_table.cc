#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "api/import_json.h"
#include "api/job_members.h"
#include "api/operations.h"
#include "api/table_members.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_members.h"

namespace taula::api {
namespace {

constexpr LengthBounds kDelimiterLength{.least = 1, .most = 1};
constexpr LengthBounds kHeaderLength{.least = 1, .most = 65536};
constexpr std::size_t kHeadersMax = 255;

struct ImportBody {
  engine::ImportRequest request;
  bool vector_indexes = false;
  Constraints constraints;
};

std::optional<std::string> Text(const codec::JsonValue& json) {
  const auto text = json.String();
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

void ReadSource(const codec::JsonValue& json, engine::ImportRequest& request, Constraints& constraints) {
  const auto source = json.Struct("S3BucketSource");
  if (!source) {
    constraints.Missing("s3BucketSource");
    return;
  }
  request.bucket_owner = Text((*source)["S3BucketOwner"]);
  CheckBucketOwner(constraints, "s3BucketSource.s3BucketOwner", request.bucket_owner);
  const std::optional<std::string> bucket = Text((*source)["S3Bucket"]);
  CheckBucket(constraints, "s3BucketSource.s3Bucket", bucket);
  request.bucket = bucket.value_or("");
  request.prefix = Text((*source)["S3KeyPrefix"]);
  CheckLength(constraints, "s3BucketSource.s3KeyPrefix", request.prefix, {.least = 0, .most = 1024});
}

// All that can be printed, but for the quote and the comma.
bool IsHeader(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != ','; });
}

void ReadHeader(const codec::JsonList& names, catalog::CsvOptions& csv, Constraints& constraints) {
  constexpr std::string_view kPath = "inputFormatOptions.csv.headerList";
  std::string all = "[";
  for (const codec::JsonValue element : names) {
    const std::string name(element.String().value_or(""));
    if (!csv.header.empty()) all += ", ";
    all += name;
    csv.header.push_back(name);
    const std::string path = fmt::format("{}.{}.member", kPath, csv.header.size());
    if (!IsHeader(name)) constraints.Violated(path, name, MatchesPattern(R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)"));
    CheckLength(constraints, path, name, kHeaderLength);
  }
  all += "]";
  if (csv.header.empty()) constraints.Violated(kPath, all, LengthAtLeast(1));
  if (csv.header.size() > kHeadersMax) constraints.Violated(kPath, all, LengthAtMost(kHeadersMax));
}

void ReadOptions(const codec::JsonValue& json, engine::ImportRequest& request, Constraints& constraints) {
  const auto options = json.Struct("InputFormatOptions");
  if (!options) return;
  const auto members = (*options)["Csv"].Struct("CsvOptions");
  if (!members) return;
  catalog::CsvOptions& csv = request.csv.emplace();
  csv.delimiter = Text((*members)["Delimiter"]);
  if (csv.delimiter) {
    constexpr std::string_view kPath = "inputFormatOptions.csv.delimiter";
    if (csv.delimiter->size() != 1 || !std::string_view(",;:|\t ").contains(csv.delimiter->front())) {
      constraints.Violated(kPath, *csv.delimiter, MatchesPattern(R"([,;:|\t ])"));
    }
    CheckLength(constraints, kPath, csv.delimiter, kDelimiterLength);
  }
  if (const auto names = (*members)["HeaderList"].List()) ReadHeader(*names, csv, constraints);
}

// Not what names a table that is there: that may be an ARN.
void CheckNewName(std::string_view name, Constraints& constraints) {
  constexpr std::string_view kPath = "tableName";
  if (name.size() < kResourceNameMin) constraints.Violated(kPath, name, LengthAtLeast(kResourceNameMin));
  if (name.size() > kResourceNameMax) constraints.Violated(kPath, name, LengthAtMost(kResourceNameMax));
  if (!IsResourceName(name)) constraints.Violated(kPath, name, MatchesPattern(kResourceNamePattern));
}

void ReadTable(const codec::JsonValue& json, ImportBody& body) {
  const auto parameters = json.Struct("TableCreationParameters");
  if (!parameters) {
    body.constraints.Missing("tableCreationParameters");
    return;
  }
  Constraints constraints("tableCreationParameters.");
  TableMembers members(constraints);
  CreateTableRequest& table = body.request.table;
  const auto name = (*parameters)["TableName"].String();
  table.table_name = name.value_or("");
  if (name) {
    CheckNewName(*name, constraints);
  } else {
    constraints.Missing("tableName");
  }
  if (auto definitions = members.AttributeDefinitions((*parameters)["AttributeDefinitions"], true)) {
    table.attribute_definitions = *std::move(definitions);
  }
  table.key_schema = members.KeySchema((*parameters)["KeySchema"], "keySchema");
  table.billing_mode = members.Billing((*parameters)["BillingMode"]);
  table.provisioned_throughput =
      members.ProvisionedThroughput((*parameters)["ProvisionedThroughput"], "provisionedThroughput");
  table.on_demand_throughput = members.OnDemand((*parameters)["OnDemandThroughput"]);
  table.encryption = members.Encryption((*parameters)["SSESpecification"]);
  table.global_indexes = members.Indexes((*parameters)["GlobalSecondaryIndexes"], "globalSecondaryIndexes", true,
                                         body.request.faults.empty_global_indexes);
  const auto vector_indexes = (*parameters)["VectorIndexes"].List();
  body.vector_indexes = vector_indexes && vector_indexes->size() > 0;
  body.constraints.Add(constraints);
}

ImportBody Read(const codec::JsonStruct& json) {
  ImportBody body;
  engine::ImportRequest& request = body.request;
  request.client_token = Text(json["ClientToken"]);
  CheckClientToken(body.constraints, request.client_token);
  ReadSource(json["S3BucketSource"], request, body.constraints);
  const std::optional<std::string> format = Text(json["InputFormat"]);
  if (!format) body.constraints.Missing("inputFormat");
  CheckOneOf(body.constraints, "inputFormat", format, "[DYNAMODB_JSON, CSV, ION]");
  request.format = format.value_or("");
  ReadOptions(json["InputFormatOptions"], request, body.constraints);
  const std::optional<std::string> compression = Text(json["InputCompressionType"]);
  CheckOneOf(body.constraints, "inputCompressionType", compression, "[ZSTD, NONE, GZIP]");
  request.compression = compression.value_or("NONE");
  ReadTable(json["TableCreationParameters"], body);
  return body;
}

// Members that do not go together; then what this database does not have, which
// is refused, never ignored.
Result<void> CheckTogether(const ImportBody& body) {
  const engine::ImportRequest& request = body.request;
  if (request.csv && request.format != "CSV") {
    return ValidationError(
        fmt::format("Invalid Request: Unsupported InputFormatOptions for the given input format: {}.", request.format));
  }
  if (request.format == "ION") {
    return ValidationError("Invalid Request: InputFormat ION is not supported by Taula; use DYNAMODB_JSON or CSV");
  }
  if (body.vector_indexes) return ValidationError("Invalid Request: Vector indexes are not supported");
  return {};
}

// As they were sent, for Amazon shows them so.
std::string ParametersOf(std::string_view body) {
  std::string parameters = "{}";
  for (const codec::JsonMember& member : codec::SplitJsonObject(body).value_or(std::vector<codec::JsonMember>())) {
    if (member.name == "TableCreationParameters") parameters = member.value;
  }
  return parameters;
}

Result<std::string> Answer(Context& context, ImportBody decoded, std::string_view body) {
  if (auto members = decoded.constraints.Check(); !members) return std::unexpected(members.error());
  if (auto together = CheckTogether(decoded); !together) return std::unexpected(together.error());
  decoded.request.parameters = ParametersOf(body);
  const auto job = context.engine.imports().Start(decoded.request);
  if (!job) return std::unexpected(job.error());
  return ImportAnswer(context, **job);
}

}  // namespace

void ImportTable(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&](ImportBody decoded) { return Answer(context, std::move(decoded), body); });
}

}  // namespace taula::api
