// The command as a user runs it.
#include "cli/command_line.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/exit_code.h"

namespace taula::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    int out[2];
    int err[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC) | pipe2(err, O_CLOEXEC), 0);
    arguments.insert(arguments.begin(), TAULA_BINARY);
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    id_ = fork();
    if (id_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(err[1], STDERR_FILENO);
      execv(TAULA_BINARY, argv.data());
      _exit(127);
    }
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  ~Process() {
    if (id_ > 0) {
      kill(id_, SIGKILL);
      waitpid(id_, nullptr, 0);
    }
    close(out_);
    close(err_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Reads stdout up to a text; the port that the start message names.
  int AwaitReady() {
    std::string text;
    char c = 0;
    while (text.find("Stop ") == std::string::npos && read(out_, &c, 1) == 1) text.push_back(c);
    const std::size_t at = text.find("Endpoint  http://127.0.0.1:");
    return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + 27);
  }
  void Signal(int number) const { kill(id_, number); }

  // Waits for the end; the exit code, or 128 and the signal that ended it.
  int Await() {
    output = Drain(out_);
    errors = Drain(err_);
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  std::string output;
  std::string errors;

 private:
  static std::string Drain(int pipe) {
    std::string text;
    char bytes[4096];
    for (ssize_t count = 0; (count = read(pipe, bytes, sizeof(bytes))) > 0;) text.append(bytes, count);
    return text;
  }

  pid_t id_;
  int out_;
  int err_;
};

int Connect(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  return socket;
}

std::string Fetch(int socket, std::string_view request) {
  EXPECT_EQ(send(socket, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  char bytes[4096];
  const ssize_t count = recv(socket, bytes, sizeof(bytes), 0);
  return {bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "taula-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// One line, so that a script's log shows it whole.
void ExpectOneLine(const std::string& errors) {
  EXPECT_THAT(errors, StartsWith("taula: "));
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
}

TEST(CommandLine, TellsItsVersion) {
  for (const char* argument : {"version", "--version"}) {
    Process process({argument});
    EXPECT_EQ(process.Await(), kExitOk);
    EXPECT_EQ(process.output, "taula " TAULA_VERSION "\n");
  }
}

TEST(CommandLine, HelpsThoseWhoSayNothing) {
  Process process({});
  EXPECT_EQ(process.Await(), kExitOk);
  EXPECT_THAT(process.output, HasSubstr("taula serve"));
  EXPECT_THAT(process.output, HasSubstr("Examples:"));
}

TEST(CommandLine, HelpsWithServe) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"serve", "--help"}, {"-help"}}) {
    Process process(arguments);
    EXPECT_EQ(process.Await(), kExitOk);
    for (const char* part : {"Network:", "Data:", "Resources:", "--port", "TAULA_PORT", "--memory", "Examples:"}) {
      EXPECT_THAT(process.output, HasSubstr(part));
    }
  }
}

TEST(CommandLine, ComplainsOnOneLine) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"serve", "--port", "nonsense"}, {"serve", "--nonsense"}, {"nonsense"}}) {
    Process process(arguments);
    EXPECT_EQ(process.Await(), kExitUsage);
    ExpectOneLine(process.errors);
    EXPECT_THAT(process.errors, HasSubstr("onsense"));
    EXPECT_THAT(process.errors, HasSubstr("--help"));
  }
}

TEST(CommandLine, RefusesToBeReachedByOthers) {
  Process process({"serve", "--memory", "--listen", "0.0.0.0"});
  EXPECT_EQ(process.Await(), kExitUsage);
  ExpectOneLine(process.errors);
  EXPECT_THAT(process.errors, HasSubstr("--insecure"));
}

TEST(Serve, AnswersAndStops) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Process process({"-inMemory", "-port", "0", "-sharedDb"});
    const int port = process.AwaitReady();
    ASSERT_GT(port, 0);
    const int socket = Connect(port);
    EXPECT_THAT(Fetch(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), HasSubstr("healthy: dynamodb.us-east-1"));
    process.Signal(signal);
    EXPECT_EQ(process.Await(), kExitOk);
    EXPECT_THAT(process.errors, HasSubstr("stopped"));
    close(socket);
  }
}

TEST(Serve, StopsAtOnceWithASecondSignal) {
  Process process({"serve", "--memory", "--port", "0"});
  const int socket = Connect(process.AwaitReady());
  // A request that is never finished keeps the first signal waiting.
  EXPECT_EQ(send(socket, "POST / HT", 9, 0), 9);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto began = std::chrono::steady_clock::now();
  process.Signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Await(), 128 + SIGTERM);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  close(socket);
}

TEST(Serve, SaysThatThePortIsInUse) {
  Process first({"serve", "--memory", "--port", "0"});
  const int port = first.AwaitReady();
  Process second({"serve", "--memory", "--port", std::to_string(port)});
  EXPECT_EQ(second.Await(), kExitCannotListen);
  ExpectOneLine(second.errors);
  EXPECT_THAT(second.errors, HasSubstr("in use"));
  EXPECT_THAT(second.errors, HasSubstr("--port"));
}

TEST(Serve, SaysThatTheFolderIsInUse) {
  const Folder folder;
  Process first({"serve", "--port", "0", "--data", folder.path()});
  ASSERT_GT(first.AwaitReady(), 0);
  Process second({"serve", "--port", "0", "--data", folder.path()});
  EXPECT_EQ(second.Await(), kExitNoData);
  ExpectOneLine(second.errors);
  EXPECT_THAT(second.errors, HasSubstr(folder.path()));
}

TEST(Serve, SaysThatTheFolderCannotBeMade) {
  // Root may write anywhere, so the folder is to be made inside a file.
  Process process({"serve", "--port", "0", "--data", "/dev/null/data"});
  EXPECT_EQ(process.Await(), kExitNoData);
  ExpectOneLine(process.errors);
  EXPECT_THAT(process.errors, HasSubstr("/dev/null"));
}

TEST(Serve, LogsInJson) {
  Process process({"serve", "--memory", "--port", "0", "--log-format=json"});
  ASSERT_GT(process.AwaitReady(), 0);
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Await(), kExitOk);
  EXPECT_THAT(process.errors, StartsWith("{\"time\":\""));
  EXPECT_THAT(process.output, Not(HasSubstr("{\"time\"")));
}

}  // namespace
}  // namespace taula::cli
