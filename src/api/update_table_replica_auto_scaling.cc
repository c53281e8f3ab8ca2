#include <optional>
#include <string>

#include "api/global_tables.h"
#include "api/operations.h"
#include "api/table_members.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

struct UpdateBody {
  std::optional<std::string> name_or_arn;
  Constraints constraints;
};

UpdateBody Read(const codec::JsonStruct& json) {
  UpdateBody body;
  TableMembers members(body.constraints);
  const auto at_least_one = [&](const char* path, std::optional<std::size_t> given) {
    if (given && *given == 0) body.constraints.Violated(path, "[]", LengthAtLeast(1));
  };
  at_least_one("globalSecondaryIndexUpdates",
               members.ForEach(json["GlobalSecondaryIndexUpdates"], "globalSecondaryIndexUpdates",
                               "GlobalSecondaryIndexAutoScalingUpdate",
                               [](const codec::JsonStruct& /*update*/, const std::string& /*path*/) {}));
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  at_least_one("replicaUpdates", members.ForEach(json["ReplicaUpdates"], "replicaUpdates", "ReplicaAutoScalingUpdate",
                                                 [&](const codec::JsonStruct& update, const std::string& path) {
                                                   if (!update["RegionName"].String()) {
                                                     body.constraints.Missing(path + ".regionName");
                                                   }
                                                 }));
  return body;
}

}  // namespace

// Only global tables have it, whether or not there is a table of the name.
void UpdateTableReplicaAutoScaling(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const UpdateBody& decoded) -> Result<std::string> {
    const auto name = ResolveTableName(context, decoded.name_or_arn);
    if (!name) return name;
    if (auto shape = decoded.constraints.Check(); !shape) return std::unexpected(shape.error());
    return Fail(ErrorCode::kResourceNotFoundException, GlobalTableDoesNotExist(*name));
  });
}

}  // namespace taula::api
