// Decoding the body of an operation on tables.
#pragma once

#include <string_view>
#include <utility>

#include "api/operation.h"
#include "api/request_reader.h"
#include "codec/json_request.h"
#include "taula/error.h"

namespace taula::api {

// Answers with act(read(body)). A member of the wrong type, which shows while
// `read` looks at the body, comes before all else that may be wrong.
template <typename Read, typename Act>
void AnswerTableRequest(std::string_view body, Completion& done, Read read, Act act) {
  const Result<codec::JsonStruct> json = ParseBody(body);
  if (!json) {
    done(std::unexpected(json.error()));
    return;
  }
  auto request = read(*json);
  if (json->failed()) {
    done(std::unexpected(json->TakeError()));
    return;
  }
  done(act(std::move(request)));
}

}  // namespace taula::api
