#include "cli/signals.h"

#include <pthread.h>

namespace taula::cli {

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int StopSignals::Await() {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) {
  }
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  return signal;
}

bool StopSignals::AwaitFor(std::chrono::milliseconds longest) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec time{.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(longest - seconds).count()};
  if (sigtimedwait(&signals_, nullptr, &time) < 0) return false;
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  return true;
}

}  // namespace taula::cli
