// Access to the body of a request, as a decoder of one operation needs it:
//
//   Result<GetItemRequest> Decode(JsonStruct body) {
//     GetItemRequest request;
//     request.table_name = body["TableName"].String();
//     request.consistent_read = body["ConsistentRead"].Boolean();
//     request.key = body["Key"].Item(request.key_fault);
//     if (const auto names = body["AttributesToGet"].List()) {
//       for (const JsonValue name : *names) … name.String() …
//     }
//     if (body.failed()) return std::unexpected(body.TakeError());
//     return request;
//   }
//
// A getter answers nothing for a member that is absent or null. It also does
// for one of the wrong type; the first of those, in the order of the calls, is
// kept as the SerializationException to answer with, and all calls behind it
// answer nothing. So a decoder asks in the order of the API's model, and looks
// once, at its end, whether it failed. Members it does not ask for are ignored.
//
// All views are into the JsonBody.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/json_types.h"
#include "codec/json_value_reader.h"
#include "codec/value_fault.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::codec {

class JsonList;
class JsonStruct;
class JsonMap;

// The one error of a body, shared by all that look at it.
using JsonError = std::optional<Error>;

// A value that may be absent.
class JsonValue {
 public:
  JsonValue(JsonError* error, JsonPlace place) : error_(error), place_(place) {}
  JsonValue(JsonError* error, JsonPlace place, Json json);

  // Neither absent nor null.
  [[nodiscard]] bool present() const { return json_.has_value(); }

  [[nodiscard]] std::optional<std::string_view> String() const;
  [[nodiscard]] std::optional<bool> Boolean() const;
  // Fractions are cut off, as Amazon does.
  [[nodiscard]] std::optional<std::int32_t> Integer() const;
  [[nodiscard]] std::optional<std::int64_t> Long() const;
  [[nodiscard]] std::optional<double> Double() const;
  [[nodiscard]] std::optional<std::string> Blob() const;
  [[nodiscard]] std::optional<JsonList> List() const;
  // `type` is the API's name of what stands in the map or of the structure.
  [[nodiscard]] std::optional<JsonMap> Map(std::string_view type) const;
  [[nodiscard]] std::optional<JsonStruct> Struct(std::string_view type) const;

  // An AttributeValue, and a map of them. `fault` is set when it holds none
  // yet, so that several reads keep the first.
  [[nodiscard]] std::optional<Value> Attribute(std::optional<ValueFault>& fault,
                                               ValueWording wording = ValueWording::kCurrent) const;
  [[nodiscard]] std::optional<taula::Item> Item(std::optional<ValueFault>& fault,
                                                ValueWording wording = ValueWording::kCurrent) const;

 private:
  [[nodiscard]] bool readable() const { return json_.has_value() && !error_->has_value(); }
  std::nullopt_t Fail(std::string message) const;
  std::optional<std::int64_t> IntegerBetween(std::int64_t min, std::int64_t max, std::string_view java_type) const;

  JsonError* error_;
  JsonPlace place_;
  std::optional<Json> json_;
};

// The members of a structure.
class JsonStruct {
 public:
  JsonStruct(JsonError* error, simdjson::dom::object members) : error_(error), members_(members) {}

  // Of two with one name, the last.
  [[nodiscard]] JsonValue operator[](std::string_view name) const;

  // Whether any getter of this body has met a wrong type.
  [[nodiscard]] bool failed() const { return error_->has_value(); }
  [[nodiscard]] Error TakeError() const { return *std::move(*error_); }

 private:
  JsonError* error_;
  simdjson::dom::object members_;
};

class JsonList {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = JsonValue;
    Iterator(JsonError* error, simdjson::dom::array::iterator at) : error_(error), at_(at) {}
    JsonValue operator*() const { return {error_, JsonPlace::kElement, *at_}; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    JsonError* error_;
    simdjson::dom::array::iterator at_;
  };

  JsonList(JsonError* error, simdjson::dom::array elements) : error_(error), elements_(elements) {}
  [[nodiscard]] Iterator begin() const { return {error_, elements_.begin()}; }
  [[nodiscard]] Iterator end() const { return {error_, elements_.end()}; }
  [[nodiscard]] std::size_t size() const;

 private:
  JsonError* error_;
  simdjson::dom::array elements_;
};

// Names and values in the order they were sent, each name once: the last one.
class JsonMap {
 public:
  using Entry = std::pair<std::string_view, JsonValue>;

  JsonMap(JsonError* error, simdjson::dom::object members);
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
};

// Parses bodies, one at a time, and keeps what is needed for that between
// them; so one for each thread.
class JsonBody {
 public:
  JsonBody();
  JsonBody(const JsonBody&) = delete;
  JsonBody& operator=(const JsonBody&) = delete;
  ~JsonBody();

  // The structure is good until the next call. The error of a text that is not
  // JSON has no message; Amazon sends none.
  [[nodiscard]] Result<JsonStruct> Parse(std::string_view body);

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
  JsonError error_;
};

}  // namespace taula::codec
