// The files of an export, where and in the form that Amazon writes them:
//
//   <prefix>/AWSDynamoDB/<id>/_started
//   <prefix>/AWSDynamoDB/<id>/data/<name>.json.gz      of a full export
//   <prefix>/AWSDynamoDB/data/<name>.json.gz           of an incremental one
//   <prefix>/AWSDynamoDB/<id>/manifest-files.json, manifest-files.md5
//   <prefix>/AWSDynamoDB/<id>/manifest-summary.json, manifest-summary.md5
//
// The summary comes last, so whoever sees it sees a whole export. The names of
// data files follow from the id: an export that is written anew after a crash
// writes over what it left.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "buckets/bucket.h"
#include "buckets/failure.h"
#include "buckets/gzip_file.h"

namespace taula::buckets {

// What the summary says of an export. Times are in milliseconds since 1970.
struct ManifestSummary {
  std::string export_arn;
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
  std::string table_arn;
  std::string table_id;
  std::int64_t export_time_ms = 0;  // of a full export
  std::int64_t from_ms = 0;         // of an incremental one
  std::int64_t to_ms = 0;
  std::string view;
  std::optional<std::string> prefix;
  std::string encryption;
  std::optional<std::string> kms_key;
  std::uint64_t billed_bytes = 0;
};

class ExportFiles {
 public:
  ExportFiles(Bucket bucket, std::string prefix, std::string id, bool incremental);

  // Shows that the bucket can be written.
  [[nodiscard]] Outcome<void> Begin();
  // One line, without its end. A file takes so many, then comes the next.
  [[nodiscard]] Outcome<void> Add(std::string_view line);
  // Writes the manifests.
  [[nodiscard]] Outcome<void> Finish(const ManifestSummary& summary);
  // Removes the data files, when there will be no manifest.
  void Discard();

  [[nodiscard]] std::uint64_t items() const { return items_; }

  // The summary's key.
  [[nodiscard]] static std::string SummaryKey(std::string_view prefix, std::string_view id);

  // How large a data file becomes, compressed.
  static constexpr std::uint64_t kFileBytesMax = std::uint64_t{16} << 20;

 private:
  [[nodiscard]] std::string Key(std::string_view name) const;
  [[nodiscard]] std::string DataKey(std::size_t number) const;
  [[nodiscard]] Outcome<void> OpenFile();
  [[nodiscard]] Outcome<void> CloseFile();
  [[nodiscard]] Outcome<void> PutWithMd5(const std::string& key, std::string_view content) const;
  [[nodiscard]] std::string SummaryJson(const ManifestSummary& summary) const;

  Bucket bucket_;
  std::string prefix_;
  std::string id_;
  bool incremental_;
  std::size_t files_ = 0;
  std::unique_ptr<GzipFile> file_;
  std::uint64_t file_items_ = 0;
  std::uint64_t items_ = 0;
  std::string files_manifest_;
};

}  // namespace taula::buckets
