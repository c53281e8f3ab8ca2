#include "cloudwatch/metric_math.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "metrics/measure.h"

namespace taula::cloudwatch {
namespace {

using Kind = MathNode::Kind;
using Array = std::vector<TimeSeries>;

constexpr std::size_t kFilledMax = 100'800;
// What a series takes beside its points, in points.
constexpr std::size_t kSeriesPoints = 10;

std::unexpected<std::string> Fail(std::string message) { return std::unexpected(std::move(message)); }

double Compute(char sign, double left, double right) {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return std::pow(left, right);
  }
}

// What has no value, such as a division by zero, is not there.
void Add(TimeSeries& series, std::int64_t at_ms, double value) {
  if (std::isfinite(value)) series.points.push_back({at_ms, value});
}

TimeSeries Combine(char sign, const TimeSeries& left, const TimeSeries& right) {
  TimeSeries out{.period_s = std::max(left.period_s, right.period_s)};
  auto other = right.points.begin();
  for (const Point& point : left.points) {
    while (other != right.points.end() && other->at_ms < point.at_ms) ++other;
    if (other == right.points.end()) break;
    if (other->at_ms == point.at_ms) Add(out, point.at_ms, Compute(sign, point.value, other->value));
  }
  return out;
}

template <typename Function>
TimeSeries Transform(const TimeSeries& series, Function function) {
  TimeSeries out{.label = series.label, .period_s = series.period_s};
  for (const Point& point : series.points) Add(out, point.at_ms, function(point.value));
  return out;
}

MathResult<MathValue> Operate(char sign, const MathValue& left, const MathValue& right) {
  const auto* const number = std::get_if<double>(&left);
  const auto* const other_number = std::get_if<double>(&right);
  if (number != nullptr && other_number != nullptr) return Compute(sign, *number, *other_number);
  const auto* const array = std::get_if<Array>(&left);
  const auto* const other_array = std::get_if<Array>(&right);
  if (array != nullptr && other_array != nullptr) return Fail("An array cannot be combined with an array.");
  if (array != nullptr || other_array != nullptr) {
    Array out;
    for (const TimeSeries& each : array != nullptr ? *array : *other_array) {
      MathResult<MathValue> one = array != nullptr ? Operate(sign, each, right) : Operate(sign, left, each);
      if (!one) return one;
      out.push_back(std::get<TimeSeries>(*std::move(one)));
      out.back().label = each.label;
    }
    return out;
  }
  if (number != nullptr) {
    return Transform(std::get<TimeSeries>(right), [&](double value) { return Compute(sign, *number, value); });
  }
  const auto& series = std::get<TimeSeries>(left);
  if (other_number != nullptr) {
    return Transform(series, [&](double value) { return Compute(sign, value, *other_number); });
  }
  return Combine(sign, series, std::get<TimeSeries>(right));
}

std::optional<double> Reduce(std::string_view function, const metrics::Measure& measure) {
  if (measure.count == 0) return std::nullopt;
  if (function == "SUM") return measure.sum;
  if (function == "AVG") return measure.average();
  return function == "MIN" ? measure.min : measure.max;
}

// SUM, AVG, MIN, MAX.
MathResult<MathValue> Aggregate(std::string_view function, const MathValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const series = std::get_if<TimeSeries>(&value)) {
    metrics::Measure measure;
    for (const Point& point : series->points) measure.Add(point.value);
    return Reduce(function, measure).value_or(0);
  }
  std::map<std::int64_t, metrics::Measure> at;
  TimeSeries out;
  for (const TimeSeries& each : std::get<Array>(value)) {
    out.period_s = std::max(out.period_s, each.period_s);
    for (const Point& point : each.points) at[point.at_ms].Add(point.value);
  }
  for (const auto& [at_ms, measure] : at) Add(out, at_ms, *Reduce(function, measure));
  return out;
}

// Applies what is for one series to each of several.
template <typename Function>
MathResult<MathValue> ForEachSeries(std::string_view name, const MathValue& value, Function function) {
  if (const auto* const series = std::get_if<TimeSeries>(&value)) return function(*series);
  if (const auto* const array = std::get_if<Array>(&value)) {
    Array out;
    for (const TimeSeries& each : *array) {
      out.push_back(function(each));
      out.back().label = each.label;
    }
    return out;
  }
  return Fail(fmt::format("{} needs a time series.", name));
}

