#include "cloudwatch/metric_identity.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace taula::cloudwatch {
namespace {

using metrics::Series;

constexpr std::size_t kDimensionsMax = 30;
constexpr std::size_t kNameCharsMax = 255;

// As CloudWatch lists them.
constexpr auto kDimensionNames = std::to_array<std::pair<std::string_view, std::string Series::*>>({
    {"TableName", &Series::table},
    {"GlobalSecondaryIndexName", &Series::index},
    {"Operation", &Series::operation},
    {"StreamLabel", &Series::stream_label},
});

Outcome<void> CheckName(const std::optional<std::string>& name, std::string_view place, std::string_view parameter) {
  const std::string full = fmt::format("{}{}", place, parameter);
  if (!name) return Missing(full);
  if (name->size() > kNameCharsMax) {
    return InvalidValue(fmt::format("The parameter {} must be shorter than {} characters.", full, kNameCharsMax + 1));
  }
  return {};
}

}  // namespace

Outcome<MetricIdentity> ReadMetricIdentity(const Input& input, std::string_view place) {
  std::optional<std::string> name_space = input.Text("Namespace");
  std::optional<std::string> name = input.Text("MetricName");
  if (const auto ok = CheckName(name_space, place, "Namespace"); !ok) return std::unexpected(ok.error());
  if (const auto ok = CheckName(name, place, "MetricName"); !ok) return std::unexpected(ok.error());
  MetricIdentity identity{*std::move(name_space), *std::move(name), {}};
  const std::vector<Input> dimensions = input.Structs("Dimensions");
  if (dimensions.size() > kDimensionsMax) {
    return InvalidValue(
        fmt::format("The collection {}Dimensions must not have a size greater than {}.", place, kDimensionsMax));
  }
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    std::optional<std::string> dimension = dimensions[i].Text("Name");
    std::optional<std::string> value = dimensions[i].Text("Value");
    const std::string_view missing = !dimension ? "Name" : "Value";
    if (!dimension || !value) return Missing(fmt::format("{}Dimensions.member.{}.{}", place, i + 1, missing));
    identity.dimensions.push_back({*std::move(dimension), *std::move(value)});
  }
  return identity;
}

std::optional<Series> SeriesOf(const MetricIdentity& identity) {
  const auto metric = metrics::MetricNamed(identity.name);
  if (identity.name_space != kDynamoDbNamespace || !metric) return std::nullopt;
  Series series{.metric = *metric};
  for (const Dimension& dimension : identity.dimensions) {
    bool known = false;
    for (const auto& [name, member] : kDimensionNames) {
      if (name != dimension.name || !(series.*member).empty()) continue;
      series.*member = dimension.value;
      known = true;
    }
    if (!known) return std::nullopt;
  }
  return series;
}

std::vector<Dimension> DimensionsOf(const Series& series) {
  std::vector<Dimension> dimensions;
  for (const auto& [name, member] : kDimensionNames) {
    if (!(series.*member).empty()) dimensions.push_back({std::string(name), series.*member});
  }
  return dimensions;
}

}  // namespace taula::cloudwatch
