#include "api/import_json.h"

#include <fmt/format.h>

#include "catalog/job_record.h"

namespace taula::api {
namespace {

using codec::JsonWriter;

double Seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

void WriteCsv(JsonWriter& json, const catalog::CsvOptions& csv) {
  json.Key("InputFormatOptions").BeginObject();
  json.Key("Csv").BeginObject();
  if (csv.delimiter) json.Key("Delimiter").String(*csv.delimiter);
  if (!csv.header.empty()) {
    json.Key("HeaderList").BeginArray();
    for (const std::string& name : csv.header) json.String(name);
    json.EndArray();
  }
  json.EndObject();
  json.EndObject();
}

}  // namespace

void WriteImportSummary(JsonWriter& json, Context& context, const catalog::Import& job) {
  const engine::Tables& tables = context.engine.tables();
  json.Key("ImportArn").String(context.engine.imports().Arn(job));
  json.Key("ImportStatus").String(catalog::NameOf(job.status));
  json.Key("TableArn").String(tables.Arn(job.table.name));
  json.Key("S3BucketSource").BeginObject();
  if (job.bucket_owner) json.Key("S3BucketOwner").String(*job.bucket_owner);
  json.Key("S3Bucket").String(job.bucket);
  if (job.prefix) json.Key("S3KeyPrefix").String(*job.prefix);
  json.EndObject();
  json.Key("CloudWatchLogGroupArn")
      .String(fmt::format("arn:aws:logs:{}:{}:log-group:/aws-dynamodb/imports:*", tables.region(), tables.account()));
  json.Key("InputFormat").String(job.format);
  json.Key("StartTime").Double(Seconds(job.start_ms));
  if (job.status != catalog::JobStatus::kInProgress) json.Key("EndTime").Double(Seconds(job.end_ms));
}

std::string ImportAnswer(Context& context, const catalog::Import& job) {
  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key("ImportTableDescription").BeginObject();
  WriteImportSummary(json, context, job);
  json.Key("TableId").String(job.table.id);
  json.Key("ClientToken").String(job.client_token);
  if (job.csv) WriteCsv(json, *job.csv);
  json.Key("InputCompressionType").String(job.compression);
  json.Key("TableCreationParameters").Json(job.parameters);
  const catalog::ImportCounts counts = context.engine.imports().Counts(job);
  json.Key("ProcessedSizeBytes").Integer(counts.processed_bytes);
  json.Key("ProcessedItemCount").Integer(counts.processed_items);
  json.Key("ImportedItemCount").Integer(counts.imported_items);
  json.Key("ErrorCount").Integer(counts.errors);
  if (job.failure) {
    json.Key("FailureCode").String(job.failure->code);
    json.Key("FailureMessage").String(job.failure->message);
  }
  json.EndObject();
  json.EndObject();
  return answer;
}

}  // namespace taula::api
