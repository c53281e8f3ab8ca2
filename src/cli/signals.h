// Waits for the signals that ask the process to end.
#pragma once

#include <chrono>
#include <csignal>

namespace taula::cli {

// While it lives SIGINT and SIGTERM wait to be taken instead of ending the
// process. Make it before any thread is started, as threads inherit it.
class StopSignals {
 public:
  StopSignals();

  // Returns with the first signal. From then on they have their usual effect,
  // so that a second one ends the process at once.
  int Await();
  // The same, but not for longer than this; false when there was none.
  [[nodiscard]] bool AwaitFor(std::chrono::milliseconds longest);

 private:
  sigset_t signals_{};
};

}  // namespace taula::cli
