#include "client/credentials.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>

namespace taula::client {
namespace {

using Section = std::map<std::string, std::string, std::less<>>;
using Sections = std::map<std::string, Section, std::less<>>;

std::string_view Trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A file of "[section]" and "name = value" lines; nothing of one that cannot be
// read. Indented lines belong to a setting above them and are of no use here.
Sections ReadSections(const std::string& path) {
  Sections sections;
  std::ifstream file(path);
  std::string line;
  std::string section;
  while (std::getline(file, line)) {
    const std::string_view text = Trim(line);
    if (text.empty() || text.starts_with('#') || text.starts_with(';') || line[0] == ' ' || line[0] == '\t') continue;
    if (text.starts_with('[') && text.ends_with(']')) {
      section = Trim(text.substr(1, text.size() - 2));
      sections[section];
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    sections[section][std::string(Trim(text.substr(0, equals)))] = Trim(text.substr(equals + 1));
  }
  return sections;
}

std::string PathOf(const Environment& environment, const char* variable, std::string_view name) {
  if (auto path = environment(variable)) return *path;
  return environment("HOME").value_or("") + "/.aws/" + std::string(name);
}

std::string ProfileName(const Environment& environment) { return environment("AWS_PROFILE").value_or("default"); }

// What both files say of the profile; the credentials file comes first. Nothing
// when neither knows it.
std::optional<Section> FindProfile(const Environment& environment) {
  const std::string name = ProfileName(environment);
  Sections credentials = ReadSections(PathOf(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials"));
  Sections config = ReadSections(PathOf(environment, "AWS_CONFIG_FILE", "config"));
  const auto in_credentials = credentials.find(name);
  auto in_config = config.find("profile " + name);
  if (in_config == config.end() && name == "default") in_config = config.find(name);
  if (in_credentials == credentials.end() && in_config == config.end()) return std::nullopt;
  Section profile;
  if (in_credentials != credentials.end()) profile = in_credentials->second;
  if (in_config != config.end()) profile.merge(in_config->second);
  return profile;
}

std::string ValueOf(const Section& section, std::string_view name) {
  const auto found = section.find(name);
  return found == section.end() ? std::string() : found->second;
}

// What a profile without keys has instead, which takes Amazon's tools to use.
std::string OtherSource(const Section& profile) {
  static constexpr std::array<std::string_view, 6> kSources = {
      "sso_session", "sso_start_url", "role_arn", "credential_process", "source_profile", "web_identity_token_file"};
  for (const std::string_view source : kSources) {
    if (profile.contains(source)) return std::string(source);
  }
  return "";
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

std::expected<Credentials, std::string> FindCredentials(const Url& server, const Environment& environment) {
  const auto id = environment("AWS_ACCESS_KEY_ID");
  const auto secret = environment("AWS_SECRET_ACCESS_KEY");
  if (id && secret) return Credentials{*id, *secret, environment("AWS_SESSION_TOKEN").value_or("")};
  if (id || secret) {
    return std::unexpected(fmt::format("{} is set and {} is not; both are needed.",
                                       id ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY",
                                       id ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID"));
  }
  const auto profile = FindProfile(environment);
  if (profile && profile->contains("aws_access_key_id") && profile->contains("aws_secret_access_key")) {
    return Credentials{ValueOf(*profile, "aws_access_key_id"), ValueOf(*profile, "aws_secret_access_key"),
                       ValueOf(*profile, "aws_session_token")};
  }
  if (server.IsLoopback()) return Credentials{"local", "local", ""};
  const std::string name = ProfileName(environment);
  if (profile && !OtherSource(*profile).empty()) {
    return std::unexpected(
        fmt::format("The profile '{0}' gets its credentials through {1}, which Taula does not do. "
                    "'eval \"$(aws configure export-credentials --profile {0} --format env)\"' sets "
                    "the variables that it takes.",
                    name, OtherSource(*profile)));
  }
  if (environment("AWS_PROFILE")) {
    return std::unexpected(
        fmt::format("The profile '{}' (AWS_PROFILE) has no access key in ~/.aws/credentials or ~/.aws/config.", name));
  }
  return std::unexpected(
      fmt::format("There are no credentials for {}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
                  server.Origin()));
}

std::string FindRegion(std::string_view given, const Url& server, const Environment& environment) {
  if (!given.empty()) return std::string(given);
  // dynamodb.eu-west-1.amazonaws.com takes no signature for another region.
  constexpr std::string_view kService = "dynamodb.";
  if (const std::size_t end = server.host.find(".amazonaws.com");
      end != std::string::npos && server.host.starts_with(kService) && end > kService.size()) {
    return server.host.substr(kService.size(), end - kService.size());
  }
  if (auto region = environment("AWS_REGION")) return *region;
  if (auto region = environment("AWS_DEFAULT_REGION")) return *region;
  if (const auto profile = FindProfile(environment); profile && profile->contains("region")) {
    return ValueOf(*profile, "region");
  }
  return "us-east-1";
}

}  // namespace taula::client
