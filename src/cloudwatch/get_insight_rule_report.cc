// GetInsightRuleReport: the keys that a rule of contributor insights has counted
// most, with what they had in each period.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cloudwatch/input.h"
#include "cloudwatch/insight_rule.h"
#include "cloudwatch/operations.h"
#include "cloudwatch/periods.h"

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kContributorsMax = 100;
constexpr std::int64_t kContributorsUsually = 10;

struct Request {
  std::string rule_name;
  TimeRange range;
  std::int64_t period_s = 0;
  std::size_t contributors_max = 0;
  std::vector<std::string> metrics;
  // Contributors are ranked by their highest minute, not by the sum of all.
  bool by_maximum = false;
};

// A key and what it had, by the beginnings of periods.
struct Contributor {
  std::string key;
  double value = 0;
  std::map<std::int64_t, double> periods;
};

// All keys in one period. A sample is what one key had in one minute.
struct Period {
  double sum = 0;
  double samples = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  std::size_t keys_at_least = 0;
  std::unordered_map<std::string_view, double> by_key;
};

using Statistic = double (*)(const Period&);

double MostOfOneKey(const Period& period) {
  double most = 0;
  for (const auto& [key, value] : period.by_key) most = std::max(most, value);
  return most;
}

constexpr auto kMetrics = std::to_array<std::pair<std::string_view, Statistic>>({
    {"UniqueContributors",
     [](const Period& period) { return static_cast<double>(std::max(period.keys_at_least, period.by_key.size())); }},
    {"MaxContributorValue", MostOfOneKey},
    {"SampleCount", [](const Period& period) { return period.samples; }},
    {"Average", [](const Period& period) { return period.sum / period.samples; }},
    {"Sum", [](const Period& period) { return period.sum; }},
    {"Minimum", [](const Period& period) { return period.least; }},
    {"Maximum", [](const Period& period) { return period.most; }},
});

// ---- Reading

Outcome<void> CheckNames(const Request& request, const std::string& order_by) {
  if (order_by != "Sum" && order_by != "Maximum") {
    return InvalidValue("The parameter OrderBy must be a value in the set [Sum, Maximum].");
  }
  if (request.metrics.size() > kMetrics.size()) {
    return InvalidValue(fmt::format("The collection Metrics must not have a size greater than {}.", kMetrics.size()));
  }
  for (std::size_t i = 0; i < request.metrics.size(); ++i) {
    const auto is_it = [&](const auto& metric) { return metric.first == request.metrics[i]; };
    if (std::ranges::any_of(kMetrics, is_it)) continue;
    std::vector<std::string_view> names;
    for (const auto& [name, statistic] : kMetrics) names.push_back(name);
    return InvalidValue(fmt::format("The parameter Metrics.member.{}.<list element> must be a value in the set [{}].",
                                    i + 1, fmt::join(names, ", ")));
  }
  return {};
}

Outcome<Request> Read(const Document& document) {
  std::optional<Fault> fault;
  const Input input(document, fault);
  Request request;
  const std::optional<std::string> rule_name = input.Text("RuleName");
  const std::optional<std::int64_t> start_ms = input.Time("StartTime");
  const std::optional<std::int64_t> end_ms = input.Time("EndTime");
  const std::optional<std::int64_t> period_s = input.Integer("Period");
  const std::int64_t most = input.Integer("MaxContributorCount").value_or(kContributorsUsually);
  const std::string order_by = input.Text("OrderBy").value_or("Sum");
  request.metrics = input.Texts("Metrics");
  if (fault) return std::unexpected(*std::move(fault));
  if (!rule_name) return Missing("RuleName");
  if (!start_ms) return Missing("StartTime");
  if (!end_ms) return Missing("EndTime");
  if (!period_s) return Missing("Period");
  if (*start_ms >= *end_ms) return InvalidValue("The parameter StartTime must be less than the parameter EndTime.");
  if (*period_s < 60 || !IsPeriod(*period_s)) return InvalidValue("The parameter Period must be a multiple of 60.");
  if (most < 1 || most > kContributorsMax) {
    return InvalidValue(fmt::format("The parameter MaxContributorCount must be between 1 and {}.", kContributorsMax));
  }
  if (auto ok = CheckNames(request, order_by); !ok) return std::unexpected(std::move(ok.error()));
  request.rule_name = *rule_name;
  request.range = {*start_ms, *end_ms};
  request.period_s = *period_s;
  request.contributors_max = static_cast<std::size_t>(most);
  request.by_maximum = order_by == "Maximum";
  return request;
}

// ---- Adding up

