// The Kinesis data streams that changes of a table are said to be sent to. They
// are kept and described with Amazon's states, so that what sets them up works;
// but there is no Kinesis here, and nothing is sent. Streams are (streams.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "catalog/table.h"
#include "taula/error.h"

namespace taula::engine {

// A destination that is active says in these words what it does.
inline constexpr std::string_view kNothingIsSent =
    "There is no Kinesis on this server: nothing is sent to the stream. Changes can be had from the table's own "
    "stream, which `taula trigger` hands to a command or a URL.";

// They fail with kValidationException when the destination is not in a state for it.
// `stream_arn` may be any text; what is no stream of this region fails to be enabled
// afterwards, as its description then tells.
[[nodiscard]] Result<void> EnableKinesisDestination(catalog::Catalog& catalog, std::string_view region,
                                                    std::string_view table, const std::string& stream_arn,
                                                    const std::optional<std::string>& precision);
[[nodiscard]] Result<void> DisableKinesisDestination(catalog::Catalog& catalog, std::string_view table,
                                                     const std::string& stream_arn);
[[nodiscard]] Result<void> UpdateKinesisDestination(catalog::Catalog& catalog, std::string_view table,
                                                    const std::string& stream_arn, const std::string& precision);

}  // namespace taula::engine
