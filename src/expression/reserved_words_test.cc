#include "expression/reserved_words.h"

#include <gtest/gtest.h>

#include <string>

namespace taula::expression {
namespace {

TEST(ReservedWords, AreFoundWhateverTheirCase) {
  for (const std::string_view word : {"ABORT", "abort", "aBoRt", "status", "name", "data", "zone", "DATETIME", "size",
                                      "TTL", "year", "views", "NULL"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, AreNotTheirBeginningsNorWhatContainsThem) {
  for (const std::string_view word : {"", "abor", "aborted", "status1", "_status", "pk", "sk", "id"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, LongNamesAreNotReserved) { EXPECT_FALSE(IsReservedWord(std::string(4000, 'a'))); }

}  // namespace
}  // namespace taula::expression
