// GetMetricData: many metrics and what is computed from them, a page at a time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "cloudwatch/input.h"
#include "cloudwatch/metric_identity.h"
#include "cloudwatch/metric_math.h"
#include "cloudwatch/operations.h"
#include "cloudwatch/periods.h"
#include "cloudwatch/statistic.h"
#include "cloudwatch/unit.h"

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kDatapointsMax = 100'800;
constexpr std::size_t kQueriesMax = 500;
constexpr std::size_t kIdCharsMax = 255;
constexpr std::size_t kExpressionCharsMax = 2048;
constexpr std::size_t kLabelCharsMax = 2048;
// Of all queries together, so that no request takes more memory or time than a
// server can spare.
constexpr std::size_t kComputedPointsMax = 5'000'000;
constexpr std::size_t kNestingMax = 1500;
constexpr std::size_t kResultsMax = 10'000;

struct MetricStat {
  MetricIdentity metric;
  std::int64_t period_s = 60;
  Statistic statistic;
  std::optional<std::string> unit;
};

struct Query {
  std::string id;
  std::optional<MetricStat> metric_stat;
  std::optional<std::string> expression;
  std::optional<std::string> label;
  bool return_data = true;
};

struct Request {
  std::vector<Query> queries;
  TimeRange range;
  bool ascending = false;
  std::size_t datapoints_max = kDatapointsMax;
  std::optional<std::string> next_token;
};

// ---- Reading

bool IsId(std::string_view id) {
  if (id.empty() || id.size() > kIdCharsMax || id[0] < 'a' || id[0] > 'z') return false;
  return std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// All that is wrong with the queries is told together, a line each.
using Complaints = std::vector<std::string>;

std::optional<MetricStat> ReadMetricStat(const Input& input, const std::string& place, Complaints& complaints) {
  MetricStat stat;
  if (const std::optional<Input> metric = input.Struct("Metric")) {
    Outcome<MetricIdentity> identity = ReadMetricIdentity(*metric, place + "Metric.");
    if (identity) {
      stat.metric = *std::move(identity);
    } else {
      complaints.push_back(std::move(identity.error().message));
    }
  } else {
    complaints.push_back(fmt::format("The parameter {}Metric is required.", place));
  }
  const std::optional<std::int64_t> period_s = input.Integer("Period");
  const std::optional<std::string> name = input.Text("Stat");
  if (!period_s) {
    complaints.push_back(fmt::format("The parameter {}Period is required.", place));
  } else if (!IsPeriod(*period_s)) {
    complaints.push_back(fmt::format(
        "The parameter {}Period must be a value in the set [1, 5, 10, 20, 30] or a multiple of 60.", place));
  } else {
    stat.period_s = *period_s;
  }
  std::optional<Statistic> statistic;
  if (name) statistic = ParsePlainStatistic(*name);
  if (name && !statistic) statistic = ParsePercentile(*name);
  if (!name) {
    complaints.push_back(fmt::format("The parameter {}Stat is required.", place));
  } else if (!statistic) {
    complaints.push_back(fmt::format("The value for parameter {}Stat is not a valid statistic.", place));
  } else {
    stat.statistic = *std::move(statistic);
  }
  stat.unit = input.Text("Unit");
  if (auto ok = CheckUnit(stat.unit, place + "Unit"); !ok) complaints.push_back(std::move(ok.error().message));
  return stat;
}

Query ReadQuery(const Input& input, const std::string& place, Complaints& complaints) {
  Query query;
  query.id = input.Text("Id").value_or("");
  query.expression = input.Text("Expression");
  query.label = input.Text("Label");
  query.return_data = input.Boolean("ReturnData").value_or(true);
  const std::optional<Input> metric_stat = input.Struct("MetricStat");
  if (query.id.empty()) {
    complaints.push_back(fmt::format("The parameter {}Id is required.", place));
  } else if (!IsId(query.id)) {
    complaints.push_back(
        fmt::format("The value for parameter {}Id is not matching the expected pattern ^[a-z][a-zA-Z0-9_]*$.", place));
  }
  if (query.label && query.label->size() > kLabelCharsMax) {
    complaints.push_back(
        fmt::format("The parameter {}Label must be shorter than {} characters.", place, kLabelCharsMax + 1));
  }
  if (metric_stat && query.expression) {
    complaints.push_back(fmt::format(
        "The parameters {0}Expression and {0}MetricStat are mutually exclusive and you have specified both.", place));
  } else if (metric_stat) {
    query.metric_stat = ReadMetricStat(*metric_stat, place + "MetricStat.", complaints);
  } else if (!query.expression) {
    complaints.push_back(fmt::format("The parameter {}MetricStat is required.", place));
  } else if (query.expression->size() > kExpressionCharsMax) {
    complaints.push_back(
        fmt::format("The parameter {}Expression must be shorter than {} characters.", place, kExpressionCharsMax + 1));
  }
  return query;
}

Outcome<std::vector<Query>> ReadQueries(const Input& input) {
  const std::vector<Input> inputs = input.Structs("MetricDataQueries");
  if (inputs.empty()) return Missing("MetricDataQueries");
  if (inputs.size() > kQueriesMax) {
    return ValidationError(
        fmt::format("The collection MetricDataQueries must not have a size greater than {}.", kQueriesMax));
  }
  std::vector<Query> queries;
  Complaints complaints;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    queries.push_back(ReadQuery(inputs[i], fmt::format("MetricDataQueries.member.{}.", i + 1), complaints));
  }
  if (!complaints.empty()) return ValidationError(fmt::format("{}", fmt::join(complaints, "\n")));
  std::vector<std::string_view> ids;
  for (const Query& each : queries) ids.push_back(each.id);
  std::ranges::sort(ids);
  if (std::ranges::adjacent_find(ids) != ids.end()) {
    return ValidationError("The values for parameter id in MetricDataQueries are not unique.");
  }
  return queries;
}

