// Tries again what failed for a reason that may pass: throttling, a server that
// is away or broken. The waits grow, and are random, so that many who wait do
// not come back together.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "client/call_function.h"
#include "taula/error.h"

namespace taula::client {

// Whether trying again may help: the server is away, busy or broken.
[[nodiscard]] bool IsPassing(const Error& error);

struct Patience {
  std::int64_t wait_ms_first = 50;
  std::int64_t wait_ms_max = 5'000;
  std::int64_t give_up_ms = 60'000;  // after the first of failures in a row
  std::stop_token stop = {};         // ends the waiting, and the trying with it
};

// The waits between tries of one thing.
class Waits {
 public:
  explicit Waits(Patience patience) : patience_(std::move(patience)) {}

  // Waits before the next try; false when it is time to give up.
  [[nodiscard]] bool Next();
  // Something went well.
  void Reset() { tries_ = 0; }

 private:
  const Patience patience_;
  std::int64_t tries_ = 0;
  std::int64_t first_ms_ = 0;
};

// Waits that long, or until `stop` is asked for; then false.
bool WaitFor(std::int64_t ms, const std::stop_token& stop);

// The first answer, or the last error.
[[nodiscard]] Result<std::string> CallPatiently(const CallFunction& call, std::string_view operation,
                                                const std::string& body, const Patience& patience);

}  // namespace taula::client
