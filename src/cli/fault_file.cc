#include "cli/fault_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>

#include "api/operations.h"
#include "codec/json_writer.h"
#include "design/yaml_tree.h"

namespace taula::cli {
namespace {

using api::FaultProfile;
using api::FaultRule;
using design::YamlNode;

using Wrong = std::expected<void, std::string>;

std::unexpected<std::string> No(std::string what) { return std::unexpected(std::move(what)); }

struct ShareSetting {
  std::string_view name;
  double FaultRule::*share;
};
constexpr auto kShares = std::to_array<ShareSetting>({{"throttle", &FaultRule::throttle},
                                                      {"internal-error", &FaultRule::internal_error},
                                                      {"unavailable", &FaultRule::unavailable},
                                                      {"conflict", &FaultRule::conflict},
                                                      {"lost-answer", &FaultRule::lost_answer},
                                                      {"unprocessed", &FaultRule::unprocessed}});

constexpr std::string_view kRuleSettings =
    "operations, tables, throttle, internal-error, unavailable, conflict, lost-answer, unprocessed, latency and "
    "latency-spread";
constexpr std::string_view kProfileSettings = "seed, index-lag, stale-reads, stale-lag and rules";

std::optional<double> Number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::expected<double, std::string> Share(std::string_view name, std::string_view text) {
  const std::optional<double> share = Number(text);
  if (share && *share >= 0 && *share <= 1) return *share;
  return No(fmt::format("{} is a share from 0 to 1, not '{}'", name, text));
}

// "20ms", "1.5s"
std::expected<double, std::string> Milliseconds(std::string_view name, std::string_view text) {
  constexpr double kMost = 600'000;
  std::string_view digits = text;
  double factor = 0;
  if (digits.ends_with("ms")) {
    factor = 1;
    digits.remove_suffix(2);
  } else if (digits.ends_with("s")) {
    factor = 1000;
    digits.remove_suffix(1);
  }
  const std::optional<double> number = Number(digits);
  if (factor != 0 && number && *number >= 0 && *number * factor <= kMost) return *number * factor;
  return No(fmt::format("{} is a time such as 20ms or 1.5s, up to 600s, not '{}'", name, text));
}

std::vector<std::string> SplitAt(char separator, std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::expected<std::vector<std::string>, std::string> Operations(std::string_view text) {
  std::vector<std::string> names = SplitAt(',', text);
  for (const std::string& name : names) {
    if (api::FindOperation(api::kDynamoDb, name) || api::FindOperation(api::kDynamoDbStreams, name)) continue;
    return No(fmt::format("there is no operation '{}'", name));
  }
  return names;
}

// False when rules have no such setting.
std::expected<bool, std::string> SetInRule(FaultRule& rule, std::string_view name, std::string_view value) {
  for (const ShareSetting& each : kShares) {
    if (each.name != name) continue;
    const auto share = Share(name, value);
    if (!share) return No(share.error());
    rule.*each.share = *share;
    return true;
  }
  if (name == "latency" || name == "latency-spread") {
    const auto time = Milliseconds(name, value);
    if (!time) return No(time.error());
    (name == "latency" ? rule.latency_ms : rule.latency_spread_ms) = *time;
    return true;
  }
  if (name == "operations") {
    auto operations = Operations(value);
    if (!operations) return No(operations.error());
    rule.operations = *std::move(operations);
    return true;
  }
  if (name == "tables") {
    rule.tables = SplitAt(',', value);
    return true;
  }
  return false;
}

// False when profiles have no such setting.
std::expected<bool, std::string> SetInProfile(FaultProfile& profile, std::string_view name, std::string_view value) {
  if (name == "seed") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), profile.seed);
    if (error == std::errc() && end == value.data() + value.size()) return true;
    return No(fmt::format("seed is a whole number, not '{}'", value));
  }
  if (name == "stale-reads") {
    const auto share = Share(name, value);
    if (!share) return No(share.error());
    profile.stale_reads = *share;
    return true;
  }
  if (name == "index-lag" || name == "stale-lag") {
    const auto time = Milliseconds(name, value);
    if (!time) return No(time.error());
    (name == "index-lag" ? profile.index_lag_ms : profile.stale_lag_ms) = static_cast<std::int64_t>(*time);
    return true;
  }
  return false;
}

std::unexpected<std::string> AtLine(const design::Place& place, std::string_view what) {
  return No(fmt::format("line {}: {}", place.line, what));
}

// A list of names, or one of them, as the text that settings take.
std::string TextOf(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kList) return node.text;
  std::vector<std::string> texts;
  for (const YamlNode& each : node.list) texts.push_back(each.text);
  return fmt::format("{}", fmt::join(texts, ","));
}

