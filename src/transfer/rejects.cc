#include "transfer/rejects.h"

#include <fmt/format.h>

#include <utility>

#include "codec/json_writer.h"

namespace taula::transfer {
namespace {

std::string LineOf(const Reject& reject) {
  std::string line;
  codec::JsonWriter json(line);
  json.BeginObject();
  json.Key("file").String(reject.file);
  json.Key("line").Integer(static_cast<std::int64_t>(reject.line));
  json.Key("reason").String(reject.why);
  if (!reject.item.empty()) {
    json.Key("item").Json(reject.item);
  } else {
    json.Key("text").String(reject.text);
  }
  json.EndObject();
  line.push_back('\n');
  return line;
}

}  // namespace

void Rejects::Add(const Reject& reject) {
  const std::lock_guard lock(mutex_);
  ++count_;
  if (first_.empty()) first_ = fmt::format("{}:{}: {}", reject.file, reject.line, reject.why);
  if (path_.empty() || failure_) return;
  if (!file_) {
    auto file = OutputFile::Open(path_, buckets::Compression::kNone, bytes_);
    if (!file) {
      failure_ = file.error();
      return;
    }
    file_.emplace(*std::move(file));
  }
  if (auto written = file_->Write(LineOf(reject)); !written) failure_ = written.error();
}

std::uint64_t Rejects::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::string Rejects::first() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

buckets::Outcome<std::uint64_t> Rejects::Settle() {
  const std::lock_guard lock(mutex_);
  if (failure_) return std::unexpected(*failure_);
  if (!file_) return bytes_;
  auto length = file_->Settle();
  if (length) bytes_ = *length;
  return length;
}

}  // namespace taula::transfer
