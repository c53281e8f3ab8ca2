#include "cli/explanation_text.h"

#include <fmt/format.h>

#include <vector>

#include "codec/json_request.h"

namespace taula::cli {
namespace {

using codec::JsonStruct;

void AddLine(std::string& out, std::string_view label, std::string_view text) {
  if (!text.empty()) fmt::format_to(std::back_inserter(out), "{:<12}{}\n", label, text);
}

std::string Joined(const JsonStruct& body, std::string_view name) {
  std::vector<std::string_view> texts;
  if (const auto list = body[name].List()) {
    for (const auto each : *list) texts.push_back(each.String().value_or(""));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string Operations(const JsonStruct& body) {
  std::string out;
  if (const auto list = body["operations"].List()) {
    for (const auto each : *list) {
      const auto match = each.Struct("Operation");
      if (!match) continue;
      fmt::format_to(std::back_inserter(out), "{}{} of {}", out.empty() ? "" : ", ",
                     (*match)["operation"].String().value_or(""), (*match)["design"].String().value_or(""));
    }
  }
  return out.empty() ? "none of a design" : out;
}

std::string Served(const JsonStruct& body) {
  const std::string_view access = body["access"].String().value_or("");
  const std::string_view index = body["index"].String().value_or("");
  const std::string source = index.empty() ? std::string("the table") : fmt::format("the index {}", index);
  if (access == "scan") return "a scan of " + source;
  if (access == "query") return "a range of " + source;
  return access == "key" ? "the table's key" : "";
}

std::string Cost(const JsonStruct& body) {
  const double read = body["readUnits"].Double().value_or(0);
  const double write = body["writeUnits"].Double().value_or(0);
  std::string out = write > 0 && read > 0 ? fmt::format("{:g} read units, {:g} write units", read, write)
                    : write > 0           ? fmt::format("{:g} write units", write)
                                          : fmt::format("{:g} read units", read);
  if (const auto units = body["units"].Map("Units")) {
    std::string parts;
    for (const auto& [name, each] : *units) {
      fmt::format_to(std::back_inserter(parts), "{}{} {:g}", parts.empty() ? "" : ", ", name,
                     each.Double().value_or(0));
    }
    out.append(" (").append(parts).append(")");
  }
  return out;
}

std::string Items(const JsonStruct& body) {
  const auto read = body["itemsRead"].Long();
  const auto returned = body["itemsReturned"].Long();
  if (!read || !returned) return "";
  std::string out = fmt::format("{} read, {} returned", *read, *returned);
  if (*read > *returned) fmt::format_to(std::back_inserter(out), ", {} thrown away by the filter", *read - *returned);
  if (body["more"].Boolean().value_or(false)) out.append("; there are more");
  return out;
}

}  // namespace

std::string ExplanationText(std::string_view json) {
  codec::JsonBody parser;
  const auto body = parser.Parse(json);
  if (!body) return std::string(json) + "\n";
  std::string out;
  AddLine(out, "Request", fmt::format("{} {}", (*body)["operation"].String().value_or(""), Joined(*body, "tables")));
  AddLine(out, "Operation", Operations(*body));
  AddLine(out, "Entities", Joined(*body, "entities"));
  AddLine(out, "Served by", Served(*body));
  AddLine(out, "Cost", Cost(*body));
  AddLine(out, "Items", Items(*body));
  if (const auto advice = (*body)["advice"].List()) {
    for (const auto each : *advice) {
      if (const auto members = each.Struct("Advice")) AddLine(out, "Advice", (*members)["text"].String().value_or(""));
    }
  }
  return out;
}

}  // namespace taula::cli
