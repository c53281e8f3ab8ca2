// Cuts a stream of bytes into requests, without copying them when it can.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "server/buffer.h"
#include "server/chunked_decoder.h"
#include "server/exchange.h"
#include "server/limits.h"
#include "server/request_head.h"

namespace taula::server {

class RequestReader {
 public:
  enum class Step { kMore, kRequest, kRefused };
  // What the reader has seen of the next request.
  enum class Phase { kNothing, kHead, kBody };

  // What it is given outlives it.
  RequestReader(const Limits& limits, std::shared_ptr<BufferBudget> budget, SpareBlocks& spare_blocks);

  // Where the next bytes are to be put; empty when there is no memory for them.
  [[nodiscard]] std::span<char> Space();
  void Received(std::size_t count) { end_ += count; }
  // Lets others have the memory until more comes, if nothing stands in it.
  void Rest();
  // Nothing will be read any more: lets go of the memory.
  void End();

  // Takes the next complete request into `exchange`. After kRefused the stream
  // cannot be read any further.
  [[nodiscard]] Step Next(Exchange& exchange);
  // The HTTP status to refuse with.
  [[nodiscard]] int refusal() const { return refusal_; }

  // Whether the request that is refused knows what came with HTTP/1.1.
  [[nodiscard]] bool http11() const { return head_.http11; }

  [[nodiscard]] Phase phase() const;
  // The client waits for "100 Continue" before it sends the body that is next.
  [[nodiscard]] bool awaits_continue() const { return awaits_continue_; }
  void Continued() { awaits_continue_ = false; }

 private:
  Step Refuse(int status);
  Step NextHead();
  Step CheckHead();
  Step NextBody(Exchange& exchange);
  Step DecodeChunks(Exchange& exchange);
  void Take(Exchange& exchange, std::size_t body_end, std::size_t request_end);
  [[nodiscard]] bool length_known() const { return in_body_ && !decoder_; }
  [[nodiscard]] std::size_t RequestBytes() const { return body_begin_ - begin_ + *head_.content_length; }
  [[nodiscard]] std::size_t WantedBytes() const;
  [[nodiscard]] bool Relocate(std::size_t wanted);

  const Limits& limits_;
  std::shared_ptr<BufferBudget> budget_;
  SpareBlocks& spare_blocks_;
  std::shared_ptr<Buffer> buffer_;
  // Of the next request, as positions in the buffer: its begin, the end of what
  // was received, and how far the end of the head was looked for.
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t scanned_ = 0;

  // Of the request whose head is complete: where its body begins, and for a
  // chunked one, whose framing is taken off in place, where that ends so far.
  bool in_body_ = false;
  RequestHead head_;
  std::size_t body_begin_ = 0;
  std::optional<ChunkedDecoder> decoder_;

  bool awaits_continue_ = false;
  int refusal_ = 0;
};

}  // namespace taula::server
