// Writing up to a hundred items, all or nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/write.h"

namespace taula::engine {

struct Transaction {
  std::vector<WriteAction> actions;
  // What ItemStoreKeys makes of the actions, when the caller needed it too;
  // otherwise empty.
  std::vector<storage::Key> item_keys;
  // A second transaction with the same token within ten minutes changes
  // nothing; `fingerprint` tells whether it asks for the same.
  std::optional<std::string> token;
  std::string fingerprint;
};

struct TransactionOutcome {
  // One for each action, in order. Write units when it was carried out, read
  // units when it was a repetition.
  std::vector<WriteOutcome> actions;
  bool repeated = false;
};

// The key in the store of each action's item; empty for an action that is
// invalid, which may lack the very key and is never applied.
[[nodiscard]] std::vector<storage::Key> ItemStoreKeys(const std::vector<WriteAction>& actions);

// Fails with kTransactionCanceledException and a reason for each action.
using TransactionDone = std::move_only_function<void(Result<TransactionOutcome>)>;

// The error for reasons of which at least one is not "None".
[[nodiscard]] Error TransactionCancelled(std::vector<CancellationReason> reasons);

// The error for a transaction of so many actions, the first of which met another
// transaction.
[[nodiscard]] Error TransactionMet(std::size_t actions);

// The error for a transaction whose items, as they are before or after it,
// whichever is larger, come to more than 4 MB. This also keeps a small request
// over large items from making a batch of any size.
[[nodiscard]] Error TransactionTooLarge();

// `now_ms` decides whether a token has expired.
void WriteTransaction(storage::Store& store, Transaction transaction, std::int64_t now_ms, TransactionDone done,
                      WriteWatch watch = {});

}  // namespace taula::engine
