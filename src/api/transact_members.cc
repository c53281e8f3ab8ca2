#include "api/transact_members.h"

#include <fmt/format.h>

#include "api/table_lookup.h"
#include "base/limits.h"

namespace taula::api {
namespace {

constexpr std::size_t kTokenBytesMax = 36;

// Without a path, which nobody needs for a name that is right.
bool CanBeTableName(std::string_view name) {
  Constraints constraints;
  CheckTableName(name, "", constraints);
  return constraints.empty();
}

}  // namespace

std::string ActionPath::To(std::string_view member) const {
  return fmt::format("transactItems.{}.member.{}.{}", number, kind, member);
}

void CheckTransactItems(std::size_t count, const DecodeFaults& faults, Constraints& constraints) {
  if (faults.Missing(Member::kTransactItems)) {
    constraints.Missing("transactItems");
  } else if (count == 0 && faults.InvalidValue(Member::kTransactItems) == nullptr) {
    constraints.ViolatedUnechoed("TransactItems", LengthAtLeast(1));
  } else if (count > base::kTransactionItemsMax) {
    constraints.ViolatedUnechoed("TransactItems", LengthAtMost(base::kTransactionItemsMax));
  }
}

void CheckTransactTarget(const ActionPath& path, std::string_view table_name, Member item, const DecodeFaults& faults,
                         Constraints& constraints) {
  if (faults.Missing(item)) constraints.Missing(path.To(item == Member::kItem ? "item" : "key"));
  if (faults.Missing(Member::kTableName)) {
    constraints.Missing(path.To("tableName"));
  } else if (!CanBeTableName(table_name)) {
    CheckTableName(table_name, path.To("tableName"), constraints);
  }
}

Result<void> CheckTokenNotTooLong(const std::optional<std::string>& token) {
  if (!token || token->size() <= kTokenBytesMax) return {};
  Constraints constraints;
  constraints.ViolatedUnechoed("ClientRequestToken", LengthAtMost(kTokenBytesMax));
  return constraints.Check();
}

void CheckTokenNotEmpty(const std::optional<std::string>& token, Constraints& constraints) {
  if (token && token->empty()) constraints.ViolatedUnechoed("ClientRequestToken", LengthAtLeast(1));
}

std::unexpected<Error> NamesOneItemTwice() {
  return ValidationError("Transaction request cannot include multiple operations on one item");
}

}  // namespace taula::api
