#include "cli/answer_table.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "codec/json_writer.h"
#include "codec/plain_json.h"
#include "design/parameters.h"
#include "transfer/csv_items.h"

namespace taula::cli {
namespace {

using design::Failure;
using design::FailureCode;

constexpr std::string_view kEntityName = "$entity";

std::string WithNext(std::string parameters, std::string_view next) {
  const std::size_t end = parameters.rfind('}');
  if (end == std::string::npos) return parameters;
  std::string member = parameters.contains(':') ? R"(,"next":)" : R"("next":)";
  codec::AppendStringJson(member, next);
  return parameters.insert(end, member);
}

// Adds the items of an answer, and says where the next page begins.
std::optional<std::string> TakeItems(const Item& answer, std::vector<Item>& items) {
  if (const auto item = answer.Find("item"); item && item->type() == Type::kMap) items.emplace_back(*item);
  if (const auto list = answer.Find("items"); list && list->type() == Type::kList) {
    for (const ValueView item : list->list()) items.emplace_back(item);
  }
  const auto next = answer.Find("next");
  if (!next || next->type() != Type::kString) return std::nullopt;
  return std::string(next->bytes());
}

// The required parameters as JSON, from the item's attributes.
std::optional<std::string> ParametersFrom(const std::vector<design::Parameter>& parameters, const Item& item) {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  for (const design::Parameter& parameter : parameters) {
    if (!parameter.required) continue;
    const auto value = item.Find(parameter.name);
    if (!value) return std::nullopt;
    std::string plain;
    codec::AppendPlainJson(plain, *value);
    json.Key(parameter.name).Json(plain);
  }
  json.EndObject();
  return text;
}

}  // namespace

std::expected<std::vector<Item>, Failure> AllItems(const RunOperation& run, const std::string& operation,
                                                   const std::string& parameters) {
  codec::PlainJsonReader json;
  std::vector<Item> items;
  std::optional<std::string> next;
  do {
    const auto answer = run(operation, next ? WithNext(parameters, *next) : parameters);
    if (!answer) return std::unexpected(answer.error());
    const auto read = json.ReadItem(*answer);
    if (!read) return std::unexpected(Failure{FailureCode::kRefused, "The server's answer cannot be understood.", {}});
    next = TakeItems(*read, items);
  } while (next);
  return items;
}

std::expected<std::vector<Item>, Failure> ItemsBehind(const RunOperation& run, const design::Design& design,
                                                      const design::Operation& then, const std::vector<Item>& items) {
  const std::vector<design::Parameter> parameters = design::ParametersOf(design, then);
  std::vector<Item> behind;
  for (const Item& item : items) {
    const auto given = ParametersFrom(parameters, item);
    if (!given) continue;
    auto more = AllItems(run, then.name, *given);
    if (!more) return more;
    std::ranges::move(*more, std::back_inserter(behind));
  }
  return behind;
}

std::string CsvOf(const std::vector<Item>& items, const design::Design* design) {
  std::set<std::string, std::less<>> names;
  for (const Item& item : items) {
    for (const auto [name, value] : item.attributes()) names.emplace(name);
  }
  std::vector<std::string> columns;
  const auto take = [&](std::string_view name) {
    const auto found = names.find(name);
    if (found != names.end()) columns.push_back(std::move(names.extract(found).value()));
  };
  take(kEntityName);
  if (design != nullptr) {
    for (const design::Entity& entity : design->entities) {
      for (const design::Attribute& attribute : entity.attributes) take(attribute.name);
    }
  }
  while (!names.empty()) take(*names.begin());
  std::string csv;
  transfer::AppendCsvHeader(csv, columns);
  codec::PlainJsonReader json(codec::TypeMarks::kWritten);
  for (const Item& item : items) transfer::AppendCsvRecord(csv, columns, {}, item, json);
  return csv;
}

}  // namespace taula::cli
