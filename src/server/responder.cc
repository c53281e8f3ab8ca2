#include <utility>

#include "server/error_body.h"
#include "server/exchange.h"
#include "server/handler.h"
#include "server/mailbox.h"

namespace taula::server {

Responder::Responder(std::unique_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
Responder::Responder(Responder&& other) noexcept = default;

Responder& Responder::operator=(Responder&& other) noexcept {
  Responder gone(std::move(*this));
  exchange_ = std::move(other.exchange_);
  return *this;
}

Responder::~Responder() {
  if (exchange_) Fail({ErrorCode::kInternalServerError, "The request was not answered", {}, {}});
}

void Responder::AddField(std::string_view name, std::string_view value) {
  if (exchange_) exchange_->extra_fields.append(name).append(": ").append(value).append("\r\n");
}

void Responder::Ok(std::string body) {
  if (!exchange_) return;
  exchange_->response_body = std::move(body);
  Send(200);
}

void Responder::Write(base::FunctionRef<void(std::string& out)> write) {
  if (!exchange_) return;
  write(exchange_->response_body);
  Send(200);
}

void Responder::Fail(const Error& error) {
  if (!exchange_) return;
  exchange_->response_body.clear();
  AppendErrorBody(error, exchange_->response_body);
  Send(HttpStatus(error.code));
}

void Responder::Send(int status) {
  exchange_->status = status;
  Return(std::move(exchange_));
}

}  // namespace taula::server
