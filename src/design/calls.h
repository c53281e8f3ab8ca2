// DynamoDB's operations on a backend: tried again where that helps and is safe,
// and their answers read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/run.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::design {

struct ReadPage {
  std::vector<Item> items;
  std::optional<Item> last_key;  // nothing: that was all
  std::int64_t scanned = 0;
};

class Calls {
 public:
  explicit Calls(Backend& backend) : backend_(backend) {}

  // What a second try after an answer that got lost may do.
  enum class Repeat : std::uint8_t { kHarmless, kHarmful };

  // Conflicts and throttling are tried again a few times: those were certainly
  // not executed. No answer at all is only where a repetition is harmless.
  [[nodiscard]] Result<std::string> Call(std::string_view operation, const std::string& body, Repeat repeat) const;

  [[nodiscard]] Result<std::optional<Item>> GetItem(const std::string& table, const Item& key, bool consistent,
                                                    std::string_view more = {}) const;
  // Query or Scan.
  [[nodiscard]] Result<ReadPage> Page(std::string_view operation, const std::string& body) const;
  // Items of one table in any order, without those that do not exist.
  [[nodiscard]] Result<std::vector<Item>> BatchGet(const std::string& table, const std::vector<Item>& keys,
                                                   bool consistent) const;
  // How many of the items were put, all unless there is an error too.
  struct Written {
    std::size_t count = 0;
    std::optional<Error> error;
  };
  [[nodiscard]] Written BatchPut(const std::string& table, const std::vector<Item>& items) const;

  // The item behind a member of an answer, such as "Attributes".
  [[nodiscard]] static Result<std::optional<Item>> ItemIn(const std::string& answer, std::string_view member);

  [[nodiscard]] bool keeps_designs() const { return backend_.keeps_designs(); }

 private:
  Backend& backend_;
};

// Waits longer with each try, by chance, so that those who met do not meet again.
void WaitBeforeTry(int attempt);

// Whether all that kept a transaction from happening was another one, or load.
[[nodiscard]] bool IsPassing(const Error& error);

}  // namespace taula::design
