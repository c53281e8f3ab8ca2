#include "engine/write.h"

#include <memory>
#include <span>
#include <utility>

#include "engine/apply_write.h"
#include "engine/index_entries.h"
#include "engine/statistics.h"

namespace taula::engine {
namespace {

class SingleWrite final : public storage::Mutation {
 public:
  SingleWrite(storage::Store& store, WriteAction action, WriteDone done)
      : store_(store),
        action_(std::move(action)),
        key_(ItemStoreKey(*action_.table, action_.item.view())),
        done_(std::move(done)),
        result_(Fail(ErrorCode::kInternalServerError, "")) {
    if (action_.table->has_local_indexes()) {
      collection_bytes_ = ReadCollectionBytes(store, PartitionStoreKey(*action_.table, action_.item.view()));
    }
  }

  [[nodiscard]] std::span<const storage::Key> reads() const override { return {&key_, 1}; }

  bool Decide(std::span<const std::optional<std::string_view>> values, storage::Batch& batch) override {
    const WriteContext context{.key = key_, .table_factor = 1, .collection_bytes = collection_bytes_};
    Result<AppliedWrite> applied = ApplyWrite(action_, context, values[0], batch);
    if (!applied) {
      result_ = std::unexpected(std::move(applied.error()));
      return false;
    }
    result_ = std::move(applied->outcome);
    return true;
  }

  void Done(storage::Commit commit) override {
    if (commit == storage::Commit::kConflict) {
      result_ = Fail(ErrorCode::kTransactionConflictException, "Transaction is ongoing for the item");
    } else if (commit != storage::Commit::kOk && commit != storage::Commit::kAborted) {
      result_ = std::unexpected(StoreFailure(commit));
    }
    if (result_) result_->collection_bytes = CollectionBytes(store_, action_);
    done_(std::move(result_));
  }

 private:
  storage::Store& store_;
  WriteAction action_;
  storage::Key key_;
  std::int64_t collection_bytes_ = 0;
  WriteDone done_;
  Result<WriteOutcome> result_;
};

}  // namespace

void WriteItem(storage::Store& store, WriteAction action, WriteDone done) {
  store.Mutate(std::make_unique<SingleWrite>(store, std::move(action), std::move(done)));
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
