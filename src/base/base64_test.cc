#include "base/base64.h"

#include <gtest/gtest.h>

#include <random>

namespace taula::base {
namespace {

std::string Encode(std::string_view bytes) {
  std::string out;
  AppendBase64(out, bytes);
  return out;
}

TEST(Base64, EncodesTheVectorsOfRfc4648) {
  EXPECT_EQ(Encode(""), "");
  EXPECT_EQ(Encode("f"), "Zg==");
  EXPECT_EQ(Encode("fo"), "Zm8=");
  EXPECT_EQ(Encode("foo"), "Zm9v");
  EXPECT_EQ(Encode("foob"), "Zm9vYg==");
  EXPECT_EQ(Encode("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Encode("\xff\xef\xbe"), "/+++");
}

TEST(Base64, DecodesWhatItEncodes) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 50, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const std::string text = Encode(bytes);
    EXPECT_EQ(Base64DecodedSize(text), bytes.size());
    std::string decoded = "kept";
    ASSERT_TRUE(AppendBase64Decoded(decoded, text));
    EXPECT_EQ(decoded, "kept" + bytes);
  }
}

TEST(Base64, RefusesWhatItWouldNotWrite) {
  for (const std::string_view text : {"A", "AA", "AAA", "AAAAA",           // lengths
                                      "A===", "====", "=AAA", "AA=A",      // padding in the wrong place
                                      "AA==AAAA", "Zg==Zg==",              // padding inside
                                      "AB==", "AAB=",                      // bits behind the last byte
                                      "AA-_", "AA A", "AAA\n", "AAA\xc3",  // foreign characters
                                      "!AAAAAAA"}) {
    std::string decoded = "kept";
    EXPECT_FALSE(AppendBase64Decoded(decoded, text)) << text;
    EXPECT_EQ(decoded, "kept") << text;
  }
}

}  // namespace
}  // namespace taula::base
