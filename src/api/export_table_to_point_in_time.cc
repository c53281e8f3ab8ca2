#include <fmt/format.h>

#include <optional>
#include <string>

#include "api/export_json.h"
#include "api/job_members.h"
#include "api/operations.h"
#include "api/table_request.h"
#include "base/timestamp.h"

namespace taula::api {
namespace {

constexpr LengthBounds kPrefixLength{.least = 0, .most = 1024};
constexpr LengthBounds kKmsKeyLength{.least = 1, .most = 2048};

struct ExportBody {
  std::optional<std::string> table_arn;
  std::optional<double> time;
  std::optional<std::string> token;
  std::optional<std::string> bucket;
  std::optional<std::string> owner;
  std::optional<std::string> prefix;
  std::optional<std::string> encryption;
  std::optional<std::string> kms_key;
  std::optional<std::string> format;
  std::optional<std::string> type;
  bool incremental = false;  // there is a specification of it
  std::optional<double> from;
  std::optional<double> to;
  std::optional<std::string> view;
  bool filter = false;
  bool empty_filter = false;
};

std::optional<std::string> Text(const codec::JsonValue& json) {
  const auto text = json.String();
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

ExportBody Read(const codec::JsonStruct& json) {
  ExportBody body;
  body.table_arn = Text(json["TableArn"]);
  body.time = json["ExportTime"].Double();
  body.token = Text(json["ClientToken"]);
  body.bucket = Text(json["S3Bucket"]);
  body.owner = Text(json["S3BucketOwner"]);
  body.prefix = Text(json["S3Prefix"]);
  body.encryption = Text(json["S3SseAlgorithm"]);
  body.kms_key = Text(json["S3SseKmsKeyId"]);
  body.format = Text(json["ExportFormat"]);
  body.type = Text(json["ExportType"]);
  if (const auto period = json["IncrementalExportSpecification"].Struct("IncrementalExportSpecification")) {
    body.incremental = true;
    body.from = (*period)["ExportFromTime"].Double();
    body.to = (*period)["ExportToTime"].Double();
    body.view = Text((*period)["ExportViewType"]);
  }
  if (const auto filter = json["FilterSpecification"].Struct("FilterSpecification")) {
    body.filter = true;
    body.empty_filter = !(*filter)["FilterExpression"].present() && !(*filter)["ProjectionExpression"].present() &&
                        !(*filter)["KeyConditionExpression"].present();
  }
  return body;
}

Result<void> CheckMembers(const ExportBody& body) {
  Constraints constraints;
  CheckRequiredLength(constraints, "tableArn", body.table_arn, kTableArnLength);
  CheckClientToken(constraints, body.token);
  CheckBucket(constraints, "s3Bucket", body.bucket);
  CheckBucketOwner(constraints, "s3BucketOwner", body.owner);
  CheckLength(constraints, "s3Prefix", body.prefix, kPrefixLength);
  CheckOneOf(constraints, "s3SseAlgorithm", body.encryption, "[AES256, KMS]");
  CheckLength(constraints, "s3SseKmsKeyId", body.kms_key, kKmsKeyLength);
  CheckOneOf(constraints, "exportFormat", body.format, "[DYNAMODB_JSON, ION]");
  CheckOneOf(constraints, "exportType", body.type, "[FULL_EXPORT, INCREMENTAL_EXPORT]");
  CheckOneOf(constraints, "incrementalExportSpecification.exportViewType", body.view,
             "[NEW_IMAGE, NEW_AND_OLD_IMAGES]");
  return constraints.Check();
}

std::unexpected<Error> InvalidRequest(std::string_view what) {
  return ValidationError(fmt::format("Invalid Request: {}", what));
}

// Members that do not go together; then what this database does not have, which
// is refused, never ignored.
Result<void> CheckTogether(const ExportBody& body) {
  if (body.incremental && !body.type) {
    return InvalidRequest(
        "Export Type expected to be Incremental Export when incremental export specification is provided");
  }
  if (body.incremental && body.type == "FULL_EXPORT") {
    return InvalidRequest("When Export Type is Full Export , Incremental Export Specification should not be provided");
  }
  if (!body.incremental && body.type == "INCREMENTAL_EXPORT") {
    return InvalidRequest("Incremental Export Specification expected when export type is set as Incremental Export");
  }
  if (body.incremental && !body.from) {
    return InvalidRequest("ExportFromTime must be provided in IncrementalExportSpecification");
  }
  if (body.kms_key && body.encryption != "KMS") {
    return InvalidRequest("KMS Key Id is not supported for this encryption type");
  }
  if (body.empty_filter) {
    return InvalidRequest("Invalid FilterSpecification: The specification can not be empty");
  }
  if (body.filter) {
    return InvalidRequest("FilterSpecification is not supported by Taula, which exports whole tables");
  }
  if (body.format == "ION") return InvalidRequest("ExportFormat ION is not supported by Taula; use DYNAMODB_JSON");
  return {};
}

Result<catalog::TablePtr> FindTable(Context& context, const std::string& arn) {
  const auto name = NameFromTableArn(context, arn);
  if (!name) return std::unexpected(name.error());
  catalog::TablePtr table = *name ? context.engine.FindTable(**name) : nullptr;
  if (table == nullptr || table->status == TableStatus::kCreating) {
    return Fail(ErrorCode::kTableNotFoundException, fmt::format("Table not found: {}", arn));
  }
  return table;
}

engine::ExportRequest RequestOf(const ExportBody& body, const catalog::Table& table) {
  engine::ExportRequest request;
  request.table_name = table.name;
  request.table_id = table.id;
  request.bucket = *body.bucket;
  request.bucket_owner = body.owner;
  request.prefix = body.prefix;
  request.encryption = body.encryption.value_or("AES256");
  request.kms_key = body.kms_key;
  request.client_token = body.token;
  if (body.incremental) {
    request.period = {.from_ms = base::MillisecondsOf(*body.from), .to_ms = {}, .old_images = body.view != "NEW_IMAGE"};
    if (body.to) request.period->to_ms = base::MillisecondsOf(*body.to);
  } else if (body.time) {
    request.time_ms = base::MillisecondsOf(*body.time);
  }
  return request;
}

Result<std::string> Answer(Context& context, const ExportBody& body) {
  if (auto members = CheckMembers(body); !members) return std::unexpected(members.error());
  if (auto together = CheckTogether(body); !together) return std::unexpected(together.error());
  const auto table = FindTable(context, *body.table_arn);
  if (!table) return std::unexpected(table.error());
  const auto job = context.engine.exports().Start(RequestOf(body, **table));
  if (!job) return std::unexpected(job.error());
  return ExportAnswer(context, **job);
}

}  // namespace

void ExportTableToPointInTime(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const ExportBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
