// Rules that every write keeps, and values that one item has for itself alone.
#include "catalog/item_rules.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "engine/claims.h"
#include "engine/engine.h"
#include "engine/test_fixture.h"
#include "engine/throttle.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr codec::SpaceId kTable = 1;
constexpr codec::SpaceId kByStatus = 3;

// "status" follows "mood"; a "bad" item is refused; "email" and "id" are
// unique, and an id is made for every new item.
class TestRules final : public catalog::ItemRules {
 public:
  explicit TestRules(std::string claims_id = "emails and ids") : claims_id_(std::move(claims_id)) {}

  [[nodiscard]] Result<std::optional<Item>> Keep(const catalog::ItemChange& change) const override {
    if (change.after.Find("bad")) return ValidationError("bad is not wanted");
    Item item(change.after);
    if (const auto state = item.Find("mood")) item.Set("status", Value("is " + std::string(state->bytes())));
    if (!change.before && !item.Find("id")) item.Set("id", Value(++last_id_));
    item.Set("is_update", Value::Bool(change.is_update));
    item.Set("had_before", Value::Bool(change.before.has_value()));
    return item;
  }

  [[nodiscard]] std::vector<catalog::Claim> Claims(ValueView item) const override {
    std::vector<catalog::Claim> claims;
    for (const std::string name : {"email", "id"}) {
      const auto value = item.Find(name);
      if (!value) continue;
      const std::string text = name == "id" ? value->number_text() : std::string(value->bytes());
      claims.push_back({name + "=" + text, name + " '" + text + "'"});
    }
    return claims;
  }

  [[nodiscard]] std::string_view claims_id() const override { return claims_id_; }

 private:
  std::string claims_id_;
  mutable std::atomic<std::int64_t> last_id_ = 0;
};

class ItemRulesTest : public TableTest {
 protected:
  ItemRulesTest() {
    auto table = std::make_shared<catalog::Table>(*table_);
    table->rules = std::make_shared<TestRules>();
    table_ = std::move(table);
  }

  Item Only() {
    const std::vector<Item> items = Contents(kTable);
    EXPECT_THAT(items, SizeIs(1));
    return items.empty() ? Item() : items.front();
  }

  std::vector<std::string> Claimed() {
    std::vector<std::string> names;
    EXPECT_EQ(storage::Status::kOk, store_->Scan(ClaimRange(kTable), {}, [&](std::string_view key, std::string_view) {
      names.emplace_back(key.substr(5));
      return true;
    }));
    return names;
  }

  WriteAction User(const std::string& name, const std::string& email, int id) {
    return Put({{"PK", name}, {"SK", "user"}, {"email", email}, {"id", id}});
  }

  WriteAction NewEmail(const std::string& name, const std::string& email) {
    WriteAction update = Update({{"PK", name}, {"SK", "user"}});
    update.update = UpdateOf("SET email = :e", {{":e", email}});
    return update;
  }

  Transaction Of(std::vector<WriteAction> actions) {
    Transaction transaction;
    transaction.actions = std::move(actions);
    return transaction;
  }
};

TEST_F(ItemRulesTest, MakeTheItemThatIsWrittenAndIndexed) {
  ASSERT_TRUE(Write(Put({{"PK", "a"}, {"SK", "b"}, {"mood", "new"}})));
  EXPECT_EQ(Only(), (Item{{"PK", "a"},
                          {"SK", "b"},
                          {"mood", "new"},
                          {"status", "is new"},
                          {"id", 1},
                          {"is_update", Value::Bool(false)},
                          {"had_before", Value::Bool(false)}}));
  EXPECT_THAT(Contents(kByStatus), SizeIs(1));
}

TEST_F(ItemRulesTest, AnUpdateMovesWhatIsDerived) {
  ASSERT_TRUE(Write(Put({{"PK", "a"}, {"SK", "b"}, {"mood", "new"}})));
  WriteAction update = Update({{"PK", "a"}, {"SK", "b"}});
  update.update = UpdateOf("SET mood = :s", {{":s", "old"}});
  update.return_values = ReturnValues::kAllNew;
  const auto outcome = Write(std::move(update));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->attributes->Find("status")->bytes(), "is old");
  EXPECT_TRUE(outcome->attributes->Find("is_update")->boolean());
  EXPECT_TRUE(outcome->attributes->Find("had_before")->boolean());
  const std::vector<Item> indexed = Contents(kByStatus);
  ASSERT_THAT(indexed, SizeIs(1));
  EXPECT_EQ(indexed[0].Find("status")->bytes(), "is old");
}

TEST_F(ItemRulesTest, RefuseWhatDoesNotFit) {
  const auto put = Write(Put({{"PK", "a"}, {"SK", "b"}, {"bad", 1}}));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::kValidationException);
  const auto transaction = Transact(Of({User("x", "x@y", 7), Put({{"PK", "a"}, {"SK", "b"}, {"bad", 1}})}));
  ASSERT_FALSE(transaction);
  EXPECT_EQ(transaction.error().cancellation_reasons[0].code, "None");
  EXPECT_EQ(transaction.error().cancellation_reasons[1].code, "ValidationError");
  EXPECT_THAT(Contents(kTable), IsEmpty());
  EXPECT_THAT(Claimed(), IsEmpty());
}

