#include "transfer/compare_tables.h"

#include <simdjson.h>

#include <mutex>
#include <optional>

#include "codec/json_value_reader.h"
#include "transfer/item_fetch.h"
#include "transfer/table_scan.h"

namespace taula::transfer {
namespace {

constexpr std::size_t kExamplesMax = 10;

// The item's canonical bytes; nothing when it is not one.
std::optional<std::string> Canonical(std::string_view item) {
  thread_local simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(item.data(), item.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  std::string bytes;
  codec::JsonValueReader reader(bytes);
  if (!reader.ReadItem(json, codec::JsonPlace::kMember) || reader.TakeFault()) return std::nullopt;
  return bytes;
}

bool AreEqual(std::string_view a, std::string_view b) { return a == b || Canonical(a) == Canonical(b); }

class Comparison {
 public:
  explicit Comparison(const CompareOptions& options) : options_(options) {}

  // Each item of `one` at `other`. Keys alone where equality was looked at before.
  Result<void> Walk(const ComparedTable& one, const ComparedTable& other, bool keys_only) {
    TableScan scan(one.call, {.table = one.table,
                              .segments = options_.calls_in_flight,
                              .calls_in_flight = options_.calls_in_flight,
                              .more_members = keys_only ? KeysOnlyMembers(options_.key) : "",
                              .patience = options_.patience});
    const FetchOptions fetch{
        .table = other.table, .key = options_.key, .keys_only = keys_only, .patience = options_.patience};
    return scan.Run([&](const ScanPage& page) { return LookUp(page, other.call, fetch); });
  }

  TableDifferences differences;

 private:
  Result<void> LookUp(const ScanPage& page, const client::CallFunction& other, const FetchOptions& fetch) {
    std::vector<std::string> keys;
    for (const std::string_view item : page.items) keys.push_back(KeyOf(item, options_.key).value_or("{}"));
    const auto found = FetchItems(other, fetch, keys);
    if (!found) return std::unexpected(found.error());
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto at_other = found->find(keys[i]);
      if (fetch.keys_only) {
        if (at_other == found->end()) Count(differences.extra, "only at the target", keys[i]);
        continue;
      }
      ++differences.items;
      if (at_other == found->end()) {
        Count(differences.missing, "missing", keys[i]);
      } else if (!AreEqual(page.items[i], at_other->second)) {
        Count(differences.different, "different", keys[i]);
      }
    }
    return {};
  }

  void Count(std::uint64_t& counter, std::string_view what, const std::string& key) {
    ++counter;
    if (differences.examples.size() < kExamplesMax) differences.examples.push_back(std::string(what) + " " + key);
  }

  const CompareOptions& options_;
  std::mutex mutex_;
};

}  // namespace

Result<TableDifferences> CompareTables(const ComparedTable& source, const ComparedTable& target,
                                       const CompareOptions& options) {
  Comparison comparison(options);
  if (auto walked = comparison.Walk(source, target, false); !walked) return std::unexpected(walked.error());
  if (auto walked = comparison.Walk(target, source, true); !walked) return std::unexpected(walked.error());
  return comparison.differences;
}

}  // namespace taula::transfer
