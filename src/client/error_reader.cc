#include "client/error_reader.h"

#include <string>

#include "codec/error_name.h"
#include "codec/json_request.h"

namespace taula::client {
namespace {

std::string TextOf(const codec::JsonStruct& body, std::string_view lower, std::string_view upper) {
  const auto text = body[lower].String();
  return std::string(text ? *text : body[upper].String().value_or(""));
}

void ReadReasons(const codec::JsonStruct& body, Error& error) {
  const auto reasons = body["CancellationReasons"].List();
  if (!reasons) return;
  for (const codec::JsonValue each : *reasons) {
    CancellationReason& reason = error.cancellation_reasons.emplace_back();
    const auto members = each.Struct("CancellationReason");
    if (!members) continue;
    std::optional<codec::ValueFault> fault;
    if (const auto code = (*members)["Code"].String()) reason.code = *code;
    reason.message = (*members)["Message"].String().value_or("");
    reason.item = (*members)["Item"].Item(fault);
  }
}

void SetCode(int status, std::string_view type, Error& error) {
  if (const auto code = codec::ErrorCodeNamed(type)) {
    error.code = *code;
    return;
  }
  const std::string_view name = type.substr(type.rfind('#') + 1);  // all of it, where there is none
  if (name.find("Token") != std::string_view::npos || name.find("Authorized") != std::string_view::npos) {
    error.code = ErrorCode::kAccessDeniedException;
  } else {
    error.code = status >= 500 ? ErrorCode::kInternalServerError : ErrorCode::kValidationException;
  }
  error.message.insert(0, std::string(name) + ": ");
}

}  // namespace

std::optional<Error> ReadError(int status, std::string_view body) {
  codec::JsonBody parser;
  const auto members = parser.Parse(body);
  if (!members) return std::nullopt;
  const auto type = (*members)["__type"].String();
  if (!type) return std::nullopt;
  Error error;
  error.message = TextOf(*members, "message", "Message");
  SetCode(status, *type, error);
  std::optional<codec::ValueFault> fault;
  error.item = (*members)["Item"].Item(fault);
  ReadReasons(*members, error);
  return error;
}

}  // namespace taula::client
