#include "transfer/item_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <set>
#include <utility>

namespace taula::transfer {
namespace {

using buckets::CsvField;
using buckets::CsvRecord;
using buckets::Descriptor;
using buckets::FailWith;
using buckets::Outcome;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kTextBytesMax = 10'000;

BadLine Bad(std::string why, std::string_view text) {
  return {std::move(why), std::string(text.substr(0, kTextBytesMax))};
}

// {"Item":{"pk":{"S":"a"}}} is no plain item: its only attribute would be a map,
// and so not a key.
Format FormatOf(std::string_view first_line, buckets::ItemLineReader& reader) {
  return reader.Read(first_line) ? Format::kDynamoDbJson : Format::kNdjson;
}

}  // namespace

ItemInput::ItemInput(const std::string& path, Descriptor file, std::optional<Format> format, const CsvReading& reading)
    : path_(path == "-" ? "the standard input" : path),
      place_(dup(file.number())),
      format_(format),
      reading_(reading),
      plain_(std::make_unique<codec::PlainJsonReader>(codec::TypeMarks::kWritten)),
      dynamodb_(std::make_unique<buckets::ItemLineReader>()) {
  struct stat found {};
  if (fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode))
    file_bytes_ = static_cast<std::uint64_t>(found.st_size);
  const FileKind kind = KindOf(path);
  if (!format_) format_ = kind.format;
  if (format_ == Format::kNdjson && !format) format_.reset();
  lines_ = std::make_unique<buckets::LineReader>(buckets::OpenSource(std::move(file), path_, kind.compression));
}

Outcome<ItemInput> ItemInput::Open(const std::string& path, std::optional<Format> format, const CsvReading& reading) {
  Descriptor file(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return buckets::SystemFailure(errno, path);
  struct stat found {};
  if (fstat(file.number(), &found) == 0 && S_ISDIR(found.st_mode)) return buckets::SystemFailure(EISDIR, path);
  return ItemInput(path, std::move(file), format, reading);
}

std::optional<double> ItemInput::part() const {
  if (file_bytes_ == 0) return std::nullopt;
  const off_t at = lseek(place_.number(), 0, SEEK_CUR);
  if (at < 0) return std::nullopt;
  return static_cast<double>(at) / static_cast<double>(file_bytes_);
}

Outcome<void> ItemInput::SkipTo(std::uint64_t position) {
  // The header is read, and the format found out, as without skipping.
  if (position > 0 && lines_->position() == 0) {
    if (auto first = Read(); !first) return std::unexpected(first.error());
  }
  while (lines_->position() < position) {
    const auto line = lines_->Next();
    if (!line) return std::unexpected(line.error());
    if (!*line) return FailWith(buckets::kMalformed, fmt::format("{} is shorter than it was", path_));
  }
  return {};
}

Outcome<ItemInput::Next> ItemInput::Read() {
  while (true) {
    const auto read = lines_->Next();
    if (!read) return std::unexpected(read.error());
    if (!*read) return std::monostate();
    std::string_view line = **read;
    line_ = lines_->lines();
    if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!format_) format_ = FormatOf(line, *dynamodb_);
    if (format_ == Format::kNdjson) return ReadPlain(line);
    if (format_ == Format::kDynamoDbJson) return ReadDynamoDb(line);
    Outcome<Next> record = ReadRecord(line);
    if (!record || !std::holds_alternative<std::monostate>(*record)) return record;
  }
}

ItemInput::Next ItemInput::ReadPlain(std::string_view line) {
  auto item = plain_->ReadItem(line);
  if (item) return *std::move(item);
  if (item.error().path.empty() && line.starts_with('[') && line_ == 1) {
    return Bad("is not a JSON object; items stand one a line, not in an array (jq -c '.[]' makes lines of one)", line);
  }
  if (item.error().path.empty()) return Bad("is not a JSON object", line);
  return Bad(fmt::format("{} {}", item.error().path, item.error().what), line);
}

ItemInput::Next ItemInput::ReadDynamoDb(std::string_view line) {
  auto item = dynamodb_->Read(line);
  if (item) return *std::move(item);
  return Bad(item.error().rest_is_lost ? "is not {\"Item\":{…}}" : item.error().message, line);
}

// Nothing for a header.
Outcome<ItemInput::Next> ItemInput::ReadRecord(std::string_view line) {
  std::vector<CsvField> fields;
  const std::string first(line);  // which reading on may overwrite
  const Outcome<CsvRecord> state = buckets::ReadCsv(*lines_, first, ',', fields);
  if (!state) return std::unexpected(state.error());
  if (*state == CsvRecord::kOpen) return Bad("a field in double quotes has no end", first);
  if (*state == CsvRecord::kWrong) return Bad("a double quote inside of a field is not doubled", first);
  if (header_.empty()) {
    if (auto taken = TakeHeader(fields); !taken) return std::unexpected(taken.error());
    return std::monostate();
  }
  auto item = ItemOfRecord(header_, fields, reading_, *plain_);
  if (item) return *std::move(item);
  return Bad(std::move(item.error()), first);
}

Outcome<void> ItemInput::TakeHeader(const std::vector<CsvField>& fields) {
  std::set<std::string_view> different;
  for (const CsvField& field : fields) {
    if (field.text.empty()) {
      return FailWith(buckets::kMalformed, fmt::format("{}:{}: the header has a column without a name", path_, line_));
    }
    if (!different.insert(field.text).second) {
      return FailWith(buckets::kMalformed, fmt::format("{}:{}: the header names {} twice", path_, line_, field.text));
    }
    header_.push_back(field.text);
  }
  return {};
}

}  // namespace taula::transfer
