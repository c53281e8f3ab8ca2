// A design's rules for the items of one table: which entity an item is, what its
// attributes must be, which keys are derived from them, what is unique.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/item_rules.h"
#include "design/compiled_entity.h"
#include "design/model.h"
#include "design/warning_log.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::design {

// Keeps a copy of what it needs of the design. For any number of threads.
class DesignRules final : public catalog::ItemRules {
 public:
  DesignRules(const Design& design, const Table& table);

  [[nodiscard]] Result<std::optional<Item>> Keep(const catalog::ItemChange& change) const override;
  [[nodiscard]] std::vector<catalog::Claim> Claims(ValueView item) const override;
  [[nodiscard]] std::string_view claims_id() const override { return claims_id_; }
  [[nodiscard]] bool range_queries() const override { return range_queries_; }

  // The entity that the item is: the one whose key templates fit its key and
  // whose `type` attributes it does not contradict. Of several, the one with the
  // most text in its templates, then the first. Nothing when there is none.
  [[nodiscard]] const CompiledEntity* EntityOf(ValueView item) const;

  // By its name; nothing when the table has no such entity.
  [[nodiscard]] const CompiledEntity* FindEntity(std::string_view name) const;

  // As Keep, for an item that is known to be of this entity.
  [[nodiscard]] Result<std::optional<Item>> KeepAs(const CompiledEntity& entity,
                                                   const catalog::ItemChange& change) const;

 private:
  struct Found {
    const CompiledEntity* entity = nullptr;
    KeyMatch key;                            // of no use without an entity, or with `contradicted`
    const TypeMark* contradicted = nullptr;  // then it is none, but by its key it would be this one
  };

  [[nodiscard]] Found Find(const KeyTexts& key, ValueView item) const;
  [[nodiscard]] static bool WasSoBefore(const catalog::ItemChange& change, const Found& found);
  [[nodiscard]] std::string NoEntity(ValueView item) const;

  std::string design_;
  Checks checks_;
  KeyNames key_names_;
  std::vector<std::unique_ptr<const CompiledEntity>> entities_;  // those that fit the fewest keys first
  std::string claims_id_;
  bool range_queries_;
  mutable WarningLog warnings_;
};

[[nodiscard]] std::shared_ptr<const DesignRules> MakeRules(const Design& design, const Table& table);

}  // namespace taula::design
