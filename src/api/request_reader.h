// Reads the members of requests on items from JSON, and notes what is wrong
// with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/decode_faults.h"
#include "api/enumerations.h"
#include "codec/json_request.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

// The structure is good until the next call in the same thread.
[[nodiscard]] Result<codec::JsonStruct> ParseBody(std::string_view body);

class RequestReader {
 public:
  RequestReader(codec::JsonStruct body, DecodeFaults& faults, codec::ValueWording wording)
      : body_(body), faults_(faults), wording_(wording) {}

  [[nodiscard]] const codec::JsonStruct& body() const { return body_; }
  [[nodiscard]] DecodeFaults& faults() { return faults_; }

  // What must be there.
  [[nodiscard]] std::string TableName();
  [[nodiscard]] taula::Item Item(std::string_view name, Member member);

  [[nodiscard]] std::optional<std::string> Text(std::string_view name) const;
  [[nodiscard]] bool Flag(std::string_view name, bool otherwise) const;
  [[nodiscard]] std::optional<taula::Item> OptionalItem(std::string_view name, Member member);
  [[nodiscard]] std::optional<std::vector<std::string>> AttributesToGet() const;
  [[nodiscard]] std::optional<AttributeNames> Names() const;
  [[nodiscard]] ExpressionAttributes Attributes();
  [[nodiscard]] std::optional<std::vector<Value>> Values(std::string_view name, Member member) {
    return ValueList(body_[name], member);
  }

  [[nodiscard]] ReturnConsumedCapacity Capacity() {
    return Enumeration("ReturnConsumedCapacity", Member::kReturnConsumedCapacity, ParseReturnConsumedCapacity)
        .value_or(ReturnConsumedCapacity::kNone);
  }
  [[nodiscard]] ReturnItemCollectionMetrics CollectionMetrics() {
    return Enumeration("ReturnItemCollectionMetrics", Member::kReturnItemCollectionMetrics,
                       ParseReturnItemCollectionMetrics)
        .value_or(ReturnItemCollectionMetrics::kNone);
  }
  [[nodiscard]] ReturnOnConditionFailure OnConditionFailure() {
    return Enumeration("ReturnValuesOnConditionCheckFailure", Member::kReturnValuesOnConditionCheckFailure,
                       ParseReturnOnConditionFailure)
        .value_or(ReturnOnConditionFailure::kNone);
  }
  template <typename Enum>
  [[nodiscard]] std::optional<Enum> Enumeration(std::string_view name, Member member,
                                                std::optional<Enum> (*parse)(std::string_view)) {
    const std::optional<std::string_view> text = body_[name].String();
    if (!text) return std::nullopt;
    const std::optional<Enum> value = parse(*text);
    if (!value) faults_.AddUnknown(member, std::string(*text));
    return value;
  }

  // The parameters that came before expressions. `path` is the member's name
  // in messages.
  [[nodiscard]] std::optional<ExpectedAttributes> Expected();
  [[nodiscard]] std::optional<AttributeUpdates> Updates();
  [[nodiscard]] std::optional<AttributeConditions> Conditions(std::string_view name, std::string_view path,
                                                              Member member);

 private:
  [[nodiscard]] std::optional<AttributeValues> Values();
  [[nodiscard]] std::optional<Value> OneValue(const codec::JsonValue& json, Member member);
  [[nodiscard]] std::optional<std::vector<Value>> ValueList(const codec::JsonValue& json, Member member);
  // A map of structures, each read with read_one(attribute, structure).
  template <typename T, typename ReadOne>
  [[nodiscard]] std::optional<std::vector<std::pair<std::string, T>>> Structs(std::string_view name,
                                                                              std::string_view type, ReadOne read_one);
  // The comparison operator of one attribute's condition.
  [[nodiscard]] std::optional<ComparisonOperator> Comparison(const codec::JsonStruct& condition, std::string_view path,
                                                             std::string_view attribute, bool required);

  codec::JsonStruct body_;
  DecodeFaults& faults_;
  codec::ValueWording wording_;
};

// Decodes a body with `read`, which is given a RequestReader and returns the
// request. Fails with kSerializationException.
template <typename Request, typename Read>
[[nodiscard]] Result<Decoded<Request>> DecodeBody(std::string_view body, Read read,
                                                  codec::ValueWording wording = codec::ValueWording::kCurrent) {
  const Result<codec::JsonStruct> json = ParseBody(body);
  if (!json) return std::unexpected(json.error());
  Decoded<Request> decoded;
  RequestReader reader(*json, decoded.faults, wording);
  read(reader, decoded.request);
  if (json->failed()) return std::unexpected(json->TakeError());
  return decoded;
}

}  // namespace taula::api
