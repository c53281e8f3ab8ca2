#include "cloudwatch/protocol.h"

#include <fmt/format.h>

#include "cloudwatch/cbor_protocol.h"
#include "cloudwatch/json_protocol.h"
#include "cloudwatch/query_protocol.h"

namespace taula::cloudwatch {
namespace {

constexpr std::string_view kOperationPath = "/service/GraniteServiceVersion20100801/operation/";

// SDKs turn the newer protocols' names of errors back into those of the Query
// protocol, which programs know, by this field.
void AddQueryError(const Fault& fault, HttpAnswer& answer) {
  fmt::format_to(std::back_inserter(answer.fields), "x-amzn-query-error: {};{}\r\n", fault.code,
                 fault.status < 500 ? "Sender" : "Receiver");
}

}  // namespace

std::optional<Protocol> ProtocolOf(const HttpRequest& request) {
  if (request.target.starts_with(kServiceName) && request.target.substr(kServiceName.size()).starts_with('.')) {
    return Protocol::kJson;
  }
  if (request.path.starts_with(kOperationPath)) return Protocol::kCbor;
  const std::string_view path = request.path.substr(0, request.path.find('?'));
  if (path == "/" && request.media_type == "application/x-www-form-urlencoded" && IsQueryForm(request.body)) {
    return Protocol::kQuery;
  }
  return std::nullopt;
}

Outcome<Call> ReadCall(Protocol protocol, const HttpRequest& request) {
  if (request.body.size() > kBodyBytesMax) {
    return std::unexpected(Fault{"RequestEntityTooLarge", "com.amazon.coral.service#RequestEntityTooLargeException",
                                 fmt::format("The body may have {} bytes at most.", kBodyBytesMax), 413});
  }
  Outcome<Document> input;
  std::string operation;
  switch (protocol) {
    case Protocol::kQuery:
      return ReadForm(request.body);
    case Protocol::kJson:
      operation = request.target.substr(kServiceName.size() + 1);
      input = ReadJson(request.body);
      break;
    case Protocol::kCbor:
      operation = request.path.substr(kOperationPath.size());
      input = ReadCbor(request.body);
      break;
  }
  if (!input) return std::unexpected(std::move(input.error()));
  return Call{std::move(operation), *std::move(input)};
}

HttpAnswer WriteOutput(Protocol protocol, std::string_view operation, const Document& output) {
  switch (protocol) {
    case Protocol::kQuery:
      return WriteXml(operation, output);
    case Protocol::kJson:
      return WriteJson(output);
    case Protocol::kCbor:
      break;
  }
  return WriteCbor(output);
}

HttpAnswer WriteFault(Protocol protocol, const Fault& fault) {
  if (protocol == Protocol::kQuery) return WriteXmlFault(fault);
  Document::Struct members;
  members.push_back({"__type", {std::string(fault.type)}});
  if (!fault.message.empty()) members.push_back({"message", {fault.message}});
  const Document body{std::move(members)};
  HttpAnswer answer = protocol == Protocol::kJson ? WriteJson(body) : WriteCbor(body);
  answer.status = fault.status;
  AddQueryError(fault, answer);
  return answer;
}

Fault UnknownOperation(Protocol protocol, std::string_view operation) {
  constexpr std::string_view kType = "com.amazon.coral.service#UnknownOperationException";
  switch (protocol) {
    case Protocol::kQuery:
      return {"InvalidAction", kType, fmt::format("Could not find operation {} for version {}", operation, kVersion)};
    case Protocol::kJson:
      return {"UnknownOperationException", kType, ""};
    case Protocol::kCbor:
      break;
  }
  return {"UnknownOperationException", kType, "", 404};
}

}  // namespace taula::cloudwatch
