// What create, put, update, delete and transactions write: the actions of one
// attempt, made of parameters and of what is read before.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "design/actions.h"
#include "design/execution.h"

namespace taula::design {

class WritePlan {
 public:
  explicit WritePlan(Execution& execution) : execution_(execution), scope_(execution.scope) {}

  using Made = std::expected<void, NotPerformed>;

  // Reads what it has to.
  [[nodiscard]] Made Make();

  [[nodiscard]] const std::vector<Action>& actions() const { return actions_; }

  // An entity as it is written, or nothing where only the server knows.
  struct Entry {
    const Entity* entity = nullptr;
    Action::Purpose purpose = Action::Purpose::kPut;
    std::optional<Item> item;
    Item key;
  };
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  struct Read {
    std::string name;
    const Entity* entity = nullptr;
    Item item;
  };
  // What an operation or a step is made with.
  struct Step {
    const Operation& operation;
    const Scope& scope;
    std::optional<std::size_t> number;
    bool in_loop = false;
  };

  static std::unexpected<NotPerformed> Failed(Failure failure) {
    return std::unexpected(NotPerformed{std::move(failure)});
  }

  [[nodiscard]] Made ReadNamed(const Operation& operation);
  [[nodiscard]] Made SetLet();
  [[nodiscard]] Made AddSteps();
  [[nodiscard]] Made AddStep(const Step& step);
  [[nodiscard]] Made AddNew(const Step& step);
  [[nodiscard]] Made AddUpdate(const Step& step);
  [[nodiscard]] Made AddDelete(const Step& step);
  [[nodiscard]] Made AddCheck(const Step& step);
  [[nodiscard]] Made BindReads();

  [[nodiscard]] Action NewAction(const Step& step, Action::Kind kind, Action::Purpose purpose) const;
  [[nodiscard]] Outcome<Item> NewAttributes(const Step& step);
  [[nodiscard]] Outcome<Value> Stored(const Attribute* shape, Value value, const std::string& parameter);
  // The key of the item that a step is about; found through the index when
  // `by` is not the key, and then bound to what was found.
  [[nodiscard]] std::expected<void, NotPerformed> FindTarget(const Step& step, Action& action);
  [[nodiscard]] Outcome<void> AddOwnCondition(const Step& step, Action& action);
  [[nodiscard]] Outcome<void> AddAssignments(const Step& step, Action& action);
  [[nodiscard]] Outcome<std::optional<Item>> ReadBefore(const Action& action);

  // In write_plan_upkeep.cc. Makes of an update what a table that keeps the design would make of it.
  [[nodiscard]] Made Derive(Action& action, std::optional<Item>& after);
  void BindIndexKeys(Action& action, ValueView before, ValueView after);
  [[nodiscard]] Made AddGuards(Action& action, const std::optional<Item>& before, const std::optional<Item>& after);
  void AddGuard(const Action& owner, const Item& key, const std::string& meaning, Action::Purpose purpose);

  Execution& execution_;
  Scope scope_;
  std::vector<Read> reads_;
  std::vector<Action> actions_;
  std::vector<Entry> entries_;
};

}  // namespace taula::design
