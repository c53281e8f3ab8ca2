#include <string>

#include "api/operations.h"
#include "api/table_request.h"
#include "codec/json_writer.h"
#include "taula/table_requests.h"

namespace taula::api {

void DescribeLimits(Context& /*context*/, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct&) { return AccountLimits{}; },
      [](const AccountLimits& limits) -> Result<std::string> {
        std::string answer;
        codec::JsonWriter json(answer);
        json.BeginObject();
        json.Key("AccountMaxReadCapacityUnits").Integer(limits.account_read_units_max);
        json.Key("AccountMaxWriteCapacityUnits").Integer(limits.account_write_units_max);
        json.Key("TableMaxReadCapacityUnits").Integer(limits.table_read_units_max);
        json.Key("TableMaxWriteCapacityUnits").Integer(limits.table_write_units_max);
        json.EndObject();
        return answer;
      });
}

}  // namespace taula::api
