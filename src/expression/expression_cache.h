// Syntax trees of the expressions seen lately, by their text.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "expression/syntax.h"
#include "taula/error.h"

namespace taula::expression {

// Thread-safe and bounded by the memory of the trees it holds; drops the least
// recently used first. Expressions with errors are not kept.
class ExpressionCache {
 public:
  static constexpr std::size_t kDefaultBytes = 16 * 1024 * 1024;

  explicit ExpressionCache(std::size_t bytes_max = kDefaultBytes) : shard_bytes_max_(bytes_max / kShards) {}

  // The tree of `text`, parsed when it is not there (parser.h).
  [[nodiscard]] Result<SyntaxPtr> Parse(ExpressionKind kind, std::string_view text);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kShards = 16;
  // What the bookkeeping of one tree takes, about.
  static constexpr std::size_t kEntryBytes = 160;

  // The trees own the text that the keys look at.
  struct Key {
    std::string_view text;
    std::size_t grammar;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return std::hash<std::string_view>()(key.text) + key.grammar; }
  };
  struct Entry {
    SyntaxPtr syntax;
    std::size_t grammar;
    std::size_t bytes;
  };
  using Recency = std::list<Entry>;  // the most recently used in front

  struct Shard {
    mutable std::mutex mutex;
    Recency recency;
    std::unordered_map<Key, Recency::iterator, KeyHash> index;
    std::size_t bytes = 0;
  };

  // Three grammars serve the five kinds of expressions.
  static std::size_t GrammarOf(ExpressionKind kind);
  void Insert(Shard& shard, std::size_t grammar, const SyntaxPtr& syntax);

  std::size_t shard_bytes_max_;
  std::array<Shard, kShards> shards_;
};

}  // namespace taula::expression
