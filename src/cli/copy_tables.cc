#include "cli/copy_tables.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>

#include "client/client.h"
#include "client/credentials.h"
#include "client/patience.h"
#include "client/url.h"
#include "transfer/table_shape.h"

namespace taula::cli {
namespace {

// As the process', but with the profile that was named, whose keys come before
// those of the environment.
client::Environment EnvironmentOf(const CopyServer& server) {
  auto process = client::ProcessEnvironment();
  if (server.profile.empty()) return process;
  return [process, profile = server.profile](const char* name) -> std::optional<std::string> {
    const std::string_view variable = name;
    if (variable == "AWS_PROFILE") return profile;
    if (variable.starts_with("AWS_ACCESS_KEY") || variable.starts_with("AWS_SECRET") ||
        variable.starts_with("AWS_SESSION") || variable.starts_with("AWS_REGION") ||
        variable.starts_with("AWS_DEFAULT_REGION")) {
      return std::nullopt;
    }
    return process(name);
  };
}

bool IsPattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

bool IsOfStreams(std::string_view operation) {
  return operation == "DescribeStream" || operation == "GetShardIterator" || operation == "GetRecords";
}

}  // namespace

std::expected<transfer::CopyEnd, std::string> OpenCopyEnd(const CopyServer& server) {
  const client::Environment environment = EnvironmentOf(server);
  auto tables = client::Client::Open({.endpoint = server.endpoint, .region = server.region}, environment);
  if (!tables) return std::unexpected(tables.error());
  // Amazon's streams are at another host, which does not tell the region.
  const auto region = client::FindRegion(server.region, (*tables)->endpoint(), environment);
  auto streams =
      client::Client::Open({.endpoint = client::StreamsEndpoint(server.endpoint), .region = region}, environment);
  if (!streams) return std::unexpected(streams.error());
  const std::string origin = (*tables)->endpoint().Origin();
  struct Health {
    std::atomic<bool> answered = false;
    std::atomic<bool> failing = false;
  };
  auto call = [tables = std::shared_ptr(*std::move(tables)), streams = std::shared_ptr(*std::move(streams)),
               health = std::make_shared<Health>()](std::string_view operation, const std::string& body) {
    auto answer = (IsOfStreams(operation) ? streams : tables)->Call(operation, body);
    const bool is_away = !answer && answer.error().code == ErrorCode::kServiceUnavailable;
    if (is_away && health->answered && !health->failing.exchange(true)) {
      fmt::print(stderr, "taula: {} Trying again.\n", answer.error().message);
    }
    if (!is_away) {
      health->answered = true;
      health->failing = false;
    }
    return answer;
  };
  return transfer::CopyEnd{std::move(call), origin};
}

std::expected<CopyNames, std::string> ChooseTables(const CopyOptions& options, const client::CallFunction& source) {
  if (options.all != options.tables.empty()) {
    return std::unexpected(std::string("which tables? Name them, or give --all."));
  }
  const bool must_list = options.all || std::ranges::any_of(options.tables, IsPattern);
  std::vector<std::string> there;
  if (must_list) {
    auto names = transfer::TableNames(source);
    if (!names) return std::unexpected(names.error().message);
    there = *std::move(names);
  }
  std::vector<std::string> chosen;
  const auto choose = [&](const std::string& name) {
    if (std::ranges::find(chosen, name) == chosen.end()) chosen.push_back(name);
  };
  for (const std::string& given : options.tables) {
    if (!IsPattern(given)) {
      choose(given);
      continue;
    }
    const std::size_t before = chosen.size();
    for (const std::string& name : there) {
      if (fnmatch(given.c_str(), name.c_str(), 0) == 0) choose(name);
    }
    if (chosen.size() == before) {
      return std::unexpected(fmt::format("{} has no table like '{}'.", options.from.endpoint, given));
    }
  }
  if (options.all) chosen = there;
  if (chosen.empty()) return std::unexpected(fmt::format("{} has no tables.", options.from.endpoint));
  if (!options.as.empty() && chosen.size() > 1) {
    return std::unexpected(
        fmt::format("--as names one copy, and there are {} tables; --prefix is for several.", chosen.size()));
  }
  CopyNames names;
  for (const std::string& name : chosen)
    names.emplace_back(name, options.as.empty() ? options.prefix + name : options.as);
  return names;
}

std::string UsualStateFolder() {
  const auto environment = client::ProcessEnvironment();
  if (const auto state = environment("XDG_STATE_HOME")) return *state + "/taula";
  if (const auto home = environment("HOME")) return *home + "/.local/state/taula";
  return "taula-state";
}

}  // namespace taula::cli
