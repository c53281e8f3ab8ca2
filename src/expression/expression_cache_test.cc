#include "expression/expression_cache.h"

#include <thread>

#include "expression/testing.h"

namespace taula::expression {
namespace {

TEST(ExpressionCache, GivesTheSameTreeForTheSameText) {
  ExpressionCache cache;
  const Result<SyntaxPtr> first = cache.Parse(ExpressionKind::kCondition, std::string("a = :v"));
  const Result<SyntaxPtr> second = cache.Parse(ExpressionKind::kCondition, std::string("a = :v"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(cache.size(), 1u);
}

TEST(ExpressionCache, ConditionsOfAllKindsShareTheirTrees) {
  ExpressionCache cache;
  EXPECT_EQ(*cache.Parse(ExpressionKind::kCondition, "a = :v"), *cache.Parse(ExpressionKind::kFilter, "a = :v"));
  EXPECT_EQ(*cache.Parse(ExpressionKind::kCondition, "a = :v"), *cache.Parse(ExpressionKind::kKeyCondition, "a = :v"));
}

TEST(ExpressionCache, KeepsGrammarsApart) {
  ExpressionCache cache;
  ASSERT_TRUE(cache.Parse(ExpressionKind::kProjection, "a"));
  EXPECT_FALSE(cache.Parse(ExpressionKind::kCondition, "a"));
  EXPECT_FALSE(cache.Parse(ExpressionKind::kUpdate, "a"));
}

TEST(ExpressionCache, DoesNotKeepErrors) {
  ExpressionCache cache;
  EXPECT_EQ(MessageOf(cache.Parse(ExpressionKind::kFilter, "a")),
            R"(Invalid FilterExpression: Syntax error; token: "<EOF>", near: "a")");
  EXPECT_EQ(MessageOf(cache.Parse(ExpressionKind::kCondition, "a")),
            R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "a")");
  EXPECT_EQ(cache.size(), 0u);
}

TEST(ExpressionCache, StaysWithinItsMemory) {
  constexpr std::size_t kBytes = 64 * 1024;
  ExpressionCache cache(kBytes);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(cache.Parse(ExpressionKind::kCondition, "a" + std::to_string(i) + " = :v"));
    ASSERT_LE(cache.memory_bytes(), kBytes);
  }
  EXPECT_GT(cache.size(), 16u);
}

TEST(ExpressionCache, KeepsWhatIsUsed) {
  ExpressionCache cache(64 * 1024);
  const SyntaxPtr used = *cache.Parse(ExpressionKind::kCondition, "used = :v");
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(cache.Parse(ExpressionKind::kCondition, "a" + std::to_string(i) + " = :v"));
    ASSERT_EQ(*cache.Parse(ExpressionKind::kCondition, "used = :v"), used);
  }
}

TEST(ExpressionCache, ServesManyThreads) {
  ExpressionCache cache(32 * 1024);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache] {
      for (int i = 0; i < 2000; ++i) {
        const std::string text = "a" + std::to_string(i % 300) + " = :v";
        const Result<SyntaxPtr> syntax = cache.Parse(ExpressionKind::kCondition, text);
        ASSERT_TRUE(syntax);
        ASSERT_EQ((*syntax)->text(), text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace taula::expression
