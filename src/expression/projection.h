// Which parts of an item are wanted: ProjectionExpression and AttributesToGet.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/bindings.h"
#include "expression/path_set.h"
#include "expression/syntax.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

class Projection {
 public:
  [[nodiscard]] static Result<Projection> Bind(SyntaxPtr syntax, Bindings& bindings);
  // AttributesToGet: top-level names, each once. Keeps views of the names.
  [[nodiscard]] static Result<Projection> OfAttributes(std::span<const std::string> names);

  // The parts of the item that are named: nested maps and lists with only
  // those parts, lists compacted in the order of their indexes.
  [[nodiscard]] Item Apply(MapView item) const;
  // The same, appended to a buffer as one map value.
  void AppendTo(std::string& out, MapView item) const { paths_.AppendExtract(out, item); }

  // The top-level attributes that are named, each once, in byte order.
  [[nodiscard]] std::vector<std::string_view> top_level_names() const { return paths_.top_level_names(); }
  // Whether something inside of a top-level attribute is named.
  [[nodiscard]] bool NamesInside(std::string_view attribute) const { return paths_.NamesInside(attribute); }

 private:
  Projection(SyntaxPtr syntax, PathSet paths) : syntax_(std::move(syntax)), paths_(std::move(paths)) {}

  SyntaxPtr syntax_;  // keeps the names alive
  PathSet paths_;
};

}  // namespace taula::expression
