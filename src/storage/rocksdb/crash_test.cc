// Kills a process with SIGKILL while it writes and looks at what is left. The
// number of rounds is TAULA_CRASH_ROUNDS, a dozen unless it is set.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <random>
#include <semaphore>
#include <thread>

#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_testing.h"

namespace taula::storage {
namespace {

constexpr int kWriters = 4;
constexpr int kInFlight = 8;
constexpr int kAckPipe = 3;
constexpr const char* kFolderVariable = "TAULA_CRASH_TEST_FOLDER";
constexpr const char* kRelaxedVariable = "TAULA_CRASH_TEST_RELAXED";

struct Ack {
  std::uint32_t writer;
  std::uint32_t number;
};

std::string KeyOf(const char* kind, std::uint32_t writer) { return std::string("D") + kind + std::to_string(writer); }
std::string RowOf(std::uint32_t writer, std::int64_t number) {
  return KeyOf("row", writer) + "-" + std::to_string(number);
}

// One numbered mutation: two keys that are always equal, a row of its own and
// a count of all.
std::unique_ptr<Mutation> Numbered(std::uint32_t writer, std::counting_semaphore<>& in_flight) {
  const std::vector<Key> reads = {KeyOf("left", writer), KeyOf("right", writer)};
  auto number = std::make_shared<std::int64_t>();
  return std::make_unique<LambdaMutation>(
      reads,
      [=](auto values, Batch& batch) {
        *number = ToNumber(values[0]) + 1;
        for (const Key& key : reads) batch.Put(key, std::to_string(*number));
        batch.Put(RowOf(writer, *number), std::string(300, 'r'));
        batch.Add("Crows", 1);
        return true;
      },
      [=, &in_flight](Commit commit) {
        if (commit != Commit::kOk) _exit(2);
        const Ack ack{writer, static_cast<std::uint32_t>(*number)};
        if (write(kAckPipe, &ack, sizeof(ack)) != sizeof(ack)) _exit(3);
        in_flight.release();
      });
}

[[noreturn]] void WriteUntilKilled(const std::string& folder, Durability durability) {
  // Small buffers: files are written and compacted within the short life.
  auto store =
      OpenRocksDb({.path = folder, .durability = durability, .cache_bytes = 4 << 20, .write_buffer_bytes = 2 << 20});
  if (!store) _exit(4);
  std::counting_semaphore<> in_flight(kInFlight);
  RunThreads(kWriters, [&](int writer) {
    while (true) {
      in_flight.acquire();
      (*store)->Mutate(Numbered(static_cast<std::uint32_t>(writer), in_flight));
    }
  });
  _exit(5);
}

// This program again, started as the one to be killed, writes and runs no tests.
class Child : public testing::Environment {
  void SetUp() override {
    const char* const folder = std::getenv(kFolderVariable);
    if (folder == nullptr) return;
    WriteUntilKilled(folder, std::getenv(kRelaxedVariable) != nullptr ? Durability::kRelaxed : Durability::kSync);
  }
};
const testing::Environment* const kChild = testing::AddGlobalTestEnvironment(new Child);

class Crash : public testing::TestWithParam<Durability> {
 protected:
  // Runs the child for a while and notes what it acknowledged.
  void RunAndKill() {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = Spawn(ends[1]);
    close(ends[1]);
    ASSERT_GT(child, 0);
    Ack ack;
    ASSERT_EQ(read(ends[0], &ack, sizeof(ack)), static_cast<ssize_t>(sizeof(ack))) << "the child wrote nothing";
    Note(ack);
    std::thread killer([&, pause = std::chrono::microseconds(random_() % 60'000)] {
      std::this_thread::sleep_for(pause);
      kill(child, SIGKILL);
    });
    while (read(ends[0], &ack, sizeof(ack)) == static_cast<ssize_t>(sizeof(ack))) Note(ack);
    killer.join();
    int status = 0;
    waitpid(child, &status, 0);
    close(ends[0]);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);
  }

  void CheckWhatIsLeft() {
    auto store = OpenRocksDb({.path = folder_.path(), .durability = GetParam()});
    ASSERT_TRUE(store.has_value()) << store.error();
    std::int64_t rows = 0;
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
      const std::int64_t left = ToNumber(ValueAt(**store, KeyOf("left", writer)));
      EXPECT_GE(left, acknowledged_[writer]) << "an acknowledged write is lost";
      EXPECT_EQ(ToNumber(ValueAt(**store, KeyOf("right", writer))), left) << "half a mutation";
      EXPECT_EQ(ValueAt(**store, RowOf(writer, left + 1)), std::nullopt) << "half a mutation";
      rows += left;
      const std::string prefix = KeyOf("row", writer) + "-";
      EXPECT_EQ(Keys(**store, {prefix, prefix + ":"}).size(), static_cast<std::size_t>(left)) << "half a mutation";
    }
    EXPECT_EQ(CounterAt(**store, "Crows"), rows);
  }

  TemporaryFolder folder_;
  std::mt19937 random_{std::random_device{}()};

 private:
  [[nodiscard]] pid_t Spawn(int ack_pipe) const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ack_pipe, kAckPipe);
    std::vector<std::string> variables = {std::string(kFolderVariable) + "=" + folder_.path()};
    if (GetParam() == Durability::kRelaxed) variables.push_back(std::string(kRelaxedVariable) + "=1");
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
    std::string program = "/proc/self/exe";
    std::array<char*, 2> arguments = {program.data(), nullptr};
    pid_t child = -1;
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data()) != 0) child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
  }

  void Note(const Ack& ack) {
    ASSERT_LT(ack.writer, acknowledged_.size());
    acknowledged_[ack.writer] = std::max<std::int64_t>(acknowledged_[ack.writer], ack.number);
  }

  std::array<std::int64_t, kWriters> acknowledged_{};
};

INSTANTIATE_TEST_SUITE_P(Durabilities, Crash, testing::Values(Durability::kSync, Durability::kRelaxed),
                         [](const auto& kind) { return kind.param == Durability::kSync ? "Sync" : "Relaxed"; });

TEST_P(Crash, LosesNoAcknowledgedWriteAndLeavesNoHalfMutation) {
  const char* const asked = std::getenv("TAULA_CRASH_ROUNDS");
  const int rounds = asked == nullptr ? 12 : std::atoi(asked);
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    RunAndKill();
    if (!HasFatalFailure()) CheckWhatIsLeft();
  }
}

}  // namespace
}  // namespace taula::storage
