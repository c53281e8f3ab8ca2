#include "engine/policy_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "codec/json_writer.h"
#include "engine/index_rules.h"
#include "engine/policy_reader.h"
#include "engine/table_arn.h"

namespace taula::engine {
namespace {

constexpr std::string_view kService = "dynamodb:";

// What a policy of a table can be about, by the names that IAM knows.
constexpr auto kTableActions = std::to_array<std::string_view>({"AssociateTableReplica",
                                                                "BatchGetItem",
                                                                "BatchWriteItem",
                                                                "ConditionCheckItem",
                                                                "CreateBackup",
                                                                "CreateGlobalTable",
                                                                "CreateTable",
                                                                "CreateTableReplica",
                                                                "DeleteBackup",
                                                                "DeleteItem",
                                                                "DeleteResourcePolicy",
                                                                "DeleteTable",
                                                                "DeleteTableReplica",
                                                                "DescribeBackup",
                                                                "DescribeContinuousBackups",
                                                                "DescribeContributorInsights",
                                                                "DescribeEndpoints",
                                                                "DescribeExport",
                                                                "DescribeGlobalTable",
                                                                "DescribeGlobalTableSettings",
                                                                "DescribeImport",
                                                                "DescribeKinesisStreamingDestination",
                                                                "DescribeLimits",
                                                                "DescribeTable",
                                                                "DescribeTableReplicaAutoScaling",
                                                                "DescribeTimeToLive",
                                                                "DisableKinesisStreamingDestination",
                                                                "EnableKinesisStreamingDestination",
                                                                "ExportTableToPointInTime",
                                                                "GetItem",
                                                                "GetResourcePolicy",
                                                                "ImportTable",
                                                                "ListBackups",
                                                                "ListContributorInsights",
                                                                "ListExports",
                                                                "ListGlobalTables",
                                                                "ListImports",
                                                                "ListTables",
                                                                "ListTagsOfResource",
                                                                "PartiQLDelete",
                                                                "PartiQLInsert",
                                                                "PartiQLSelect",
                                                                "PartiQLUpdate",
                                                                "PutItem",
                                                                "PutResourcePolicy",
                                                                "Query",
                                                                "ReadDataForReplication",
                                                                "ReplicateSettings",
                                                                "RestoreTableFromAwsBackup",
                                                                "RestoreTableFromBackup",
                                                                "RestoreTableToPointInTime",
                                                                "Scan",
                                                                "StartAwsBackupJob",
                                                                "TagResource",
                                                                "UntagResource",
                                                                "UpdateContinuousBackups",
                                                                "UpdateContributorInsights",
                                                                "UpdateGlobalTable",
                                                                "UpdateGlobalTableSettings",
                                                                "UpdateGlobalTableVersion",
                                                                "UpdateItem",
                                                                "UpdateKinesisStreamingDestination",
                                                                "UpdateTable",
                                                                "UpdateTableReplicaAutoScaling",
                                                                "UpdateTimeToLive",
                                                                "WriteDataForReplication"});

constexpr auto kStreamActions =
    std::to_array<std::string_view>({"DeleteResourcePolicy", "DescribeStream", "GetRecords", "GetResourcePolicy",
                                     "GetShardIterator", "PutResourcePolicy"});

// A condition on one of these narrows down who "everybody" is.
constexpr auto kNarrowingKeys = std::to_array<std::string_view>(
    {"aws:PrincipalAccount", "aws:PrincipalArn", "aws:PrincipalOrgID", "aws:PrincipalOrgPaths", "aws:SourceAccount",
     "aws:SourceArn", "aws:SourceIp", "aws:SourceOrgID", "aws:SourceOrgPaths", "aws:SourceVpc", "aws:SourceVpce",
     "aws:userid", "aws:VpcSourceIp"});

char LowerCase(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char character) { return LowerCase(character); });
  return lower;
}

bool IsAction(std::string_view pattern, PolicyTarget target) {
  const auto matches = [&](std::string_view name) {
    return MatchesPolicyAction(pattern, std::string(kService).append(name));
  };
  return target == PolicyTarget::kTable ? std::ranges::any_of(kTableActions, matches)
                                        : std::ranges::any_of(kStreamActions, matches);
}