Wrong ReadRule(const YamlNode& node, FaultRule& rule) {
  if (node.kind != YamlNode::Kind::kMap) return AtLine(node.place, "a rule is a map of settings");
  for (const design::YamlMember& member : node.map) {
    const auto set = SetInRule(rule, member.name, TextOf(member.value));
    if (!set) return AtLine(member.place, set.error());
    if (!*set) return AtLine(member.place, fmt::format("rules have {}, not '{}'", kRuleSettings, member.name));
  }
  return {};
}

Wrong ReadProfile(const YamlNode& node, FaultProfile& profile) {
  if (node.kind == YamlNode::Kind::kNull) return {};
  if (node.kind != YamlNode::Kind::kMap) return AtLine(node.place, "a profile is a map of settings");
  for (const design::YamlMember& member : node.map) {
    if (member.name == "rules") {
      if (member.value.kind != YamlNode::Kind::kList) return AtLine(member.place, "rules is a list of rules");
      for (const YamlNode& rule : member.value.list) {
        if (Wrong wrong = ReadRule(rule, profile.rules.emplace_back()); !wrong) return wrong;
      }
      continue;
    }
    const auto set = SetInProfile(profile, member.name, member.value.text);
    if (!set) return AtLine(member.place, set.error());
    if (!*set) return AtLine(member.place, fmt::format("profiles have {}, not '{}'", kProfileSettings, member.name));
  }
  return {};
}

}  // namespace

std::expected<FaultProfile, std::string> ParseFaults(std::string_view text) {
  const auto tree = design::ParseYaml(text);
  if (!tree) return AtLine(tree.error().place, tree.error().what);
  FaultProfile profile;
  if (const Wrong wrong = ReadProfile(*tree, profile); !wrong) return No(wrong.error());
  return profile;
}

std::expected<void, std::string> AddFault(FaultProfile& profile, std::string_view settings) {
  FaultRule rule;
  bool has_rule = false;
  for (const std::string& setting : SplitAt(' ', settings)) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return No(fmt::format("'{}' is not of the form name=value", setting));
    const std::string_view name = std::string_view(setting).substr(0, equals);
    const std::string_view value = std::string_view(setting).substr(equals + 1);
    const auto in_profile = SetInProfile(profile, name, value);
    if (!in_profile) return No(in_profile.error());
    if (*in_profile) continue;
    const auto in_rule = SetInRule(rule, name, value);
    if (!in_rule) return No(in_rule.error());
    if (!*in_rule) {
      return No(fmt::format("there is no fault '{}'; there are {}, seed, index-lag, stale-reads and stale-lag", name,
                            kRuleSettings));
    }
    has_rule = true;
  }
  if (has_rule) profile.rules.push_back(std::move(rule));
  return {};
}

std::expected<FaultProfile, std::string> ReadFaults(const std::string& path, const std::vector<std::string>& added) {
  FaultProfile profile;
  if (!path.empty()) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return No(fmt::format("cannot read {}", path));
    auto read = ParseFaults(text.view());
    if (!read) return No(fmt::format("{}: {}", path, read.error()));
    profile = *std::move(read);
  }
  for (const std::string& settings : added) {
    if (const auto ok = AddFault(profile, settings); !ok) return No(ok.error());
  }
  return profile;
}

std::string FaultsJson(const FaultProfile& profile) {
  std::string out;
  codec::JsonWriter json(out);
  const auto names = [&](std::string_view member, const std::vector<std::string>& each) {
    if (each.empty()) return;
    json.Key(member).BeginArray();
    for (const std::string& name : each) json.String(name);
    json.EndArray();
  };
  const auto time = [&](std::string_view member, double milliseconds) {
    if (milliseconds > 0) json.Key(member).String(fmt::format("{}ms", milliseconds));
  };
  json.BeginObject();
  json.Key("seed").Json(std::to_string(profile.seed));
  time("index-lag", static_cast<double>(profile.index_lag_ms));
  if (profile.stale_reads > 0) {
    json.Key("stale-reads").Double(profile.stale_reads);
    time("stale-lag", static_cast<double>(profile.stale_lag_ms));
  }
  json.Key("rules").BeginArray();
  for (const FaultRule& rule : profile.rules) {
    json.BeginObject();
    names("operations", rule.operations);
    names("tables", rule.tables);
    for (const ShareSetting& each : kShares) {
      if (rule.*each.share > 0) json.Key(each.name).Double(rule.*each.share);
    }
    time("latency", rule.latency_ms);
    time("latency-spread", rule.latency_spread_ms);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return out;
}

}  // namespace taula::cli
