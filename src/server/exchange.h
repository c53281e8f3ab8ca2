// One request and its answer, on their way through the server.
//
// An exchange has one owner at a time: the connection that reads it, then the
// handler's Responder, then the connection again, which sends it. So nothing in
// it is locked. Connections use their exchanges again, and with them the memory
// that requests and answers took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/home.h"
#include "server/buffer.h"
#include "server/request_head.h"

namespace taula::server {

class Connection;
class ServiceHandler;

enum class ContentType : std::uint8_t { kNone, kJson, kAmzJson10 };

// Made on the thread of its connection, to which it comes back.
struct Exchange final : base::Home::Traveller {
  void Arrive(std::unique_ptr<Traveller> self) override;
  void FindNobody(std::unique_ptr<Traveller> /*self*/) override {}

  // Lives at least as long as it waits for the exchange.
  Connection* connection = nullptr;
  std::uint64_t sequence = 0;

  // The request. `input` (and `inflated`, for a compressed body) hold the bytes
  // that head and body look at.
  RequestHead head;
  std::string_view body;
  std::shared_ptr<Buffer> input;
  std::shared_ptr<Buffer> inflated;
  std::size_t input_bytes = 0;  // of the body as it came, and again as it is inflated

  // Whom it is for, when it is not for DynamoDB. Nobody once it is handed over.
  ServiceHandler* service = nullptr;

  // The answer.
  int status = 200;
  ContentType content_type = ContentType::kNone;
  std::string extra_fields;  // whole header lines
  std::string response_head;
  std::string response_body;
  // Said in the head, and done once it is sent.
  bool close_after = false;
  // Of a HEAD request: the head tells of a body that does not follow.
  bool head_only = false;

  void ReleaseRequest() {
    head.fields.clear();
    head.named.reset();
    head.target = {};
    body = {};
    input.reset();
    inflated.reset();
  }

  // Makes it ready for another request, and lets go of memory that an unusual
  // one took.
  void Reset() {
    constexpr std::size_t kKeptBytesMax = 64 * 1024;
    ReleaseRequest();
    status = 200;
    content_type = ContentType::kNone;
    extra_fields.clear();
    response_head.clear();
    response_body.clear();
    if (response_body.capacity() > kKeptBytesMax) response_body = std::string();
    close_after = false;
    head_only = false;
  }
};

}  // namespace taula::server
