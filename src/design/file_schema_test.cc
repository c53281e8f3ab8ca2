// The schema for editors, the loader and docs/design-files.md know the same
// members.
#include "design/file_schema.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <string>

#include "design/members.h"

namespace taula::design {
namespace {

using simdjson::dom::element;

class FileSchema : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(parser_.parse(std::string(DesignFileSchema())).get(schema_), simdjson::SUCCESS); }

  // Empty: the document's own.
  std::set<std::string> PropertiesOf(const std::string& definition) {
    std::set<std::string> names;
    const std::string path = (definition.empty() ? "" : "/definitions/" + definition) + "/properties";
    simdjson::dom::object properties;
    EXPECT_EQ(schema_.at_pointer(path).get(properties), simdjson::SUCCESS) << definition;
    for (const auto field : properties) names.emplace(field.key);
    return names;
  }

  template <typename Names>
  void ExpectMembers(const std::string& definition, const Names& names) {
    EXPECT_EQ(PropertiesOf(definition), std::set<std::string>(names.begin(), names.end())) << definition;
  }

  simdjson::dom::parser parser_;
  element schema_;
};

TEST_F(FileSchema, HasTheMembersThatTheLoaderKnows) {
  ExpectMembers("", kDesignMembers);
  ExpectMembers("defaults", kDefaultsMembers);
  ExpectMembers("table", kTableMembers);
  ExpectMembers("key", kKeyMembers);
  ExpectMembers("typedKeyPart", kKeyPartMembers);
  ExpectMembers("index", kIndexMembers);
  ExpectMembers("throughput", kBillingMembers);
  ExpectMembers("entity", kEntityMembers);
  ExpectMembers("growth", kGrowthMembers);
  ExpectMembers("fullAttribute", kAttributeMembers);
  ExpectMembers("bound", kBoundMembers);
}

TEST_F(FileSchema, HasTheMembersOfEachKindOfOperation) {
  using enum OperationKind;
  const auto expect = [&](const std::string& definition, const std::set<OperationKind>& kinds, bool is_step) {
    std::set<std::string> expected;
    for (const OperationKind kind : kinds) expected.emplace(NameOf(kind));
    for (const OperationMember& member : kOperationMembers) {
      if (member.name == "for" && !is_step) continue;
      const bool has = std::ranges::any_of(kinds, [&](OperationKind kind) { return member.kinds.Has(kind); });
      if (has) expected.emplace(member.name);
    }
    EXPECT_EQ(PropertiesOf(definition), expected) << definition;
  };
  expect("operation",
         {kGet, kCreate, kPut, kUpdate, kDelete, kQuery, kScan, kBatchGet, kBatchPut, kVerify, kTransaction}, false);
  expect("step", {kCreate, kPut, kUpdate, kDelete, kCheck}, true);
  expect("read", {kGet, kQuery}, false);
}

TEST_F(FileSchema, HasTheTypesOfAttributes) {
  std::set<std::string> types;
  for (const element type : schema_.at_pointer("/definitions/attributeType/enum").get_array()) {
    types.emplace(std::string_view(type));
  }
  std::set<std::string> known;
  for (const auto& [name, type] : kAttributeTypes) known.emplace(name);
  EXPECT_EQ(types, known);
}

TEST_F(FileSchema, RefusesOtherMembers) {
  const std::function<void(element, const std::string&)> look = [&](element at, const std::string& path) {
    simdjson::dom::object object;
    if (at.get(object) != simdjson::SUCCESS) return;
    const bool lists_members = !path.ends_with("/properties") && at["properties"].error() == simdjson::SUCCESS;
    if (lists_members) {
      bool allows_others = true;
      EXPECT_EQ(at["additionalProperties"].get(allows_others), simdjson::SUCCESS) << path;
      EXPECT_FALSE(allows_others) << path;
    }
    for (const auto field : object) look(field.value, path + "/" + std::string(field.key));
  };
  look(schema_, "");
}

// The names in the first column of the tables in a section of the page.
std::set<std::string> Documented(const std::string& section) {
  std::ifstream page(TAULA_SOURCE_DIR "/docs/design-files.md");
  EXPECT_TRUE(page);
  const std::regex name("`([a-z-]+)(?::[^`]*)?`");
  std::set<std::string> names;
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ") || line.starts_with("### ")) heading = line.substr(line.find(' ') + 1);
    if (heading != section || !line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find(" |", 1));
    for (std::sregex_iterator at(cell.begin(), cell.end(), name), end; at != end; ++at) names.insert((*at)[1]);
  }
  return names;
}

template <typename Names>
std::set<std::string> Set(const Names& names) {
  return {names.begin(), names.end()};
}

TEST(DesignFilesPage, HasTheMembersThatTheLoaderKnows) {
  EXPECT_EQ(Documented("The document"), Set(kDesignMembers));
  EXPECT_EQ(Documented("Tables"), Set(kTableMembers));
  EXPECT_EQ(Documented("Entities"), Set(kEntityMembers));
  EXPECT_EQ(Documented("Attributes"), Set(kAttributeMembers));
  std::set<std::string> operations;
  for (const OperationKindName& kind : kOperationKinds) operations.emplace(kind.name);
  for (const OperationMember& member : kOperationMembers) operations.emplace(member.name);
  EXPECT_EQ(Documented("Operations"), operations);
}

TEST_F(FileSchema, DescribesEveryMember) {
  const std::function<void(element, const std::string&)> look = [&](element at, const std::string& path) {
    simdjson::dom::object object;
    if (at.get(object) != simdjson::SUCCESS) return;
    for (const auto field : object) {
      const std::string inner = path + "/" + std::string(field.key);
      if (path.ends_with("/properties")) {
        std::string_view description;
        const bool is_reference = field.value["$ref"].error() == simdjson::SUCCESS;
        EXPECT_TRUE(is_reference ||
                    (field.value["description"].get(description) == simdjson::SUCCESS && !description.empty()))
            << inner;
      }
      look(field.value, inner);
    }
  };
  look(schema_, "");
}

}  // namespace
}  // namespace taula::design