Outcome<Request> Read(const Document& document) {
  std::optional<Fault> fault;
  const Input input(document, fault);
  Request request;
  Outcome<std::vector<Query>> queries = ReadQueries(input);
  const std::optional<std::int64_t> start_ms = input.Time("StartTime");
  const std::optional<std::int64_t> end_ms = input.Time("EndTime");
  const std::string scan_by = input.Text("ScanBy").value_or("TimestampDescending");
  const std::int64_t datapoints_max = input.Integer("MaxDatapoints").value_or(kDatapointsMax);
  request.next_token = input.Text("NextToken");
  if (fault) return std::unexpected(*std::move(fault));
  if (!queries) return std::unexpected(std::move(queries.error()));
  if (!start_ms) return Missing("StartTime");
  if (!end_ms) return Missing("EndTime");
  if (*start_ms >= *end_ms) {
    return ValidationError("The parameter StartTime must be less than the parameter EndTime.");
  }
  if (scan_by != "TimestampDescending" && scan_by != "TimestampAscending") {
    return InvalidValue("The parameter ScanBy must be a value in the set [TimestampDescending, TimestampAscending].");
  }
  if (datapoints_max < 1 || datapoints_max > kDatapointsMax) {
    return InvalidValue(fmt::format("The parameter MaxDatapoints must be between 1 and {}.", kDatapointsMax));
  }
  request.queries = *std::move(queries);
  request.range = {*start_ms, *end_ms};
  request.ascending = scan_by == "TimestampAscending";
  request.datapoints_max = static_cast<std::size_t>(datapoints_max);
  return request;
}

// ---- Computing

std::unexpected<std::string> InExpression(std::string_view id, std::string_view what) {
  return std::unexpected(fmt::format("Error in expression '{}': {}", id, what));
}

// The values of a request's queries, each computed when it is first needed.
class Computation {
 public:
  Computation(const Context& context, const Request& request) : context_(context), request_(request) {
    for (std::size_t i = 0; i < request.queries.size(); ++i) places_.emplace(request.queries[i].id, i);
    values_.resize(request.queries.size());
  }

