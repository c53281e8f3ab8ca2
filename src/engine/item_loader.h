// Brings many items into a table that nobody else uses yet, in large batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "catalog/table.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::engine {

// Each item goes the way of a PutItem, rules and all, but a plain table's go
// together.
class ItemLoader {
 public:
  // Whether an item may come twice. The last one stays then, which costs a look
  // at what is there.
  enum class Repeats { kNever, kPossible };
  // `mark` is the number that the item was added with.
  using Refused = std::function<void(std::uint64_t mark, const Error& error)>;

  ItemLoader(storage::Store& store, const base::Clock& clock, catalog::TablePtr table,
             Repeats repeats = Repeats::kNever, Refused refused = nullptr)
      : store_(store), clock_(clock), table_(std::move(table)), repeats_(repeats), on_refused_(std::move(refused)) {}

  // False when the store fails. An item that the table's rules refuse is left
  // out and counted.
  [[nodiscard]] bool Add(std::string_view stored, std::uint64_t mark = 0);
  // To be called at the end.
  [[nodiscard]] bool Finish() { return Flush(); }

  [[nodiscard]] std::size_t refused() const { return refused_; }
  // Why the first one was.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  struct Pending {
    std::string stored;
    std::uint64_t mark = 0;
  };
  using Refusals = std::vector<std::pair<std::uint64_t, Error>>;

  bool Flush();
  bool PutTogether();
  void ApplyTo(storage::Batch& batch, const Pending& item, std::string_view key, std::optional<std::string_view> before,
               Refusals& refusals) const;
  bool PutEach();
  bool PutAtOnce(std::span<const Pending> items);
  void Note(std::uint64_t mark, const Error& error);

  storage::Store& store_;
  const base::Clock& clock_;
  const catalog::TablePtr table_;
  const Repeats repeats_;
  const Refused on_refused_;
  std::vector<Pending> items_;
  std::size_t bytes_ = 0;
  std::size_t refused_ = 0;
  std::string refusal_;
};

}  // namespace taula::engine
