#include "api/key_plan.h"

#include <gmock/gmock.h>

#include "partiql/bound_statement.h"
#include "partiql/parser.h"

namespace taula::api {
namespace {

const catalog::KeySchema kKey = {{{"pk", Type::kString}}, {{"sk", Type::kString}}};

class Planned {
 public:
  explicit Planned(const std::string& where) {
    const auto parsed = partiql::Parse("SELECT * FROM t WHERE " + where);
    EXPECT_TRUE(parsed) << where;
    bound_ = *partiql::BoundStatement::Bind(*parsed, {});
    plan_.emplace(*bound_->where(), kKey);
  }
  const KeyPlan* operator->() const { return &*plan_; }

  // How many stretches are read, or why none are; -1 for everything.
  [[nodiscard]] int Reads() const {
    if (!plan_->keyed()) return -1;
    const auto reads = plan_->Reads(1);
    EXPECT_TRUE(reads) << reads.error().message;
    return reads ? static_cast<int>(reads->size()) : -2;
  }
  [[nodiscard]] std::string Refusal() const {
    const auto reads = plan_->Reads(1);
    return reads ? "none" : reads.error().message;
  }

 private:
  partiql::BoundStatementPtr bound_;
  std::optional<KeyPlan> plan_;
};

TEST(KeyPlan, ReadsByKeyWhereEveryBranchNamesAPartition) {
  EXPECT_EQ(Planned("pk = 'a'").Reads(), 1);
  EXPECT_EQ(Planned("'a' = pk AND x = 1").Reads(), 1);
  EXPECT_EQ(Planned("pk IN ['a', 'b', 'c']").Reads(), 3);
  EXPECT_EQ(Planned("pk = 'a' OR pk = 'b' AND sk > '1'").Reads(), 2);
  EXPECT_EQ(Planned("(pk = 'a' OR pk = 'b') AND sk IN ['1', '2']").Reads(), 4);
  EXPECT_EQ(Planned("pk = 'a' AND (sk < '1' OR sk > '1' OR sk = '1')").Reads(), 3);
  EXPECT_EQ(Planned("pk = 'a' AND (x = 1 OR y = 2)").Reads(), 1);
  EXPECT_EQ(Planned("pk = 'a' AND sk = '1' AND sk > '2'").Reads(), 0);
}

TEST(KeyPlan, ReadsEverythingOtherwise) {
  for (const char* where : {"x = 1", "pk > 'a'", "NOT pk = 'a'", "pk <> 'a'", "pk = 'a' OR x = 1", "sk = '1'",
                            "pk = 'a' AND pk = 'b'", "pk = x", "pk.y = 'a'"}) {
    EXPECT_EQ(Planned(where).Reads(), -1) << where;
  }
}

TEST(KeyPlan, BranchesMayNotOverlap) {
  const std::string_view kOverlapping = "Overlapping conditions with range keys are not supported in where clause";
  for (const char* where : {"pk IN ['a', 'a']", "pk = 'a' OR pk = 'a'", "pk = 'a' AND (sk > '0' OR sk < '5')",
                            "pk = 'a' AND (sk = '1' OR x = 1)", "pk = 'a' AND x = 1 OR pk = 'a' AND x = 2"}) {
    EXPECT_EQ(Planned(where).Refusal(), kOverlapping) << where;
  }
  for (const char* where :
       {"pk = 'a' AND NOT sk = '1' OR pk = 'a' AND sk = '2'", "pk = 'a' OR pk = 'a' AND sk <> '1'"}) {
    EXPECT_EQ(Planned(where).Reads(), 1) << where;
  }
}

TEST(KeyPlan, KnowsWhetherTheKeySaysItAll) {
  EXPECT_FALSE(Planned("pk = 'a' AND sk > '1'")->filtered());
  EXPECT_FALSE(Planned("pk IN ['a', 'b']")->filtered());
  EXPECT_TRUE(Planned("pk = 'a' AND x = 1")->filtered());
  EXPECT_TRUE(Planned("pk = 'a' AND sk <> '1'")->filtered());
  EXPECT_TRUE(Planned("x = 1")->filtered());
}

TEST(KeyPlan, FindsTheOneItem) {
  const Item key = {{"pk", "a"}, {"sk", "1"}};
  for (const char* where :
       {"pk = 'a' AND sk = '1'", "(sk = '1') AND pk = 'a' AND pk = 'a'", "pk IN ['a'] AND sk IN ['1']"}) {
    EXPECT_EQ(Planned(where)->OnlyKey(), key) << where;
  }
  for (const char* where : {"pk = 'a'", "pk = 'a' AND sk = '1' AND x = 1", "pk = 'a' AND sk = '1' AND sk = '2'",
                            "pk = 'a' AND sk >= '1'", "pk IN ['a', 'b'] AND sk = '1'"}) {
    EXPECT_FALSE(Planned(where)->OnlyKey()) << where;
  }
}

TEST(KeyPlan, ManyBranchesAreTooManyAndNoTrouble) {
  std::string list;
  for (int i = 0; i < 100; ++i) list += (i == 0 ? "'v" : ",'v") + std::to_string(i) + "'";
  std::string where = "pk IN [" + list + "]";
  EXPECT_EQ(Planned(where).Refusal(), "Too many decomposed read operations for a given query.");
  for (int i = 0; i < 8; ++i) where += " AND sk IN [" + list + "]";
  EXPECT_EQ(Planned(where).Refusal(), "Too many decomposed read operations for a given query.");
}

}  // namespace
}  // namespace taula::api
