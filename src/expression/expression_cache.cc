#include "expression/expression_cache.h"

#include "expression/parser.h"

namespace taula::expression {

std::size_t ExpressionCache::GrammarOf(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kProjection:
      return 1;
    case ExpressionKind::kUpdate:
      return 2;
    case ExpressionKind::kCondition:
    case ExpressionKind::kFilter:
    case ExpressionKind::kKeyCondition:
      break;
  }
  return 0;
}

Result<SyntaxPtr> ExpressionCache::Parse(ExpressionKind kind, std::string_view text) {
  const std::size_t grammar = GrammarOf(kind);
  const Key key{text, grammar};
  Shard& shard = shards_[KeyHash()(key) % kShards];
  {
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.index.find(key);
    if (found != shard.index.end()) {
      shard.recency.splice(shard.recency.begin(), shard.recency, found->second);
      return found->second->syntax;
    }
  }
  Result<SyntaxPtr> parsed = expression::Parse(kind, text);
  if (parsed) Insert(shard, grammar, *parsed);
  return parsed;
}

void ExpressionCache::Insert(Shard& shard, std::size_t grammar, const SyntaxPtr& syntax) {
  const std::size_t bytes = syntax->memory_bytes() + kEntryBytes;
  if (bytes > shard_bytes_max_) return;
  const std::lock_guard lock(shard.mutex);
  const Key key{syntax->text(), grammar};
  if (shard.index.contains(key)) return;  // another thread was faster
  while (shard.bytes + bytes > shard_bytes_max_) {
    const Entry& last = shard.recency.back();
    shard.bytes -= last.bytes;
    shard.index.erase(Key{last.syntax->text(), last.grammar});
    shard.recency.pop_back();
  }
  shard.recency.push_front({syntax, grammar, bytes});
  shard.index.emplace(key, shard.recency.begin());
  shard.bytes += bytes;
}

std::size_t ExpressionCache::size() const {
  std::size_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    total += shard.index.size();
  }
  return total;
}

std::size_t ExpressionCache::memory_bytes() const {
  std::size_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    total += shard.bytes;
  }
  return total;
}

}  // namespace taula::expression
