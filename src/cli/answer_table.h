// The items that operations of a design answer with, as one table: all pages of
// an operation, then those of another one for each item that has what it needs.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"
#include "design/run.h"
#include "taula/value.h"

namespace taula::cli {

// Runs an operation with parameters in JSON.
using RunOperation = std::function<std::expected<std::string, design::Failure>(const std::string& operation,
                                                                               const std::string& parameters)>;

[[nodiscard]] std::expected<std::vector<Item>, design::Failure> AllItems(const RunOperation& run,
                                                                         const std::string& operation,
                                                                         const std::string& parameters);

// What `then` answers for each of the items, with the values of the attributes
// that it must be given. Items that lack one of them are passed over.
[[nodiscard]] std::expected<std::vector<Item>, design::Failure> ItemsBehind(const RunOperation& run,
                                                                            const design::Design& design,
                                                                            const design::Operation& then,
                                                                            const std::vector<Item>& items);

// With a header. Which entity an item is comes first, then attributes in the order of the
// design, or of their names where there is none.
[[nodiscard]] std::string CsvOf(const std::vector<Item>& items, const design::Design* design);

}  // namespace taula::cli
