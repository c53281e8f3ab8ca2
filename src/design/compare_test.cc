#include "design/compare.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "design/load.h"

namespace taula::design {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Design Of(std::string_view entities) {
  Loaded loaded = LoadDesign(fmt::format(R"(
design: test
tables:
  main: {{ name: test, key: {{ partition: PK, sort: SK }}, indexes: {{ GSI1: {{ partition: GSI1PK }} }} }}
entities:
{})",
                                         entities),
                             "test.yaml");
  for (const Diagnostic& diagnostic : loaded.diagnostics) EXPECT_EQ(diagnostic.what, "");
  return loaded.design.value_or(Design());
}

constexpr std::string_view kUser = R"(
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    attributes:
      id: ulid
      email: { type: email }
      role: { type: enum, values: [admin, guest] }
)";

TEST(CompareDesigns, SaysNothingOfTheSame) { EXPECT_THAT(CompareDesigns(Of(kUser), Of(kUser)), IsEmpty()); }

TEST(CompareDesigns, SaysWhatItemsCanFeel) {
  const Design now = Of(R"(
  User:
    key: { PK: "PERSON#{id}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "EMAIL#{email}" } }
    unique: [email]
    attributes:
      id: ulid
      email: { type: string, required: true }
      role: { type: enum, values: [admin] }
)");
  EXPECT_THAT(CompareDesigns(Of(kUser), now),
              ElementsAre(HasSubstr("another key, PERSON#{id} and METADATA instead of USER#{id}"),
                          HasSubstr("keys in index GSI1: EMAIL#{email}"), HasSubstr("another type for email"),
                          HasSubstr("requires email"), HasSubstr("no longer allows role to be guest"),
                          HasSubstr("unique email")));
  EXPECT_THAT(CompareDesigns(now, Of(kUser)),
              ElementsAre(HasSubstr("another key"), HasSubstr("no longer in index GSI1"),
                          HasSubstr("another type for email"), HasSubstr("the same email more than once")));
}

TEST(CompareDesigns, SaysWhichEntityIsGone) {
  const Design now = Of(R"(
  Account: { key: { PK: "ACCOUNT#{id}", SK: METADATA }, attributes: { id: ulid } }
)");
  EXPECT_THAT(CompareDesigns(Of(kUser), now), ElementsAre("entity User is gone; its items belong to none now"));
}

}  // namespace
}  // namespace taula::design
