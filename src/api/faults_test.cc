#include "api/faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace taula::api {
namespace {

FaultProfile With(FaultRule rule, std::uint64_t seed = 1) {
  FaultProfile profile;
  profile.seed = seed;
  profile.rules.push_back(std::move(rule));
  return profile;
}

// What becomes of so many requests, a letter each.
std::string Outcomes(Faults& faults, int requests, std::string_view operation = "PutItem",
                     std::string_view table = "orders") {
  std::string outcomes;
  for (int i = 0; i < requests; ++i) {
    const std::optional<Error> refused = faults.Refusal(operation, table, "arn");
    outcomes += refused ? 'x' : '.';
  }
  return outcomes;
}

int Share(const std::string& outcomes) { return static_cast<int>(std::ranges::count(outcomes, 'x')); }

TEST(Faults, HitTheShareThatIsAskedFor) {
  Faults faults(With({.throttle = 0.1}));
  const int hit = Share(Outcomes(faults, 10'000));
  EXPECT_GT(hit, 900);
  EXPECT_LT(hit, 1100);
}

TEST(Faults, AreTheSameForTheSameSeed) {
  Faults one(With({.throttle = 0.2, .internal_error = 0.1}, 42));
  Faults same(With({.throttle = 0.2, .internal_error = 0.1}, 42));
  Faults other(With({.throttle = 0.2, .internal_error = 0.1}, 43));
  const std::string outcomes = Outcomes(one, 200);
  EXPECT_EQ(outcomes, Outcomes(same, 200));
  EXPECT_NE(outcomes, Outcomes(other, 200));
}

TEST(Faults, OfOneKindDoNotChangeThoseOfAnother) {
  Faults alone(With({.throttle = 0.3}));
  Faults together(With({.throttle = 0.3, .latency_ms = 5, .latency_spread_ms = 2}));
  for (int i = 0; i < 100; ++i) (void)together.LatencyMs("PutItem", "orders");
  EXPECT_EQ(Outcomes(alone, 200), Outcomes(together, 200));
}

TEST(Faults, AreForTheOperationsAndTablesThatAreNamed) {
  Faults faults(With({.operations = {"PutItem", "DeleteItem"}, .tables = {"orders"}, .throttle = 1}));
  EXPECT_EQ(Outcomes(faults, 3), "xxx");
  EXPECT_EQ(Outcomes(faults, 3, "DeleteItem"), "xxx");
  EXPECT_EQ(Outcomes(faults, 3, "GetItem"), "...");
  EXPECT_EQ(Outcomes(faults, 3, "PutItem", "users"), "...");
}

TEST(Faults, ComeAsAmazonsExceptions) {
  Faults throttle(With({.throttle = 1}));
  const std::optional<Error> read = throttle.Refusal("Query", "orders", "the-arn");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->code, ErrorCode::kProvisionedThroughputExceededException);
  EXPECT_EQ(read->throttling_reasons.at(0).reason, "TableReadProvisionedThroughputExceeded");
  EXPECT_EQ(read->throttling_reasons.at(0).resource, "the-arn");
  Faults broken(With({.internal_error = 1}));
  EXPECT_EQ(broken.Refusal("Query", "orders", "")->code, ErrorCode::kInternalServerError);
  Faults away(With({.unavailable = 1}));
  EXPECT_EQ(away.Refusal("Query", "orders", "")->code, ErrorCode::kServiceUnavailable);
}

TEST(Faults, OnlyWritesMeetTransactions) {
  Faults faults(With({.conflict = 1}));
  EXPECT_EQ(faults.Refusal("UpdateItem", "orders", "")->code, ErrorCode::kTransactionConflictException);
  EXPECT_FALSE(faults.Refusal("GetItem", "orders", ""));
  // Those of several items say it of one of them.
  EXPECT_FALSE(faults.Refusal("TransactWriteItems", "orders", ""));
  EXPECT_TRUE(faults.Conflicts("TransactWriteItems", "orders"));
}

TEST(Faults, LatencyIsGiveOrTakeItsSpread) {
  Faults faults(With({.latency_ms = 20, .latency_spread_ms = 5}));
  double least = 1000;
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    const double latency = faults.LatencyMs("GetItem", "orders");
    least = std::min(least, latency);
    most = std::max(most, latency);
  }
  EXPECT_GE(least, 15);
  EXPECT_LT(least, 15.5);
  EXPECT_LE(most, 25);
  EXPECT_GT(most, 24.5);
}

TEST(CurrentFaults, CanBeChangedAndTakenAway) {
  CurrentFaults current;
  EXPECT_EQ(current.Get(), nullptr);
  current.Set(std::make_shared<Faults>(With({.throttle = 1})));
  EXPECT_NE(current.Get(), nullptr);
  current.Set(nullptr);
  EXPECT_EQ(current.Get(), nullptr);
}

}  // namespace
}  // namespace taula::api
