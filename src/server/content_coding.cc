#include "server/content_coding.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <cstring>
#include <utility>

namespace taula::server {
namespace {

constexpr int kWindowBits = 15;
constexpr int kGzip = 16;
constexpr int kDetectHeader = 32;

Bytef* In(std::string_view bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); }

// Whether bytes begin as gzip or zlib do; bare deflate hardly ever looks so.
bool HasHeader(std::string_view bytes) {
  if (bytes.size() < 2) return true;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const auto second = static_cast<unsigned char>(bytes[1]);
  const bool gzip = first == 0x1f && second == 0x8b;
  const bool zlib = (first & 0x0f) == Z_DEFLATED && (first * 256 + second) % 31 == 0;
  return gzip || zlib;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

Inflater::~Inflater() {
  if (ready_) inflateEnd(&stream_);
}

bool Inflater::Prepare(std::string_view compressed) {
  const int window = HasHeader(compressed) ? kWindowBits + kDetectHeader : -kWindowBits;
  if (ready_) return inflateReset2(&stream_, window) == Z_OK;
  ready_ = inflateInit2(&stream_, window) == Z_OK;
  return ready_;
}

InflateStatus Inflater::Inflate(std::string_view compressed, std::size_t bytes_max,
                                const std::shared_ptr<BufferBudget>& budget, std::shared_ptr<Buffer>& out,
                                std::size_t& out_bytes) {
  if (!Prepare(compressed)) return InflateStatus::kNoMemory;
  stream_.next_in = In(compressed);
  stream_.avail_in = static_cast<uInt>(compressed.size());
  out_bytes = 0;
  out = Buffer::Make(std::clamp(4 * compressed.size(), std::min(kBlockBytes, bytes_max), bytes_max), budget);
  while (out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out->data() + out_bytes);
    stream_.avail_out = static_cast<uInt>(out->capacity() - out_bytes);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    out_bytes = out->capacity() - stream_.avail_out;
    if (out_bytes > bytes_max) return InflateStatus::kTooLarge;
    if (status == Z_STREAM_END) return stream_.avail_in == 0 ? InflateStatus::kOk : InflateStatus::kMalformed;
    const bool full = stream_.avail_out == 0;
    // With room left, the input ended before the stream did.
    if (!full || (status != Z_OK && status != Z_BUF_ERROR)) return InflateStatus::kMalformed;
    // One byte more than allowed tells a body of exactly the limit from a longer one.
    auto larger = Buffer::Make(std::min(2 * out->capacity(), bytes_max + 1), budget);
    if (larger) std::memcpy(larger->data(), out->data(), out_bytes);
    out = std::move(larger);
  }
  return InflateStatus::kNoMemory;
}

GzipCompressor::~GzipCompressor() {
  if (ready_) deflateEnd(&stream_);
}

bool GzipCompressor::Prepare() {
  constexpr int kMemoryLevel = 8;
  if (ready_) return deflateReset(&stream_) == Z_OK;
  ready_ =
      deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, kWindowBits + kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
  return ready_;
}

bool GzipCompressor::Compress(std::string& body) {
  if (!Prepare()) return false;
  stream_.next_in = In(body);
  stream_.avail_in = static_cast<uInt>(body.size());
  std::string compressed;
  int status = Z_OK;
  while (status == Z_OK) {
    stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_out = static_cast<uInt>(piece_.size());
    status = deflate(&stream_, Z_FINISH);
    compressed.append(piece_.data(), piece_.size() - stream_.avail_out);
  }
  if (status != Z_STREAM_END) return false;
  // An answer that waits for its client is charged with its size alone.
  compressed.shrink_to_fit();
  body = std::move(compressed);
  return true;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = accept_encoding.find(',');
    const std::string_view entry = accept_encoding.substr(0, comma);
    accept_encoding = comma == std::string_view::npos ? std::string_view() : accept_encoding.substr(comma + 1);
    const std::size_t semicolon = entry.find(';');
    const std::string_view name = Trim(entry.substr(0, semicolon));
    if (!boost::beast::iequals({name.data(), name.size()}, "gzip")) continue;
    if (semicolon == std::string_view::npos) return true;
    // "q=0", "q=0.0", "q=0.000" say no.
    const std::string_view weight = Trim(entry.substr(semicolon + 1));
    return weight.find_first_of("123456789") != std::string_view::npos;
  }
  return false;
}

}  // namespace taula::server
