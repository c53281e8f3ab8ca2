// How fast the embedded API is, as a share of what RocksDB itself does with the
// same bytes (embedded_pair.h). Both take turns in short rounds, so that
// whatever else the machine is doing hits both alike; the middle one of the
// rounds' ratios counts.
//
//   taula_embedded_ratio [--json]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "embedded_pair.h"

namespace taula::micro {
namespace {

using Clock = std::chrono::steady_clock;
using Operation = std::size_t (EmbeddedPair::*)(std::size_t number);

constexpr int kRounds = 21;
constexpr std::chrono::milliseconds kRound(100);
// Between two looks at the clock.
constexpr int kBurst = 16;

struct Contest {
  std::string_view name;
  Operation embedded;
  Operation raw;
  double ratio_min;  // what Taula holds itself to; 0 for nothing
};

// Reads come first: writes leave RocksDB with things to do.
constexpr std::array<Contest, 4> kContests = {{
    {"Get", &EmbeddedPair::EmbeddedGet, &EmbeddedPair::RawGet, 0.60},
    {"Query of 20, newest first", &EmbeddedPair::EmbeddedQuery, &EmbeddedPair::RawQuery, 0},
    {"Put, synced", &EmbeddedPair::EmbeddedPut, &EmbeddedPair::RawPut, 0},
    {"conditional Update, synced", &EmbeddedPair::EmbeddedUpdate, &EmbeddedPair::RawUpdate, 0},
}};

class Runner {
 public:
  explicit Runner(EmbeddedPair& pair) : pair_(pair) {}

  // Nanoseconds an operation takes, over one round.
  double Round(Operation operation) {
    std::size_t number = 0;
    std::int64_t done = 0;
    const Clock::time_point begin = Clock::now();
    Clock::duration taken{};
    while (taken < kRound) {
      for (int i = 0; i < kBurst; ++i, ++done) {
        number = (number + 7919) % EmbeddedPair::kItems;
        if ((pair_.*operation)(number) == 0) throw std::runtime_error("an operation failed");
      }
      taken = Clock::now() - begin;
    }
    return std::chrono::duration<double, std::nano>(taken).count() / static_cast<double>(done);
  }

 private:
  EmbeddedPair& pair_;
};

double Middle(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

struct Outcome {
  double embedded_ns;
  double raw_ns;
  double ratio;
};

Outcome Run(Runner& runner, const Contest& contest) {
  std::vector<double> embedded;
  std::vector<double> raw;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    embedded.push_back(runner.Round(contest.embedded));
    raw.push_back(runner.Round(contest.raw));
    ratios.push_back(raw.back() / embedded.back());
  }
  return {Middle(embedded), Middle(raw), Middle(ratios)};
}

// Everything that is read in the rounds, once, by both.
void Warm(EmbeddedPair& pair) {
  for (std::size_t number = 0; number < EmbeddedPair::kItems; ++number) {
    if (pair.EmbeddedGet(number) != pair.RawGet(number) || pair.EmbeddedQuery(number) != pair.RawQuery(number)) {
      throw std::runtime_error("the two do not see the same bytes");
    }
  }
}

int Main(bool json) {
  EmbeddedPair pair(Durability::kSync);
  Warm(pair);
  Runner runner(pair);
  if (!json) fmt::print("{:28} {:>12} {:>12} {:>7}\n", "", "embedded", "RocksDB", "ratio");
  const char* separator = "[";
  for (const Contest& contest : kContests) {
    const Outcome outcome = Run(runner, contest);
    if (json) {
      fmt::print("{}\n{{\"name\":\"{}\",\"embedded_ns\":{:.0f},\"raw_ns\":{:.0f},\"ratio\":{:.3f},\"ratio_min\":{}}}",
                 separator, contest.name, outcome.embedded_ns, outcome.raw_ns, outcome.ratio, contest.ratio_min);
      separator = ",";
    } else {
      fmt::print("{:28} {:>9.0f} ns {:>9.0f} ns {:>7.2f}{}\n", contest.name, outcome.embedded_ns, outcome.raw_ns,
                 outcome.ratio, contest.ratio_min > 0 ? fmt::format("  at least {:.2f}", contest.ratio_min) : "");
    }
    std::fflush(stdout);
  }
  if (json) fmt::print("\n]\n");
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace taula::micro

int main(int argc, char** argv) {
  const bool json = argc == 2 && std::string_view(argv[1]) == "--json";
  if (argc > 1 && !json) {
    fmt::print(stderr, "usage: taula_embedded_ratio [--json]\n");
    return 2;
  }
  try {
    return taula::micro::Main(json);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "error: {}\n", failure.what());
    return EXIT_FAILURE;
  }
}
