#include "cli/child_process.h"

#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace taula::cli {
namespace {

constexpr int kEndedBySignal = 128;

std::atomic<pid_t> running_child = 0;

void PassOn(int signal) {
  if (const pid_t child = running_child.load(); child > 0) ::kill(child, signal);
}

// A terminal sends its interrupts to both, a supervisor its request to end to
// this one alone.
void LeaveSignalsToChild() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, PassOn);
}

// Starts it with the usual effect of the signals that are ignored here.
int Spawn(std::vector<std::string>& command, pid_t& child) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGTERM);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int failed = ::posix_spawnp(&child, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

std::expected<int, std::string> RunAndWait(std::vector<std::string> command) {
  LeaveSignalsToChild();
  pid_t child = 0;
  if (const int failed = Spawn(command, child); failed != 0) return std::unexpected(std::strerror(failed));
  running_child = child;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return std::unexpected(std::strerror(errno));
  }
  running_child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kEndedBySignal + WTERMSIG(status);
}

}  // namespace taula::cli
