#include "cli/fault_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FaultFile, ReadsWhatADocumentSays) {
  const auto profile = ParseFaults(R"(
seed: 42
index-lag: 200ms
stale-reads: 0.3
stale-lag: 1.5s
rules:
  - operations: [PutItem, UpdateItem]
    tables: orders
    throttle: 0.05
    latency: 20ms
    latency-spread: 5ms
  - conflict: 0.01
    lost-answer: 0.002
)");
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(profile->seed, 42U);
  EXPECT_EQ(profile->index_lag_ms, 200);
  EXPECT_EQ(profile->stale_reads, 0.3);
  EXPECT_EQ(profile->stale_lag_ms, 1500);
  ASSERT_EQ(profile->rules.size(), 2U);
  EXPECT_THAT(profile->rules[0].operations, ElementsAre("PutItem", "UpdateItem"));
  EXPECT_THAT(profile->rules[0].tables, ElementsAre("orders"));
  EXPECT_EQ(profile->rules[0].throttle, 0.05);
  EXPECT_EQ(profile->rules[0].latency_ms, 20);
  EXPECT_EQ(profile->rules[0].latency_spread_ms, 5);
  EXPECT_EQ(profile->rules[1].conflict, 0.01);
  EXPECT_EQ(profile->rules[1].lost_answer, 0.002);
}

TEST(FaultFile, WhatItWritesItReads) {
  api::FaultProfile profile;
  ASSERT_TRUE(AddFault(profile, "throttle=0.05 operations=PutItem,GetItem tables=orders latency=20ms"));
  ASSERT_TRUE(AddFault(profile, "index-lag=300ms seed=9 stale-reads=0.25 stale-lag=700ms"));
  const std::string json = FaultsJson(profile);
  const auto again = ParseFaults(json);
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(FaultsJson(*again), json);
  EXPECT_EQ(again->rules.size(), 1U);
  EXPECT_EQ(again->stale_lag_ms, 700);
}

TEST(FaultFile, AnEmptyDocumentIsAnEmptyProfile) {
  const auto profile = ParseFaults("");
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_TRUE(profile->empty());
}

TEST(FaultFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(ParseFaults("rules:\n  - throttle: 5\n").error(), "line 2: throttle is a share from 0 to 1, not '5'");
  EXPECT_THAT(ParseFaults("rules:\n  - throtle: 0.5\n").error(), HasSubstr("not 'throtle'"));
  EXPECT_THAT(ParseFaults("lag: 5ms\n").error(), HasSubstr("profiles have seed, index-lag"));
  EXPECT_EQ(ParseFaults("index-lag: 5\n").error(),
            "line 1: index-lag is a time such as 20ms or 1.5s, up to 600s, not '5'");
  EXPECT_EQ(ParseFaults("rules: 5\n").error(), "line 1: rules is a list of rules");
  EXPECT_EQ(ParseFaults("rules:\n  - operations: [PutItem, PutItm]\n").error(),
            "line 2: there is no operation 'PutItm'");
  EXPECT_THAT(ParseFaults("- a\n").error(), HasSubstr("a profile is a map of settings"));
  EXPECT_THAT(ParseFaults("a: [").error(), HasSubstr("line "));
  api::FaultProfile profile;
  EXPECT_EQ(AddFault(profile, "throttle").error(), "'throttle' is not of the form name=value");
  EXPECT_THAT(AddFault(profile, "rain=0.5").error(), HasSubstr("there is no fault 'rain'"));
  EXPECT_EQ(ReadFaults("/no/such/file", {}).error(), "cannot read /no/such/file");
}

}  // namespace
}  // namespace taula::cli
