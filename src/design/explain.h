// What a raw request of DynamoDB's API was about: the design's operation behind
// it, the key or index that served it, what it cost, what its filter threw
// away, and what could be better.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/match.h"
#include "taula/error.h"

namespace taula::design {

struct Advice {
  std::string code;  // "filter-drops-most"
  std::string text;  // a sentence or two
};

struct Explanation {
  std::string operation;  // "Query"
  std::vector<std::string> tables;
  std::string index;  // empty: the table's own key, or several tables
  // "key", "query" or "scan": how items were found.
  std::string access;
  std::vector<std::pair<std::string, std::string>> operations;  // design and operation
  std::vector<std::string> entities;
  double read_units = 0;
  double write_units = 0;
  // Of tables and indexes, by name, where there is more than one.
  std::vector<std::pair<std::string, double>> units_by_source;
  // Of a Query or Scan: items that were read, and that were returned.
  std::optional<std::int64_t> read;
  std::optional<std::int64_t> returned;
  bool more = false;  // there are further pages
  std::string error;  // the exception's name, if there was one
  std::vector<Advice> advice;
};

// `answer` is one to a request with ReturnConsumedCapacity: INDEXES.
[[nodiscard]] Explanation Explain(const std::vector<ServedDesign>& designs, const RawRequest& request,
                                  const Result<std::string>& answer);

// One line of ASCII with less than 4 KB, as a header's field can hold it.
[[nodiscard]] std::string ExplanationJson(const Explanation& explanation);

// The request with ReturnConsumedCapacity: INDEXES, and the answer as it would
// have been without.
[[nodiscard]] std::string WithAllCapacity(std::string_view body);
[[nodiscard]] std::string WithoutUnwantedCapacity(std::string answer, ReturnConsumedCapacity wanted);

}  // namespace taula::design
