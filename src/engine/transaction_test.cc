#include "engine/transaction.h"

#include <gmock/gmock.h>

#include "engine/idempotency.h"
#include "engine/test_fixture.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;

constexpr codec::SpaceId kTable = 1;

class TransactionTest : public TableTest {
 protected:
  Transaction Of(std::vector<WriteAction> actions) {
    Transaction transaction;
    transaction.actions = std::move(actions);
    return transaction;
  }

  Transaction WithToken(std::vector<WriteAction> actions, std::string fingerprint = "same") {
    Transaction transaction = Of(std::move(actions));
    transaction.token = "token";
    transaction.fingerprint = std::move(fingerprint);
    return transaction;
  }
};

TEST_F(TransactionTest, AllActionsHappenTogether) {
  ASSERT_TRUE(Write(Put({{"PK", "u"}, {"SK", "gone"}})));
  WriteAction update = Update({{"PK", "u"}, {"SK", "b"}});
  update.update = UpdateOf("SET n = :n", {{":n", 1}});
  const auto outcome =
      Transact(Of({Put({{"PK", "u"}, {"SK", "a"}}), std::move(update), Delete({{"PK", "u"}, {"SK", "gone"}})}));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(Contents(kTable), ElementsAre(Item{{"PK", "u"}, {"SK", "a"}}, Item{{"PK", "u"}, {"SK", "b"}, {"n", 1}}));
}

