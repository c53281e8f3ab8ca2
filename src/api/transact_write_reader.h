// A TransactWriteItems request with what is wrong with each of its actions.
#pragma once

#include <string_view>
#include <vector>

#include "api/decode_faults.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

struct DecodedTransaction {
  TransactWriteItemsRequest request;
  DecodeFaults faults;                      // of the request itself
  std::vector<DecodeFaults> action_faults;  // one for each action
};

// From JSON.
[[nodiscard]] Result<DecodedTransaction> DecodeTransaction(std::string_view body);
// From a request made in process.
[[nodiscard]] DecodedTransaction WithFaults(TransactWriteItemsRequest request);

}  // namespace taula::api
