#include "cli/change_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "client/http.h"
#include "client/url.h"

extern char** environ;

namespace taula::cli {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// A file in memory rather than a pipe: a command that does not read all of it
// cannot make us wait.
bool Fill(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(file.number(), 0, SEEK_SET) == 0;
}

class Command final : public ChangeTarget {
 public:
  explicit Command(std::vector<std::string> command) : command_(std::move(command)) {}

  std::expected<void, std::string> Take(const std::string& event) override {
    const Descriptor input(::memfd_create("changes", MFD_CLOEXEC));
    if (input.number() < 0 || !Fill(input, event)) {
      return std::unexpected(fmt::format("the changes cannot be written: {}", std::strerror(errno)));
    }
    std::vector<char*> arguments;
    for (std::string& argument : command_) arguments.push_back(argument.data());
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.number(), STDIN_FILENO);
    pid_t child = 0;
    const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return std::unexpected(fmt::format("{} cannot be run: {}", command_[0], std::strerror(failed)));
    return Await(child);
  }

 private:
  [[nodiscard]] std::expected<void, std::string> Await(pid_t child) const {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) return std::unexpected(fmt::format("{} got lost", command_[0]));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    if (WIFEXITED(status)) {
      return std::unexpected(fmt::format("{} ended with {}", command_[0], WEXITSTATUS(status)));
    }
    return std::unexpected(fmt::format("{} was ended by signal {}", command_[0], WTERMSIG(status)));
  }

  std::vector<std::string> command_;
};

class Webhook final : public ChangeTarget {
 public:
  explicit Webhook(client::Url url) : url_(std::move(url)), connection_(url_) {}

  std::expected<void, std::string> Take(const std::string& event) override {
    const auto response = connection_.Send(
        {.method = "POST", .target = url_.Target(), .fields = {{"Content-Type", "application/json"}}, .body = event});
    if (!response)
      return std::unexpected(fmt::format("{} cannot be reached: {}", url_.Origin(), response.error().what));
    if (response->status >= 200 && response->status < 300) return {};
    return std::unexpected(fmt::format("{} answered with status {}", url_.Origin(), response->status));
  }

 private:
  const client::Url url_;
  client::HttpConnection connection_;
};

}  // namespace

std::unique_ptr<ChangeTarget> CommandTarget(std::vector<std::string> command) {
  return std::make_unique<Command>(std::move(command));
}

std::expected<std::unique_ptr<ChangeTarget>, std::string> WebhookTarget(std::string_view url) {
  auto parsed = client::ParseUrl(url);
  if (!parsed) return std::unexpected(parsed.error());
  return std::make_unique<Webhook>(*std::move(parsed));
}

}  // namespace taula::cli
