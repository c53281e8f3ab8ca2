#include "engine/transaction.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "base/limits.h"
#include "engine/apply_write.h"
#include "engine/idempotency.h"
#include "engine/index_entries.h"
#include "engine/statistics.h"
#include "engine/units.h"

namespace taula::engine {
namespace {

CancellationReason ReasonOf(const Error& error) {
  CancellationReason reason;
  reason.message = error.message;
  reason.item = error.item;
  switch (error.code) {
    case ErrorCode::kConditionalCheckFailedException:
      reason.code = "ConditionalCheckFailed";
      break;
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      reason.code = "ItemCollectionSizeLimitExceeded";
      break;
    case ErrorCode::kProvisionedThroughputExceededException:
      reason.code = "ProvisionedThroughputExceeded";
      break;
    case ErrorCode::kThrottlingException:
    case ErrorCode::kRequestLimitExceeded:
      reason.code = "ThrottlingError";
      break;
    default:
      reason.code = "ValidationError";
  }
  return reason;
}

}  // namespace

std::vector<storage::Key> ItemStoreKeys(const std::vector<WriteAction>& actions) {
  std::vector<storage::Key> keys;
  keys.reserve(actions.size() + 1);  // with the token's, which follows them in a mutation
  for (const WriteAction& action : actions) {
    keys.push_back(action.invalid ? storage::Key() : ItemStoreKey(*action.table, action.item.view()));
  }
  return keys;
}

Error TransactionTooLarge() {
  return {ErrorCode::kValidationException,
          "The aggregate size of the items in the transaction cannot exceed 4 MB",
          std::nullopt,
          {}};
}

Error TransactionCancelled(std::vector<CancellationReason> reasons) {
  std::string codes;
  for (const CancellationReason& reason : reasons) {
    if (!codes.empty()) codes += ", ";
    codes += reason.code;
  }
  return {ErrorCode::kTransactionCanceledException,
          "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]", std::nullopt,
          std::move(reasons)};
}

Error TransactionMet(std::size_t actions) {
  std::vector<CancellationReason> reasons(actions);
  reasons.front() = {"TransactionConflict", "Transaction is ongoing for the item", std::nullopt};
  return TransactionCancelled(std::move(reasons));
}

namespace {

class TransactionWrite final : public storage::Mutation {
 public:
  TransactionWrite(storage::Store& store, WriteWatch watch, Transaction transaction, std::int64_t now_ms,
                   TransactionDone done, std::vector<storage::Key> claim_keys)
      : store_(store),
        watch_(watch),
        transaction_(std::move(transaction)),
        now_ms_(now_ms),
        done_(std::move(done)),
        result_(Fail(ErrorCode::kInternalServerError, "")) {
    keys_ = std::exchange(transaction_.item_keys, {});
    if (keys_.empty()) keys_ = ItemStoreKeys(transaction_.actions);
    keys_.reserve(transaction_.actions.size() + 1 + claim_keys.size());
    if (transaction_.token) keys_.push_back(TokenKey(*transaction_.token));
    claims_begin_ = keys_.size();
    std::ranges::move(claim_keys, std::back_inserter(keys_));
    conflicts_.resize(keys_.size());
  }

  [[nodiscard]] std::span<const storage::Key> reads() const override { return keys_; }
  [[nodiscard]] bool exclusive() const override { return true; }

  bool Decide(std::span<const std::optional<std::string_view>> values, storage::Batch& batch) override {
    if (transaction_.token && values[token_place()]) {
      if (const std::optional<TokenRecord> earlier = DecodeToken(*values[token_place()]);
          earlier && !earlier->expired(now_ms_)) {
        result_ = Repeat(*earlier);
        return false;
      }
    }
    result_ = Apply(values, batch);
    return result_.has_value();
  }

  void Conflicts(std::size_t read) override { conflicts_[read] = true; }

