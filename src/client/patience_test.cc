#include "client/patience.h"

#include <gtest/gtest.h>

#include <string>

#include "base/clock.h"

namespace taula::client {
namespace {

const Patience kQuick = {.wait_ms_first = 1, .wait_ms_max = 4, .give_up_ms = 40};

// Fails that often with `code` before it answers.
CallFunction FailingFirst(int times, ErrorCode code, int& calls) {
  return [=, &calls](std::string_view, const std::string&) -> Result<std::string> {
    if (++calls <= times) return Fail(code, "no");
    return "{}";
  };
}

TEST(Patience, TriesAgainWhatMayPass) {
  for (const ErrorCode code : {ErrorCode::kServiceUnavailable, ErrorCode::kInternalServerError,
                               ErrorCode::kThrottlingException, ErrorCode::kProvisionedThroughputExceededException}) {
    int calls = 0;
    EXPECT_EQ(CallPatiently(FailingFirst(3, code, calls), "Scan", "{}", kQuick), "{}");
    EXPECT_EQ(calls, 4);
  }
}

TEST(Patience, DoesNotTryAgainWhatIsWrong) {
  int calls = 0;
  const auto answer = CallPatiently(FailingFirst(3, ErrorCode::kValidationException, calls), "Scan", "{}", kQuick);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kValidationException);
  EXPECT_EQ(calls, 1);
}

TEST(Patience, Ends) {
  int calls = 0;
  const auto answer =
      CallPatiently(FailingFirst(1'000'000, ErrorCode::kServiceUnavailable, calls), "Scan", "{}", kQuick);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kServiceUnavailable);
  EXPECT_GT(calls, 2);
}

TEST(Patience, EndsAtOnceWhenAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  int calls = 0;
  Patience patience{.wait_ms_first = 60'000, .wait_ms_max = 60'000, .give_up_ms = 60'000, .stop = stop.get_token()};
  const std::int64_t begin_ms = base::SteadyMs();
  EXPECT_FALSE(CallPatiently(FailingFirst(5, ErrorCode::kServiceUnavailable, calls), "Scan", "{}", patience));
  EXPECT_LT(base::SteadyMs() - begin_ms, 5'000);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace taula::client
