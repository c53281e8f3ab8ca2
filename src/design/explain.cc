#include "design/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/error_name.h"
#include "codec/json_members.h"
#include "codec/json_request.h"
#include "codec/json_writer.h"
#include "design/key_plan.h"

namespace taula::design {
namespace {

using codec::JsonStruct;
using codec::JsonValue;
using Kind = Access::Kind;

constexpr std::size_t kBytesMax = 4000;
// Below this many items a filter that drops most of them is nothing to mend.
constexpr std::int64_t kWorthMending = 20;
constexpr double kMost = 0.95;

bool IsRange(const RawRequest& request) {
  return !request.accesses.empty() &&
         (request.accesses.front().kind == Kind::kQuery || request.accesses.front().kind == Kind::kScan);
}

bool Writes(const RawRequest& request) {
  return std::ranges::any_of(request.accesses, [](const Access& access) {
    return access.kind == Kind::kPut || access.kind == Kind::kUpdate || access.kind == Kind::kDelete ||
           access.kind == Kind::kCheck;
  });
}

// ---- What the answer says

void AddSource(const std::string& name, const JsonValue& json, Explanation& explanation) {
  const auto members = json.Struct("Capacity");
  const auto units = members ? (*members)["CapacityUnits"].Double() : std::nullopt;
  if (units) explanation.units_by_source.emplace_back(name, *units);
}

void AddCapacity(const JsonValue& json, bool writes, Explanation& explanation) {
  const auto members = json.Struct("ConsumedCapacity");
  if (!members) return;
  const double units = (*members)["CapacityUnits"].Double().value_or(0);
  (writes ? explanation.write_units : explanation.read_units) += units;
  AddSource(std::string((*members)["TableName"].String().value_or("")), (*members)["Table"], explanation);
  for (const std::string_view kind : {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"}) {
    if (const auto indexes = (*members)[kind].Map("Capacity")) {
      for (const auto& [name, capacity] : *indexes) AddSource(std::string(name), capacity, explanation);
    }
  }
}

void ReadAnswer(const RawRequest& request, const std::string& answer, Explanation& explanation) {
  codec::JsonBody parser;
  const auto body = parser.Parse(answer);
  if (!body) return;
  const bool writes = Writes(request);
  if (request.operation.starts_with("Batch") || request.operation.starts_with("Transact")) {
    if (const auto tables = (*body)["ConsumedCapacity"].List()) {
      for (const JsonValue table : *tables) AddCapacity(table, writes, explanation);
    }
  } else {
    AddCapacity((*body)["ConsumedCapacity"], writes, explanation);
  }
  if (!IsRange(request)) return;
  explanation.returned = (*body)["Count"].Long();
  explanation.read = (*body)["ScannedCount"].Long();
  explanation.more = (*body)["LastEvaluatedKey"].present();
}

// ---- What could be better

void Advise(Explanation& explanation, std::string code, std::string text) {
  explanation.advice.push_back({std::move(code), std::move(text)});
}

// "GSI1 with GSI1PK = 'USER#{userId}'", where the attributes are known by what
// the filter compares; nothing when no key is made of them.
std::optional<std::string> QueryInstead(const RequestMatch& match, const Table& table, const Access& access) {
  const auto known = [&](std::string_view name) {
    return std::ranges::any_of(access.filter_equals, [&](std::string_view path) {
      return path == name ||
             (path.ends_with(name) && path.size() > name.size() && path[path.size() - name.size() - 1] == '.');
    });
  };
  const auto served_by = [&](const Entity& entity, const Index* index) -> std::optional<std::string> {
    const KeyPart& part = index != nullptr ? index->partition : table.partition;
    const std::string where = index != nullptr ? "the index " + index->name : std::string("the table");
    if (known(part.name)) return fmt::format("{} with {} = …", where, part.name);
    const auto pattern =
        IsIn(*match.design, entity, index) ? TemplateFor(*match.design, entity, index, part) : std::nullopt;
    if (!pattern || !pattern->has_references()) return std::nullopt;
    const bool all = std::ranges::all_of(
        pattern->parts(), [&](const Template::Part& each) { return !each.is_reference() || known(each.reference); });
    return all ? std::optional(fmt::format("{} with {} = '{}'", where, part.name, pattern->text())) : std::nullopt;
  };
  for (const Entity* const entity : match.entities) {
    if (auto own = served_by(*entity, nullptr)) return own;
    for (const Index& index : table.indexes) {
      if (auto found = served_by(*entity, &index)) return found;
    }
  }
  return std::nullopt;
}

void AdviseOnScan(const std::vector<ServedDesign>& designs, const std::vector<RequestMatch>& matches,
                  const Access& access, Explanation& explanation) {
  for (const RequestMatch& match : matches) {
    for (const ServedDesign& served : designs) {
      const Table* const table = served.design == match.design ? FindTable(served, access.table) : nullptr;
      const auto query = table != nullptr ? QueryInstead(match, *table, access) : std::nullopt;
      if (!query) continue;
      Advise(explanation, "query-would-do",
             fmt::format("The scan read everything to find these items; a Query on {} reads only them.", *query));
      return;
    }
  }
  if (!access.filtered) return;
  Advise(explanation, "scan",
         "A Scan reads the whole table or index, whatever its filter keeps; its cost grows with the table.");
}

void AdviseOnFilter(Explanation& explanation) {
  if (!explanation.read || !explanation.returned || *explanation.read < kWorthMending) return;
  const std::int64_t dropped = *explanation.read - *explanation.returned;
  if (static_cast<double>(dropped) < kMost * static_cast<double>(*explanation.read)) return;
  Advise(explanation, "filter-drops-most",
         fmt::format("The filter threw away {} of {} items that were read and paid for. A key or an index with what it "
                     "compares would read only the others.",
                     dropped, *explanation.read));
}

void AdviseOnLimit(const Access& access, Explanation& explanation) {
  if (access.limit || !explanation.more) return;
  Advise(explanation, "no-limit", "The page ended at 1 MB. With a Limit it holds as many items as are needed.");
}

// The partition key, where a design tells it.
const KeyPart* PartitionOf(const std::vector<ServedDesign>& designs, const Access& access) {
  for (const ServedDesign& served : designs) {
    const Table* const table = FindTable(served, access.table);
    if (table == nullptr) continue;
    const Index* const index = table->FindIndex(access.index);
    return index != nullptr ? &index->partition : &table->partition;
  }
  return nullptr;
}

void AdviseOnPortability(const std::vector<ServedDesign>& designs, const Access& access, Explanation& explanation) {
  const auto is_one = [](const Access::KeyCondition& key) { return !key.twice && key.range.is_one(); };
  const KeyPart* const partition = PartitionOf(designs, access);
  const Access::KeyCondition* const condition = partition != nullptr ? access.FindKey(partition->name) : nullptr;
  const bool fixes_partition =
      partition != nullptr ? condition != nullptr && is_one(*condition) : std::ranges::any_of(access.keys, is_one);
  if (!fixes_partition) {
    Advise(explanation, "refused-by-amazon",
           "Amazon's service refuses it: a Query there names one value of the partition key.");
  } else if (std::ranges::any_of(access.keys, &Access::KeyCondition::twice)) {
    Advise(explanation, "refused-by-amazon",
           "Amazon's service refuses it: there is one condition for each key attribute there; BETWEEN holds two ends.");
  }
}

// ---- Putting it together

void NoteMatches(const std::vector<RequestMatch>& matches, Explanation& explanation) {
  for (const RequestMatch& match : matches) {
    for (const Operation* const operation : match.operations) {
      explanation.operations.emplace_back(match.design->name, operation->name);
    }
    for (const Entity* const entity : match.entities) explanation.entities.push_back(entity->name);
  }
}

std::string EscapedToAscii(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (bytes == 1 || i + bytes > text.size()) {
      out.push_back(bytes == 1 ? text[i] : '?');
      ++i;
      continue;
    }
    std::uint32_t point = lead & (0x7FU >> bytes);
    for (std::size_t k = 1; k < bytes; ++k) point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    if (point >= 0x10000) {
      point -= 0x10000;
      fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (point >> 10), 0xDC00 + (point & 0x3FF));
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", point);
    }
    i += bytes;
  }
  return out;
}

void WriteTexts(codec::JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.Key(name).BeginArray();
  for (const std::string& text : texts) json.String(text);
  json.EndArray();
}

std::string Write(const Explanation& explanation) {
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("operation").String(explanation.operation);
  WriteTexts(json, "tables", explanation.tables);
  if (!explanation.index.empty()) json.Key("index").String(explanation.index);
  if (!explanation.access.empty()) json.Key("access").String(explanation.access);
  json.Key("operations").BeginArray();
  for (const auto& [design, operation] : explanation.operations) {
    json.BeginObject();
    json.Key("design").String(design);
    json.Key("operation").String(operation);
    json.EndObject();
  }
  json.EndArray();
  WriteTexts(json, "entities", explanation.entities);
  json.Key("readUnits").Double(explanation.read_units);
  json.Key("writeUnits").Double(explanation.write_units);
  if (explanation.units_by_source.size() > 1) {
    json.Key("units").BeginObject();
    for (const auto& [name, units] : explanation.units_by_source) json.Key(name).Double(units);
    json.EndObject();
  }
  if (explanation.read && explanation.returned) {
    json.Key("itemsRead").Integer(*explanation.read);
    json.Key("itemsReturned").Integer(*explanation.returned);
    json.Key("itemsFilteredOut").Integer(*explanation.read - *explanation.returned);
    json.Key("more").Boolean(explanation.more);
  }
  if (!explanation.error.empty()) json.Key("error").String(explanation.error);
  json.Key("advice").BeginArray();
  for (const Advice& advice : explanation.advice) {
    json.BeginObject();
    json.Key("code").String(advice.code);
    json.Key("text").String(advice.text);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return EscapedToAscii(out);
}

}  // namespace

Explanation Explain(const std::vector<ServedDesign>& designs, const RawRequest& request,
                    const Result<std::string>& answer) {
  Explanation explanation;
  explanation.operation = request.operation;
  for (const Access& access : request.accesses) {
    const auto found = std::ranges::find(explanation.tables, access.table);
    if (found == explanation.tables.end()) explanation.tables.push_back(access.table);
  }
  if (answer) {
    ReadAnswer(request, *answer, explanation);
  } else {
    explanation.error = codec::ErrorName(answer.error().code);
  }
  if (request.accesses.empty()) return explanation;
  const Access& first = request.accesses.front();
  explanation.access = first.kind == Kind::kQuery ? "query" : first.kind == Kind::kScan ? "scan" : "key";
  explanation.index = first.index;
  const std::vector<RequestMatch> matches = MatchRequest(designs, request);
  NoteMatches(matches, explanation);
  if (first.kind == Kind::kQuery && !first.keys.empty()) AdviseOnPortability(designs, first, explanation);
  if (first.kind == Kind::kScan) AdviseOnScan(designs, matches, first, explanation);
  if (IsRange(request)) {
    AdviseOnFilter(explanation);
    AdviseOnLimit(first, explanation);
  }
  return explanation;
}

// What takes much room and says little goes first.
std::string ExplanationJson(const Explanation& explanation) {
  std::string out = Write(explanation);
  if (out.size() <= kBytesMax) return out;
  constexpr std::size_t kShown = 5;
  Explanation shorter = explanation;
  shorter.tables.resize(std::min(kShown, shorter.tables.size()));
  shorter.entities.resize(std::min(kShown, shorter.entities.size()));
  shorter.operations.resize(std::min(kShown, shorter.operations.size()));
  shorter.units_by_source.clear();
  shorter.advice.resize(std::min<std::size_t>(2, shorter.advice.size()));
  out = Write(shorter);
  if (out.size() <= kBytesMax) return out;
  return Write({.operation = explanation.operation,
                .access = explanation.access,
                .read_units = explanation.read_units,
                .write_units = explanation.write_units,
                .read = explanation.read,
                .returned = explanation.returned,
                .more = explanation.more,
                .error = explanation.error});
}

std::string WithAllCapacity(std::string_view body) {
  auto members = codec::SplitJsonObject(body);
  if (!members) return std::string(body);
  std::erase_if(*members, [](const codec::JsonMember& member) { return member.name == "ReturnConsumedCapacity"; });
  members->push_back({"ReturnConsumedCapacity", "\"INDEXES\""});
  return codec::JoinJsonObject(*members);
}

std::string WithoutUnwantedCapacity(std::string answer, ReturnConsumedCapacity wanted) {
  if (wanted == ReturnConsumedCapacity::kIndexes) return answer;
  auto members = codec::SplitJsonObject(answer);
  if (!members) return answer;
  const auto capacity = std::ranges::find(*members, "ConsumedCapacity", &codec::JsonMember::name);
  if (capacity == members->end()) return answer;
  if (wanted == ReturnConsumedCapacity::kNone) {
    members->erase(capacity);
    return codec::JoinJsonObject(*members);
  }
  std::string total;
  const auto add_total = [&](std::string_view one) {
    auto parts = codec::SplitJsonObject(one).value_or(std::vector<codec::JsonMember>());
    std::erase_if(parts, [](const codec::JsonMember& part) {
      return part.name == "Table" || part.name.ends_with("SecondaryIndexes");
    });
    total.append(total.size() > 1 ? "," : "").append(codec::JoinJsonObject(parts));
  };
  std::string_view rest = capacity->value;
  if (rest.starts_with('{')) {
    add_total(rest);
  } else {
    total = "[";
    for (const std::string_view one : codec::SplitJsonArray(rest)) add_total(one);
    total.push_back(']');
  }
  capacity->value = total;
  return codec::JoinJsonObject(*members);
}

}  // namespace taula::design
