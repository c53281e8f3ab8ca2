// The designs that a server keeps: read from their files, laid over the
// database's tables, and kept on every write from then on.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "design/model.h"
#include "design/run.h"
#include "engine/engine.h"

namespace taula::cli {

class ServedDesigns {
 public:
  // Reads and checks the files, and says on stderr what is wrong with them. The
  // error is a line for a person. An empty stage is each design's own.
  [[nodiscard]] static std::expected<ServedDesigns, std::string> Load(const std::vector<std::string>& files,
                                                                      const std::string& stage);

  // Puts the rules on the tables, goes on with what was under way when the
  // database was closed, makes or compares the tables, and says in the log what
  // was made and what differs. `backend` calls the same engine.
  [[nodiscard]] std::expected<void, std::string> InstallOn(engine::Engine& engine, design::Backend& backend) const;

  // Puts the data that lies beside each design (seed.yaml) into those of its
  // tables that are all empty.
  [[nodiscard]] std::expected<void, std::string> Seed(engine::Engine& engine, design::Backend& backend) const;

  [[nodiscard]] std::vector<const design::Design*> all() const;
  [[nodiscard]] const std::string& stage() const { return stage_; }

 private:
  std::vector<std::unique_ptr<const design::Design>> designs_;
  std::string stage_;
};

}  // namespace taula::cli
