#include "transfer/file_kind.h"

#include <gtest/gtest.h>

namespace taula::transfer {
namespace {

using buckets::Compression;

TEST(FileKind, IsInTheName) {
  EXPECT_EQ(KindOf("a/orders.csv").format, Format::kCsv);
  EXPECT_EQ(KindOf("orders.NDJSON").format, Format::kNdjson);
  EXPECT_EQ(KindOf("orders.jsonl.gz").format, Format::kNdjson);
  EXPECT_EQ(KindOf("orders.jsonl.gz").compression, Compression::kGzip);
  EXPECT_EQ(KindOf("orders.csv.zst").compression, Compression::kZstd);
  EXPECT_EQ(KindOf("orders.csv.zst").format, Format::kCsv);
}

TEST(FileKind, MayBeUnknown) {
  EXPECT_EQ(KindOf("-").format, std::nullopt);
  EXPECT_EQ(KindOf("orders.json").format, std::nullopt);
  EXPECT_EQ(KindOf("orders").compression, Compression::kNone);
}

TEST(FileKind, FormatsHaveNames) {
  for (const Format format : {Format::kNdjson, Format::kDynamoDbJson, Format::kCsv}) {
    EXPECT_EQ(FormatNamed(NameOf(format)), format);
  }
  EXPECT_EQ(FormatNamed("xml"), std::nullopt);
}

}  // namespace
}  // namespace taula::transfer
