// GetMetricStatistics: several statistics of one metric.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cloudwatch/input.h"
#include "cloudwatch/metric_identity.h"
#include "cloudwatch/operations.h"
#include "cloudwatch/periods.h"
#include "cloudwatch/statistic.h"
#include "cloudwatch/unit.h"

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kDatapointsMax = 1440;
constexpr std::size_t kStatisticsMax = 5;
constexpr std::size_t kExtendedMax = 10;

struct Request {
  MetricIdentity metric;
  TimeRange range;
  std::int64_t period_s = 0;
  std::vector<Statistic> statistics;
  std::vector<Statistic> extended;
  std::optional<std::string> unit;
};

struct Datapoint {
  std::int64_t begin_ms = 0;
  std::vector<std::pair<std::string, double>> statistics;
  std::vector<std::pair<std::string, double>> extended;
};

Outcome<void> CheckRange(const Request& request) {
  const auto& [start_ms, end_ms] = request.range;
  if (start_ms >= end_ms) return InvalidValue("The parameter StartTime must be less than the parameter EndTime.");
  if (!IsPeriod(request.period_s)) {
    return InvalidValue("The parameter Period must be a value in the set [1, 5, 10, 20, 30] or a multiple of 60.");
  }
  const std::int64_t period_ms = request.period_s * 1000;
  const std::int64_t datapoints = (end_ms - start_ms) / period_ms + ((end_ms - start_ms) % period_ms == 0 ? 0 : 1);
  if (datapoints <= kDatapointsMax) return {};
  return InvalidCombination(
      fmt::format("You have requested up to {} datapoints, which exceeds the limit of {}. You may reduce the "
                  "datapoints requested by increasing Period, or decreasing the time range.",
                  datapoints, kDatapointsMax));
}

Outcome<void> ReadStatistics(const Input& input, Request& request) {
  const std::vector<std::string> plain = input.Texts("Statistics");
  const std::vector<std::string> extended = input.Texts("ExtendedStatistics");
  if (plain.empty() && extended.empty()) {
    return InvalidCombination("At least one of the parameters Statistics and ExtendedStatistics must be specified.");
  }
  if (plain.size() > kStatisticsMax) {
    return InvalidValue(fmt::format("The collection Statistics must not have a size greater than {}.", kStatisticsMax));
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    std::optional<Statistic> statistic = ParsePlainStatistic(plain[i]);
    if (!statistic) {
      return InvalidValue(
          fmt::format("The parameter Statistics.member.{}.<list element> must be a value in the set "
                      "[SampleCount, Average, Sum, Minimum, Maximum].",
                      i + 1));
    }
    request.statistics.push_back(*std::move(statistic));
  }
  if (extended.size() > kExtendedMax) {
    return InvalidValue(
        fmt::format("The collection ExtendedStatistics must not have a size greater than {}.", kExtendedMax));
  }
  for (std::size_t i = 0; i < extended.size(); ++i) {
    std::optional<Statistic> statistic = ParsePercentile(extended[i]);
    if (!statistic) {
      return InvalidValue(
          fmt::format("The value {} for parameter ExtendedStatistics.member.{}.<list element> is not supported.",
                      extended[i], i + 1));
    }
    request.extended.push_back(*std::move(statistic));
  }
  return {};
}

Outcome<Request> Read(const Document& document) {
  std::optional<Fault> fault;
  const Input input(document, fault);
  Outcome<MetricIdentity> metric = ReadMetricIdentity(input, "");
  const std::optional<std::int64_t> start_ms = input.Time("StartTime");
  const std::optional<std::int64_t> end_ms = input.Time("EndTime");
  const std::optional<std::int64_t> period_s = input.Integer("Period");
  Request request;
  request.unit = input.Text("Unit");
  const Outcome<void> statistics = ReadStatistics(input, request);
  if (fault) return std::unexpected(*std::move(fault));
  if (!metric) return std::unexpected(std::move(metric.error()));
  if (!start_ms) return Missing("StartTime");
  if (!end_ms) return Missing("EndTime");
  if (!period_s) return Missing("Period");
  request.metric = *std::move(metric);
  request.range = {*start_ms, *end_ms};
  request.period_s = *period_s;
  if (auto ok = CheckRange(request); !ok) return std::unexpected(std::move(ok.error()));
  if (!statistics) return std::unexpected(statistics.error());
  if (auto ok = CheckUnit(request.unit, "Unit"); !ok) return std::unexpected(std::move(ok.error()));
  return request;
}

std::vector<std::pair<std::string, double>> Compute(const std::vector<Statistic>& statistics,
                                                    const metrics::Measure& measure) {
  std::vector<std::pair<std::string, double>> values;
  for (const Statistic& each : statistics) {
    if (const std::optional<double> value = each.Of(measure)) values.emplace_back(each.name, *value);
  }
  return values;
}

std::vector<Datapoint> Find(const Context& context, const Request& request) {
  std::vector<Datapoint> datapoints;
  const std::optional<metrics::Series> series = SeriesOf(request.metric);
  if (!series || (request.unit && *request.unit != NameOf(UnitOf(series->metric)))) return datapoints;
  const TimeRange range{RoundedStart(request.range.start_ms, request.period_s, context.clock.NowMs()),
                        request.range.end_ms};
  for (const PeriodMeasure& period : ReadPeriods(context.log, *series, range, request.period_s)) {
    Datapoint datapoint{period.begin_ms, Compute(request.statistics, period.measure),
                        Compute(request.extended, period.measure)};
    if (datapoint.statistics.empty() && datapoint.extended.empty()) continue;
    datapoints.push_back(std::move(datapoint));
  }
  return datapoints;
}

Document Write(const Datapoint& datapoint, std::string_view unit) {
  Document::Struct members;
  members.push_back({"Timestamp", {Document::Time{datapoint.begin_ms}}});
  for (const auto& [name, value] : datapoint.statistics) members.push_back({name, {value}});
  members.push_back({"Unit", {std::string(unit)}});
  if (!datapoint.extended.empty()) {
    Document::Map map;
    for (const auto& [name, value] : datapoint.extended) map.entries.push_back({name, {value}});
    members.push_back({"ExtendedStatistics", {std::move(map)}});
  }
  return {std::move(members)};
}

}  // namespace

Outcome<Document> GetMetricStatistics(const Context& context, const Document& input) {
  const Outcome<Request> request = Read(input);
  if (!request) return std::unexpected(request.error());
  Document::List datapoints;
  for (const Datapoint& each : Find(context, *request)) {
    datapoints.push_back(Write(each, NameOf(UnitOf(*metrics::MetricNamed(request->metric.name)))));
  }
  Document::Struct output;
  output.push_back({"Label", {request->metric.name}});
  output.push_back({"Datapoints", {std::move(datapoints)}});
  return Document{std::move(output)};
}

}  // namespace taula::cloudwatch
