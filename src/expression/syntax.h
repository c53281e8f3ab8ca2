// The syntax tree of an expression.
//
// It depends on the text alone: placeholders are collected and numbered, not
// resolved, so that one tree serves every request that sends the same text.
// Conditions, projections and updates share the node types; the parts that a
// grammar does not use stay empty. Trees are made by a parser (parser.h) or a
// SyntaxBuilder, and never change afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taula::expression {

// The five expressions of a request, which Amazon's messages name.
enum class ExpressionKind : std::uint8_t {
  kCondition,
  kFilter,
  kKeyCondition,
  kProjection,
  kUpdate,
};

// "ConditionExpression" and so on.
[[nodiscard]] std::string_view NameOf(ExpressionKind kind);

enum class Operator : std::uint8_t {
  // What a condition is made of.
  kAnd,  // of two or more
  kOr,   // of two or more
  kNot,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
  // What an operand is made of.
  kSize,
  kIfNotExists,
  kListAppend,
  kPlus,
  kMinus,
  kPath,
  kValue,
};

// As it is written in an expression and in messages.
[[nodiscard]] std::string_view NameOf(Operator op);

using NodeId = std::uint32_t;

struct Node {
  Operator op;
  // kPath: the first of `count` steps. kValue: the number of the placeholder.
  // Everything else: the first of `count` operands.
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
};

// One step of a document path: a.b[3] has three.
struct PathStep {
  enum class Type : std::uint8_t { kName, kPlaceholder, kIndex };

  Type type;
  std::uint32_t number = 0;  // the list index, or the number of the placeholder
  std::string_view name;     // kName: the attribute
};

// One action of an update. All but kRemove have an operand.
struct UpdateAction {
  enum class Type : std::uint8_t { kSet, kRemove, kAdd, kDelete };

  Type type;
  NodeId path;
  NodeId operand = 0;
};

class Syntax {
 public:
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::span<const NodeId> operands(const Node& node) const {
    return std::span(operands_).subspan(node.begin, node.count);
  }
  [[nodiscard]] std::span<const PathStep> steps(const Node& path) const {
    return std::span(steps_).subspan(path.begin, path.count);
  }

  // Of a condition: the node it starts at.
  [[nodiscard]] NodeId root() const { return root_; }
  // Of a projection.
  [[nodiscard]] std::span<const NodeId> paths() const { return paths_; }
  // Of an update, in the order they are written.
  [[nodiscard]] std::span<const UpdateAction> actions() const { return actions_; }

  // Every path of the expression, in the order they are written.
  [[nodiscard]] std::span<const NodeId> all_paths() const { return all_paths_; }

  // The placeholders with their '#' and ':', by number.
  [[nodiscard]] std::span<const std::string_view> name_placeholders() const { return name_placeholders_; }
  [[nodiscard]] std::span<const std::string_view> value_placeholders() const { return value_placeholders_; }

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class SyntaxBuilder;
  explicit Syntax(std::string_view text) : text_(text) {}

  std::string text_;  // what the views below look at
  std::vector<Node> nodes_;
  std::vector<NodeId> operands_;
  std::vector<PathStep> steps_;
  std::vector<NodeId> paths_;
  std::vector<NodeId> all_paths_;
  std::vector<UpdateAction> actions_;
  std::vector<std::string_view> name_placeholders_;
  std::vector<std::string_view> value_placeholders_;
  NodeId root_ = 0;
};

using SyntaxPtr = std::shared_ptr<const Syntax>;

// Builds one tree, bottom up. Names and placeholders must lie in text(), or
// outlive the tree.
class SyntaxBuilder {
 public:
  explicit SyntaxBuilder(std::string_view text);

  [[nodiscard]] std::string_view text() const { return syntax_->text_; }
  [[nodiscard]] const Node& node(NodeId id) const { return syntax_->nodes_[id]; }

  NodeId AddOperation(Operator op, std::span<const NodeId> operands);
  NodeId AddPath(std::span<const PathStep> steps);
  // More steps for the path that was added last; answers how many it has then.
  std::size_t ExtendLastPath(std::span<const PathStep> steps);
  // `placeholder` gets the number it had before, or the next one.
  NodeId AddValue(std::string_view placeholder);
  std::uint32_t NumberOfName(std::string_view placeholder);
  // A value that no placeholder stands for.
  NodeId AddNumberedValue(std::uint32_t number);

  void SetRoot(NodeId root) { syntax_->root_ = root; }
  void AddProjectedPath(NodeId path) { syntax_->paths_.push_back(path); }
  void AddAction(UpdateAction action) { syntax_->actions_.push_back(action); }

  [[nodiscard]] SyntaxPtr Finish();

 private:
  std::shared_ptr<Syntax> syntax_;
};

}  // namespace taula::expression
