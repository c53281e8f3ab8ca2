#include "design/password.h"

#include <gtest/gtest.h>

#include <chrono>

namespace taula::design {
namespace {

constexpr int kRounds = 4;

TEST(Password, IsKnownByItsHash) {
  const auto hash = HashPassword("open sesame", kRounds);
  ASSERT_TRUE(hash);
  EXPECT_EQ(hash->size(), 60);
  EXPECT_TRUE(hash->starts_with("$2b$04$"));
  EXPECT_TRUE(VerifyPassword("open sesame", *hash, kRounds));
  EXPECT_FALSE(VerifyPassword("open sesamE", *hash, kRounds));
  EXPECT_FALSE(VerifyPassword(*hash, *hash, kRounds));
  EXPECT_NE(*hash, *HashPassword("open sesame", kRounds));
}

TEST(Password, IsUnderstoodFromOtherBcrypts) {
  // From the test vectors of OpenBSD's and of crypt_blowfish.
  EXPECT_TRUE(VerifyPassword("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", kRounds));
  EXPECT_TRUE(VerifyPassword("U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", kRounds));
}

TEST(Password, IsNobodysWithoutAHash) {
  for (const char* const hash : {"", "*", "*0", "$2b$", "$2b$04$short", "plain", "$6$salt$0123456789"}) {
    EXPECT_FALSE(VerifyPassword("", hash, kRounds)) << hash;
    EXPECT_FALSE(VerifyPassword(hash, hash, kRounds)) << hash;
  }
}

TEST(Password, IsNeitherEmptyNorMoreThanBcryptLooksAt) {
  EXPECT_TRUE(HashPassword(std::string(72, 'x'), kRounds));
  EXPECT_FALSE(HashPassword(std::string(73, 'x'), kRounds));
  EXPECT_FALSE(HashPassword("", kRounds));
  EXPECT_FALSE(HashPassword(std::string_view("a\0b", 3), kRounds));
  const auto hash = HashPassword("a", kRounds);
  EXPECT_FALSE(VerifyPassword(std::string_view("a\0b", 3), *hash, kRounds));
}

TEST(Password, AnUnknownUserCostsAsMuchAsAKnownOne) {
  constexpr int kSlow = 9;
  const auto hash = HashPassword("open sesame", kSlow);
  const auto seconds = [](std::string_view kept) {
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(VerifyPassword("wrong", kept, kSlow));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  double known = 1e9;
  double unknown = 1e9;
  for (int i = 0; i < 5; ++i) {
    known = std::min(known, seconds(*hash));
    unknown = std::min(unknown, seconds(""));
  }
  EXPECT_GT(unknown, known / 3);
  EXPECT_LT(unknown, known * 3);
}

}  // namespace
}  // namespace taula::design
