#include "design/seed.h"

#include "design/run_testing.h"

namespace taula::design {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kDesign = R"(
design: people
tables:
  main:
    name: people
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: GSI1PK } }
entities:
  User:
    key: { PK: "USER#{id}", SK: META }
    indexes: { GSI1: { GSI1PK: "EMAIL#{email}" } }
    unique: [email]
    attributes:
      id: string
      email: { type: email, required: true }
      password: { type: bcrypt, rounds: 4 }
      seenAt: timestamp
      stars: { type: integer, default: 1 }
operations:
  user:   { get: User }
  login:  { verify: User, index: GSI1, by: [email], with: password }
  signup: { create: User }
)";

class SeedTest : public RunTest {
 protected:
  SeedTest() : RunTest(kDesign) {}

  std::string Load(std::string_view text) {
    const auto count = LoadSeed(design_, "", text, "seed.yaml", *backend_, clock_);
    return count ? std::to_string(*count) : count.error();
  }
};

INSTANTIATE_TEST_SUITE_P(OnAServer, SeedTest, ::testing::Bool(), KindOfServer);

TEST_P(SeedTest, PutsEntitiesWithEverythingThatIsDerived) {
  ASSERT_EQ(Load("User:\n"
                 "  - { id: 7, email: a@x.org, password: open sesame, seenAt: \"{now-1h}\" }\n"
                 "  - { id: b, email: b@x.org, stars: 5 }\n"),
            "2");
  EXPECT_EQ(Call("user", R"({"id":"7"})"),
            R"({"item":{"id":"7","email":"a@x.org","seenAt":"2024-11-02T14:30:00.000Z","stars":1}})");
  EXPECT_THAT(Call("login", R"({"email":"a@x.org","password":"open sesame"})"), HasSubstr(R"("id":"7")"));
  // Unique values are as if they had been written by an operation.
  EXPECT_THAT(Call("signup", R"({"id":"c","email":"b@x.org"})"), ::testing::StartsWith("NotUnique"));
}

TEST_P(SeedTest, LoadsAgainWithoutHarm) {
  const std::string_view text = "User: [{ id: a, email: a@x.org }]";
  EXPECT_EQ(Load(text), "1");
  EXPECT_EQ(Load(text), "1");
}

TEST_P(SeedTest, SaysWhereItIsWrongAndWritesNothing) {
  EXPECT_EQ(Load("User:\n  - { id: a, email: a@x.org }\n  - { id: b, emial: b@x.org }\n"),
            "seed.yaml:3:14: User has no attribute 'emial'. Did you mean 'email'?");
  EXPECT_EQ(Load("Usr: []"), "seed.yaml:1:1: there is no entity 'Usr'. Did you mean 'User'?");
  EXPECT_THAT(Load("User:\n  - { id: a, email: nobody }\n"), ContainsRegex("^seed.yaml:2:5: email .*nobody"));
  EXPECT_THAT(Load("User:\n  - { id: a, email: a@x.org, stars: many }\n"),
              ContainsRegex("^seed.yaml:2:[0-9]+: .*stars"));
  EXPECT_THAT(Load("User:\n  - { id: a, email: a@x.org }\n  - { id: b, email: a@x.org }\n"),
              HasSubstr("seed.yaml:3:5: another one has email 'a@x.org' of a User"));
  EXPECT_THAT(Load("User:\n  - { id: a, email: a@x.org }\n  - { id: a, email: b@x.org }\n"),
              HasSubstr("seed.yaml:3:5: it has the key of the item in line 2"));
  EXPECT_THAT(Load("User: ["), ContainsRegex("^seed.yaml:"));
  EXPECT_THAT(Call("user", R"({"id":"a"})"), ::testing::StartsWith("NotFound"));
}

}  // namespace
}  // namespace taula::design
