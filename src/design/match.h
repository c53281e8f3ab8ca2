// Which entities and operations of a design a raw request is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"
#include "design/raw_request.h"

namespace taula::design {

// A design as a server keeps it.
struct ServedDesign {
  const Design* design = nullptr;
  std::string stage;  // empty: the design's own
};

struct RequestMatch {
  const Design* design = nullptr;
  // Those that are read or written, or could be: a query may find any entity
  // whose keys fit.
  std::vector<const Entity*> entities;
  // The operations that would make such a request. Often one, sometimes several
  // that differ in what they are called.
  std::vector<const Operation*> operations;
};

// The table of an access in a design; nothing when the design has no such table.
[[nodiscard]] const Table* FindTable(const ServedDesign& served, std::string_view table_name);

// One for each design that has one of the request's tables.
[[nodiscard]] std::vector<RequestMatch> MatchRequest(const std::vector<ServedDesign>& designs,
                                                     const RawRequest& request);

}  // namespace taula::design
