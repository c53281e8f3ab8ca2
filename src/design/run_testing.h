// A design's operations on a database in memory, once on one that keeps the
// design and once on one that knows nothing of it: what the tests of run_*.cc
// share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "design/local_backend.h"
#include "design/rules.h"
#include "design/run.h"
#include "design/table_setup.h"
#include "design/test_design.h"
#include "engine/engine.h"
#include "storage/memory/memory_store.h"

namespace taula::design {

inline constexpr std::int64_t kTestTimeMs = 1'730'561'400'000;  // 2024-11-02T15:30:00.000Z

// Counts calls, and lets a test step in between.
class WatchedBackend final : public Backend {
 public:
  explicit WatchedBackend(Backend& inner) : inner_(inner) {}

  [[nodiscard]] Result<std::string> Call(std::string_view operation, const std::string& body) override {
    calls.push_back(std::string(operation) + " " + body);
    if (before) {
      if (std::optional<Error> error = before(operation)) return std::unexpected(*error);
    }
    return inner_.Call(operation, body);
  }
  [[nodiscard]] bool keeps_designs() const override { return inner_.keeps_designs(); }

  std::vector<std::string> calls;
  std::function<std::optional<Error>(std::string_view operation)> before;

 private:
  Backend& inner_;
};

class RunTest : public ::testing::TestWithParam<bool> {
 protected:
  explicit RunTest(std::string_view design) : design_(DesignFrom(design)) {
    auto opened = engine::Engine::Open(storage::MakeMemoryStore(), {.clock = &clock_});
    EXPECT_TRUE(opened) << opened.error().message;
    engine_ = *std::move(opened);
    service_ = std::make_unique<api::Service>(*engine_);
    local_ = std::make_unique<LocalBackend>(*service_, keeps());
    backend_ = std::make_unique<WatchedBackend>(*local_);
    const Result<TableSetup> made = SetUpTables(design_, "", *local_);
    EXPECT_TRUE(made) << made.error().message;
    for (const Table& table : design_.tables) {
      const std::string name = design_.TableName(table, "");
      EXPECT_TRUE(!keeps() || engine_->PutRulesOn(name, MakeRules(design_, table)));
      EXPECT_TRUE(!table.range_queries || engine_->tables().EnableRangeQueries(name));
    }
    engine_->tables().WaitForBackgroundWork();
    runner_ = std::make_unique<Runner>(design_, "", *backend_, clock_);
  }

  [[nodiscard]] bool keeps() const { return GetParam(); }

  // The answer, or "<code>: <message>".
  std::string Call(std::string_view operation, std::string_view parameters = "{}") {
    backend_->calls.clear();
    const auto answer = runner_->Run(operation, parameters);
    if (answer) return *answer;
    failed_parameter_ = answer.error().parameter;
    return std::string(NameOf(answer.error().code)) + ": " + answer.error().message;
  }

  // DynamoDB's own operation on the same tables.
  std::string Raw(std::string_view operation, const std::string& body) {
    const Result<std::string> answer = local_->Call(operation, body);
    return answer ? *answer : "error: " + answer.error().message;
  }

  base::ManualClock clock_{kTestTimeMs};
  Design design_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<api::Service> service_;
  std::unique_ptr<LocalBackend> local_;
  std::unique_ptr<WatchedBackend> backend_;
  std::unique_ptr<Runner> runner_;
  std::string failed_parameter_;
};

inline std::string KindOfServer(const ::testing::TestParamInfo<bool>& info) {
  return info.param ? "ThatKeepsTheDesign" : "ThatKeepsNoDesign";
}

}  // namespace taula::design
