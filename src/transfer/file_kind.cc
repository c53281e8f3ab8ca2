#include "transfer/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace taula::transfer {
namespace {

using buckets::Compression;

constexpr std::array<std::pair<std::string_view, Format>, 3> kNames{{
    {"ndjson", Format::kNdjson},
    {"dynamodb-json", Format::kDynamoDbJson},
    {"csv", Format::kCsv},
}};

}  // namespace

std::string_view NameOf(Format format) {
  return std::ranges::find(kNames, format, &decltype(kNames)::value_type::second)->first;
}

std::optional<Format> FormatNamed(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &decltype(kNames)::value_type::first);
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

FileKind KindOf(std::string_view path) {
  std::string name(path);
  std::ranges::transform(name, name.begin(), [](unsigned char each) { return std::tolower(each); });
  FileKind kind;
  const auto take = [&name](std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    name.resize(name.size() - ending.size());
    return true;
  };
  if (take(".gz")) {
    kind.compression = Compression::kGzip;
  } else if (take(".zst")) {
    kind.compression = Compression::kZstd;
  }
  if (take(".csv")) kind.format = Format::kCsv;
  if (take(".ndjson") || take(".jsonl")) kind.format = Format::kNdjson;
  return kind;
}

}  // namespace taula::transfer
