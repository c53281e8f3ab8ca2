#include "design/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "design/load.h"

namespace taula::design {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kTables = R"(design: test
tables:
  main:
    name: test-{stage}
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: GSI1PK, sort: GSI1SK } }
)";

Diagnostics Check(std::string_view text) {
  const Loaded loaded = LoadDesign(text, "test.yaml");
  for (const Diagnostic& diagnostic : loaded.diagnostics) {
    EXPECT_NE(diagnostic.severity, Severity::kError) << diagnostic.place.line << ": " << diagnostic.what;
  }
  return loaded.design ? CheckDesign(*loaded.design) : Diagnostics();
}

// What is found, as "error refused-query 12".
std::vector<std::string> Found(std::string_view rest, std::string_view tables = kTables) {
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : Check(fmt::format("{}{}", tables, rest))) {
    const std::string_view severity = diagnostic.severity == Severity::kError     ? "error"
                                      : diagnostic.severity == Severity::kWarning ? "warning"
                                                                                  : "note";
    found.push_back(fmt::format("{} {} {}", severity, diagnostic.code, diagnostic.place.line));
    EXPECT_FALSE(diagnostic.what.empty());
    EXPECT_FALSE(diagnostic.fix.empty()) << diagnostic.code;
    EXPECT_GT(diagnostic.place.column, 0) << diagnostic.code;
  }
  return found;
}

constexpr std::string_view kUser = R"(entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "EMAIL#{email}", GSI1SK: METADATA } }
    unique: [email]
    attributes:
      id: { type: ulid, generated: true }
      email: { type: email, required: true }
operations:
  user: { get: User }
  userByEmail: { query: User, index: GSI1, by: [email], one: true }
)";

TEST(CheckDesign, FindsNothingWrongWithAGoodOne) { EXPECT_THAT(Found(kUser), IsEmpty()); }

TEST(CheckDesign, AQueryThatAmazonRefuses) {
  const std::string refused = fmt::format(
      "{}  open: {{ query: User, index: GSI1, where: {{ email: {{ starts-with: \"{{p}}\" }} }} }}\n", kUser);
  EXPECT_THAT(Found(refused), Contains(HasSubstr("error refused-query 18")));
  const std::string allowed = fmt::format("{}    extensions: [range-queries]\n", kTables);
  EXPECT_THAT(Found(refused, allowed), Contains(HasSubstr("warning refused-query 19")));
}

TEST(CheckDesign, KeysOfTwoEntitiesThatCanCollide) {
  EXPECT_THAT(Found(R"(entities:
  User: { key: { PK: "USER#{id}", SK: METADATA }, attributes: { id: ulid } }
  Admin: { key: { PK: "USER#{adminId}", SK: METADATA }, attributes: { adminId: ulid } }
)"),
              Contains(HasSubstr("key-collision 9")));
}

TEST(CheckDesign, AnIndexThatNothingUses) {
  EXPECT_THAT(Found(R"(entities:
  User: { key: { PK: "USER#{id}", SK: METADATA }, attributes: { id: ulid } }
operations:
  user: { get: User }
)"),
              Contains(HasSubstr("unused-index 6")));
}

TEST(CheckDesign, AUniqueThingThatOnlyAnIndexKnows) {
  std::string design(kUser);
  const std::string rule = "    unique: [email]\n";
  design.erase(design.find(rule), rule.size());
  EXPECT_THAT(Found(design), Contains(HasSubstr("unique-by-index-only")));
}

TEST(CheckDesign, AnOperationThatNoKeyServes) {
  EXPECT_THAT(Found(R"(entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "EMAIL#{email}", GSI1SK: METADATA } }
    attributes: { id: ulid, email: { type: email, required: true }, city: string }
operations:
  byCity: { query: User, by: [city] }
  byEmail: { query: User, index: GSI1, by: [email] }
)"),
              Contains(HasSubstr("unserved-operation 13")));
}

TEST(CheckDesign, AHotPartition) {
  EXPECT_THAT(Found(R"(entities:
  Event:
    key: { PK: EVENTS, SK: "{id}" }
    attributes: { id: ulid }
)"),
              Contains(HasSubstr("hot-partition 9")));
}

