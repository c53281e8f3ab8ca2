// Metric math, as far as it is computed here: numbers, the ids of other queries,
// + - * / ^ and parentheses, and the functions
//
//   SUM AVG MIN MAX    of one series: a number; of several: a series
//   METRICS            all metrics of the request, or those whose id has a text in it
//   FILL               puts a number, REPEAT or LINEAR where nothing was counted
//   RATE DIFF RUNNING_SUM PERIOD ABS CEIL FLOOR
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/function_ref.h"
#include "cloudwatch/periods.h"

namespace taula::cloudwatch {

// An expression as it was written, taken apart.
struct MathNode {
  enum class Kind : std::uint8_t { kNumber, kText, kName, kArray, kNegate, kOperator, kCall };
  Kind kind = Kind::kNumber;
  double number = 0;
  std::string text = {};  // of a text, a name, an operator, a function
  std::vector<MathNode> parts = {};
};

// What is wrong with an expression, in words.
template <typename T>
using MathResult = std::expected<T, std::string>;

[[nodiscard]] MathResult<MathNode> ParseMath(std::string_view text);

struct Point {
  std::int64_t at_ms = 0;
  double value = 0;
};

struct TimeSeries {
  std::string label = {};
  std::int64_t period_s = 60;
  std::vector<Point> points = {};  // oldest first
};

using MathValue = std::variant<double, TimeSeries, std::vector<TimeSeries>>;

// What an expression is about.
struct MathScope {
  // The value of another query of the request.
  base::FunctionRef<MathResult<MathValue>(std::string_view id)> find;
  base::FunctionRef<std::vector<TimeSeries>(std::string_view part_of_id)> metrics;
  TimeRange range;
  // For all expressions of a request together: how many points may still be
  // computed, and how much deeper what waits for them may be nested.
  std::size_t& points_left;
  std::size_t& depth_left;
};

[[nodiscard]] MathResult<MathValue> Evaluate(const MathNode& node, const MathScope& scope);

}  // namespace taula::cloudwatch
