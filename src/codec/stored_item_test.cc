#include "codec/stored_item.h"

#include <gtest/gtest.h>

#include "value/testing_hex.h"

namespace taula::codec {
namespace {

std::string Stored(const Item& item) {
  std::string stored;
  AppendStoredItem(stored, item.view());
  return stored;
}

TEST(StoredItem, HasTheBytesThatAreDocumented) {
  EXPECT_EQ(value::Hex(Stored({{"PK", "hi"}, {"n", 42}})),
            "01 07 00 00 00 0a 0e 00 00 00 02 50 4b 04 02 68 69 01 6e 03 02 83 2b 00");
}

TEST(StoredItem, GivesBackTheItemAndItsSize) {
  const Item item{{"PK", "USER#1"}, {"list", Value::List({1, "two"})}};
  const std::string stored = Stored(item);
  EXPECT_EQ(StoredItemSize(stored), 2U + 6 + 4 + (3 + (1 + 2) + (1 + 3)));
  EXPECT_EQ(Item(StoredItemValue(stored)), item);
  EXPECT_TRUE(IsWellFormed(stored));
}

TEST(StoredItem, KeepsAnEmptyItem) {
  EXPECT_TRUE(IsWellFormed(Stored(Item())));
  EXPECT_EQ(StoredItemSize(Stored(Item())), 0U);
}

TEST(StoredItem, IsNotWellFormedWhenDamaged) {
  const std::string stored = Stored({{"PK", "USER#1"}, {"n", 42}});
  for (std::size_t length = 0; length < stored.size(); ++length) {
    const std::string cut(stored, 0, length);
    EXPECT_FALSE(IsWellFormed(cut)) << length;
  }
  std::string other_format = stored;
  other_format[0] = 2;
  EXPECT_FALSE(IsWellFormed(other_format));
  std::string other_size = stored;
  ++other_size[1];
  EXPECT_FALSE(IsWellFormed(other_size));
  EXPECT_FALSE(IsWellFormed(stored + "x"));
  std::string not_a_map(stored, 0, kStoredItemHeaderBytes);
  not_a_map += Value("text").encoded();
  EXPECT_FALSE(IsWellFormed(not_a_map));
}

}  // namespace
}  // namespace taula::codec
