#include "design/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "codec/json_writer.h"
#include "design/entity_json.h"
#include "design/json_schema.h"
#include "design/parameters.h"
#include "design/run.h"

namespace taula::design {
namespace {

using codec::JsonWriter;
using enum OperationKind;

using Names = std::vector<std::string>;

void AddOnce(Names& names, const Names& more) {
  for (const std::string& name : more) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
}

std::string SchemaReference(std::string_view name) { return fmt::format("#/components/schemas/{}", name); }

void WriteReference(JsonWriter& json, const std::string& target) {
  json.BeginObject();
  json.Key("$ref").String(target);
  json.EndObject();
}

// ---- What operations fail with

struct FailureResponse {
  int status;
  std::string_view name;  // in components.responses
  std::string_view description;
  std::vector<FailureCode> codes;
};

const std::vector<FailureResponse>& FailureResponses() {
  using enum FailureCode;
  static const std::vector<FailureResponse> all = {
      {400,
       "BadRequest",
       "A parameter is missing or wrong, or the database refuses the operation.",
       {kInvalidParameter, kRefused}},
      {401, "Unauthorized", "The password is wrong, or there is nobody of that name.", {kWrongCredentials}},
      {404, "NotFound", "There is no such item.", {kNotFound}},
      {409,
       "Conflict",
       "The items that there are do not allow it.",
       {kAlreadyExists, kNotUnique, kConditionFailed, kConflict}},
      {429, "TooManyRequests", "Too much at once; may be tried again.", {kThrottled}},
      {503, "Unavailable", "No answer from the database; may be tried again.", {kUnavailable, kThrottled}},
  };
  return all;
}

bool IsRead(const Operation& operation) {
  return operation.kind == kGet || operation.kind == kQuery || operation.kind == kScan || operation.kind == kBatchGet;
}

bool CanFailWith(const Operation& operation, int status) {
  switch (status) {
    case 401:
      return operation.kind == kVerify;
    case 404:
      return operation.kind == kGet || operation.one || operation.kind == kUpdate || operation.kind == kDelete ||
             operation.kind == kTransaction;
    case 409:
      return !IsRead(operation) && operation.kind != kVerify;
    default:
      return true;
  }
}

void WriteFailures(JsonWriter& json) {
  json.Key("responses").BeginObject();
  for (const FailureResponse& each : FailureResponses()) {
    json.Key(each.name).BeginObject();
    json.Key("description").String(each.description);
    json.Key("content").BeginObject();
    json.Key("application/json").BeginObject();
    json.Key("schema").BeginObject();
    json.Key("allOf").BeginArray();
    WriteReference(json, SchemaReference("Error"));
    json.BeginObject();
    json.Key("properties").BeginObject();
    json.Key("error").BeginObject();
    json.Key("properties").BeginObject();
    json.Key("code").BeginObject();
    json.Key("enum").BeginArray();
    for (const FailureCode code : each.codes) json.String(NameOf(code));
    json.EndArray();
    json.EndObject();
    json.EndObject();
    json.EndObject();
    json.EndObject();
    json.EndObject();
    json.EndArray();
    json.EndObject();
    json.EndObject();
    json.EndObject();
    json.EndObject();
  }
  json.EndObject();
}

void WriteErrorSchema(JsonWriter& json) {
  json.Key("Error").Json(
      R"({"type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],)"
      R"("properties":{"code":{"type":"string"},"message":{"type":"string"},)"
      R"("parameter":{"type":"string","description":"The parameter that is wrong, if it is one."}}}}})");
}

// ---- Entities

bool IsReturned(const Attribute& attribute) { return !attribute.secret && attribute.type != AttributeType::kBcrypt; }

// Whether every item has it, from whatever client it came.
bool IsAlwaysThere(const Entity& entity, const Attribute& attribute) {
  const auto in_key = [&](const Template& text) { return text.Refers(attribute.name); };
  if (in_key(entity.key.partition) || (entity.key.sort && in_key(*entity.key.sort))) return true;
  return attribute.required && entity.checks == Checks::kEnforce;
}