  void Done(storage::Commit commit) override {
    const bool lacks_claims = commit == storage::Commit::kAborted && !missing_claims_.empty();
    if (lacks_claims && ++runs_ < kClaimRunsMax) {
      RunAgain();
      return;
    }
    if (commit == storage::Commit::kConflict || lacks_claims) {
      result_ = Conflict();
    } else if (commit != storage::Commit::kOk && commit != storage::Commit::kAborted) {
      result_ = std::unexpected(StoreFailure(commit));
    }
    if (result_) {
      for (std::size_t i = 0; i < transaction_.actions.size(); ++i) {
        result_->actions[i].collection_bytes = CollectionBytes(store_, transaction_.actions[i]);
        if (watch_.traffic != nullptr)
          watch_.traffic->Count(*transaction_.actions[i].table, result_->actions[i].capacity);
      }
    }
    done_(std::move(result_));
  }

 private:
  // One that somebody looks at before it is carried out.
  struct WatchedWrite {
    std::size_t action;
    ConsumedCapacity capacity;
    storage::Batch batch;
  };

  [[nodiscard]] std::size_t token_place() const { return transaction_.actions.size(); }

  // With the keys of the claims that only the stored items could tell.
  void RunAgain() {
    std::vector<storage::Key> claim_keys = std::move(missing_claims_);
    std::move(keys_.begin() + static_cast<std::ptrdiff_t>(claims_begin_), keys_.end(), std::back_inserter(claim_keys));
    auto next = std::make_unique<TransactionWrite>(store_, watch_, std::move(transaction_), now_ms_, std::move(done_),
                                                   std::move(claim_keys));
    next->runs_ = runs_;
    store_.Mutate(std::move(next));
  }

  Result<TransactionOutcome> Apply(std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
    TransactionOutcome outcome;
    TokenRecord record{.created_ms = now_ms_, .fingerprint = transaction_.fingerprint, .image_bytes = {}};
    outcome.actions.reserve(transaction_.actions.size());
    record.image_bytes.reserve(transaction_.actions.size());
    std::vector<CancellationReason> reasons(transaction_.actions.size());
    bool cancelled = false;
    std::size_t bytes = 0;
    ClaimChanges claims;
    std::vector<WatchedWrite> watched;
    for (std::size_t i = 0; i < transaction_.actions.size(); ++i) {
      const WriteAction& action = transaction_.actions[i];
      WriteContext context{.key = keys_[i],
                           .table_factor = kTransactionFactor,
                           .collection_bytes = 0,
                           .now_ms = now_ms_,
                           .claims = &claims,
                           .action = i};
      if (!action.invalid && action.table->has_local_indexes()) {
        context.collection_bytes = ReadCollectionBytes(store_, PartitionStoreKey(*action.table, action.item.view()));
      }
      const bool is_watched = !action.invalid && Looks(watch_, *action.table);
      storage::Batch own;
      Result<AppliedWrite> applied = ApplyWrite(action, context, values[i], is_watched ? own : batch);
      if (!applied) {
        reasons[i] = ReasonOf(applied.error());
        cancelled = true;
        continue;
      }
      bytes += applied->image_bytes;
      if (bytes > base::kTransactionBytesMax) return std::unexpected(TransactionTooLarge());
      record.image_bytes.push_back(static_cast<std::uint32_t>(applied->image_bytes));
      if (is_watched) {
        batch.Append(own);
        watched.push_back({.action = i, .capacity = applied->outcome.capacity, .batch = std::move(own)});
      }
      outcome.actions.push_back(std::move(applied->outcome));
    }
    missing_claims_ = claims.Missing(keys_);
    if (!cancelled && missing_claims_.empty()) {
      for (const ClaimChanges::Refusal& refusal : claims.Write(keys_, values, batch)) {
        reasons[refusal.action] = ReasonOf(refusal.error);
        cancelled = true;
      }
    }
    if (cancelled) missing_claims_.clear();
    // What runs again is not paid for twice.
    if (missing_claims_.empty()) cancelled = TakeCapacity(watched, reasons) || cancelled;
    if (cancelled) return std::unexpected(TransactionCancelled(std::move(reasons)));
    if (!missing_claims_.empty()) {
      for (const auto& [action, item] : claims.made()) transaction_.actions[action].item = item;
      return Fail(ErrorCode::kInternalServerError, "");  // which nobody sees: it runs again
    }
    if (transaction_.token) PutToken(batch, *transaction_.token, record);
    return outcome;
  }

