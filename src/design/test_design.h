// Designs from text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "design/load.h"
#include "design/model.h"

namespace taula::design {

[[nodiscard]] inline Design DesignFrom(std::string_view text) {
  Loaded loaded = LoadDesign(text, "test.yaml");
  for (const Diagnostic& diagnostic : loaded.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    ADD_FAILURE() << "line " << diagnostic.place.line << ": " << diagnostic.what;
  }
  return loaded.design ? std::move(*loaded.design) : Design();
}

// With `entities` behind a table of the usual keys and two indexes.
[[nodiscard]] inline Design DesignOfEntities(std::string_view entities, std::string_view head = "") {
  return DesignFrom(std::string("design: test\n")
                        .append(head)
                        .append("tables:\n"
                                "  main:\n"
                                "    name: table\n"
                                "    key: { partition: PK, sort: SK }\n"
                                "    indexes:\n"
                                "      GSI1: { partition: GSI1PK, sort: GSI1SK }\n"
                                "      GSI2: { partition: GSI2PK, sort: { name: GSI2SK, type: number } }\n"
                                "      byEmail: { partition: email, sort: SK }\n"
                                "entities:\n")
                        .append(entities));
}

}  // namespace taula::design
