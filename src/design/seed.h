// Loads a design's example data: a YAML file with a list of entities for each
// entity's name, as answers have them, without keys.
//
//   User:
//     - { userId: "123", email: nora@example.com, createdAt: "{now-7d}" }
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "design/model.h"
#include "design/run.h"

namespace taula::design {

// "seed.yaml" in the folder of the design's file.
[[nodiscard]] std::string SeedPath(const Design& design);

// Puts the entities of a file's text, derived as a table that keeps the design
// would; on servers that keep none, guards of unique values too. What is there
// under the same key is replaced. Passwords may stand as hashes or as text.
// Nothing is written unless all of it can be. Answers how many entities there
// were; the error is a line for a person that begins with `path` and the place.
[[nodiscard]] std::expected<std::size_t, std::string> LoadSeed(const Design& design, std::string_view stage,
                                                               std::string_view text, std::string_view path,
                                                               Backend& backend,
                                                               const base::Clock& clock = base::Clock::System());

// Reads the file first.
[[nodiscard]] std::expected<std::size_t, std::string> LoadSeedFile(const Design& design, std::string_view stage,
                                                                   const std::string& path, Backend& backend,
                                                                   const base::Clock& clock = base::Clock::System());

}  // namespace taula::design