  // Whether any was refused for want of capacity.
  bool TakeCapacity(std::span<const WatchedWrite> writes, std::vector<CancellationReason>& reasons) const {
    bool refused_any = false;
    for (const WatchedWrite& write : writes) {
      const std::optional<Error> refused = LookAt(watch_, now_ms_,
                                                  {.table = *transaction_.actions[write.action].table,
                                                   .store_key = keys_[write.action],
                                                   .capacity = write.capacity,
                                                   .batch = write.batch});
      if (!refused) continue;
      reasons[write.action] = ReasonOf(*refused);
      refused_any = true;
    }
    return refused_any;
  }

  [[nodiscard]] Result<TransactionOutcome> Repeat(const TokenRecord& earlier) const {
    if (earlier.fingerprint != transaction_.fingerprint || earlier.image_bytes.size() != transaction_.actions.size()) {
      return Fail(ErrorCode::kIdempotentParameterMismatchException,
                  "The same idempotent token was used with different request parameters");
    }
    TransactionOutcome outcome{.actions = {}, .repeated = true};
    for (std::size_t i = 0; i < transaction_.actions.size(); ++i) {
      WriteOutcome& action = outcome.actions.emplace_back();
      action.capacity.table_name = transaction_.actions[i].table->name;
      action.capacity.table.read_units = kTransactionFactor * ReadUnits(earlier.image_bytes[i], true);
    }
    return outcome;
  }

  [[nodiscard]] Result<TransactionOutcome> Conflict() const {
    if (transaction_.token && conflicts_[token_place()]) {
      return Fail(ErrorCode::kTransactionInProgressException,
                  "The transaction with the given request token is already in progress.");
    }
    std::vector<CancellationReason> reasons(transaction_.actions.size());
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      if (conflicts_[i] || ClaimConflicts(transaction_.actions[i])) {
        reasons[i] = {"TransactionConflict", "Transaction is ongoing for the item", std::nullopt};
      }
    }
    // A claim that no action tells by itself: one that an update takes or lets go.
    if (std::ranges::all_of(reasons, [](const CancellationReason& reason) { return reason.code == "None"; })) {
      reasons.front() = {"TransactionConflict", "Transaction is ongoing for the item", std::nullopt};
    }
    return std::unexpected(TransactionCancelled(std::move(reasons)));
  }

  // Whether another transaction holds what the action claims.
  [[nodiscard]] bool ClaimConflicts(const WriteAction& action) const {
    return std::ranges::any_of(LikelyClaims(action), [&](const storage::Key& claim) {
      const auto place =
          std::ranges::find(keys_.begin() + static_cast<std::ptrdiff_t>(claims_begin_), keys_.end(), claim);
      return place != keys_.end() && conflicts_[static_cast<std::size_t>(place - keys_.begin())];
    });
  }

  storage::Store& store_;
  const WriteWatch watch_;
  Transaction transaction_;
  std::int64_t now_ms_;
  TransactionDone done_;
  std::vector<storage::Key> keys_;  // of each action's item, then the token's, then those of claims
  std::size_t claims_begin_ = 0;
  std::vector<storage::Key> missing_claims_;  // which Decide needed and could not see
  std::size_t runs_ = 0;
  std::vector<bool> conflicts_;  // by key
  Result<TransactionOutcome> result_;
};

}  // namespace

void WriteTransaction(storage::Store& store, Transaction transaction, std::int64_t now_ms, TransactionDone done,
                      WriteWatch watch) {
  std::vector<storage::Key> claim_keys;
  for (const WriteAction& action : transaction.actions) {
    for (storage::Key& key : LikelyClaims(action)) {
      if (std::ranges::find(claim_keys, key) == claim_keys.end()) claim_keys.push_back(std::move(key));
    }
  }
  store.Mutate(std::make_unique<TransactionWrite>(store, watch, std::move(transaction), now_ms, std::move(done),
                                                  std::move(claim_keys)));
}

}  // namespace taula::engine