  MathResult<MathValue> ValueOf(std::size_t place) {
    if (values_[place]) return *values_[place];
    const Query& query = request_.queries[place];
    MathResult<MathValue> value = query.metric_stat ? MetricValue(*query.metric_stat) : ExpressionValue(query);
    if (value) values_[place] = *value;
    return value;
  }

 private:
  MathResult<MathValue> MetricValue(const MetricStat& stat) {
    TimeSeries out{.label = stat.metric.name, .period_s = stat.period_s};
    const std::optional<metrics::Series> series = SeriesOf(stat.metric);
    if (!series || (stat.unit && *stat.unit != NameOf(UnitOf(series->metric)))) return out;
    const TimeRange range{RoundedStart(request_.range.start_ms, stat.period_s, context_.clock.NowMs()),
                          request_.range.end_ms};
    for (const PeriodMeasure& period : ReadPeriods(context_.log, *series, range, stat.period_s)) {
      if (const auto value = stat.statistic.Of(period.measure)) out.points.push_back({period.begin_ms, *value});
    }
    if (out.points.size() > points_left_) return std::unexpected("The request has too many datapoints.");
    points_left_ -= out.points.size();
    return out;
  }

  MathResult<MathValue> ExpressionValue(const Query& query) {
    const MathResult<MathNode> node = ParseMath(*query.expression);
    if (!node) return InExpression(query.id, node.error());
    if (std::ranges::find(under_way_, query.id) != under_way_.end()) {
      return InExpression(query.id, "It depends on itself.");
    }
    under_way_.push_back(query.id);
    const auto find = [&](std::string_view id) -> MathResult<MathValue> {
      const auto place = places_.find(id);
      if (place == places_.end()) return InExpression(query.id, fmt::format("ID '{}' not found", id));
      return ValueOf(place->second);
    };
    const auto metrics = [&](std::string_view part_of_id) { return Metrics(part_of_id); };
    const std::int64_t period_s = ShortestPeriod();
    const MathScope scope{
        .find = find,
        .metrics = metrics,
        .range = {RoundedStart(request_.range.start_ms, period_s, context_.clock.NowMs()), request_.range.end_ms},
        .points_left = points_left_,
        .depth_left = depth_left_};
    MathResult<MathValue> value = Evaluate(*node, scope);
    under_way_.pop_back();
    if (!value) {
      if (value.error().starts_with("Error in expression")) return value;
      return InExpression(query.id, value.error());
    }
    if (std::holds_alternative<double>(*value)) {
      return InExpression(query.id, "It must return a time series or an array of time series.");
    }
    if (auto* const series = std::get_if<TimeSeries>(&*value)) series->label = query.id;
    return value;
  }

  std::vector<TimeSeries> Metrics(std::string_view part_of_id) {
    std::vector<TimeSeries> metrics;
    for (std::size_t i = 0; i < request_.queries.size(); ++i) {
      const Query& query = request_.queries[i];
      if (!query.metric_stat || query.id.find(part_of_id) == std::string::npos) continue;
      if (MathResult<MathValue> value = ValueOf(i)) metrics.push_back(std::get<TimeSeries>(*std::move(value)));
    }
    return metrics;
  }

  [[nodiscard]] std::int64_t ShortestPeriod() const {
    std::optional<std::int64_t> shortest;
    for (const Query& each : request_.queries) {
      if (each.metric_stat)
        shortest = std::min(shortest.value_or(each.metric_stat->period_s), each.metric_stat->period_s);
    }
    return shortest.value_or(60);
  }

  const Context& context_;
  const Request& request_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::optional<MathValue>> values_;
  std::vector<std::string_view> under_way_;  // expressions that wait for others
  std::size_t points_left_ = kComputedPointsMax;
  std::size_t depth_left_ = kNestingMax;
};

struct DataResult {
  std::string id;
  std::string label;
  std::vector<Point> points;  // in the order that was asked for
};

