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

}  // namespace taula::cli