TEST(CheckDesign, AScanWhereAQueryWouldDo) {
  EXPECT_THAT(Found(fmt::format("{}  found: {{ scan: User, filter: \"email = {{email}}\" }}\n", kUser)),
              Contains(HasSubstr("scan-where-query 18")));
}

TEST(CheckDesign, AnAttributeOfTheKeyThatChanges) {
  EXPECT_THAT(Found(R"(entities:
  Task:
    key: { PK: "USER#{userId}", SK: "TASK#{status}#{id}" }
    attributes: { userId: ulid, id: ulid, status: { type: enum, values: [open, done] } }
operations:
  finish: { update: Task, set: { status: done } }
)"),
              Contains(HasSubstr("error changing-in-key")));
}

TEST(CheckDesign, AnOptionalAttributeInAnIndex) {
  EXPECT_THAT(Found(R"(entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "EMAIL#{email}", GSI1SK: METADATA } }
    attributes: { id: ulid, email: email }
operations:
  byEmail: { query: User, index: GSI1, by: [email] }
)"),
              Contains(HasSubstr("note optional-in-key 10")));
}

TEST(CheckDesign, ItemsOfOthersInTheRange) {
  EXPECT_THAT(Found(R"(entities:
  Post: { key: { PK: "USER#{userId}", SK: "POST#{id}" }, attributes: { userId: ulid, id: ulid } }
  Comment: { key: { PK: "USER#{userId}", SK: "POST#{id}#COMMENT#{commentId}" }, attributes: { userId: ulid, id: ulid, commentId: ulid } }
operations:
  posts: { query: Post, by: [userId] }
)"),
              Contains(HasSubstr("foreign-items 11")));
}

TEST(CheckDesign, ItemsThatCanOutgrowTheirLimit) {
  EXPECT_THAT(Found(R"(entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    attributes: { id: ulid, visits: { type: list, items: string } }
)"),
              Contains(HasSubstr("item-too-large")));
}

TEST(CheckDesign, ReservedWords) {
  EXPECT_THAT(Found(R"(entities:
  User: { key: { PK: "USER#{id}", SK: METADATA }, attributes: { id: ulid, name: string } }
)"),
              Contains(HasSubstr("note reserved-word 8")));
}

TEST(CheckDesign, AConditionThatCannotBeRead) {
  EXPECT_THAT(Found(fmt::format("{}  found: {{ scan: User, filter: \"email = = 'x'\" }}\n", kUser)),
              Contains(HasSubstr("error condition-syntax 18")));
}

TEST(CheckDesign, AReferenceToNothing) {
  EXPECT_THAT(Found(fmt::format("{}  rename: {{ update: User, set: {{ email: \"{{nobody.name}}\" }} }}\n", kUser)),
              Not(IsEmpty()));
}

TEST(CheckDesign, ATimeToLiveThatIsNoTime) {
  EXPECT_THAT(Found(R"(entities:
  User: { key: { PK: "USER#{id}", SK: METADATA }, attributes: { id: ulid, gone: string } }
)",
                    fmt::format("{}    ttl: gone\n", kTables)),
              Contains(HasSubstr("ttl-attribute")));
}

TEST(CheckDesign, ANumberInAKeyThatDoesNotSort) {
  EXPECT_THAT(Found(R"(entities:
  Score: { key: { PK: "GAME#{game}", SK: "SCORE#{points}" }, attributes: { game: ulid, points: number } }
)"),
              Contains(HasSubstr("unsorted-number 8")));
}

TEST(CheckDesign, ANameThatAmazonRefuses) {
  constexpr std::string_view kNamed = R"(design: test
tables:
  main: { name: "my table", key: { partition: PK } }
entities:
  User: { key: { PK: "USER#{id}" }, attributes: { id: ulid } }
)";
  EXPECT_THAT(Found("", kNamed), Contains(HasSubstr("error refused-name 3")));
}

}  // namespace
}  // namespace taula::design
