// Conditions of operations (docs/design-files.md): DynamoDB's own language, with
// attributes by their plain names, literals, and parameters in braces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "design/item_path.h"
#include "design/model.h"
#include "design/placeholders.h"
#include "design/terms.h"

namespace taula::design {

struct ConditionError {
  std::size_t offset = 0;  // in the text
  std::string what;        // a sentence
};

class Condition {
 public:
  // An attribute, its size, or a value.
  struct Operand {
    enum class Kind : std::uint8_t { kPath, kSize, kValue };
    Kind kind = Kind::kPath;
    std::size_t offset = 0;
    std::string path;
    Term value;
  };

  struct Node {
    enum class Kind : std::uint8_t { kAnd, kOr, kNot, kCompare, kBetween, kIn, kFunction };
    Kind kind = Kind::kCompare;
    std::string name;  // of the comparison ("<=") or the function
    std::vector<Node> nodes;
    std::vector<Operand> operands;
  };

  [[nodiscard]] static std::expected<Condition, ConditionError> Parse(std::string_view text);

  [[nodiscard]] const Node& root() const { return root_; }

  // A parameter that the condition refers to, and the path of the attribute
  // that it is compared with, if there is one: that says its type.
  struct Use {
    std::string reference;
    std::string path;
    std::size_t offset = 0;
  };
  // What is made when the operation runs is left out.
  [[nodiscard]] std::vector<Use> references() const;
  // The attributes, each time that one is named.
  [[nodiscard]] std::vector<Use> paths() const;

  using Resolve = base::FunctionRef<std::expected<ItemPath, std::string>(std::string_view path)>;

  // DynamoDB's expression, which may stand beside others with AND.
  [[nodiscard]] std::expected<std::string, ConditionError> Compile(Resolve resolve, const Scope& scope,
                                                                   Placeholders& placeholders) const;

 private:
  Node root_;
};

}  // namespace taula::design
