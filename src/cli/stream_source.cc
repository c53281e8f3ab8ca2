#include "cli/stream_source.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "client/client.h"
#include "client/url.h"

namespace taula::cli {
namespace {

constexpr std::chrono::milliseconds kPause{100};
constexpr std::chrono::milliseconds kPauseMax{10'000};

}  // namespace

void AddStreamSource(CLI::App& command, StreamSource& source) {
  AddTableSource(command, source);
  command
      .add_option("--from", source.from,
                  "Where to begin: with what happens from now on, or with the oldest change that "
                  "the stream still has")
      ->check(CLI::IsMember({"now", "oldest"}))
      ->type_name("now|oldest")
      ->default_str(source.from);
}

std::expected<client::StreamFollower, std::string> Follow(const StreamSource& source) {
  auto tables = client::Client::Open({.endpoint = source.endpoint, .region = source.region, .http = {}});
  if (!tables) return std::unexpected(tables.error());
  auto streams =
      client::Client::Open({.endpoint = client::StreamsEndpoint(source.endpoint), .region = source.region, .http = {}});
  if (!streams) return std::unexpected(streams.error());
  const auto call = [tables = std::shared_ptr(*std::move(tables)), streams = std::shared_ptr(*std::move(streams))](
                        std::string_view operation, const std::string& body) {
    return (operation == "DescribeTable" ? tables : streams)->Call(operation, body);
  };
  const auto from = source.from == "now" ? client::StreamFollower::From::kNow : client::StreamFollower::From::kOldest;
  return client::StreamFollower(call, source.table, from);
}

void WaitBetweenPolls(std::size_t records, std::size_t failures) {
  if (records > 0 && failures == 0) return;
  const auto pause = kPause * (std::int64_t{1} << std::min<std::size_t>(failures, 10));
  std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(pause, kPauseMax));
}

}  // namespace taula::cli