TEST_F(ItemRulesTest, AValueIsClaimedOnce) {
  ASSERT_TRUE(Write(User("a", "one@x", 1)));
  const auto second = Write(User("b", "one@x", 2));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConditionalCheckFailedException);
  EXPECT_EQ(second.error().message, "Not unique: another item has email 'one@x'");
  EXPECT_THAT(Contents(kTable), SizeIs(1));
  EXPECT_THAT(Claimed(), ElementsAre("email=one@x", "id=1")) << "nothing of the refused one";
  EXPECT_TRUE(Write(User("a", "one@x", 1))) << "an item may have its own again";
}

TEST_F(ItemRulesTest, AGeneratedValueCanBeClaimed) {
  ASSERT_TRUE(Write(Put({{"PK", "a"}, {"SK", "b"}})));
  EXPECT_THAT(Claimed(), ElementsAre("id=1"));
  ASSERT_TRUE(Transact(Of({Put({{"PK", "a"}, {"SK", "c"}}), Put({{"PK", "a"}, {"SK", "d"}})})));
  EXPECT_THAT(Claimed(), SizeIs(3));
}

TEST_F(ItemRulesTest, ClaimsFollowUpdatesAndDeletes) {
  ASSERT_TRUE(Write(User("a", "one@x", 1)));
  ASSERT_TRUE(Write(NewEmail("a", "two@x")));
  EXPECT_THAT(Claimed(), ElementsAre("email=two@x", "id=1"));
  ASSERT_TRUE(Write(User("b", "one@x", 2))) << "what was let go is free";
  const auto taken = Write(NewEmail("a", "one@x"));
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("one@x"));
  ASSERT_TRUE(Write(Delete({{"PK", "b"}, {"SK", "user"}})));
  EXPECT_TRUE(Write(NewEmail("a", "one@x")));
  EXPECT_THAT(Claimed(), ElementsAre("email=one@x", "id=1"));
  ASSERT_TRUE(Write(User("a", "three@x", 9))) << "put over it";
  EXPECT_THAT(Claimed(), ElementsAre("email=three@x", "id=9"));
  ASSERT_TRUE(Write(Delete({{"PK", "a"}, {"SK", "user"}})));
  EXPECT_THAT(Claimed(), IsEmpty());
}

TEST_F(ItemRulesTest, ATransactionCanHandAClaimOver) {
  ASSERT_TRUE(Write(User("a", "one@x", 1)));
  const auto outcome = Transact(Of({User("b", "one@x", 2), Delete({{"PK", "a"}, {"SK", "user"}})}));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(Claimed(), ElementsAre("email=one@x", "id=2"));
}

TEST_F(ItemRulesTest, ATransactionCannotClaimTwice) {
  const auto outcome = Transact(Of({User("a", "one@x", 1), User("b", "one@x", 2)}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().cancellation_reasons[0].code, "None");
  EXPECT_EQ(outcome.error().cancellation_reasons[1].code, "ConditionalCheckFailed");
  EXPECT_THAT(outcome.error().cancellation_reasons[1].message, HasSubstr("Not unique: "));
  EXPECT_THAT(Claimed(), IsEmpty());
}

TEST_F(ItemRulesTest, ATransactionWithATokenClaimsToo) {
  ASSERT_TRUE(Write(User("a", "zero@x", 1)));
  Transaction transaction = Of({NewEmail("a", "one@x"), User("b", "two@x", 2)});
  transaction.token = "token";
  ASSERT_TRUE(Transact(std::move(transaction)));
  EXPECT_THAT(Claimed(), SizeIs(4));
}

// Only the stored item tells which claim an update lets go, so it runs twice.
TEST_F(ItemRulesTest, ATransactionThatRunsAgainForItsClaimsIsPaidForOnce) {
  ASSERT_TRUE(Write(User("a", "zero@x", 1)));
  const base::ManualClock clock(1'790'000'000'000);
  auto provisioned = std::make_shared<catalog::Table>(*table_);
  provisioned->created_ms = clock.NowMs();
  provisioned->provisioned_throughput.write_units = 4;  // and that is all a new table has
  for (catalog::Index& index : provisioned->indexes) index.provisioned_throughput.write_units = 1000;
  table_ = std::move(provisioned);
  metrics::Traffic traffic;
  Throttle throttle(clock, traffic, "us-east-1", "123456789012");
  std::vector<std::string> endings;
  for (const std::string email : {"one@x", "two@x", "three@x"}) {
    WriteTransaction(*store_, Of({NewEmail("a", email)}), clock.NowMs(),
                     [&](const Result<TransactionOutcome>& outcome) {
                       endings.push_back(outcome ? "paid" : outcome.error().cancellation_reasons[0].code);
                     },
                     {.traffic = &traffic, .throttle = &throttle});
  }
  EXPECT_THAT(endings, ElementsAre("paid", "paid", "ProvisionedThroughputExceeded"));
}

TEST_F(ItemRulesTest, AnItemWhoseClaimsNeverStayTheSameIsRefused) {
  WriteAction update = Update({{"PK", "a"}, {"SK", "b"}});
  update.update = UpdateOf("SET title = :t", {{":t", "made anew with another id in every run"}});
  const auto outcome = Write(std::move(update));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kTransactionConflictException);
  EXPECT_THAT(Contents(kTable), IsEmpty());
}