TimeSeries Change(const TimeSeries& series, bool by_the_second) {
  constexpr double kSecondMs = 1000;
  TimeSeries out{.period_s = series.period_s};
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const Point& before = series.points[i - 1];
    const Point& point = series.points[i];
    const double seconds = by_the_second ? static_cast<double>(point.at_ms - before.at_ms) / kSecondMs : 1;
    Add(out, point.at_ms, (point.value - before.value) / seconds);
  }
  return out;
}

TimeSeries RunningSum(const TimeSeries& series) {
  double sum = 0;
  return Transform(series, [&](double value) { return sum += value; });
}

// How FILL finds what is missing between two points, or before the first or
// behind the last.
struct Filling {
  enum class Kind : std::uint8_t { kNumber, kRepeat, kLinear } kind = Kind::kNumber;
  double number = 0;

  [[nodiscard]] std::optional<double> At(std::int64_t at_ms, const Point* before, const Point* after) const {
    if (kind == Kind::kNumber) return number;
    if (kind == Kind::kRepeat || after == nullptr)
      return before != nullptr ? std::optional(before->value) : std::nullopt;
    if (before == nullptr) return after->value;
    const double share = static_cast<double>(at_ms - before->at_ms) / static_cast<double>(after->at_ms - before->at_ms);
    return before->value + share * (after->value - before->value);
  }
};

TimeSeries Fill(const TimeSeries& series, const Filling& filling, const TimeRange& range) {
  TimeSeries out{.label = series.label, .period_s = series.period_s};
  std::size_t next = 0;
  const std::int64_t period_ms = series.period_s * 1000;
  // Where the periods of the series begin, should others of the request begin elsewhere.
  const std::int64_t shift_ms = series.points.empty() ? 0 : (series.points[0].at_ms - range.start_ms) % period_ms;
  for (std::int64_t at_ms = range.start_ms + shift_ms; at_ms < range.end_ms; at_ms += period_ms) {
    while (next < series.points.size() && series.points[next].at_ms < at_ms) ++next;
    const Point* const after = next < series.points.size() ? &series.points[next] : nullptr;
    if (after != nullptr && after->at_ms == at_ms) {
      out.points.push_back(*after);
      continue;
    }
    const Point* const before = next > 0 ? &series.points[next - 1] : nullptr;
    if (const std::optional<double> value = filling.At(at_ms, before, after)) Add(out, at_ms, *value);
  }
  return out;
}

std::size_t Points(const MathValue& value) {
  if (const auto* const series = std::get_if<TimeSeries>(&value)) return kSeriesPoints + series->points.size();
  std::size_t points = 1;
  if (const auto* const array = std::get_if<Array>(&value)) {
    for (const TimeSeries& each : *array) points += kSeriesPoints + each.points.size();
  }
  return points;
}

class Evaluator {
 public:
  explicit Evaluator(const MathScope& scope) : scope_(scope) {}

  MathResult<MathValue> Value(const MathNode& node) {
    if (scope_.depth_left == 0) return Fail("The expressions of the request are nested too deeply.");
    --scope_.depth_left;
    MathResult<MathValue> value = Uncharged(node);
    ++scope_.depth_left;
    if (!value) return value;
    const std::size_t points = Points(*value);
    if (points > scope_.points_left) return Fail("The expressions of the request take too long to compute.");
    scope_.points_left -= points;
    return value;
  }

 private:
  // Each kind in a function of its own that stays one: they may be in each other a
  // thousand times, and a function takes stack for everything it could do.
  MathResult<MathValue> Uncharged(const MathNode& node) {
    switch (node.kind) {
      case Kind::kNumber:
        return node.number;
      case Kind::kName:
        return scope_.find(node.text);
      case Kind::kText:
        return Fail(fmt::format("Unexpected text '{}'.", node.text));
      case Kind::kArray:
        return List(node);
      case Kind::kCall:
        return Call(node);
      case Kind::kNegate:
        return Negation(node);
      case Kind::kOperator:
        return Operation(node);
    }
    std::unreachable();
  }

  [[gnu::noinline]] MathResult<MathValue> Negation(const MathNode& node) {
    const MathResult<MathValue> value = Value(node.parts[0]);
    return value ? Operate('*', -1.0, *value) : value;
  }

  [[gnu::noinline]] MathResult<MathValue> Operation(const MathNode& node) {
    const MathResult<MathValue> left = Value(node.parts[0]);
    if (!left) return left;
    const MathResult<MathValue> right = Value(node.parts[1]);
    return right ? Operate(node.text[0], *left, *right) : right;
  }

