#include "design/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace taula::design {
namespace {

using Node = Condition::Node;
using Operand = Condition::Operand;

struct Function {
  std::string_view name;
  std::size_t operands;
};
constexpr std::array<Function, 5> kFunctions = {
    {{"attribute_exists", 1}, {"attribute_not_exists", 1}, {"attribute_type", 2}, {"begins_with", 2}, {"contains", 2}}};
constexpr std::size_t kInMax = 100;
constexpr int kDepthMax = 100;

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameCharacter(char c) { return IsNameStart(c) || IsDigit(c) || c == '-' || c == '$'; }

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

// Recursive descent over the text itself: the language is small.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::expected<Node, ConditionError> ParseAll() {
    std::optional<Node> root = ParseOr();
    SkipSpace();
    if (root && at_ < text_.size()) Fail(at_, fmt::format("{} is not expected here", Next()));
    if (error_) return std::unexpected(*std::move(error_));
    return *std::move(root);
  }

 private:
  std::nullopt_t Fail(std::size_t offset, std::string what) {
    if (!error_) error_ = ConditionError{offset, std::move(what)};
    return std::nullopt;
  }

  void SkipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  // What stands at this place, for messages.
  std::string Next() {
    SkipSpace();
    if (at_ == text_.size()) return "the end";
    std::size_t end = at_;
    while (end < text_.size() && IsNameCharacter(text_[end])) ++end;
    return fmt::format("'{}'", text_.substr(at_, std::max<std::size_t>(end - at_, 1)));
  }

  bool Accept(std::string_view symbol) {
    SkipSpace();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  bool Expect(std::string_view symbol, std::string_view where) {
    if (Accept(symbol)) return true;
    Fail(at_, fmt::format("'{}' is expected {}, not {}", symbol, where, Next()));
    return false;
  }

  std::string_view PeekWord() {
    SkipSpace();
    std::size_t end = at_;
    if (end < text_.size() && IsNameStart(text_[end])) {
      while (end < text_.size() && IsNameCharacter(text_[end])) ++end;
    }
    return text_.substr(at_, end - at_);
  }

  bool AcceptWord(std::string_view word) {
    const std::string_view next = PeekWord();
    if (!EqualsIgnoringCase(next, word)) return false;
    at_ += next.size();
    return true;
  }

  std::optional<Node> ParseChain(Node::Kind kind, std::string_view word, std::optional<Node> (Parser::*parse)()) {
    std::optional<Node> first = (this->*parse)();
    if (!first) return std::nullopt;
    Node chain{.kind = kind, .name = {}, .nodes = {}, .operands = {}};
    chain.nodes.push_back(*std::move(first));
    while (AcceptWord(word)) {
      std::optional<Node> next = (this->*parse)();
      if (!next) return std::nullopt;
      chain.nodes.push_back(*std::move(next));
    }
    if (chain.nodes.size() == 1) return std::move(chain.nodes.front());
    return chain;
  }

  std::optional<Node> ParseOr() { return ParseChain(Node::Kind::kOr, "OR", &Parser::ParseAnd); }
  std::optional<Node> ParseAnd() { return ParseChain(Node::Kind::kAnd, "AND", &Parser::ParseNot); }

  std::optional<Node> ParseNot() {
    const bool is_not = AcceptWord("NOT");
    if (!is_not) return ParsePrimary();
    if (++depth_ > kDepthMax) return Fail(at_, "the condition is nested too deeply");
    std::optional<Node> inner = ParseNot();
    --depth_;
    if (!inner) return std::nullopt;
    Node node{.kind = Node::Kind::kNot, .name = {}, .nodes = {}, .operands = {}};
    node.nodes.push_back(*std::move(inner));
    return node;
  }

  std::optional<Node> ParsePrimary() {
    if (Accept("(")) {
      if (++depth_ > kDepthMax) return Fail(at_, "the condition is nested too deeply");
      std::optional<Node> inner = ParseOr();
      --depth_;
      if (!inner || !Expect(")", "after the condition")) return std::nullopt;
      return inner;
    }
    const std::string_view word = PeekWord();
    const auto function = std::ranges::find_if(kFunctions, [&](const Function& f) { return f.name == word; });
    if (function != kFunctions.end()) return ParseFunction(*function);
    return ParseComparison();
  }

  std::optional<Node> ParseFunction(const Function& function) {
    Node node{.kind = Node::Kind::kFunction, .name = std::string(function.name), .nodes = {}, .operands = {}};
    at_ += function.name.size();
    if (!Expect("(", fmt::format("after {}", function.name))) return std::nullopt;
    while (node.operands.size() < function.operands) {
      if (!node.operands.empty() && !Expect(",", fmt::format("in {}", function.name))) return std::nullopt;
      std::optional<Operand> operand = ParseOperand();
      if (!operand) return std::nullopt;
      if (node.operands.empty() && operand->kind != Operand::Kind::kPath) {
        return Fail(operand->offset, fmt::format("{} takes an attribute first", function.name));
      }
      node.operands.push_back(*std::move(operand));
    }
    if (!Expect(")", fmt::format("at the end of {}", function.name))) return std::nullopt;
    return node;
  }

  std::optional<Node> ParseComparison() {
    std::optional<Operand> left = ParseOperand();
    if (!left) return std::nullopt;
    Node node;
    node.operands.push_back(*std::move(left));
    if (AcceptWord("BETWEEN")) {
      node.kind = Node::Kind::kBetween;
      if (!AddOperand(node)) return std::nullopt;
      if (!AcceptWord("AND")) return Fail(at_, fmt::format("AND is expected after BETWEEN, not {}", Next()));
      if (!AddOperand(node)) return std::nullopt;
      return node;
    }
    if (AcceptWord("IN")) return ParseIn(std::move(node));
    constexpr std::array<std::string_view, 6> kComparisons = {"<>", "<=", ">=", "=", "<", ">"};
    for (const std::string_view comparison : kComparisons) {
      if (!Accept(comparison)) continue;
      node.name = comparison;
      if (!AddOperand(node)) return std::nullopt;
      return node;
    }
    if (Accept("!=")) return Fail(at_ - 2, "'not equal' is written <>");
    return Fail(at_, fmt::format("a comparison is expected, not {}", Next()));
  }

  std::optional<Node> ParseIn(Node node) {
    node.kind = Node::Kind::kIn;
    if (!Expect("(", "after IN")) return std::nullopt;
    do {
      if (!AddOperand(node)) return std::nullopt;
    } while (Accept(","));
    if (node.operands.size() > kInMax + 1) return Fail(at_, "IN takes at most 100 values");
    if (!Expect(")", "at the end of IN")) return std::nullopt;
    return node;
  }

  bool AddOperand(Node& node) {
    std::optional<Operand> operand = ParseOperand();
    if (!operand) return false;
    node.operands.push_back(*std::move(operand));
    return true;
  }

  std::optional<Operand> ParseOperand() {
    SkipSpace();
    Operand operand;
    operand.offset = at_;
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '\'') return ParseQuoted(std::move(operand));
    if (c == '{') return ParseReference(std::move(operand));
    if (IsDigit(c) || c == '-' || c == '+' || c == '.') return ParseNumber(std::move(operand));
    if (c == '"') return Fail(at_, "text stands in single quotes");
    if (IsNameStart(c)) return ParseWord(std::move(operand));
    return Fail(at_, fmt::format("an attribute or a value is expected, not {}", Next()));
  }

  std::optional<Operand> ParseQuoted(Operand operand) {
    std::string text;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\'') {
        ++at_;
        if (at_ == text_.size() || text_[at_] != '\'') return TextOperand(std::move(operand), text);
      }
      text.push_back(text_[at_]);
    }
    return Fail(operand.offset, "this text is never closed with a single quote");
  }

  std::optional<Operand> TextOperand(Operand operand, const std::string& text) {
    operand.kind = Operand::Kind::kValue;
    auto parsed = Template::Parse(text);
    if (!parsed) return Fail(operand.offset + 1 + parsed.error().offset, parsed.error().what);
    if (parsed->has_references()) {
      operand.value.kind = Term::Kind::kText;
      operand.value.text = *std::move(parsed);
    } else {
      operand.value.literal = Value::String(parsed->Prefix());
    }
    return operand;
  }

  std::optional<Operand> ParseReference(Operand operand) {
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) return Fail(at_, "this '{' is never closed");
    auto parsed = Template::Parse(text_.substr(at_, end + 1 - at_));
    if (!parsed) return Fail(at_ + parsed.error().offset, parsed.error().what);
    at_ = end + 1;
    operand.kind = Operand::Kind::kValue;
    operand.value.kind = Term::Kind::kText;
    operand.value.text = *std::move(parsed);
    return operand;
  }

  std::optional<Operand> ParseNumber(Operand operand) {
    const auto is_part = [&](std::size_t at) {
      const char c = text_[at];
      const bool after_exponent = at > operand.offset && (text_[at - 1] == 'e' || text_[at - 1] == 'E');
      return IsDigit(c) || c == '.' || c == 'e' || c == 'E' ||
             ((c == '-' || c == '+') && (at == operand.offset || after_exponent));
    };
    while (at_ < text_.size() && is_part(at_)) ++at_;
    const std::string_view text = text_.substr(operand.offset, at_ - operand.offset);
    const std::optional<Value> number = Value::Number(text);
    if (!number) return Fail(operand.offset, fmt::format("'{}' is not a number", text));
    operand.kind = Operand::Kind::kValue;
    operand.value.literal = *number;
    return operand;
  }

  std::optional<Operand> ParseWord(Operand operand) {
    operand.kind = Operand::Kind::kValue;
    if (AcceptWord("true")) {
      operand.value.literal = Value::Bool(true);
    } else if (AcceptWord("false")) {
      operand.value.literal = Value::Bool(false);
    } else if (AcceptWord("null")) {
      operand.value.literal = Value::Null();
    } else {
      return ParsePathOrSize(std::move(operand));
    }
    return operand;
  }

  std::optional<Operand> ParsePathOrSize(Operand operand) {
    const std::string_view word = PeekWord();
    for (const std::string_view keyword : {"AND", "OR", "NOT", "BETWEEN", "IN"}) {
      if (!EqualsIgnoringCase(word, keyword)) continue;
      return Fail(at_, fmt::format("an attribute or a value is expected, not '{}'", word));
    }
    at_ += word.size();
    const std::size_t behind_word = at_;
    if (!Accept("(")) {
      at_ = behind_word;
      operand.kind = Operand::Kind::kPath;
      return ParsePath(std::move(operand));
    }
    if (word != "size") {
      return Fail(operand.offset,
                  fmt::format("there is no function '{}' here; there are attribute_exists, attribute_not_exists, "
                              "attribute_type, begins_with, contains and size",
                              word));
    }
    SkipSpace();
    const std::size_t begin = at_;
    at_ += PeekWord().size();
    if (at_ == begin) return Fail(at_, "size takes an attribute");
    Operand inner;
    inner.offset = begin;
    std::optional<Operand> path = ParsePath(std::move(inner));
    if (!path || !Expect(")", "at the end of size")) return std::nullopt;
    operand.kind = Operand::Kind::kSize;
    operand.path = std::move(path->path);
    return operand;
  }

  // Behind its first name.
  std::optional<Operand> ParsePath(Operand operand) {
    while (at_ < text_.size()) {
      if (text_[at_] == '.') {
        ++at_;
        const std::size_t begin = at_;
        while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
        if (begin == at_) return Fail(at_, "a name is expected after the dot");
      } else if (text_[at_] == '[') {
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
        if (begin == at_ || !Accept("]")) return Fail(begin, "an element is written [0]");
      } else {
        break;
      }
    }
    operand.path = text_.substr(operand.offset, at_ - operand.offset);
    return operand;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<ConditionError> error_;
};

