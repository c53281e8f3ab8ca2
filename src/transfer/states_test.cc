#include <gtest/gtest.h>

#include "buckets/testing.h"
#include "transfer/export_state.h"
#include "transfer/import_state.h"
#include "transfer/saved_text.h"

namespace taula::transfer {
namespace {

TEST(ExportState, ComesBackFromItsText) {
  const ExportState state{"table \"t\"", 12, 34, R"({"items":5,"segments":[{"done":true}]})"};
  const auto read = ExportState::Parse(state.Text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->of, state.of);
  EXPECT_EQ(read->length, 12U);
  EXPECT_EQ(read->bytes, 34U);
  EXPECT_EQ(read->positions, state.positions);
}

TEST(ExportState, IsNoOtherText) {
  EXPECT_FALSE(ExportState::Parse("{}"));
  EXPECT_FALSE(ExportState::Parse(R"({"exportOf":"x","length":)"));
}

TEST(ImportState, ComesBackFromItsText) {
  const ImportState state{"a.csv into t", 1, 2, 3, 4, 5, 6};
  const auto read = ImportState::Parse(state.Text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Text(), state.Text());
  EXPECT_EQ(read->rejects_bytes, 6U);
  EXPECT_FALSE(ImportState::Parse("{}"));
}

TEST(SavedText, IsThereAsAWhole) {
  const buckets::BucketFolder folder;
  const std::string path = folder.path("state").string();
  EXPECT_EQ(LoadText(path).value(), std::nullopt);
  ASSERT_TRUE(SaveText(path, "one"));
  ASSERT_TRUE(SaveText(path, "two"));
  EXPECT_EQ(LoadText(path).value(), "two");
  EXPECT_EQ(folder.Keys(), std::vector<std::string>{"state"});
  EXPECT_FALSE(SaveText("/no/such/folder/state", "x"));
}

}  // namespace
}  // namespace taula::transfer
