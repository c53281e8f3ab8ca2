// What the server asks of whoever answers its requests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "taula/error.h"

namespace taula::server {

struct Exchange;

// An operation to run. The views are valid until the responder has been used.
struct Request {
  std::string_view service;    // "DynamoDB_20120810"
  std::string_view operation;  // "PutItem"
  std::uint16_t number = 0;    // what the handler calls it
  // Never empty. kBodyPadding bytes behind it may be read, whatever is in them,
  // so simdjson takes it as it is.
  std::string_view body;
  bool explain = false;  // the answer is to have an explanation (X-Taula-Explain)
};

// The one answer to a request. It can be given once, from any thread, during
// Handler::Handle or later; on the connection's own thread it costs no hop to
// another. A responder that is dropped without an answer answers with an
// InternalServerError. Every responder must be gone before its handler is.
class Responder {
 public:
  explicit Responder(std::unique_ptr<Exchange> exchange);
  Responder(Responder&& other) noexcept;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  // A field of the answer's header, before the answer itself. The value must
  // stand on one line.
  void AddField(std::string_view name, std::string_view value);

  void Ok(std::string body);
  // `write` runs at once, on this thread, and appends the body to the buffer
  // that will be sent.
  void Write(base::FunctionRef<void(std::string& out)> write);
  void Fail(const Error& error);

 private:
  void Send(int status);

  std::unique_ptr<Exchange> exchange_;
};

class Handler {
 public:
  virtual ~Handler() = default;

  // A number of the handler's own for an operation, nothing when there is none.
  // Asked before a request is handed over, so that names are looked up once.
  [[nodiscard]] virtual std::optional<std::uint16_t> Find(std::string_view service,
                                                          std::string_view operation) const = 0;

  // Called on the connection's thread, for many connections at once from many
  // threads. Whatever blocks here holds up the thread's other connections, and the
  // answers they are about to be sent.
  virtual void Handle(const Request& request, Responder responder) = 0;
};

}  // namespace taula::server
