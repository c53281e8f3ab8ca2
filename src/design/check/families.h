// The checks, a family a file. docs/design-checks.md has a section for each code.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/function_ref.h"
#include "design/diagnostic.h"
#include "design/model.h"

namespace taula::design {

// Gathers what the checks find.
class Findings {
 public:
  struct Texts {
    std::string what;
    std::string why;
    std::string fix;
  };

  void Error(std::string_view code, Place place, Texts texts) { Add(Severity::kError, code, place, std::move(texts)); }
  void Warning(std::string_view code, Place place, Texts texts) {
    Add(Severity::kWarning, code, place, std::move(texts));
  }
  void Note(std::string_view code, Place place, Texts texts) { Add(Severity::kNote, code, place, std::move(texts)); }
  void Add(Severity severity, std::string_view code, Place place, Texts texts) {
    diagnostics_.push_back({.severity = severity,
                            .code = std::string(code),
                            .place = place,
                            .what = std::move(texts.what),
                            .why = std::move(texts.why),
                            .fix = std::move(texts.fix)});
  }

  [[nodiscard]] Diagnostics Take() { return std::move(diagnostics_); }

 private:
  Diagnostics diagnostics_;
};

void CheckTables(const Design& design, Findings& findings);
void CheckCollisions(const Design& design, Findings& findings);
void CheckKeyTemplates(const Design& design, Findings& findings);
void CheckPartitions(const Design& design, Findings& findings);
void CheckIndexes(const Design& design, Findings& findings);
void CheckItems(const Design& design, Findings& findings);
void CheckQueries(const Design& design, Findings& findings);
void CheckScans(const Design& design, Findings& findings);
void CheckChanges(const Design& design, Findings& findings);
void CheckReferences(const Design& design, Findings& findings);

// Every operation, with the steps of transactions and what they read first.
void ForEachOperation(const Design& design, base::FunctionRef<void(const Operation&)> visit);

// A key of an entity, the table's own or an index's: what its templates are
// checked as.
struct EntityKey {
  const Entity& entity;
  const Table& table;
  const Index* index;  // nothing: the table's
  const KeyPart& part;
  const Template& text;
  Place place;
  bool is_sort;
};
// Every template of every entity; not those that are just an attribute of the
// entity's own.
void ForEachKeyTemplate(const Design& design, base::FunctionRef<void(const EntityKey&)> visit);

// "index 'GSI1'" or "table 'main'".
[[nodiscard]] std::string NameOf(const Table& table, const Index* index);

// "a, b and c"
[[nodiscard]] std::string Listed(const std::vector<std::string>& names);

}  // namespace taula::design
