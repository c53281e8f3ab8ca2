// The constraints on members that both kinds of transaction have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "api/decode_faults.h"

namespace taula::api {

// The number of TransactItems.
void CheckTransactItems(std::size_t count, const DecodeFaults& faults, Constraints& constraints);

// Where an action stands in its request. The text is made only for a message.
struct ActionPath {
  std::size_t number;     // from 1 on
  std::string_view kind;  // "put"

  // "transactItems.1.member.put.tableName".
  [[nodiscard]] std::string To(std::string_view member) const;
};

// The table name, and the item or key, of one action.
void CheckTransactTarget(const ActionPath& path, std::string_view table_name, Member item, const DecodeFaults& faults,
                         Constraints& constraints);

// ClientRequestToken: one that is too long is reported alone, ahead of all other
// members.
[[nodiscard]] Result<void> CheckTokenNotTooLong(const std::optional<std::string>& token);
void CheckTokenNotEmpty(const std::optional<std::string>& token, Constraints& constraints);

[[nodiscard]] std::unexpected<Error> NamesOneItemTwice();

}  // namespace taula::api
