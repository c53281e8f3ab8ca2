// ListMetrics: which metrics there are, by namespace, name and dimensions.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "cloudwatch/input.h"
#include "cloudwatch/metric_identity.h"
#include "cloudwatch/operations.h"

namespace taula::cloudwatch {
namespace {

using metrics::Series;

constexpr std::size_t kPageMax = 500;
constexpr std::size_t kFiltersMax = 10;
constexpr std::int64_t kRecentMs = 3LL * 60 * 60 * 1000;

struct Filter {
  std::string name;
  std::optional<std::string> value;
};

struct Request {
  std::optional<std::string> name_space;
  std::optional<std::string> metric_name;
  std::vector<Filter> dimensions;
  std::optional<std::string> recently_active;
  std::optional<std::string> next_token;
};

// A token is the last metric of the page before.
std::string ToToken(const Series& series) {
  std::string text(NameOf(series.metric));
  for (const std::string* part : {&series.table, &series.index, &series.operation, &series.stream_label}) {
    text.append("\n").append(*part);
  }
  std::string token;
  base::AppendBase64(token, text);
  return token;
}

std::optional<Series> FromToken(std::string_view token) {
  std::string text;
  if (!base::AppendBase64Decoded(text, token)) return std::nullopt;
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '\n') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  const auto metric = metrics::MetricNamed(parts[0]);
  if (parts.size() != 5 || !metric) return std::nullopt;
  return Series{*metric, std::move(parts[1]), std::move(parts[2]), std::move(parts[3]), std::move(parts[4])};
}

Outcome<Request> Read(const Document& document) {
  std::optional<Fault> fault;
  const Input input(document, fault);
  Request request;
  request.name_space = input.Text("Namespace");
  request.metric_name = input.Text("MetricName");
  request.recently_active = input.Text("RecentlyActive");
  request.next_token = input.Text("NextToken");
  const std::vector<Input> dimensions = input.Structs("Dimensions");
  if (dimensions.size() > kFiltersMax) {
    return InvalidValue("The collection Dimensions must not have a size greater than 10.");
  }
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    std::optional<std::string> name = dimensions[i].Text("Name");
    if (!name && !fault) {
      fault = Missing(std::string("Dimensions.member.").append(std::to_string(i + 1)).append(".Name")).error();
    }
    request.dimensions.push_back({std::move(name).value_or(""), dimensions[i].Text("Value")});
  }
  if (fault) return std::unexpected(*std::move(fault));
  if (request.recently_active && *request.recently_active != "PT3H") {
    return InvalidValue("The parameter RecentlyActive must be a value in the set [PT3H].");
  }
  return request;
}

bool Passes(const Request& request, const Series& series) {
  if (request.metric_name && *request.metric_name != NameOf(series.metric)) return false;
  const std::vector<Dimension> dimensions = DimensionsOf(series);
  return std::ranges::all_of(request.dimensions, [&](const Filter& filter) {
    return std::ranges::any_of(dimensions, [&](const Dimension& each) {
      return each.name == filter.name && (!filter.value || each.value == *filter.value);
    });
  });
}

std::vector<Series> Find(const Context& context, const Request& request, const std::optional<Series>& after) {
  if (request.name_space && *request.name_space != kDynamoDbNamespace) return {};
  const std::int64_t kept_ms = request.recently_active ? kRecentMs : metrics::MetricLog::kKeptMs;
  std::vector<Series> found = context.log.ListSeries(context.clock.NowMs() - kept_ms);
  std::erase_if(found, [&](const Series& series) { return (after && series <= *after) || !Passes(request, series); });
  return found;
}

Document Write(const Series& series) {
  Document::List dimensions;
  for (Dimension& each : DimensionsOf(series)) {
    Document::Struct dimension;
    dimension.push_back({"Name", {std::move(each.name)}});
    dimension.push_back({"Value", {std::move(each.value)}});
    dimensions.push_back({std::move(dimension)});
  }
  Document::Struct metric;
  metric.push_back({"Namespace", {std::string(kDynamoDbNamespace)}});
  metric.push_back({"MetricName", {std::string(NameOf(series.metric))}});
  metric.push_back({"Dimensions", {std::move(dimensions)}});
  return {std::move(metric)};
}

}  // namespace

Outcome<Document> ListMetrics(const Context& context, const Document& input) {
  const Outcome<Request> request = Read(input);
  if (!request) return std::unexpected(request.error());
  std::optional<Series> after;
  if (request->next_token) {
    after = FromToken(*request->next_token);
    if (!after) return InvalidValue("Invalid nextToken");
  }
  const std::vector<Series> found = Find(context, *request, after);
  const std::size_t shown = std::min(found.size(), kPageMax);
  Document::List metrics;
  for (std::size_t i = 0; i < shown; ++i) metrics.push_back(Write(found[i]));
  Document::Struct output;
  output.push_back({"Metrics", {std::move(metrics)}});
  if (shown < found.size()) output.push_back({"NextToken", {ToToken(found[shown - 1])}});
  return Document{std::move(output)};
}

}  // namespace taula::cloudwatch