Outcome<std::vector<DataResult>> Compute(const Context& context, const Request& request) {
  Computation computation(context, request);
  std::vector<DataResult> results;
  for (std::size_t i = 0; i < request.queries.size(); ++i) {
    const Query& query = request.queries[i];
    MathResult<MathValue> value = computation.ValueOf(i);
    if (!value) return ValidationError(std::move(value.error()));
    if (!query.return_data) continue;
    const auto add = [&](TimeSeries& series) {
      if (!request.ascending) std::ranges::reverse(series.points);
      results.push_back({query.id, query.label.value_or(series.label), std::move(series.points)});
    };
    if (auto* const series = std::get_if<TimeSeries>(&*value)) add(*series);
    if (auto* const array = std::get_if<std::vector<TimeSeries>>(&*value)) std::ranges::for_each(*array, add);
    if (results.size() > kResultsMax) return ValidationError("The request has too many time series as its result.");
  }
  return results;
}

// ---- Pages

// Where a page begins: a result, and a point of it.
struct Position {
  std::size_t result = 0;
  std::size_t point = 0;
};

std::string ToToken(const Position& position) {
  std::string token;
  base::AppendBase64(token, fmt::format("{}:{}", position.result, position.point));
  return token;
}

std::optional<Position> FromToken(std::string_view token) {
  std::string text;
  Position position;
  if (!base::AppendBase64Decoded(text, token)) return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [colon, error] = std::from_chars(text.data(), end, position.result);
  if (error != std::errc() || colon == end || *colon != ':') return std::nullopt;
  const auto [last, point_error] = std::from_chars(colon + 1, end, position.point);
  if (point_error != std::errc() || last != end) return std::nullopt;
  return position;
}

Document WriteResult(const DataResult& result, std::size_t begin, std::size_t end) {
  Document::List timestamps;
  Document::List values;
  for (std::size_t i = begin; i < end; ++i) {
    timestamps.push_back({Document::Time{result.points[i].at_ms}});
    values.push_back({result.points[i].value});
  }
  Document::Struct members;
  members.push_back({"Id", {result.id}});
  members.push_back({"Label", {result.label}});
  members.push_back({"Timestamps", {std::move(timestamps)}});
  members.push_back({"Values", {std::move(values)}});
  members.push_back({"StatusCode", {std::string(end < result.points.size() ? "PartialData" : "Complete")}});
  return {std::move(members)};
}

Document WritePage(const std::vector<DataResult>& results, Position at, std::size_t datapoints_max) {
  Document::List list;
  std::size_t room = datapoints_max;
  while (at.result < results.size()) {
    const DataResult& result = results[at.result];
    const std::size_t end = std::min(result.points.size(), at.point + room);
    if (room == 0 && !result.points.empty()) break;
    list.push_back(WriteResult(result, at.point, end));
    room -= end - at.point;
    at.point = end;
    if (end < result.points.size()) break;
    at = {at.result + 1, 0};
  }
  Document::Struct output;
  output.push_back({"MetricDataResults", {std::move(list)}});
  if (at.result < results.size()) output.push_back({"NextToken", {ToToken(at)}});
  output.push_back({"Messages", {Document::List()}});
  return {std::move(output)};
}

}  // namespace

Outcome<Document> GetMetricData(const Context& context, const Document& input) {
  const Outcome<Request> request = Read(input);
  if (!request) return std::unexpected(request.error());
  Position position;
  if (request->next_token) {
    const std::optional<Position> given = FromToken(*request->next_token);
    if (!given) return InvalidNextToken();
    position = *given;
  }
  const Outcome<std::vector<DataResult>> results = Compute(context, *request);
  if (!results) return std::unexpected(results.error());
  if (request->next_token &&
      (position.result >= results->size() || position.point > (*results)[position.result].points.size())) {
    return InvalidNextToken();
  }
  return WritePage(*results, position, request->datapoints_max);
}

}  // namespace taula::cloudwatch
