#include "cli/dynamodb_local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DynamoDbLocal, ServesWithoutACommand) {
  EXPECT_THAT(TranslateDynamoDbLocal({"-port", "8001", "-inMemory"}),
              ElementsAre("serve", "--port", "8001", "--memory"));
  EXPECT_THAT(TranslateDynamoDbLocal({"-sharedDb"}), ElementsAre("serve"));
  EXPECT_THAT(TranslateDynamoDbLocal({"-help"}), ElementsAre("serve", "--help"));
}

TEST(DynamoDbLocal, WorksAfterServe) {
  EXPECT_THAT(TranslateDynamoDbLocal({"serve", "-port=8001", "-dbPath", "/data", "--region", "eu-west-1"}),
              ElementsAre("serve", "--port=8001", "--data", "/data", "--region", "eu-west-1"));
}

TEST(DynamoDbLocal, DropsWhatHasNoMeaningHere) {
  EXPECT_THAT(TranslateDynamoDbLocal({"-sharedDb", "-cors", "*", "-delayTransientStatuses", "-optimizeDbBeforeStartup",
                                      "-disableTelemetry", "-cors=*", "-inMemory"}),
              ElementsAre("serve", "--memory"));
}

TEST(DynamoDbLocal, LeavesAMissingValueToBeComplainedAbout) {
  EXPECT_THAT(TranslateDynamoDbLocal({"-port"}), ElementsAre("serve", "--port"));
}

TEST(DynamoDbLocal, LeavesOtherCommandsAlone) {
  EXPECT_THAT(TranslateDynamoDbLocal({}), IsEmpty());
  EXPECT_THAT(TranslateDynamoDbLocal({"version", "-port"}), ElementsAre("version", "-port"));
  EXPECT_THAT(TranslateDynamoDbLocal({"serve", "--port", "1", "-x"}), ElementsAre("serve", "--port", "1", "-x"));
}

}  // namespace
}  // namespace taula::cli