class Report {
 public:
  // The minutes must outlive it.
  Report(const std::vector<engine::KeyMinute>& minutes, std::int64_t start_ms, const Request& request) {
    for (const engine::KeyMinute& minute : minutes) {
      const std::int64_t begin_ms = PeriodOf(minute.minute_ms, start_ms, request.period_s);
      Add(minute, periods_[begin_ms]);
      for (const engine::SketchedKey& key : minute.keys) AddTo(contributors_[key.key], key, begin_ms, request);
      total_ += minute.total;
      unique_ = std::max(unique_, minute.different);
    }
  }

  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] std::size_t unique() const { return std::max(unique_, contributors_.size()); }
  [[nodiscard]] const std::map<std::int64_t, Period>& periods() const { return periods_; }

  // The highest first.
  [[nodiscard]] std::vector<Contributor> Leading(std::size_t most) const {
    std::vector<Contributor> leading;
    for (const auto& [key, contributor] : contributors_) leading.push_back(contributor);
    const auto is_before = [](const Contributor& left, const Contributor& right) {
      return left.value != right.value ? left.value > right.value : left.key < right.key;
    };
    std::ranges::sort(leading, is_before);
    leading.resize(std::min(most, leading.size()));
    return leading;
  }

 private:
  static void Add(const engine::KeyMinute& minute, Period& period) {
    period.sum += minute.total;
    period.samples += static_cast<double>(minute.different);
    period.keys_at_least = std::max(period.keys_at_least, minute.different);
    for (const engine::SketchedKey& key : minute.keys) {
      period.least = std::min(period.least, key.count);
      period.most = std::max(period.most, key.count);
      period.by_key[key.key] += key.count;
    }
  }

  static void AddTo(Contributor& contributor, const engine::SketchedKey& key, std::int64_t begin_ms,
                    const Request& request) {
    contributor.key = key.key;
    double& in_period = contributor.periods[begin_ms];
    if (request.by_maximum) {
      in_period = std::max(in_period, key.count);
      contributor.value = std::max(contributor.value, key.count);
    } else {
      in_period += key.count;
      contributor.value += key.count;
    }
  }

  std::unordered_map<std::string_view, Contributor> contributors_;
  std::map<std::int64_t, Period> periods_;
  double total_ = 0;
  std::size_t unique_ = 0;
};

// ---- Writing

Document Texts(std::vector<std::string> texts) {
  Document::List list;
  for (std::string& text : texts) list.push_back({std::move(text)});
  return {std::move(list)};
}

Document Write(const Contributor& contributor, const std::vector<catalog::KeyAttribute>& attributes) {
  Document::List datapoints;
  for (const auto& [begin_ms, value] : contributor.periods) {
    Document::Struct datapoint;
    datapoint.push_back({"Timestamp", {Document::Time{begin_ms}}});
    datapoint.push_back({"ApproximateValue", {value}});
    datapoints.push_back({std::move(datapoint)});
  }
  Document::Struct members;
  members.push_back({"Keys", Texts(KeyTexts(attributes, contributor.key))});
  members.push_back({"ApproximateAggregateValue", {contributor.value}});
  members.push_back({"Datapoints", {std::move(datapoints)}});
  return {std::move(members)};
}

Document WriteMetrics(const Report& report, const std::vector<std::string>& metrics) {
  Document::List datapoints;
  for (const auto& [begin_ms, period] : report.periods()) {
    Document::Struct datapoint;
    datapoint.push_back({"Timestamp", {Document::Time{begin_ms}}});
    for (const auto& [name, statistic] : kMetrics) {
      if (std::ranges::find(metrics, name) != metrics.end()) {
        datapoint.push_back({std::string(name), {statistic(period)}});
      }
    }
    datapoints.push_back({std::move(datapoint)});
  }
  return {std::move(datapoints)};
}

}  // namespace

Outcome<Document> GetInsightRuleReport(const Context& context, const Document& input) {
  const Outcome<Request> request = Read(input);
  if (!request) return std::unexpected(request.error());
  const std::optional<engine::FoundRule> rule = engine::FindRule(context.catalog, request->rule_name);
  if (!rule) return NotFound(fmt::format("The rule {} does not exist.", request->rule_name));
  const std::int64_t start_ms = RoundedStart(request->range.start_ms, request->period_s, context.clock.NowMs());
  // A rule knows nothing of the time before it was made, though one before it may.
  const std::int64_t made_ms = engine::InsightsOf(*rule->table, rule->index)->enabled_ms;
  const std::int64_t from_ms = std::max(start_ms, made_ms - made_ms % metrics::MetricLog::kMinuteMs);
  const std::vector<engine::KeyMinute> minutes =
      context.keys.Minutes(*rule->table, rule->index, rule->rule, {from_ms, request->range.end_ms});
  const Report report(minutes, start_ms, *request);

  const std::vector<catalog::KeyAttribute> attributes = KeyAttributesOf(*rule);
  std::vector<std::string> labels;
  for (const catalog::KeyAttribute& attribute : attributes) labels.push_back(attribute.name);
  Document::List contributors;
  for (const Contributor& each : report.Leading(request->contributors_max)) {
    contributors.push_back(Write(each, attributes));
  }
  Document::Struct output;
  output.push_back({"KeyLabels", Texts(std::move(labels))});
  output.push_back({"AggregationStatistic", {std::string(CountsUnits(rule->rule) ? "SUM" : "COUNT")}});
  output.push_back({"AggregateValue", {report.total()}});
  output.push_back({"ApproximateUniqueCount", {static_cast<std::int64_t>(report.unique())}});
  output.push_back({"Contributors", {std::move(contributors)}});
  if (!request->metrics.empty()) output.push_back({"MetricDatapoints", WriteMetrics(report, request->metrics)});
  return Document{std::move(output)};
}

}  // namespace taula::cloudwatch
