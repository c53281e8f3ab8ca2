#include "design/local_backend.h"

#include <simdjson.h>

#include <future>

namespace taula::design {

Result<std::string> LocalBackend::Call(std::string_view operation, const std::string& body) {
  const simdjson::padded_string padded(body);
  std::promise<Result<std::string>> promise;
  std::future<Result<std::string>> answer = promise.get_future();
  service_.Handle(operation, std::string_view(padded.data(), padded.size()),
                  [&promise](Result<std::string> result) { promise.set_value(std::move(result)); });
  return answer.get();
}

}  // namespace taula::design
