// A store commits what it has taken before it goes, and tells who brought it. What
// that looks at must still be there.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "storage/forwarding_store_testing.h"
#include "storage/memory/memory_store.h"

namespace taula::engine {
namespace {

constexpr const char* kTable = "orders";

// Does what it is asked at once, until it is held up: then as the last thing it does.
class HeldUpStore final : public storage::ForwardingStore {
 public:
  HeldUpStore() : ForwardingStore(storage::MakeMemoryStore()) {}
  ~HeldUpStore() override {
    for (auto& mutation : waiting_) store().Mutate(std::move(mutation));
  }

  void HoldUp() { held_up_ = true; }

  void Mutate(std::unique_ptr<storage::Mutation> mutation) override {
    if (!held_up_) return store().Mutate(std::move(mutation));
    waiting_.push_back(std::move(mutation));
  }

 private:
  bool held_up_ = false;
  std::vector<std::unique_ptr<storage::Mutation>> waiting_;
};

// Under a sanitizer this fails if any of what counts the write has gone before it.
TEST(EngineEnd, WritesThatTheStoreStillHasEndWithAllTheyNeed) {
  auto held_up = std::make_unique<HeldUpStore>();
  HeldUpStore& store = *held_up;
  EngineOptions options;
  options.expiry_interval = {};
  options.throttle = true;
  auto opened = Engine::Open(std::move(held_up), options);
  ASSERT_TRUE(opened) << opened.error().message;
  std::unique_ptr<Engine> engine = *std::move(opened);
  CreateTableRequest request;
  request.table_name = kTable;
  request.attribute_definitions = {{"PK", Type::kString}};
  request.key_schema = {{"PK", KeyType::kHash}};
  request.billing_mode = BillingMode::kPayPerRequest;
  const auto created = engine->tables().Create(request);
  ASSERT_TRUE(created) << created.error().message;
  engine->metrics().Save();

  WriteAction action;
  action.kind = WriteKind::kPut;
  action.table = engine->FindTable(kTable);
  action.item = {{"PK", "1"}};
  std::optional<Result<WriteOutcome>> ended;
  store.HoldUp();
  engine->Write(std::move(action), [&](Result<WriteOutcome> outcome) { ended = std::move(outcome); });
  EXPECT_FALSE(ended);
  engine.reset();
  ASSERT_TRUE(ended);
  EXPECT_TRUE(*ended) << ended->error().message;
}

}  // namespace
}  // namespace taula::engine
