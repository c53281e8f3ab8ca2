#include "api/export_json.h"

#include "buckets/export_files.h"
#include "catalog/job_record.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

using codec::JsonWriter;

double Seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

void WriteOptional(JsonWriter& json, std::string_view name, const std::optional<std::string>& text) {
  if (text) json.Key(name).String(*text);
}

void WritePeriod(JsonWriter& json, const catalog::ExportPeriod& period) {
  json.Key("ExportType").String("INCREMENTAL_EXPORT");
  json.Key("IncrementalExportSpecification").BeginObject();
  json.Key("ExportFromTime").Double(Seconds(period.from_ms));
  json.Key("ExportToTime").Double(Seconds(period.to_ms));
  json.Key("ExportViewType").String(period.old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE");
  json.EndObject();
}

}  // namespace

std::string ExportAnswer(Context& context, const catalog::Export& job) {
  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key("ExportDescription").BeginObject();
  json.Key("ExportArn").String(context.engine.exports().Arn(job));
  json.Key("ExportStatus").String(catalog::NameOf(job.status));
  json.Key("StartTime").Double(Seconds(job.start_ms));
  if (job.status != catalog::JobStatus::kInProgress) json.Key("EndTime").Double(Seconds(job.end_ms));
  json.Key("TableArn").String(context.engine.tables().Arn(job.table_name));
  json.Key("TableId").String(job.table_id);
  // Amazon does not say what a full export's type is.
  if (job.period) {
    WritePeriod(json, *job.period);
  } else {
    json.Key("ExportTime").Double(Seconds(job.time_ms));
  }
  json.Key("ClientToken").String(job.client_token);
  json.Key("DestinationType").String("S3");
  json.Key("S3Bucket").String(job.bucket);
  WriteOptional(json, "S3BucketOwner", job.bucket_owner);
  WriteOptional(json, "S3Prefix", job.prefix);
  json.Key("S3SseAlgorithm").String(job.encryption);
  WriteOptional(json, "S3SseKmsKeyId", job.kms_key);
  json.Key("ExportFormat").String("DYNAMODB_JSON");
  if (job.status == catalog::JobStatus::kCompleted) {
    json.Key("ExportManifest").String(buckets::ExportFiles::SummaryKey(job.prefix.value_or(""), job.id));
    json.Key("ItemCount").Integer(job.items);
    json.Key("BilledSizeBytes").Integer(job.billed_bytes);
  }
  if (job.failure) {
    json.Key("FailureCode").String(job.failure->code);
    json.Key("FailureMessage").String(job.failure->message);
  }
  json.EndObject();
  json.EndObject();
  return answer;
}

}  // namespace taula::api
