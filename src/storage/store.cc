#include "storage/store.h"

#include <condition_variable>
#include <mutex>

#include "base/home.h"

namespace taula::storage {
namespace {

// Where the waiting thread and whichever thread ends the mutation meet.
class Outcome {
 public:
  void Set(Commit commit) {
    // Notifying inside the lock: the waiter destroys this object as soon as it
    // is awake.
    const std::lock_guard lock(mutex_);
    commit_ = commit;
    arrived_.notify_one();
  }

  Commit Wait() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return commit_.has_value(); });
    return *commit_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Commit> commit_;
};

using DecideRef = base::FunctionRef<bool(std::span<const std::optional<std::string_view>>, Batch&)>;

class WaitedMutation final : public Mutation {
 public:
  WaitedMutation(std::span<const Key> reads, DecideRef decide, Outcome& outcome)
      : reads_(reads), decide_(decide), outcome_(outcome) {}

  [[nodiscard]] std::span<const Key> reads() const override { return reads_; }
  bool Decide(std::span<const std::optional<std::string_view>> values, Batch& batch) override {
    return decide_(values, batch);
  }
  void Done(Commit commit) override { outcome_.Set(commit); }

 private:
  std::span<const Key> reads_;
  DecideRef decide_;
  Outcome& outcome_;
};

}  // namespace

Commit MutateAndWait(Store& store, std::span<const Key> reads, DecideRef decide) {
  Outcome outcome;
  const base::Home::Away away;
  store.Mutate(std::make_unique<WaitedMutation>(reads, decide, outcome));
  return outcome.Wait();
}

}  // namespace taula::storage
