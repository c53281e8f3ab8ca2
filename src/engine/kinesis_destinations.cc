#include "engine/kinesis_destinations.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/table_arn.h"

namespace taula::engine {
namespace {

using Destinations = std::vector<catalog::KinesisDestination>;

constexpr std::string_view kDefaultPrecision = "MILLISECOND";

std::unexpected<Error> InvalidState(std::string_view what) {
  return ValidationError(
      fmt::format("Table is not in a valid state to enable Kinesis Streaming Destination: {}", what));
}

// Why the stream cannot be used; nothing when it might.
std::string FailureOf(std::string_view stream_arn, std::string_view region) {
  const std::optional<Arn> arn = ParseArn(stream_arn);
  const bool stream =
      arn && arn->service == "kinesis" && arn->resource.starts_with("stream/") && !arn->resource.contains("/consumer/");
  if (!stream) return "User does not have a permission to use kinesis stream";
  if (arn->region != region) {
    return "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region";
  }
  return {};
}

Destinations::iterator Find(Destinations& destinations, std::string_view stream_arn) {
  return std::ranges::find(destinations, stream_arn, &catalog::KinesisDestination::stream_arn);
}

template <typename Edit>
Result<void> Change(catalog::Catalog& catalog, std::string_view table, Edit edit) {
  const auto changed = catalog.Change(table, edit);
  if (!changed) return std::unexpected(changed.error());
  return {};
}

}  // namespace

Result<void> EnableKinesisDestination(catalog::Catalog& catalog, std::string_view region, std::string_view table,
                                      const std::string& stream_arn, const std::optional<std::string>& precision) {
  return Change(catalog, table, [&](catalog::Table& edited) -> Result<void> {
    Destinations& destinations = edited.kinesis_destinations;
    if (std::ranges::any_of(destinations, &catalog::KinesisDestination::active)) {
      return InvalidState(
          "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.");
    }
    catalog::KinesisDestination destination{
        .stream_arn = stream_arn, .failure = FailureOf(stream_arn, region), .timestamp_precision = precision};
    destination.active = destination.failure.empty();
    const auto known = Find(destinations, stream_arn);
    if (known == destinations.end()) {
      destinations.insert(destinations.begin(), std::move(destination));
    } else {
      *known = std::move(destination);
    }
    return {};
  });
}

Result<void> DisableKinesisDestination(catalog::Catalog& catalog, std::string_view table,
                                       const std::string& stream_arn) {
  return Change(catalog, table, [&](catalog::Table& edited) -> Result<void> {
    const auto known = Find(edited.kinesis_destinations, stream_arn);
    if (known == edited.kinesis_destinations.end() || !known->active) {
      return InvalidState("KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
    }
    known->active = false;
    return {};
  });
}

Result<void> UpdateKinesisDestination(catalog::Catalog& catalog, std::string_view table, const std::string& stream_arn,
                                      const std::string& precision) {
  return Change(catalog, table, [&](catalog::Table& edited) -> Result<void> {
    const auto known = Find(edited.kinesis_destinations, stream_arn);
    if (known == edited.kinesis_destinations.end()) {
      return InvalidState(fmt::format("No streaming destination with streamArn: {} found for table with tableName: {}",
                                      stream_arn, edited.name));
    }
    if (!known->active) {
      return InvalidState(
          fmt::format("Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: "
                      "{}, kdsArn: {}",
                      edited.name, stream_arn));
    }
    if (known->timestamp_precision.value_or(std::string(kDefaultPrecision)) == precision) {
      return ValidationError(
          fmt::format("Invalid Request: Precision is already set to the desired value of {} for tableId: {}, kdsArn: "
                      "{}",
                      precision, edited.id, stream_arn));
    }
    known->timestamp_precision = precision;
    return {};
  });
}

}  // namespace taula::engine