// The path that a node's values are compared with.
std::string_view PathIn(const Node& node) {
  for (const Operand& operand : node.operands) {
    if (operand.kind == Operand::Kind::kPath) return operand.path;
  }
  return {};
}

// A value's type is the attribute's, where it is compared with the attribute.
bool TakesItsShape(const Node& node) { return node.kind != Node::Kind::kFunction || node.name == "begins_with"; }

template <typename Visit>
void VisitOperands(const Node& node, Visit visit) {
  for (const Operand& operand : node.operands) visit(node, operand);
  for (const Node& inner : node.nodes) VisitOperands(inner, visit);
}

class Compiler {
 public:
  Compiler(Condition::Resolve resolve, const Scope& scope, Placeholders& placeholders)
      : resolve_(resolve), scope_(scope), placeholders_(placeholders) {}

  using Text = std::expected<std::string, ConditionError>;

  Text Compile(const Node& node) {
    switch (node.kind) {
      case Node::Kind::kAnd:
        return Joined(node, " AND ");
      case Node::Kind::kOr:
        return Joined(node, " OR ");
      case Node::Kind::kNot:
        return Negated(node.nodes.front());
      default:
        return Leaf(node);
    }
  }

 private:
  // DynamoDB refuses parentheses that are not needed twice over, so only those
  // go in that the tree asks for.
  Text Joined(const Node& node, std::string_view word) {
    std::string text;
    for (const Node& inner : node.nodes) {
      Text part = Compile(inner);
      if (!part) return part;
      const bool wrap = node.kind == Node::Kind::kAnd && inner.kind == Node::Kind::kOr;
      if (!text.empty()) text.append(word);
      text.append(wrap ? fmt::format("({})", *part) : *part);
    }
    return text;
  }

