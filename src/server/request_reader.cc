#include "server/request_reader.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <cstring>
#include <string_view>
#include <utility>

namespace taula::server {
namespace {

// A smaller rest of a buffer is not worth a system call.
constexpr std::size_t kReadBytesMin = 1024;

constexpr int kBadRequest = 400;
constexpr int kBodyTooLarge = 413;
constexpr int kExpectationFailed = 417;
constexpr int kHeaderTooLarge = 431;

bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

RequestReader::RequestReader(const Limits& limits, std::shared_ptr<BufferBudget> budget, SpareBlocks& spare_blocks)
    : limits_(limits), budget_(std::move(budget)), spare_blocks_(spare_blocks) {}

RequestReader::Phase RequestReader::phase() const {
  if (in_body_) return Phase::kBody;
  return begin_ < end_ ? Phase::kHead : Phase::kNothing;
}

// What a large body is said to need is no reason to set it aside: only what has
// come is. A block, however, costs nothing more.
std::size_t RequestReader::WantedBytes() const {
  const std::size_t one_more = end_ - begin_ + 1;
  return length_known() ? std::max(one_more, std::min(RequestBytes(), kBlockBytes)) : one_more;
}

std::span<char> RequestReader::Space() {
  const bool shared = buffer_.use_count() > 1;
  if (buffer_ && begin_ == end_ && !shared) {
    if (buffer_->capacity() > kBlockBytes) buffer_.reset();
    begin_ = end_ = scanned_ = 0;
  }
  const std::size_t wanted = WantedBytes();
  const std::size_t capacity = buffer_ ? buffer_->capacity() : 0;
  const bool fits = begin_ + wanted <= capacity;
  const bool cramped = !in_body_ && begin_ > 0 && capacity - end_ < kReadBytesMin;
  if ((!fits || cramped) && !Relocate(wanted)) return {};
  return {buffer_->data() + end_, buffer_->capacity() - end_};
}

// Brings the next request to the front of a buffer that can hold it.
bool RequestReader::Relocate(std::size_t wanted) {
  const std::size_t used = end_ - begin_;
  std::shared_ptr<Buffer> target = buffer_;
  if (!buffer_ || buffer_.use_count() > 2 || wanted > buffer_->capacity()) {
    std::size_t grown = wanted <= kBlockBytes ? kBlockBytes : 2 * wanted;
    if (length_known()) grown = std::min(grown, std::max(RequestBytes(), kBlockBytes));
    target = grown == kBlockBytes ? spare_blocks_.Take(budget_) : Buffer::Make(grown, budget_);
    if (!target) return false;
  }
  if (used > 0) {
    // Before the move, as both places may overlap and be the same buffer.
    if (in_body_) head_.Rebase(buffer_->data() + begin_, target->data());
    std::memmove(target->data(), buffer_->data() + begin_, used);
  }
  buffer_ = std::move(target);
  body_begin_ -= std::min(body_begin_, begin_);
  scanned_ -= std::min(scanned_, begin_);
  end_ = used;
  begin_ = 0;
  return true;
}

void RequestReader::Rest() {
  if (!buffer_ || phase() != Phase::kNothing || buffer_.use_count() > 1) return;
  spare_blocks_.Give(std::move(buffer_));
  begin_ = end_ = scanned_ = 0;
}

void RequestReader::End() {
  buffer_.reset();
  begin_ = end_ = scanned_ = 0;
  in_body_ = false;
}

RequestReader::Step RequestReader::Refuse(int status) {
  refusal_ = status;
  return Step::kRefused;
}

RequestReader::Step RequestReader::Next(Exchange& exchange) {
  if (refusal_ != 0) return Step::kRefused;
  if (!in_body_) {
    if (const Step step = NextHead(); step != Step::kRequest) return step;
  }
  return NextBody(exchange);
}

// kRequest when the head is complete.
RequestReader::Step RequestReader::NextHead() {
  if (!buffer_) return Step::kMore;
  const char* const data = buffer_->data();
  // Clients that end a body with a line end too many are forgiven (RFC 9112).
  while (begin_ < end_ && (data[begin_] == '\r' || data[begin_] == '\n')) ++begin_;
  if (begin_ == end_) return Step::kMore;
  // Mostly TLS spoken to a port without it: no use waiting for a line's end.
  if (!IsLetter(data[begin_])) return Refuse(kBadRequest);

  constexpr std::string_view kEmptyLine = "\r\n\r\n";
  const std::size_t from = std::max(begin_, scanned_);
  const std::string_view unseen(data + from, end_ - from);
  const std::size_t found = unseen.find(kEmptyLine);
  if (found == std::string_view::npos) {
    scanned_ = end_ - std::min(end_ - begin_, kEmptyLine.size() - 1);
    return end_ - begin_ >= limits_.header_bytes_max ? Refuse(kHeaderTooLarge) : Step::kMore;
  }
  body_begin_ = from + found + kEmptyLine.size();
  const std::string_view bytes(data + begin_, body_begin_ - begin_);
  if (bytes.size() > limits_.header_bytes_max) return Refuse(kHeaderTooLarge);
  if (const int status = ParseRequestHead(bytes, limits_.header_fields_max, head_); status != 0) return Refuse(status);
  return CheckHead();
}

RequestReader::Step RequestReader::CheckHead() {
  if (head_.content_length.value_or(0) > limits_.body_bytes_max) return Refuse(kBodyTooLarge);
  if (!head_.content_length) head_.content_length = 0;
  decoder_.reset();
  if (head_.chunked) decoder_.emplace(limits_.body_bytes_max, limits_.header_bytes_max);
  awaits_continue_ = false;
  if (const auto expectation = head_.Find(RequestHead::FieldName::expect); expectation && head_.http11) {
    if (!boost::beast::iequals({expectation->data(), expectation->size()}, "100-continue")) {
      return Refuse(kExpectationFailed);
    }
    awaits_continue_ = body_begin_ == end_ && (head_.chunked || *head_.content_length > 0);
  }
  in_body_ = true;
  return Step::kRequest;
}

RequestReader::Step RequestReader::NextBody(Exchange& exchange) {
  if (decoder_) return DecodeChunks(exchange);
  const std::size_t body_end = body_begin_ + *head_.content_length;
  if (end_ < body_end) return Step::kMore;
  Take(exchange, body_end, body_end);
  return Step::kRequest;
}

// head_.content_length counts what has been decoded so far.
RequestReader::Step RequestReader::DecodeChunks(Exchange& exchange) {
  char* const data = buffer_->data();
  const std::size_t decoded_end = body_begin_ + *head_.content_length;
  const char* in = data + decoded_end;
  char* out = data + decoded_end;
  const ChunkedDecoder::Status status = decoder_->Decode(in, data + end_, out);
  const auto body_end = static_cast<std::size_t>(out - data);
  head_.content_length = body_end - body_begin_;
  switch (status) {
    case ChunkedDecoder::Status::kMore:
      end_ = body_end;
      return Step::kMore;
    case ChunkedDecoder::Status::kDone:
      Take(exchange, body_end, static_cast<std::size_t>(in - data));
      return Step::kRequest;
    case ChunkedDecoder::Status::kTooLarge:
      return Refuse(kBodyTooLarge);
    case ChunkedDecoder::Status::kMalformed:
      break;
  }
  return Refuse(kBadRequest);
}

void RequestReader::Take(Exchange& exchange, std::size_t body_end, std::size_t request_end) {
  exchange.input = buffer_;
  exchange.body = {buffer_->data() + body_begin_, body_end - body_begin_};
  std::swap(exchange.head, head_);
  begin_ = scanned_ = request_end;
  in_body_ = false;
  decoder_.reset();
  awaits_continue_ = false;
}

}  // namespace taula::server
