// A syntax tree with its placeholders filled in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/bindings.h"
#include "expression/syntax.h"
#include "taula/value.h"

namespace taula::expression {

// Keeps the tree alive; names and values are views (see Bindings).
class BoundSyntax {
 public:
  explicit BoundSyntax(SyntaxPtr syntax);
  // For trees without placeholders for names; `values` by number.
  BoundSyntax(SyntaxPtr syntax, std::vector<ValueView> values);

  enum class Which : std::uint8_t { kNames, kValues, kBoth };

  // Fills in the placeholders of a node and all below it, as they are written;
  // the error is that of the first one that is not defined, without "Invalid
  // <kind>: ".
  [[nodiscard]] std::optional<std::string> Resolve(NodeId id, Bindings& bindings, Which which = Which::kBoth);

  [[nodiscard]] const Syntax& syntax() const { return *syntax_; }
  [[nodiscard]] const Node& node(NodeId id) const { return syntax_->node(id); }
  [[nodiscard]] std::span<const NodeId> operands(const Node& node) const { return syntax_->operands(node); }

  // The value of a kValue node.
  [[nodiscard]] ValueView value(const Node& node) const { return values_[node.begin]; }
  // The attribute that a step names; only for steps that are no index.
  [[nodiscard]] std::string_view name(const PathStep& step) const {
    return step.type == PathStep::Type::kName ? step.name : names_[step.number];
  }
  [[nodiscard]] std::string_view top_level_name(const Node& path) const { return name(syntax_->steps(path)[0]); }

  // What the path leads to in an item, if anything.
  [[nodiscard]] std::optional<ValueView> Follow(const Node& path, MapView item) const;

  [[nodiscard]] bool SamePath(const Node& a, const Node& b) const;
  // "[a, b, [3]]", as messages have it.
  [[nodiscard]] std::string PathText(const Node& path) const;

  // The top-level attributes that the expression names, each once, in byte
  // order.
  [[nodiscard]] std::vector<std::string_view> top_level_names() const;
  // Whether the expression names a top-level attribute, and whether it names
  // something inside of it ("Key attributes must be scalars…").
  [[nodiscard]] bool Names(std::string_view attribute) const;
  [[nodiscard]] bool NamesInside(std::string_view attribute) const;

 private:
  [[nodiscard]] std::optional<std::string> ResolvePath(const Node& path, Bindings& bindings);
  [[nodiscard]] std::optional<std::string> ResolveValue(const Node& value_node, Bindings& bindings);

  SyntaxPtr syntax_;
  std::vector<std::string_view> names_;
  std::vector<ValueView> values_;
};

}  // namespace taula::expression