Result<void> CheckActions(const PolicyDocument& policy, PolicyTarget target) {
  std::vector<std::string> unknown;
  for (const PolicyStatement& statement : policy.statements) {
    for (const std::string& action : statement.actions.patterns) {
      if (!IsAction(action, target)) unknown.push_back(fmt::format("\"{}\"", action));
    }
  }
  if (unknown.empty()) return {};
  return InvalidPolicy(fmt::format("The following action names are invalid: {}", fmt::join(unknown, ", ")));
}

// A policy of a table is about tables and indexes, one of a stream about streams.
// A * may stand for the part that tells which.
Result<void> CheckResource(std::string_view resource, PolicyTarget target) {
  if (resource == "*") return {};
  const std::optional<Arn> arn = ParseArn(resource);
  if (!arn) return InvalidPolicy(fmt::format("Resource {} must be in ARN format or \"*\".", resource));
  const bool of_stream = arn->resource.contains("/stream/");
  const bool fits = target == PolicyTarget::kStream ? of_stream || arn->resource.contains('*') : !of_stream;
  if (fits) return {};
  return InvalidPolicy(fmt::format("The relative-id \"{}\" is invalid for ARN \"{}\"", arn->resource, resource));
}

// Whether an account of this number, or a user or role of this name, exists is
// not known here.
bool IsPrincipal(std::string_view kind, std::string_view name) {
  if (name == "*") return true;
  if (kind != "AWS") return !name.empty();
  const std::optional<Arn> arn = ParseArn(name);
  if (!arn || (arn->service != "iam" && arn->service != "sts") || arn->account.size() != 12) return false;
  constexpr auto kKinds =
      std::to_array<std::string_view>({"user/", "role/", "assumed-role/", "federated-user/", "group/"});
  return arn->resource == "root" ||
         std::ranges::any_of(kKinds, [&](std::string_view prefix) { return arn->resource.starts_with(prefix); });
}

bool NamesEveryone(const PolicyPrincipals& principals) {
  if (principals.negated) return false;
  return principals.everyone || std::ranges::any_of(principals.by_kind, [](const auto& kind) {
           return std::ranges::find(kind.second, "*") != kind.second.end();
         });
}

bool NarrowsDown(const PolicyCondition& condition) {
  return std::ranges::any_of(condition.keys, [](const auto& key) {
    const bool narrowing = std::ranges::any_of(
        kNarrowingKeys, [&](std::string_view known) { return LowerCase(known) == LowerCase(key.first); });
    return narrowing &&
           std::ranges::none_of(key.second, [](const std::string& value) { return value.empty() || value == "*"; });
  });
}

Result<void> CheckPrincipals(const PolicyStatement& statement) {
  for (const auto& [kind, names] : statement.principals.by_kind) {
    for (const std::string& name : names) {
      if (!IsPrincipal(kind, name)) return InvalidParameter("Invalid principal in policy document.");
    }
  }
  if (statement.allows && NamesEveryone(statement.principals) &&
      std::ranges::none_of(statement.conditions, NarrowsDown)) {
    return ValidationError(
        "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure "
        "least-privilege form of access");
  }
  return {};
}

void WriteTexts(codec::JsonWriter& json, const std::vector<std::string>& texts) {
  if (texts.size() == 1) {
    json.String(texts.front());
    return;
  }
  json.BeginArray();
  for (const std::string& text : texts) json.String(text);
  json.EndArray();
}

void WritePatterns(codec::JsonWriter& json, std::string_view name, const PolicyPatterns& patterns) {
  json.Key(patterns.negated ? fmt::format("Not{}", name) : std::string(name));
  WriteTexts(json, patterns.patterns);
}

void WritePrincipals(codec::JsonWriter& json, const PolicyPrincipals& principals) {
  json.Key(principals.negated ? "NotPrincipal" : "Principal");
  if (principals.everyone) {
    json.String("*");
    return;
  }
  json.BeginObject();
  for (const auto& [kind, names] : principals.by_kind) {
    json.Key(kind);
    WriteTexts(json, names);
  }
  json.EndObject();
}

