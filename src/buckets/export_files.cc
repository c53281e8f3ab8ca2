#include "buckets/export_files.h"

#include <fmt/format.h>

#include <utility>

#include "base/base64.h"
#include "base/timestamp.h"
#include "buckets/md5.h"
#include "codec/json_writer.h"

namespace taula::buckets {
namespace {

constexpr std::string_view kFolder = "AWSDynamoDB";

std::string Base64(std::string_view bytes) {
  std::string text;
  base::AppendBase64(text, bytes);
  return text;
}

// As Amazon's names of files are: 26 characters of base 32 in lower case.
std::string Base32(std::string_view bytes) {
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= 5; count -= 5) text.push_back(kDigits[bits >> (count - 5) & 31]);
  }
  if (count > 0) text.push_back(kDigits[bits << (5 - count) & 31]);
  return text;
}

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

void WriteOptional(codec::JsonWriter& json, std::string_view name, const std::optional<std::string>& text) {
  json.Key(name);
  if (text) {
    json.String(*text);
  } else {
    json.Json("null");
  }
}

}  // namespace

ExportFiles::ExportFiles(Bucket bucket, std::string prefix, std::string id, bool incremental)
    : bucket_(std::move(bucket)), prefix_(std::move(prefix)), id_(std::move(id)), incremental_(incremental) {}

std::string ExportFiles::SummaryKey(std::string_view prefix, std::string_view id) {
  return JoinKey(prefix, fmt::format("{}/{}/manifest-summary.json", kFolder, id));
}

std::string ExportFiles::Key(std::string_view name) const {
  return JoinKey(prefix_, fmt::format("{}/{}/{}", kFolder, id_, name));
}

std::string ExportFiles::DataKey(std::size_t number) const {
  const std::string name = Base32(Md5::Of(fmt::format("{}/{}", id_, number))) + ".json.gz";
  return incremental_ ? JoinKey(prefix_, fmt::format("{}/data/{}", kFolder, name)) : Key("data/" + name);
}

Outcome<void> ExportFiles::Begin() { return bucket_.Put(Key("_started"), ""); }

Outcome<void> ExportFiles::OpenFile() {
  const std::string key = DataKey(files_++);
  Outcome<Descriptor> file = bucket_.Create(key);
  if (!file) return std::unexpected(file.error());
  file_ = std::make_unique<GzipFile>(*std::move(file), fmt::format("{}/{}", bucket_.name(), key));
  file_items_ = 0;
  return {};
}

Outcome<void> ExportFiles::Add(std::string_view line) {
  if (file_ == nullptr) {
    if (auto opened = OpenFile(); !opened) return opened;
  }
  if (auto written = file_->Write(line); !written) return written;
  if (auto written = file_->Write("\n"); !written) return written;
  ++file_items_;
  ++items_;
  return file_->bytes() < kFileBytesMax ? Outcome<void>() : CloseFile();
}

Outcome<void> ExportFiles::CloseFile() {
  if (auto finished = file_->Finish(); !finished) return finished;
  const std::string md5 = file_->TakeMd5();
  codec::JsonWriter json(files_manifest_);
  json.BeginObject();
  json.Key("itemCount").Integer(static_cast<std::int64_t>(file_items_));
  json.Key("md5Checksum").String(Base64(md5));
  // As S3 makes it for a file that is sent in one part.
  json.Key("etag").String(Hex(Md5::Of(md5)) + "-1");
  json.Key("dataFileS3Key").String(DataKey(files_ - 1));
  json.EndObject();
  files_manifest_ += '\n';
  file_.reset();
  return {};
}

Outcome<void> ExportFiles::PutWithMd5(const std::string& key, std::string_view content) const {
  if (auto sum = bucket_.Put(key + ".md5", Base64(Md5::Of(content))); !sum) return sum;
  return bucket_.Put(key + ".json", content);
}

Outcome<void> ExportFiles::Finish(const ManifestSummary& summary) {
  // An empty table has a file, too.
  if (files_ == 0) {
    if (auto opened = OpenFile(); !opened) return opened;
  }
  if (file_ != nullptr) {
    if (auto closed = CloseFile(); !closed) return closed;
  }
  for (std::size_t number = files_; bucket_.Remove(DataKey(number)); ++number) {
    // A run before this one has left it.
  }
  if (auto synced = bucket_.SyncFolders(DataKey(0)); !synced) return synced;
  if (auto put = PutWithMd5(Key("manifest-files"), files_manifest_); !put) return put;
  return PutWithMd5(Key("manifest-summary"), SummaryJson(summary));
}

void ExportFiles::Discard() {
  file_.reset();
  for (std::size_t number = 0; bucket_.Remove(DataKey(number)) || number < files_; ++number) {
    // Nobody will look for it.
  }
}

std::string ExportFiles::SummaryJson(const ManifestSummary& summary) const {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("version").String(incremental_ ? "2023-08-01" : "2020-06-30");
  json.Key("exportArn").String(summary.export_arn);
  json.Key("startTime").String(base::IsoTimestamp(summary.start_ms));
  json.Key("endTime").String(base::IsoTimestamp(summary.end_ms));
  json.Key("tableArn").String(summary.table_arn);
  json.Key("tableId").String(summary.table_id);
  if (incremental_) {
    json.Key("exportFromTime").String(base::IsoTimestamp(summary.from_ms));
    json.Key("exportToTime").String(base::IsoTimestamp(summary.to_ms));
  } else {
    json.Key("exportTime").String(base::IsoTimestamp(summary.export_time_ms));
  }
  json.Key("s3Bucket").String(bucket_.name());
  WriteOptional(json, "s3Prefix", summary.prefix);
  json.Key("s3SseAlgorithm").String(summary.encryption);
  WriteOptional(json, "s3SseKmsKeyId", summary.kms_key);
  json.Key("manifestFilesS3Key").String(Key("manifest-files.json"));
  json.Key("billedSizeBytes").Integer(static_cast<std::int64_t>(summary.billed_bytes));
  json.Key("itemCount").Integer(static_cast<std::int64_t>(items_));
  json.Key("outputFormat").String("DYNAMODB_JSON");
  if (incremental_) json.Key("outputView").String(summary.view);
  json.Key("exportType").String(incremental_ ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
  json.EndObject();
  return text;
}

}  // namespace taula::buckets