  Text Negated(const Node& inner) {
    Text part = Compile(inner);
    if (!part) return part;
    const bool wrap = inner.kind == Node::Kind::kAnd || inner.kind == Node::Kind::kOr;
    return wrap ? fmt::format("NOT ({})", *part) : fmt::format("NOT {}", *part);
  }

  Text Leaf(const Node& node) {
    const Attribute* shape = nullptr;
    if (const std::string_view path = PathIn(node); !path.empty() && TakesItsShape(node)) {
      if (const auto resolved = resolve_(path)) shape = resolved->shape;
    }
    std::vector<std::string> operands;
    for (const Operand& operand : node.operands) {
      Text text = Compile(operand, shape);
      if (!text) return text;
      operands.push_back(*std::move(text));
    }
    switch (node.kind) {
      case Node::Kind::kBetween:
        return fmt::format("{} BETWEEN {} AND {}", operands[0], operands[1], operands[2]);
      case Node::Kind::kIn:
        return fmt::format("{} IN ({})", operands[0], fmt::join(operands.begin() + 1, operands.end(), ", "));
      case Node::Kind::kFunction:
        return fmt::format("{}({})", node.name, fmt::join(operands, ", "));
      default:
        return fmt::format("{} {} {}", operands[0], node.name, operands[1]);
    }
  }

