#include "engine/key_counts.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "base/bytes.h"

namespace taula::engine {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

std::size_t NumberOf(KeyRule rule) { return static_cast<std::size_t>(rule); }

codec::SpaceId SpaceOf(const catalog::Table& table, const catalog::Index* index) {
  return index == nullptr ? table.space : index->space;
}

// A partition key and a sort key in one text: how long the first is, and both.
std::string Join(std::string_view partition, std::string_view sort) {
  std::string joined;
  joined.reserve(sizeof(std::uint32_t) + partition.size() + sort.size());
  base::AppendU32(joined, static_cast<std::uint32_t>(partition.size()));
  return joined.append(partition).append(sort);
}

TopKey Split(const SketchedKey& counted, KeyRule rule) {
  TopKey top{.count = counted.count, .error = counted.error};
  if (rule == KeyRule::kPartitionAccessed || rule == KeyRule::kPartitionThrottled) {
    top.partition = counted.key;
    return top;
  }
  const std::size_t length = base::ReadU32(counted.key.data());
  top.partition = counted.key.substr(sizeof(std::uint32_t), length);
  top.sort = counted.key.substr(sizeof(std::uint32_t) + length);
  return top;
}

template <typename Keys>
void KeepHighest(Keys& keys, std::size_t most) {
  const auto by_count = [](const auto& left, const auto& right) { return left.count > right.count; };
  const std::size_t kept = std::min(most, keys.size());
  std::ranges::partial_sort(keys, keys.begin() + static_cast<std::ptrdiff_t>(kept), by_count);
  keys.resize(kept);
}

}  // namespace

void KeyCounts::History::Add(std::string_view key, double weight, std::int64_t minute) {
  // A clock that goes back, or a thread that is late, counts for the latest minute.
  if (minute > minute_) {
    if (sketch_ != nullptr) Close(minute);
    minute_ = minute;
  }
  if (sketch_ == nullptr) sketch_ = std::make_unique<SpaceSaving>(kKeysPerMinute / kStripes);
  sketch_->Add(key, weight);
}

void KeyCounts::History::Close(std::int64_t minute) {
  Summary summary{.keys = sketch_->keys(), .total = sketch_->total(), .different = sketch_->keys().size()};
  KeepHighest(summary.keys, kKeysKept);
  over_.emplace(minute_, std::move(summary));
  over_.erase(over_.begin(), over_.upper_bound(minute - kMinutesKept));
  sketch_.reset();
}

void KeyCounts::History::AddTo(std::unordered_map<std::string, SketchedKey>& sums, KeyReport& report,
                               TimeWindow window) const {
  const auto add = [&](const std::vector<SketchedKey>& keys, double total, std::size_t different) {
    report.total += total;
    report.different = std::max(report.different, different);
    for (const SketchedKey& each : keys) {
      SketchedKey& sum = sums.try_emplace(each.key, SketchedKey{.key = each.key}).first->second;
      sum.count += each.count;
      sum.error += each.error;
    }
  };
  const auto begins_in = [&](std::int64_t minute) {
    return minute * kMinuteMs >= window.from_ms && minute * kMinuteMs < window.to_ms;
  };
  for (const auto& [minute, summary] : over_) {
    if (begins_in(minute)) add(summary.keys, summary.total, summary.different);
  }
  if (sketch_ != nullptr && begins_in(minute_)) add(sketch_->keys(), sketch_->total(), sketch_->keys().size());
}

std::shared_ptr<KeyCounts::Counts> KeyCounts::Find(codec::SpaceId space) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_space_.find(space);
  return found == by_space_.end() ? nullptr : found->second;
}

std::shared_ptr<KeyCounts::Counts> KeyCounts::FindOrMake(codec::SpaceId space) {
  if (std::shared_ptr<Counts> known = Find(space)) return known;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Counts>& counts = by_space_[space];
  if (counts == nullptr) counts = std::make_shared<Counts>();
  return counts;
}

void KeyCounts::Count(const catalog::Table& table, const catalog::Index* index, KeyEvent event,
                      std::string_view partition, std::string_view sort, double weight, std::int64_t now_ms) {
  const auto& insights = InsightsOf(table, index);
  if (!insights || !insights->enabled) return;
  const bool accessed = event == KeyEvent::kAccessed;
  if (accessed && insights->throttled_keys_only) return;
  const std::shared_ptr<Counts> counts = FindOrMake(SpaceOf(table, index));
  const std::int64_t minute = now_ms / kMinuteMs;
  const std::string joined = sort.empty() ? std::string() : Join(partition, sort);
  Stripe& stripe = counts->stripes[std::hash<std::string_view>()(partition) % kStripes];
  const std::lock_guard lock(stripe.mutex);
  const KeyRule by_partition = accessed ? KeyRule::kPartitionAccessed : KeyRule::kPartitionThrottled;
  const KeyRule by_key = accessed ? KeyRule::kKeyAccessed : KeyRule::kKeyThrottled;
  stripe.rules[NumberOf(by_partition)].Add(partition, weight, minute);
  if (!joined.empty()) stripe.rules[NumberOf(by_key)].Add(joined, weight, minute);
}

KeyReport KeyCounts::Top(const catalog::Table& table, const catalog::Index* index, KeyRule rule, std::size_t keys_max,
                         TimeWindow window) const {
  KeyReport report;
  const std::shared_ptr<Counts> counts = Find(SpaceOf(table, index));
  if (counts == nullptr) return report;
  std::vector<SketchedKey> all;
  std::size_t different = 0;
  for (const Stripe& stripe : counts->stripes) {
    std::unordered_map<std::string, SketchedKey> sums;
    report.different = 0;
    const std::lock_guard lock(stripe.mutex);
    stripe.rules[NumberOf(rule)].AddTo(sums, report, window);
    different += std::max(report.different, sums.size());
    for (auto& sum : sums | std::views::values) all.push_back(std::move(sum));
  }
  report.different = different;
  KeepHighest(all, keys_max);
  for (const SketchedKey& key : all) report.keys.push_back(Split(key, rule));
  return report;
}

void KeyCounts::Forget(std::int64_t now_ms) {
  const std::int64_t oldest = now_ms / kMinuteMs - kMinutesKept;
  const auto idle = [&](const auto& entry) {
    return std::ranges::all_of(entry.second->stripes, [&](const Stripe& stripe) {
      const std::lock_guard lock(stripe.mutex);
      return std::ranges::all_of(stripe.rules, [&](const History& rule) { return rule.last_minute() < oldest; });
    });
  };
  const std::lock_guard lock(mutex_);
  std::erase_if(by_space_, idle);
}

}  // namespace taula::engine
