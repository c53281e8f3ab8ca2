// Patience of background work with a store that fails: it waits longer from try
// to try, until it is stopped, and says once that it waits and once that it goes
// on.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

namespace taula::engine {

class Retry {
 public:
  // `what` begins a line of the log: "Filling an index".
  Retry(std::string what, std::stop_token stop);

  // Waits before the next try.
  void Wait(std::string_view reason);
  // Says that a try has worked.
  void Worked();

 private:
  std::string what_;
  std::stop_token stop_;
  std::chrono::milliseconds pause_;
  bool waiting_ = false;
};

}  // namespace taula::engine
