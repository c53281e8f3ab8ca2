#include "design/item_layout.h"

#include <gtest/gtest.h>

#include "value/encoding.h"

namespace taula::design {
namespace {

class ItemEditTest : public ::testing::Test {
 protected:
  ItemLayout layout_;
  ItemLayout::Slot b_ = layout_.Add("", "b");
  ItemLayout::Slot d_ = layout_.Add("", "d");
  ItemLayout::Slot x_ = layout_.Add("data", "x");
  ItemLayout::Slot w_ = layout_.Add("data", "w");

  // Also checks that the bytes are what the value would have anyway.
  static void ExpectChanged(const ItemEdit& edit, const Item& wanted) {
    const Item changed = edit.Changed();
    EXPECT_TRUE(value::IsWellFormedValue(changed.encoded()));
    EXPECT_EQ(changed, wanted);
  }
};

TEST_F(ItemEditTest, NumbersAnAttributeOnce) {
  EXPECT_EQ(layout_.Add("", "b"), b_);
  EXPECT_EQ(layout_.Add("data", "x"), x_);
  EXPECT_NE(layout_.Add("", "x"), x_);
}

TEST_F(ItemEditTest, FindsAttributesAtTheTopAndInsideMaps) {
  const Item item{{"a", 1}, {"b", 2}, {"c", 3}, {"data", Value::Map({{"v", 4}, {"x", 5}})}};
  const ItemEdit edit(layout_, item.view());
  EXPECT_EQ(*edit.Find(b_), Value(2).view());
  EXPECT_EQ(*edit.Find(x_), Value(5).view());
  EXPECT_EQ(edit.Find(d_), std::nullopt);
  EXPECT_EQ(edit.Find(w_), std::nullopt);
  EXPECT_FALSE(edit.is_changed());
}

TEST_F(ItemEditTest, FindsNothingInAnEmptyItem) {
  const Item item;
  const ItemEdit edit(layout_, item.view());
  EXPECT_EQ(edit.Find(b_), std::nullopt);
  EXPECT_EQ(edit.Find(x_), std::nullopt);
}

TEST_F(ItemEditTest, ReplacesAddsAndRemoves) {
  const Item item{{"a", 1}, {"b", 2}, {"c", 3}, {"e", 4}};
  ItemEdit edit(layout_, item.view());
  edit.SetString(b_, "two");
  edit.Set(d_, Value(7).view());
  EXPECT_EQ(edit.Find(b_)->bytes(), "two");
  EXPECT_EQ(*edit.Given(b_), Value(2).view());
  ExpectChanged(edit, {{"a", 1}, {"b", "two"}, {"c", 3}, {"d", 7}, {"e", 4}});
  edit.Remove(b_);
  EXPECT_EQ(edit.Find(b_), std::nullopt);
  ExpectChanged(edit, {{"a", 1}, {"c", 3}, {"d", 7}, {"e", 4}});
}

TEST_F(ItemEditTest, AddsAtBothEnds) {
  const Item item{{"c", 3}};
  ItemEdit edit(layout_, item.view());
  edit.Set(b_, Value(2).view());
  edit.Set(d_, Value(4).view());
  ExpectChanged(edit, {{"b", 2}, {"c", 3}, {"d", 4}});
}

TEST_F(ItemEditTest, ChangesAMapAndLeavesTheRestOfIt) {
  const Item item{{"b", 2}, {"data", Value::Map({{"v", 4}, {"x", 5}, {"z", 6}})}, {"e", 1}};
  ItemEdit edit(layout_, item.view());
  edit.Set(w_, Value("new").view());
  edit.Remove(x_);
  ExpectChanged(edit, {{"b", 2}, {"data", Value::Map({{"v", 4}, {"w", "new"}, {"z", 6}})}, {"e", 1}});
}

TEST_F(ItemEditTest, MakesAMapThatIsAbsent) {
  const Item item{{"e", 1}};
  ItemEdit edit(layout_, item.view());
  ASSERT_TRUE(edit.CanHold(x_));
  edit.Set(x_, Value(5).view());
  ExpectChanged(edit, {{"data", Value::Map({{"x", 5}})}, {"e", 1}});
}

TEST_F(ItemEditTest, MakesNoMapForWhatIsOnlyRemoved) {
  const Item item{{"e", 1}};
  ItemEdit edit(layout_, item.view());
  edit.Remove(x_);
  edit.Remove(b_);
  EXPECT_FALSE(edit.is_changed());
}

TEST_F(ItemEditTest, CannotPutAttributesIntoWhatIsNoMap) {
  const Item item{{"data", "text"}};
  const ItemEdit edit(layout_, item.view());
  EXPECT_FALSE(edit.CanHold(x_));
  EXPECT_TRUE(edit.CanHold(b_));
  EXPECT_EQ(edit.Find(x_), std::nullopt);
}

TEST_F(ItemEditTest, KnowsNamesWhoseLengthTakesTwoBytes) {
  const std::string name(300, 'n');
  const ItemLayout::Slot slot = layout_.Add("", name);
  const Item item{{"a", 1}, {name, 2}, {"z", 3}};
  ItemEdit edit(layout_, item.view());
  EXPECT_EQ(*edit.Find(slot), Value(2).view());
  edit.Set(slot, Value(9).view());
  ExpectChanged(edit, {{"a", 1}, {name, 9}, {"z", 3}});
}

}  // namespace
}  // namespace taula::design
