#include "engine/key_counts.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace taula::engine {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

std::size_t NumberOf(KeyRule rule) { return static_cast<std::size_t>(rule); }

codec::SpaceId SpaceOf(const catalog::Table& table, const catalog::Index* index) {
  return index == nullptr ? table.space : index->space;
}

void KeepLeading(std::vector<SketchedKey>& keys) {
  const auto by_count = [](const auto& left, const auto& right) { return left.count > right.count; };
  std::size_t kept = std::min(KeyCounts::kKeysKept, keys.size());
  std::ranges::partial_sort(keys, keys.begin() + static_cast<std::ptrdiff_t>(kept), by_count);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    bytes += keys[i].key.size();
    if (bytes > KeyCounts::kKeyBytesKept) kept = i;
  }
  keys.resize(kept);
}

}  // namespace

void KeyCounts::History::Add(std::string_view key, double weight, std::int64_t minute) {
  // A clock that goes back, or a thread that is late, counts for the latest minute.
  if (minute > minute_) {
    if (sketch_ != nullptr) over_.emplace(minute_, Summary());
    over_.erase(over_.begin(), over_.upper_bound(minute - kMinutesKept));
    sketch_.reset();
    minute_ = minute;
  }
  if (sketch_ == nullptr) sketch_ = std::make_unique<SpaceSaving>(kKeysPerMinute / kStripes);
  sketch_->Add(key, weight);
}

KeyMinute KeyCounts::History::Summary() const {
  KeyMinute summary{.minute_ms = minute_ * kMinuteMs,
                    .keys = sketch_->keys(),
                    .total = sketch_->total(),
                    .different = sketch_->keys().size()};
  KeepLeading(summary.keys);
  return summary;
}

void KeyCounts::History::AddTo(std::map<std::int64_t, KeyMinute>& minutes, TimeWindow window) const {
  const auto is_in = [&](std::int64_t minute) {
    return minute * kMinuteMs >= window.from_ms && minute * kMinuteMs < window.to_ms;
  };
  const auto add = [&](const KeyMinute& one) {
    KeyMinute& all = minutes[one.minute_ms];
    all.minute_ms = one.minute_ms;
    all.keys.insert(all.keys.end(), one.keys.begin(), one.keys.end());
    all.total += one.total;
    all.different += one.different;
  };
  for (const auto& [minute, summary] : over_) {
    if (is_in(minute)) add(summary);
  }
  if (sketch_ != nullptr && is_in(minute_)) add(Summary());
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

bool KeyCounts::Wants(const catalog::Table& table, const catalog::Index* index, KeyEvent event) {
  const auto& insights = InsightsOf(table, index);
  return insights && insights->enabled && (event == KeyEvent::kThrottled || !insights->throttled_keys_only);
}

void KeyCounts::Count(const catalog::Table& table, const catalog::Index* index, KeyEvent event, const KeyParts& key,
                      double weight, std::int64_t now_ms) {
  if (!Wants(table, index, event)) return;
  const bool accessed = event == KeyEvent::kAccessed;
  const std::shared_ptr<Counts> counts = FindOrMake(SpaceOf(table, index));
  const std::int64_t minute = now_ms / kMinuteMs;
  const auto add = [&](KeyRule rule, std::string_view parts) {
    Stripe& stripe = counts->stripes[std::hash<std::string_view>()(parts) % kStripes];
    const std::lock_guard lock(stripe.mutex);
    stripe.rules[NumberOf(rule)].Add(parts, weight, minute);
  };
  add(accessed ? KeyRule::kPartitionAccessed : KeyRule::kPartitionThrottled, key.partition);
  if (!key.whole.empty()) add(accessed ? KeyRule::kKeyAccessed : KeyRule::kKeyThrottled, key.whole);
}

std::vector<KeyMinute> KeyCounts::Minutes(const catalog::Table& table, const catalog::Index* index, KeyRule rule,
                                          TimeWindow window) const {
  std::map<std::int64_t, KeyMinute> minutes;
  if (const std::shared_ptr<Counts> counts = Find(SpaceOf(table, index))) {
    for (const Stripe& stripe : counts->stripes) {
      const std::lock_guard lock(stripe.mutex);
      stripe.rules[NumberOf(rule)].AddTo(minutes, window);
    }
  }
  std::vector<KeyMinute> in_order;
  for (KeyMinute& minute : minutes | std::views::values) in_order.push_back(std::move(minute));
  return in_order;
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
