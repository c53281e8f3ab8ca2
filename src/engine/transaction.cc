#include "engine/transaction.h"

#include <algorithm>
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
    default:
      reason.code = "ValidationError";
  }
  return reason;
}

}  // namespace

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

namespace {

class TransactionWrite final : public storage::Mutation {
 public:
  TransactionWrite(storage::Store& store, Transaction transaction, std::int64_t now_ms, TransactionDone done)
      : store_(store),
        transaction_(std::move(transaction)),
        now_ms_(now_ms),
        done_(std::move(done)),
        result_(Fail(ErrorCode::kInternalServerError, "")) {
    keys_.reserve(transaction_.actions.size() + 1);
    for (const WriteAction& action : transaction_.actions) {
      // An action that is invalid may lack the very key; it is never applied.
      keys_.push_back(action.invalid ? std::string() : ItemStoreKey(*action.table, action.item.view()));
    }
    if (transaction_.token) keys_.push_back(TokenKey(*transaction_.token));
    conflicts_.resize(keys_.size());
  }

  [[nodiscard]] std::span<const storage::Key> reads() const override { return keys_; }
  [[nodiscard]] bool exclusive() const override { return true; }

  bool Decide(std::span<const std::optional<std::string_view>> values, storage::Batch& batch) override {
    if (transaction_.token && values.back()) {
      if (const std::optional<TokenRecord> earlier = DecodeToken(*values.back());
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
    if (commit == storage::Commit::kConflict) {
      result_ = Conflict();
    } else if (commit != storage::Commit::kOk && commit != storage::Commit::kAborted) {
      result_ = std::unexpected(StoreFailure(commit));
    }
    if (result_) {
      for (std::size_t i = 0; i < transaction_.actions.size(); ++i) {
        result_->actions[i].collection_bytes = CollectionBytes(store_, transaction_.actions[i]);
      }
    }
    done_(std::move(result_));
  }

 private:
  Result<TransactionOutcome> Apply(std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
    TransactionOutcome outcome;
    TokenRecord record{.created_ms = now_ms_, .fingerprint = transaction_.fingerprint, .image_bytes = {}};
    std::vector<CancellationReason> reasons(transaction_.actions.size());
    bool cancelled = false;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < transaction_.actions.size(); ++i) {
      const WriteAction& action = transaction_.actions[i];
      WriteContext context{.key = keys_[i], .table_factor = kTransactionFactor, .collection_bytes = 0};
      if (!action.invalid && action.table->has_local_indexes()) {
        context.collection_bytes = ReadCollectionBytes(store_, PartitionStoreKey(*action.table, action.item.view()));
      }
      Result<AppliedWrite> applied = ApplyWrite(action, context, values[i], batch);
      if (!applied) {
        reasons[i] = ReasonOf(applied.error());
        cancelled = true;
        continue;
      }
      bytes += applied->image_bytes;
      if (bytes > base::kTransactionBytesMax) return std::unexpected(TransactionTooLarge());
      record.image_bytes.push_back(static_cast<std::uint32_t>(applied->image_bytes));
      outcome.actions.push_back(std::move(applied->outcome));
    }
    if (cancelled) return std::unexpected(TransactionCancelled(std::move(reasons)));
    if (transaction_.token) PutToken(batch, *transaction_.token, record);
    return outcome;
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
    if (transaction_.token && conflicts_.back()) {
      return Fail(ErrorCode::kTransactionInProgressException,
                  "The transaction with the given request token is already in progress.");
    }
    std::vector<CancellationReason> reasons(transaction_.actions.size());
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      if (conflicts_[i]) reasons[i] = {"TransactionConflict", "Transaction is ongoing for the item", std::nullopt};
    }
    return std::unexpected(TransactionCancelled(std::move(reasons)));
  }

  storage::Store& store_;
  Transaction transaction_;
  std::int64_t now_ms_;
  TransactionDone done_;
  std::vector<storage::Key> keys_;  // of each action's item, then the token's
  std::vector<bool> conflicts_;     // by key
  Result<TransactionOutcome> result_;
};

}  // namespace

void WriteTransaction(storage::Store& store, Transaction transaction, std::int64_t now_ms, TransactionDone done) {
  store.Mutate(std::make_unique<TransactionWrite>(store, std::move(transaction), now_ms, std::move(done)));
}

}  // namespace taula::engine
