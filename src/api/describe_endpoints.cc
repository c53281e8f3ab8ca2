#include <string>

#include "api/operations.h"
#include "api/table_request.h"
#include "codec/json_writer.h"

namespace taula::api {

namespace {

constexpr std::int64_t kCachePeriodMinutes = 1440;

}  // namespace

void DescribeEndpoints(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct&) { return 0; },
      [&context](int) -> Result<std::string> {
        std::string answer;
        codec::JsonWriter json(answer);
        json.BeginObject();
        json.Key("Endpoints").BeginArray();
        json.BeginObject();
        json.Key("Address").String("dynamodb." + context.engine.tables().region() + ".amazonaws.com");
        json.Key("CachePeriodInMinutes").Integer(kCachePeriodMinutes);
        json.EndObject();
        json.EndArray();
        json.EndObject();
        return answer;
      });
}

}  // namespace taula::api
