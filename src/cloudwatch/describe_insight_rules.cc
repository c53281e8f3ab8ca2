// DescribeInsightRules: the rules that count the keys of tables and indexes.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/base64.h"
#include "cloudwatch/input.h"
#include "cloudwatch/insight_rule.h"
#include "cloudwatch/operations.h"
#include "codec/json_writer.h"

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kPageMax = 500;

struct Rule {
  std::string name;
  std::string definition;
};

std::string DefinitionOf(const engine::FoundRule& rule) {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("Schema").BeginObject();
  json.Key("Name").String("ServiceLogRule");
  json.Key("Version").Integer(1);
  json.EndObject();
  json.Key("AggregateOn").String(CountsUnits(rule.rule) ? "Sum" : "Count");
  json.Key("Contribution").BeginObject();
  json.Key("Keys").BeginArray();
  for (const catalog::KeyAttribute& attribute : KeyAttributesOf(rule)) json.String(attribute.name);
  json.EndArray();
  if (CountsUnits(rule.rule)) json.Key("ValueOf").String("ConsumedThroughputUnits");
  json.EndObject();
  json.EndObject();
  return text;
}

// By their names, those behind `after`.
std::vector<Rule> Find(const Context& context, std::string_view after) {
  std::vector<Rule> rules;
  for (const engine::FoundRule& each : engine::AllRules(context.catalog)) {
    std::string name = engine::RuleName(each.rule, *each.table, each.index);
    if (name > after) rules.push_back({std::move(name), DefinitionOf(each)});
  }
  std::ranges::sort(rules, {}, &Rule::name);
  return rules;
}

Document Write(Rule rule) {
  Document::Struct members;
  members.push_back({"Name", {std::move(rule.name)}});
  members.push_back({"State", {std::string("ENABLED")}});
  members.push_back({"Schema", {std::string(R"({"Name": "ServiceLogRule", "Version": 1})")}});
  members.push_back({"Definition", {std::move(rule.definition)}});
  members.push_back({"ManagedRule", {true}});
  return {std::move(members)};
}

}  // namespace

Outcome<Document> DescribeInsightRules(const Context& context, const Document& input) {
  std::optional<Fault> fault;
  const Input members(input, fault);
  const std::int64_t most = members.Integer("MaxResults").value_or(kPageMax);
  const std::optional<std::string> token = members.Text("NextToken");
  if (fault) return std::unexpected(*std::move(fault));
  if (most < 1 || most > kPageMax) {
    return InvalidValue(fmt::format("The parameter MaxResults must be between 1 and {}.", kPageMax));
  }
  std::string after;
  if (token && !base::AppendBase64Decoded(after, *token)) return InvalidNextToken();
  std::vector<Rule> rules = Find(context, after);
  const std::size_t shown = std::min(rules.size(), static_cast<std::size_t>(most));
  Document::Struct output;
  if (shown < rules.size()) {
    std::string next;
    base::AppendBase64(next, rules[shown - 1].name);
    output.push_back({"NextToken", {std::move(next)}});
  }
  Document::List list;
  for (std::size_t i = 0; i < shown; ++i) list.push_back(Write(std::move(rules[i])));
  output.push_back({"InsightRules", {std::move(list)}});
  return Document{std::move(output)};
}

}  // namespace taula::cloudwatch