  [[gnu::noinline]] MathResult<MathValue> List(const MathNode& node) {
    Array array;
    for (const MathNode& part : node.parts) {
      MathResult<MathValue> value = Value(part);
      if (!value) return value;
      if (auto* const series = std::get_if<TimeSeries>(&*value)) {
        array.push_back(std::move(*series));
      } else if (auto* const inner = std::get_if<Array>(&*value)) {
        std::ranges::move(*inner, std::back_inserter(array));
      } else {
        return Fail("An array holds time series only.");
      }
    }
    return array;
  }

  [[gnu::noinline]] MathResult<MathValue> Call(const MathNode& node) {
    const std::string_view name = node.text;
    if (name == "METRICS") return Metrics(node);
    if (name == "FILL") return FillGaps(node);
    static constexpr auto kOfOne = std::to_array<std::string_view>(
        {"SUM", "AVG", "MIN", "MAX", "RATE", "DIFF", "RUNNING_SUM", "PERIOD", "ABS", "CEIL", "FLOOR"});
    if (std::ranges::find(kOfOne, name) == kOfOne.end()) {
      return Fail(fmt::format("The function {} is not supported.", name));
    }
    if (node.parts.size() != 1) return Fail(fmt::format("{} takes one argument.", name));
    const MathResult<MathValue> value = Value(node.parts[0]);
    if (!value) return value;
    return OfOne(name, *value);
  }

  static MathResult<MathValue> OfOne(std::string_view name, const MathValue& value) {
    if (name == "SUM" || name == "AVG" || name == "MIN" || name == "MAX") return Aggregate(name, value);
    if (name == "PERIOD") {
      const auto* const series = std::get_if<TimeSeries>(&value);
      if (series == nullptr) return Fail("PERIOD needs a time series.");
      return static_cast<double>(series->period_s);
    }
    return ForEachSeries(name, value, [&](const TimeSeries& series) {
      if (name == "RATE" || name == "DIFF") return Change(series, name == "RATE");
      if (name == "RUNNING_SUM") return RunningSum(series);
      return Transform(series, [&](double each) {
        if (name == "ABS") return std::abs(each);
        return name == "CEIL" ? std::ceil(each) : std::floor(each);
      });
    });
  }

  MathResult<MathValue> Metrics(const MathNode& node) {
    if (node.parts.empty()) return scope_.metrics("");
    if (node.parts.size() != 1 || node.parts[0].kind != Kind::kText) {
      return Fail("METRICS takes a text in quotes, or nothing.");
    }
    return scope_.metrics(node.parts[0].text);
  }

  MathResult<MathValue> FillGaps(const MathNode& node) {
    if (node.parts.size() != 2) return Fail("FILL takes two arguments.");
    const MathResult<MathValue> value = Value(node.parts[0]);
    if (!value) return value;
    Filling filling;
    if (const MathNode& by = node.parts[1]; by.kind == Kind::kName && (by.text == "REPEAT" || by.text == "LINEAR")) {
      filling.kind = by.text == "REPEAT" ? Filling::Kind::kRepeat : Filling::Kind::kLinear;
    } else {
      const MathResult<MathValue> number = Value(by);
      if (!number) return number;
      if (!std::holds_alternative<double>(*number)) return Fail("FILL takes a number, REPEAT or LINEAR.");
      filling.number = std::get<double>(*number);
    }
    const auto periods = static_cast<std::size_t>((scope_.range.end_ms - scope_.range.start_ms) / 1000);
    const auto too_many = [&](const TimeSeries& series) {
      return periods / static_cast<std::size_t>(series.period_s) > kFilledMax;
    };
    if (const auto* const series = std::get_if<TimeSeries>(&*value); series != nullptr && too_many(*series)) {
      return Fail("There are too many periods to fill.");
    }
    if (const auto* const array = std::get_if<Array>(&*value);
        array != nullptr && std::ranges::any_of(*array, too_many)) {
      return Fail("There are too many periods to fill.");
    }
    return ForEachSeries("FILL", *value, [&](const TimeSeries& series) { return Fill(series, filling, scope_.range); });
  }

  const MathScope& scope_;
};

}  // namespace

MathResult<MathValue> Evaluate(const MathNode& node, const MathScope& scope) { return Evaluator(scope).Value(node); }

}  // namespace taula::cloudwatch
