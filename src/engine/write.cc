#include "engine/write.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "codec/stored_item.h"
#include "engine/apply_write.h"
#include "engine/change_log.h"
#include "engine/history.h"
#include "engine/index_entries.h"
#include "engine/statistics.h"
#include "engine/units.h"

namespace taula::engine {
namespace {

bool NeedsTime(const catalog::Table& table) {
  return table.rules != nullptr || LogsChanges(table) || KeepsHistory(table);
}

class SingleWrite final : public storage::Mutation {
 public:
  SingleWrite(storage::Store& store, const base::Clock& clock, WriteWatch watch, WriteAction action, WriteDone done,
              std::vector<storage::Key> claim_keys)
      : store_(store),
        clock_(clock),
        watch_(watch),
        action_(std::move(action)),
        key_(ItemStoreKey(*action_.table, action_.item.view())),
        done_(std::move(done)),
        result_(Fail(ErrorCode::kInternalServerError, "")) {
    if (action_.table->has_local_indexes()) {
      collection_bytes_ = ReadCollectionBytes(store, PartitionStoreKey(*action_.table, action_.item.view()));
    }
    if (claim_keys.empty()) return;
    keys_.push_back(key_);
    std::ranges::move(claim_keys, std::back_inserter(keys_));
  }

  [[nodiscard]] std::span<const storage::Key> reads() const override {
    return keys_.empty() ? std::span(&key_, 1) : std::span(keys_);
  }

  bool Decide(std::span<const std::optional<std::string_view>> values, storage::Batch& batch) override {
    WriteContext context{.key = key_, .table_factor = 1, .collection_bytes = collection_bytes_};
    ClaimChanges claims;
    if (NeedsTime(*action_.table)) context.now_ms = clock_.NowMs();
    context.claims = &claims;
    Result<AppliedWrite> applied = ApplyWrite(action_, context, values[0], batch);
    if (!applied) {
      result_ = std::unexpected(std::move(applied.error()));
      Refused(values[0]);
      return false;
    }
    result_ = std::move(applied->outcome);
    const bool decided = action_.table->rules == nullptr || DecideClaims(claims, values, batch);
    return decided && (!Looks(watch_, *action_.table) || TakeCapacity(batch));
  }

  void Done(storage::Commit commit) override {
    const bool lacks_claims = commit == storage::Commit::kAborted && !missing_claims_.empty();
    if (lacks_claims && ++runs_ < kClaimRunsMax) {
      RunAgain();
      return;
    }
    if (commit == storage::Commit::kConflict || lacks_claims) {
      result_ = Fail(ErrorCode::kTransactionConflictException, "Transaction is ongoing for the item");
    } else if (commit != storage::Commit::kOk && commit != storage::Commit::kAborted) {
      result_ = std::unexpected(StoreFailure(commit));
    }
    if (result_) result_->collection_bytes = CollectionBytes(store_, action_);
    if (watch_.traffic != nullptr) Count();
    done_(std::move(result_));
  }

 private:
  void Count() {
    if (result_) {
      watch_.traffic->Count(*action_.table, result_->capacity);
    } else if (result_.error().code == ErrorCode::kConditionalCheckFailedException) {
      watch_.traffic->Count(*action_.table, looked_at_);
    }
  }

  // A condition that fails was not looked at for free.
  void Refused(std::optional<std::string_view> stored) {
    if (result_.error().code != ErrorCode::kConditionalCheckFailedException) return;
    looked_at_.table.write_units = WriteUnits(stored ? codec::StoredItemSize(*stored) : 0);
    if (!Looks(watch_, *action_.table)) return;
    std::optional<Error> throttled = LookAt(
        watch_, clock_.NowMs(), {.table = *action_.table, .store_key = key_, .capacity = looked_at_, .batch = {}});
    if (throttled) result_ = std::unexpected(*std::move(throttled));
  }

  bool TakeCapacity(const storage::Batch& batch) {
    std::optional<Error> refused =
        LookAt(watch_, clock_.NowMs(),
               {.table = *action_.table, .store_key = key_, .capacity = result_->capacity, .batch = batch});
    if (refused) result_ = std::unexpected(*std::move(refused));
    return result_.has_value();
  }

  bool DecideClaims(const ClaimChanges& claims, std::span<const std::optional<std::string_view>> values,
                    storage::Batch& batch) {
    missing_claims_ = claims.Missing(reads());
    if (!missing_claims_.empty()) {
      for (const auto& [action, item] : claims.made()) action_.item = item;
      return false;
    }
    std::vector<ClaimChanges::Refusal> refusals = claims.Write(reads(), values, batch);
    if (refusals.empty()) return true;
    result_ = std::unexpected(std::move(refusals.front().error));
    return false;
  }

  // With the keys of the claims that only the stored item could tell.
  void RunAgain() {
    std::vector<storage::Key> claim_keys = std::move(missing_claims_);
    if (!keys_.empty()) std::move(keys_.begin() + 1, keys_.end(), std::back_inserter(claim_keys));
    auto next = std::make_unique<SingleWrite>(store_, clock_, watch_, std::move(action_), std::move(done_),
                                              std::move(claim_keys));
    next->runs_ = runs_;
    store_.Mutate(std::move(next));
  }

  storage::Store& store_;
  const base::Clock& clock_;
  const WriteWatch watch_;
  WriteAction action_;
  storage::Key key_;
  std::vector<storage::Key> keys_;            // that one and those of claims; empty without claims
  std::vector<storage::Key> missing_claims_;  // which Decide needed and could not see
  std::size_t runs_ = 0;
  std::int64_t collection_bytes_ = 0;
  ConsumedCapacity looked_at_;
  WriteDone done_;
  Result<WriteOutcome> result_;
};

}  // namespace

void WriteItem(storage::Store& store, const base::Clock& clock, WriteAction action, WriteDone done, WriteWatch watch) {
  std::vector<storage::Key> claim_keys = LikelyClaims(action);
  store.Mutate(
      std::make_unique<SingleWrite>(store, clock, watch, std::move(action), std::move(done), std::move(claim_keys)));
}

std::vector<storage::Key> LikelyClaims(const WriteAction& action) {
  if (action.kind != WriteKind::kPut || action.invalid || action.table->rules == nullptr) return {};
  return ClaimKeys(*action.table, action.item.view());
}

Error StoreFailure(storage::Commit commit) {
  if (commit == storage::Commit::kUnavailable) {
    return {ErrorCode::kServiceUnavailable,
            "The store cannot take writes at the moment; the server's log says why.",
            std::nullopt,
            {}};
  }
  return {ErrorCode::kInternalServerError,
          "The store failed on the way: the write may or may not have been carried out; the server's log says why.",
          std::nullopt,
          {}};
}

std::optional<std::uint64_t> CollectionBytes(const storage::Reader& reader, const WriteAction& action) {
  if (!action.report_collection_size || !action.table->has_local_indexes()) return std::nullopt;
  const std::int64_t bytes = ReadCollectionBytes(reader, PartitionStoreKey(*action.table, action.item.view()));
  return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

}  // namespace taula::engine