TEST_F(ItemRulesTest, OfManyAtOnceOneGetsIt) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> won = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
          const std::string name = std::to_string(round) + "." + std::to_string(i);
          WriteAction put = User(name, "one@" + std::to_string(round), round * 8 + i);
          WriteItem(*store_, base::Clock::System(), std::move(put),
                    [&](const Result<WriteOutcome>& outcome) { won += outcome ? 1 : 0; });
        });
      }
    }
    ASSERT_EQ(won, 1);
  }
  EXPECT_THAT(Contents(kTable), SizeIs(50));
}

class RulesOnATableTest : public ::testing::Test {
 protected:
  RulesOnATableTest() {
    auto engine = Engine::Open(storage::MakeMemoryStore(), {});
    EXPECT_TRUE(engine);
    engine_ = std::move(*engine);
    MakeTable();
  }

  void MakeTable() {
    CreateTableRequest request;
    request.table_name = "users";
    request.attribute_definitions = {{"PK", Type::kString}};
    request.key_schema = {{"PK", KeyType::kHash}};
    request.billing_mode = BillingMode::kPayPerRequest;
    ASSERT_TRUE(engine_->tables().Create(request));
  }

  Result<void> Put(const std::string& key, const std::string& email) {
    WriteAction action;
    action.table = engine_->FindTable("users");
    action.item = Item{{"PK", key}, {"email", email}};
    std::optional<Result<WriteOutcome>> result;
    engine_->Write(std::move(action), [&](Result<WriteOutcome> outcome) { result = std::move(outcome); });
    if (!*result) return std::unexpected((*result).error());
    return {};
  }

  std::unique_ptr<Engine> engine_;
};

TEST_F(RulesOnATableTest, ItemsFromBeforeHaveTheirClaims) {
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Put(std::to_string(i), std::to_string(i) + "@x"));
  const auto put = engine_->PutRulesOn("users", std::make_shared<TestRules>());
  ASSERT_TRUE(put) << put.error().message;
  EXPECT_EQ(engine_->FindTable("users")->claims_id, "emails and ids");
  for (const char* taken : {"0@x", "500@x", "999@x"}) EXPECT_FALSE(Put("new", taken)) << taken;
  EXPECT_TRUE(Put("new", "1000@x"));
}

TEST_F(RulesOnATableTest, ItemsThatClaimTheSameAreNamed) {
  ASSERT_TRUE(Put("a", "one@x"));
  ASSERT_TRUE(Put("b", "one@x"));
  const auto put = engine_->PutRulesOn("users", std::make_shared<TestRules>());
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().message, "Table users has 1 item whose values are not unique: email 'one@x'");
  EXPECT_EQ(engine_->FindTable("users")->rules, nullptr);
  EXPECT_EQ(engine_->FindTable("users")->claims_id, "");
}

TEST_F(RulesOnATableTest, ClaimsAreWrittenDownAnewAfterATimeWithoutRules) {
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>()));
  ASSERT_TRUE(Put("a", "one@x"));
  ASSERT_TRUE(engine_->PutRulesOn("users", nullptr));
  ASSERT_TRUE(engine_->GiveUpUnkeptClaims());
  ASSERT_TRUE(Put("a", "two@x"));
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>()));
  EXPECT_TRUE(Put("b", "one@x"));
  EXPECT_FALSE(Put("c", "two@x"));
}

TEST_F(RulesOnATableTest, ClaimsAreWrittenDownAnewAfterATimeUnderRulesWithoutAny) {
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>()));
  ASSERT_TRUE(Put("a", "one@x"));
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>("")));
  ASSERT_TRUE(engine_->GiveUpUnkeptClaims());
  ASSERT_TRUE(Put("b", "one@x"));
  EXPECT_FALSE(engine_->PutRulesOn("users", std::make_shared<TestRules>()));
}

TEST_F(RulesOnATableTest, OtherRulesWriteTheirOwn) {
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>("first")));
  ASSERT_TRUE(Put("a", "one@x"));
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>("second")));
  EXPECT_EQ(engine_->FindTable("users")->claims_id, "second");
  EXPECT_FALSE(Put("b", "one@x"));
}

TEST_F(RulesOnATableTest, ATableMadeAnewHasThemToo) {
  ASSERT_TRUE(engine_->PutRulesOn("users", std::make_shared<TestRules>()));
  ASSERT_TRUE(Put("a", "one@x"));
  ASSERT_TRUE(engine_->tables().Delete("users"));
  engine_->tables().WaitForBackgroundWork();
  MakeTable();
  EXPECT_TRUE(Put("b", "one@x")) << "the claims went with the table";
  EXPECT_FALSE(Put("c", "one@x"));
}

}  // namespace
}  // namespace taula::engine