// Of the attributes in `only`, or of all.
void WriteEntitySchema(JsonWriter& json, const Entity& entity, const Names& only) {
  const auto included = [&](const Attribute& attribute) {
    return IsReturned(attribute) && IsAsked(only, entity, attribute.name);
  };
  std::vector<std::string_view> always;
  json.BeginObject();
  json.Key("type").String("object");
  if (!entity.description.empty()) json.Key("description").String(entity.description);
  json.Key("properties").BeginObject();
  for (const Attribute& attribute : entity.attributes) {
    if (!included(attribute)) continue;
    json.Key(attribute.name);
    WriteSchema(json, attribute);
    if (IsAlwaysThere(entity, attribute)) always.push_back(attribute.name);
  }
  json.EndObject();
  if (!always.empty()) {
    json.Key("required").BeginArray();
    for (const std::string_view name : always) json.String(name);
    json.EndArray();
  }
  json.EndObject();
}

// "Error" is taken.
std::string SchemaName(std::string_view entity) {
  return entity == "Error" ? std::string("ErrorEntity") : std::string(entity);
}

void WriteOneEntity(JsonWriter& json, const Design& design, const Operation& operation, const std::string& name) {
  const Entity* const entity = design.FindEntity(name);
  if (!operation.returns.empty() && entity != nullptr) {
    WriteEntitySchema(json, *entity, operation.returns);
  } else {
    WriteReference(json, SchemaReference(SchemaName(name)));
  }
}

