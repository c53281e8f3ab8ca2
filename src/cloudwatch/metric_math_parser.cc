#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "cloudwatch/metric_math.h"

namespace taula::cloudwatch {
namespace {

using Kind = MathNode::Kind;

constexpr std::size_t kNestingMax = 32;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// From weakest to strongest: + and -, * and /, a sign, ^.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  MathResult<MathNode> All() {
    MathResult<MathNode> node = Sum();
    if (!node) return node;
    SkipBlanks();
    if (!rest_.empty()) return Unexpected();
    return node;
  }

 private:
  MathResult<MathNode> Sum() {
    if (++nesting_ > kNestingMax) return std::unexpected("The expression is nested too deeply.");
    MathResult<MathNode> sum = Chain("+-", &Parser::Product);
    --nesting_;
    return sum;
  }

  MathResult<MathNode> Product() { return Chain("*/", &Parser::Sign); }

  // Operands with operators of one strength between them, from the left.
  MathResult<MathNode> Chain(std::string_view operators, MathResult<MathNode> (Parser::*operand)()) {
    MathResult<MathNode> left = (this->*operand)();
    while (left) {
      const std::optional<char> sign = TakeOneOf(operators);
      if (!sign) break;
      MathResult<MathNode> right = (this->*operand)();
      if (!right) return right;
      left = Join(*sign, *std::move(left), *std::move(right));
    }
    return left;
  }

  MathResult<MathNode> Sign() {
    std::size_t signs = 0;
    while (TakeOneOf("-")) ++signs;
    MathResult<MathNode> operand = Power();
    if (!operand || signs % 2 == 0) return operand;
    MathNode node{.kind = Kind::kNegate};
    node.parts.push_back(*std::move(operand));
    return node;
  }

  MathResult<MathNode> Power() {
    MathResult<MathNode> base = Operand();
    if (!base || !TakeOneOf("^")) return base;
    if (++nesting_ > kNestingMax) return std::unexpected("The expression is nested too deeply.");
    MathResult<MathNode> exponent = Sign();
    --nesting_;
    if (!exponent) return exponent;
    return Join('^', *std::move(base), *std::move(exponent));
  }

  MathResult<MathNode> Operand() {
    SkipBlanks();
    if (rest_.empty()) return std::unexpected("Unexpected end of the expression.");
    const char first = rest_[0];
    if (IsDigit(first) || first == '.') return Number();
    if (first == '"' || first == '\'') return Text();
    if (IsLetter(first)) return NameOrCall();
    if (TakeOneOf("(")) {
      MathResult<MathNode> inner = Sum();
      if (inner && !TakeOneOf(")")) return Unexpected();
      return inner;
    }
    if (TakeOneOf("[")) return List(Kind::kArray, "", ']');
    return Unexpected();
  }

  MathResult<MathNode> Number() {
    MathNode node{.kind = Kind::kNumber};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), node.number);
    if (error != std::errc()) return Unexpected();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return node;
  }

  MathResult<MathNode> Text() {
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return Unexpected();
    MathNode node{.kind = Kind::kText, .text = std::string(rest_.substr(1, end - 1))};
    rest_.remove_prefix(end + 1);
    return node;
  }

  MathResult<MathNode> NameOrCall() {
    std::size_t size = 1;
    while (size < rest_.size() && (IsLetter(rest_[size]) || IsDigit(rest_[size]))) ++size;
    std::string name(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (TakeOneOf("(")) return List(Kind::kCall, std::move(name), ')');
    return MathNode{.kind = Kind::kName, .text = std::move(name)};
  }

  // What stands behind an opening bracket, with commas between.
  MathResult<MathNode> List(Kind kind, std::string name, char close) {
    MathNode node{.kind = kind, .text = std::move(name)};
    const std::string_view closing(&close, 1);
    if (TakeOneOf(closing)) return node;
    while (true) {
      MathResult<MathNode> part = Sum();
      if (!part) return part;
      node.parts.push_back(*std::move(part));
      if (TakeOneOf(closing)) return node;
      if (!TakeOneOf(",")) return Unexpected();
    }
  }

  static MathNode Join(char sign, MathNode left, MathNode right) {
    MathNode node{.kind = Kind::kOperator, .text = std::string(1, sign)};
    node.parts.push_back(std::move(left));
    node.parts.push_back(std::move(right));
    return node;
  }

  void SkipBlanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0) rest_.remove_prefix(1);
  }

  std::optional<char> TakeOneOf(std::string_view characters) {
    SkipBlanks();
    if (rest_.empty() || characters.find(rest_[0]) == std::string_view::npos) return std::nullopt;
    const char taken = rest_[0];
    rest_.remove_prefix(1);
    return taken;
  }

  [[nodiscard]] std::unexpected<std::string> Unexpected() const {
    if (rest_.empty()) return std::unexpected(std::string("Unexpected end of the expression."));
    return std::unexpected(fmt::format("Unexpected '{}'.", rest_.substr(0, 20)));
  }

  std::string_view rest_;
  std::size_t nesting_ = 0;
};

}  // namespace

MathResult<MathNode> ParseMath(std::string_view text) { return Parser(text).All(); }

}  // namespace taula::cloudwatch