TEST_F(TransactionTest, OneFailedConditionCancelsAllAndEachActionHasItsReason) {
  ASSERT_TRUE(Write(Put({{"PK", "u"}, {"SK", "stock"}, {"n", 1}})));
  WriteAction take = Update({{"PK", "u"}, {"SK", "stock"}});
  take.update = UpdateOf("SET n = n - :q", {{":q", 2}});
  take.condition = ConditionOf("n >= :q", {{":q", 2}});
  take.return_on_condition_failure = ReturnOnConditionFailure::kAllOld;
  const auto outcome = Transact(Of({Put({{"PK", "u"}, {"SK", "order"}}), std::move(take)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed]");
  const auto& reasons = outcome.error().cancellation_reasons;
  EXPECT_THAT(reasons, ElementsAre(Field(&CancellationReason::code, "None"),
                                   Field(&CancellationReason::code, "ConditionalCheckFailed")));
  EXPECT_EQ(reasons[1].item, (Item{{"PK", "u"}, {"SK", "stock"}, {"n", 1}}));
  EXPECT_THAT(Contents(kTable), SizeIs(1)) << "the order must not be there";
}

TEST_F(TransactionTest, AnUpdateThatDoesNotFitTheItemIsAValidationErrorOfItsAction) {
  WriteAction update = Update({{"PK", "u"}, {"SK", "a"}});
  update.update = UpdateOf("SET n = m + :one", {{":one", 1}});
  const auto outcome = Transact(Of({Put({{"PK", "u"}, {"SK", "b"}}), std::move(update)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().cancellation_reasons[1].code, "ValidationError");
}

TEST_F(TransactionTest, AnActionInvalidInItselfCancelsTheRest) {
  WriteAction invalid = Put({});
  invalid.invalid = Error{ErrorCode::kValidationException, "wrong key", std::nullopt, {}};
  const auto outcome = Transact(Of({Put({{"PK", "u"}, {"SK", "b"}}), std::move(invalid)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().cancellation_reasons[1].message, "wrong key");
  EXPECT_THAT(Contents(kTable), SizeIs(0));
}

TEST_F(TransactionTest, TheTablesPartCostsTwiceAndIndexesOnce) {
  const auto outcome = Transact(Of({Put({{"PK", "u"}, {"SK", "a"}, {"kind", "book"}})}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->actions[0].capacity.table.write_units, 2);
  EXPECT_EQ(outcome->actions[0].capacity.global_indexes.at("titles").write_units, 1);
}

TEST_F(TransactionTest, AConditionCheckCostsTheImageItRead) {
  ASSERT_TRUE(Write(Put({{"PK", "u"}, {"SK", "a"}, {"x", std::string(1500, 'x')}})));
  WriteAction check = Check({{"PK", "u"}, {"SK", "a"}});
  check.condition = ConditionOf("attribute_exists(PK)");
  const auto outcome = Transact(Of({std::move(check)}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->actions[0].capacity.table.write_units, 4);
}

TEST_F(TransactionTest, ItemsOfMoreThanFourMegabytesTogetherAreRefused) {
  std::vector<WriteAction> updates;
  for (int i = 0; i < 11; ++i) {
    const std::string sort = std::to_string(i);
    ASSERT_TRUE(Write(Put({{"PK", "u"}, {"SK", sort}, {"x", std::string(400'000, 'x')}})));
    WriteAction update = Update({{"PK", "u"}, {"SK", sort}});
    update.update = UpdateOf("SET n = :n", {{":n", 1}});
    updates.push_back(std::move(update));
  }
  const auto outcome = Transact(Of(std::move(updates)));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kValidationException);
  EXPECT_FALSE(Contents(kTable)[0].Find("n")) << "nothing is written";
}

TEST_F(TransactionTest, RepeatedTokenChangesNothingAndCostsReads) {
  const auto add = [this] {
    WriteAction update = Update({{"PK", "u"}, {"SK", "a"}});
    update.update = UpdateOf("ADD n :one", {{":one", 1}});
    return update;
  };
  ASSERT_TRUE(Transact(WithToken({add()}), 1000));
  const auto repeated = Transact(WithToken({add()}), 1000 + kTokenLifetimeMs - 1);
  ASSERT_TRUE(repeated) << repeated.error().message;
  EXPECT_TRUE(repeated->repeated);
  EXPECT_EQ(repeated->actions[0].capacity.table.read_units, 2);
  EXPECT_EQ(repeated->actions[0].capacity.table.write_units, 0);
  EXPECT_THAT(Contents(kTable), ElementsAre(Item{{"PK", "u"}, {"SK", "a"}, {"n", 1}}));
}

TEST_F(TransactionTest, TokenCanBeUsedAgainAfterTenMinutes) {
  ASSERT_TRUE(Transact(WithToken({Put({{"PK", "u"}, {"SK", "a"}})}), 1000));
  const auto again = Transact(WithToken({Put({{"PK", "u"}, {"SK", "b"}})}, "other"), 1000 + kTokenLifetimeMs);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->repeated);
}

TEST_F(TransactionTest, TokenWithAnotherRequestIsAMismatch) {
  ASSERT_TRUE(Transact(WithToken({Put({{"PK", "u"}, {"SK", "a"}})}), 1000));
  const auto other = Transact(WithToken({Put({{"PK", "u"}, {"SK", "b"}})}, "other"), 2000);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kIdempotentParameterMismatchException);
}

TEST_F(TransactionTest, ACancelledTransactionLeavesItsTokenFree) {
  WriteAction put = Put({{"PK", "u"}, {"SK", "a"}});
  put.condition = ConditionOf("attribute_exists(PK)");
  ASSERT_FALSE(Transact(WithToken({std::move(put)}), 1000));
  const auto second = Transact(WithToken({Put({{"PK", "u"}, {"SK", "a"}})}, "other"), 1000);
  EXPECT_TRUE(second);
}

TEST_F(TransactionTest, ExpiredTokensAreForgottenAndLiveOnesKept) {
  for (int i = 0; i < 450; ++i) {
    Transaction transaction = WithToken({Put({{"PK", "u"}, {"SK", "a"}})});
    transaction.token = "token" + std::to_string(i);
    ASSERT_TRUE(Transact(std::move(transaction), i < 430 ? 1000 : 5000));
  }
  EXPECT_EQ(ForgetExpiredTokens(*store_, 1001 + kTokenLifetimeMs), 430);
  EXPECT_EQ(ForgetExpiredTokens(*store_, 1001 + kTokenLifetimeMs), 0);
  Transaction live = WithToken({Put({{"PK", "u"}, {"SK", "a"}})});
  live.token = "token449";
  EXPECT_TRUE(Transact(std::move(live), 5000)->repeated);
}

}  // namespace
}  // namespace taula::engine