// An item of an answer: of one entity, or of several, with its name in $entity.
void WriteItemSchema(JsonWriter& json, const Design& design, const Operation& operation, const Names& entities,
                     bool named) {
  if (!named) {
    WriteOneEntity(json, design, operation, entities.front());
    return;
  }
  json.BeginObject();
  json.Key("oneOf").BeginArray();
  for (const std::string& name : entities) {
    json.BeginObject();
    json.Key("allOf").BeginArray();
    WriteOneEntity(json, design, operation, name);
    json.BeginObject();
    json.Key("type").String("object");
    json.Key("required").BeginArray();
    json.String("$entity");
    json.EndArray();
    json.Key("properties").BeginObject();
    json.Key("$entity").BeginObject();
    json.Key("type").String("string");
    json.Key("const").String(name);
    json.EndObject();
    json.EndObject();
    json.EndObject();
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

// ---- Operations

bool AnswersWithPages(const Operation& operation) {
  return (operation.kind == kQuery && !operation.one) || operation.kind == kScan;
}

// A transaction answers with the items that it makes.
Names MadeBy(const Operation& transaction) {
  Names names;
  for (const Operation& step : transaction.steps) {
    if (step.kind == kCreate || step.kind == kPut) AddOnce(names, step.entities);
  }
  return names;
}

void WriteItemsSchema(JsonWriter& json, const Design& design, const Operation& operation) {
  const bool is_transaction = operation.kind == kTransaction;
  const Names entities = is_transaction ? MadeBy(operation) : operation.entities;
  json.Key("items").BeginObject();
  json.Key("type").String("array");
  if (entities.empty()) {
    json.Key("maxItems").Integer(0);
  } else {
    json.Key("items");
    WriteItemSchema(json, design, operation, entities, is_transaction || entities.size() > 1);
  }
  json.EndObject();
  if (AnswersWithPages(operation)) {
    json.Key("next").Json(
        R"({"type":"string","description":"There is more: the parameter next of the call that reads on."})");
  }
}

void WriteOneItemSchema(JsonWriter& json, const Design& design, const Operation& operation) {
  json.Key("item");
  const bool named = operation.entities.size() > 1;
  if (operation.kind != kDelete) {
    WriteItemSchema(json, design, operation, operation.entities, named);
    return;
  }
  json.BeginObject();
  json.Key("description").String("The item that is deleted; null where the database does not tell.");
  json.Key("anyOf").BeginArray();
  WriteItemSchema(json, design, operation, operation.entities, named);
  json.Json(R"({"type":"null"})");
  json.EndArray();
  json.EndObject();
}

void WriteAnswerSchema(JsonWriter& json, const Design& design, const Operation& operation) {
  const bool several = AnswersWithPages(operation) || operation.kind == kBatchGet || operation.kind == kBatchPut ||
                       operation.kind == kTransaction;
  json.BeginObject();
  json.Key("type").String("object");
  json.Key("required").BeginArray();
  json.String(several ? "items" : "item");
  json.EndArray();
  json.Key("properties").BeginObject();
  if (several) {
    WriteItemsSchema(json, design, operation);
  } else {
    WriteOneItemSchema(json, design, operation);
  }
  json.EndObject();
  json.EndObject();
}

void WriteRequestBody(JsonWriter& json, const std::vector<Parameter>& parameters) {
  const bool any_required = std::ranges::any_of(parameters, &Parameter::required);
  json.Key("requestBody").BeginObject();
  json.Key("required").Boolean(true);
  json.Key("content").BeginObject();
  json.Key("application/json").BeginObject();
  json.Key("schema").BeginObject();
  json.Key("type").String("object");
  json.Key("additionalProperties").Boolean(false);
  json.Key("properties").BeginObject();
  for (const Parameter& parameter : parameters) {
    json.Key(parameter.name);
    WriteSchema(json, parameter.shape);
  }
  json.EndObject();
  if (any_required) {
    json.Key("required").BeginArray();
    for (const Parameter& parameter : parameters) {
      if (parameter.required) json.String(parameter.name);
    }
    json.EndArray();
  }
  json.EndObject();
  json.EndObject();
  json.EndObject();
  json.EndObject();
}

void WriteResponses(JsonWriter& json, const Design& design, const Operation& operation) {
  json.Key("responses").BeginObject();
  json.Key("200").BeginObject();
  json.Key("description").String("What was asked for.");
  json.Key("content").BeginObject();
  json.Key("application/json").BeginObject();
  json.Key("schema");
  WriteAnswerSchema(json, design, operation);
  json.EndObject();
  json.EndObject();
  json.EndObject();
  for (const FailureResponse& each : FailureResponses()) {
    if (!CanFailWith(operation, each.status)) continue;
    json.Key(std::to_string(each.status));
    WriteReference(json, fmt::format("#/components/responses/{}", each.name));
  }
  json.EndObject();
}

// Steps of a transaction have entities too.
Names EntitiesOf(const Operation& operation) {
  Names names;
  AddOnce(names, operation.entities);
  for (const Operation& step : operation.steps) AddOnce(names, step.entities);
  return names;
}

void WriteOperation(JsonWriter& json, const Design& design, const Operation& operation) {
  json.Key(fmt::format("/designs/{}/{}", design.name, operation.name)).BeginObject();
  json.Key("post").BeginObject();
  json.Key("operationId").String(operation.name);
  if (!operation.description.empty()) {
    json.Key("summary").String(operation.description.substr(0, operation.description.find(". ")));
    json.Key("description").String(operation.description);
  }
  json.Key("tags").BeginArray();
  for (const std::string& name : EntitiesOf(operation)) json.String(name);
  json.EndArray();
  WriteRequestBody(json, ParametersOf(design, operation));
  WriteResponses(json, design, operation);
  json.EndObject();
  json.EndObject();
}

}  // namespace

std::string OpenApiDocument(const Design& design) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("openapi").String("3.1.0");
  json.Key("info").BeginObject();
  json.Key("title").String(design.name);
  if (!design.description.empty()) json.Key("description").String(design.description);
  json.Key("version").String("1.0.0");
  json.EndObject();
  json.Key("security").BeginArray();  // there is none
  json.EndArray();
  json.Key("servers").Json(R"([{"url":"/"}])");
  json.Key("paths").BeginObject();
  for (const Operation& operation : design.operations) WriteOperation(json, design, operation);
  json.EndObject();
  json.Key("components").BeginObject();
  json.Key("schemas").BeginObject();
  WriteErrorSchema(json);
  for (const Entity& entity : design.entities) {
    json.Key(SchemaName(entity.name));
    WriteEntitySchema(json, entity, {});
  }
  json.EndObject();
  WriteFailures(json);
  json.EndObject();
  json.EndObject();
  return out;
}

}  // namespace taula::design