void WriteStatement(codec::JsonWriter& json, const PolicyStatement& statement) {
  json.BeginObject();
  if (statement.sid) json.Key("Sid").String(*statement.sid);
  json.Key("Effect").String(statement.allows ? "Allow" : "Deny");
  WritePrincipals(json, statement.principals);
  WritePatterns(json, "Action", statement.actions);
  WritePatterns(json, "Resource", statement.resources);
  if (!statement.conditions.empty()) {
    json.Key("Condition").BeginObject();
    for (const PolicyCondition& condition : statement.conditions) {
      json.Key(condition.comparison).BeginObject();
      for (const auto& [key, values] : condition.keys) {
        json.Key(key);
        WriteTexts(json, values);
      }
      json.EndObject();
    }
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

Result<PolicyDocument> ReadPolicy(std::string_view json, PolicyTarget target) {
  if (json.size() > kPolicyBytesMax) {
    return InvalidParameter(fmt::format("Maximum policy size of {} bytes exceeded", kPolicyBytesMax));
  }
  Result<PolicyDocument> policy = ReadPolicyParts(json);
  if (!policy) return policy;
  if (auto actions = CheckActions(*policy, target); !actions) return std::unexpected(actions.error());
  for (const PolicyStatement& statement : policy->statements) {
    for (const std::string& resource : statement.resources.patterns) {
      if (auto fits = CheckResource(resource, target); !fits) return std::unexpected(fits.error());
    }
  }
  for (const PolicyStatement& statement : policy->statements) {
    if (auto principals = CheckPrincipals(statement); !principals) return std::unexpected(principals.error());
  }
  return policy;
}

std::string PolicyText(const PolicyDocument& policy) {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  if (policy.version) json.Key("Version").String(*policy.version);
  if (policy.id) json.Key("Id").String(*policy.id);
  json.Key("Statement").BeginArray();
  for (const PolicyStatement& statement : policy.statements) WriteStatement(json, statement);
  json.EndArray();
  json.EndObject();
  return text;
}

std::string ShownPolicyText(std::string_view canonical) {
  constexpr std::string_view kVersionMember = "{\"Version\":";
  if (canonical.starts_with(kVersionMember) || canonical.empty()) return std::string(canonical);
  return fmt::format("{}\"2008-10-17\",{}", kVersionMember, canonical.substr(1));
}

bool LocksOut(const PolicyDocument& policy, std::string_view account, std::string_view resource_arn) {
  const std::string root = fmt::format("arn:aws:iam::{}:root", account);
  const auto denies_all = [&](const PolicyStatement& statement) {
    if (statement.allows || !statement.conditions.empty() || statement.principals.negated) return false;
    const bool of_account = std::ranges::any_of(statement.principals.by_kind, [&](const auto& kind) {
      return std::ranges::find(kind.second, root) != kind.second.end();
    });
    if (!of_account && !NamesEveryone(statement.principals)) return false;
    const bool action = std::ranges::any_of(statement.actions.patterns, [](const std::string& pattern) {
      return MatchesPolicyAction(pattern, "dynamodb:PutResourcePolicy");
    });
    const bool resource = std::ranges::any_of(statement.resources.patterns, [&](const std::string& pattern) {
      return MatchesPolicyPattern(pattern, resource_arn);
    });
    return action != statement.actions.negated && resource != statement.resources.negated;
  };
  return std::ranges::any_of(policy.statements, denies_all);
}

bool MatchesPolicyPattern(std::string_view pattern, std::string_view text) {
  // The latest star, and where the text behind it began, to come back to.
  std::size_t star = std::string_view::npos;
  std::size_t behind_star = 0;
  std::size_t at = 0;
  std::size_t in_text = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      behind_star = in_text;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in_text])) {
      ++at;
      ++in_text;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in_text = ++behind_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool MatchesPolicyAction(std::string_view pattern, std::string_view action) {
  return MatchesPolicyPattern(LowerCase(pattern), LowerCase(action));
}

}  // namespace taula::engine