  Text Compile(const Operand& operand, const Attribute* shape) {
    if (operand.kind == Operand::Kind::kValue) return CompileValue(operand, shape);
    const auto path = resolve_(operand.path);
    if (!path) return std::unexpected(ConditionError{operand.offset, path.error()});
    const std::string text = placeholders_.Path(path->steps);
    return operand.kind == Operand::Kind::kSize ? fmt::format("size({})", text) : text;
  }

  Text CompileValue(const Operand& operand, const Attribute* shape) {
    const auto value = Evaluate(operand.value, scope_, shape);
    if (!value) return std::unexpected(ConditionError{operand.offset, value.error()});
    if (!*value) {
      return std::unexpected(ConditionError{operand.offset, fmt::format("{} has no value", operand.value.text.text())});
    }
    return placeholders_.Value(**value);
  }

  Condition::Resolve resolve_;
  const Scope& scope_;
  Placeholders& placeholders_;
};

}  // namespace

std::expected<Condition, ConditionError> Condition::Parse(std::string_view text) {
  std::expected<Node, ConditionError> root = Parser(text).ParseAll();
  if (!root) return std::unexpected(std::move(root.error()));
  Condition condition;
  condition.root_ = *std::move(root);
  return condition;
}

std::vector<Condition::Use> Condition::references() const {
  std::vector<Use> uses;
  VisitOperands(root_, [&](const Node& node, const Operand& operand) {
    if (operand.kind != Operand::Kind::kValue) return;
    const std::string path(TakesItsShape(node) ? PathIn(node) : std::string_view());
    for (std::string& reference : design::ReferencesOf(operand.value)) {
      uses.push_back({std::move(reference), path, operand.offset});
    }
  });
  return uses;
}

std::vector<Condition::Use> Condition::paths() const {
  std::vector<Use> uses;
  VisitOperands(root_, [&](const Node&, const Operand& operand) {
    if (operand.kind != Operand::Kind::kValue) uses.push_back({{}, operand.path, operand.offset});
  });
  return uses;
}

std::expected<std::string, ConditionError> Condition::Compile(Resolve resolve, const Scope& scope,
                                                              Placeholders& placeholders) const {
  auto text = Compiler(resolve, scope, placeholders).Compile(root_);
  if (text && root_.kind == Node::Kind::kOr) return fmt::format("({})", *text);
  return text;
}

}  // namespace taula::design
