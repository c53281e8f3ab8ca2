#include <optional>
#include <string>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_writer.h"
#include "taula/table_requests.h"

namespace taula::api {

namespace {

constexpr std::int64_t kLimitMax = 100;

ListTablesRequest Read(const codec::JsonStruct& json) {
  ListTablesRequest request;
  if (const auto start = json["ExclusiveStartTableName"].String()) request.exclusive_start_table_name = *start;
  request.limit = json["Limit"].Integer();
  return request;
}

Result<void> Check(const ListTablesRequest& request) {
  Constraints constraints;
  if (request.exclusive_start_table_name) {
    const std::string& name = *request.exclusive_start_table_name;
    constexpr std::string_view kPath = "exclusiveStartTableName";
    if (!IsResourceName(name)) constraints.Violated(kPath, name, MatchesPattern(kResourceNamePattern));
    if (name.size() < kResourceNameMin) constraints.Violated(kPath, name, LengthAtLeast(kResourceNameMin));
    if (name.size() > kResourceNameMax) constraints.Violated(kPath, name, LengthAtMost(kResourceNameMax));
  }
  if (request.limit) {
    const std::string limit = std::to_string(*request.limit);
    if (*request.limit < 1) constraints.Violated("limit", limit, ValueAtLeast(1));
    if (*request.limit > kLimitMax) constraints.Violated("limit", limit, ValueAtMost(kLimitMax));
  }
  return constraints.Check();
}

std::string Write(const ListTablesResponse& response) {
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("TableNames").BeginArray();
  for (const std::string& name : response.table_names) json.String(name);
  json.EndArray();
  if (response.last_evaluated_table_name) {
    json.Key("LastEvaluatedTableName").String(*response.last_evaluated_table_name);
  }
  json.EndObject();
  return answer;
}

}  // namespace

void ListTables(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const ListTablesRequest& request) -> Result<std::string> {
    if (auto checked = Check(request); !checked) return std::unexpected(checked.error());
    return Write(context.engine.tables().List(request));
  });
}

}  // namespace taula::api
