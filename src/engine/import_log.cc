#include "engine/import_log.h"

#include <sys/stat.h>

#include <utility>

#include "base/log.h"
#include "buckets/bucket.h"
#include "codec/json_writer.h"

namespace taula::engine {
namespace {

constexpr const char* kFolder = ".import-errors";
// Those that follow are only counted.
constexpr std::size_t kErrorsMax = 10'000;
constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

}  // namespace

ImportLog::ImportLog(std::string buckets, std::string import_arn, std::string import_id, std::string bucket)
    : buckets_(std::move(buckets)),
      import_arn_(std::move(import_arn)),
      import_id_(std::move(import_id)),
      bucket_(std::move(bucket)) {}

ImportLog::~ImportLog() { Flush(); }

void ImportLog::Open() {
  mkdir((buckets_ + "/" + kFolder).c_str(), 0777);
  const auto folder = buckets::Bucket::Open(buckets_, kFolder);
  if (!folder) {
    base::Log(base::LogLevel::kWarning, "The errors of an import cannot be written: {}", folder.error().message);
    return;
  }
  auto file = folder->Create(import_id_ + ".json");
  if (file) {
    file_ = *std::move(file);
  } else {
    base::Log(base::LogLevel::kWarning, "The errors of an import cannot be written: {}", file.error().message);
  }
}

void ImportLog::Add(std::string_view key, std::size_t index, std::string_view message) {
  if (errors_ == 0) Open();
  if (++errors_ > kErrorsMax) return;
  codec::JsonWriter json(lines_);
  json.BeginObject();
  json.Key("itemS3Pointer").BeginObject();
  json.Key("bucket").String(bucket_);
  json.Key("key").String(key);
  json.Key("itemIndex").Integer(static_cast<std::int64_t>(index));
  json.EndObject();
  json.Key("importArn").String(import_arn_);
  json.Key("errorMessages").BeginArray();
  json.String(message);
  json.EndArray();
  json.EndObject();
  lines_ += '\n';
  if (lines_.size() > kBufferBytes) Flush();
}

void ImportLog::Flush() {
  if (file_) (void)buckets::WriteAll(*file_, lines_, "The errors of an import");
  lines_.clear();
}

}  // namespace taula::engine
