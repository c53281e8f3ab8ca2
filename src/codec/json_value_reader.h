// Reads attribute values and items from DynamoDB JSON straight into canonical
// bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/json_types.h"
#include "codec/value_fault.h"
#include "taula/value.h"

namespace taula::codec {

// Two things can go wrong. JSON of the wrong type ends the reading at once:
// the call returns false and type_error() has Amazon's message. A value that
// DynamoDB does not take is a fault: the reading goes on, NULL stands for that
// value, and the fault that Amazon would report is there for the caller to
// raise when its turn comes.
class JsonValueReader {
 public:
  // Appends to `out`.
  explicit JsonValueReader(std::string& out, ValueWording wording = ValueWording::kCurrent)
      : out_(out), wording_(wording) {}

  // An AttributeValue: {"S":"…"}
  [[nodiscard]] bool ReadValue(Json json, JsonPlace place) { return ReadValue(json, place, 1); }
  // A map of them, as an item or a key is.
  [[nodiscard]] bool ReadItem(Json json, JsonPlace place);

  [[nodiscard]] std::string TakeTypeError() { return std::move(type_error_); }
  // Nothing when the values are all good.
  [[nodiscard]] std::optional<ValueFault> TakeFault();

 private:
  // Where an attribute's value stands is level 1; inside of its map is 2.
  [[nodiscard]] bool ReadValue(Json json, JsonPlace place, std::size_t level);
  [[nodiscard]] bool ReadTyped(Type type, Json json, std::size_t level);
  [[nodiscard]] bool ReadString(Json json);
  [[nodiscard]] bool ReadNumber(Json json);
  [[nodiscard]] bool ReadBinary(Json json);
  [[nodiscard]] bool ReadBool(Json json);
  [[nodiscard]] bool ReadNull(Json json);
  [[nodiscard]] bool ReadSet(Type type, Json json);
  [[nodiscard]] bool ReadElement(Type type, Json json, std::string& arena, std::string_view& element);
  [[nodiscard]] bool ReadList(Json json, std::size_t level);
  [[nodiscard]] bool ReadMap(simdjson::dom::object json, std::size_t level);

  [[nodiscard]] bool TypeError(std::string message) {
    type_error_ = std::move(message);
    return false;
  }
  void AddFault(ValueFault fault) {
    if (faults_++ == 0) fault_ = std::move(fault);
  }

  std::string& out_;
  ValueWording wording_;
  std::string type_error_;
  std::optional<ValueFault> fault_;  // the first that was met
  std::size_t faults_ = 0;
  bool empty_name_in_item_ = false;
  bool empty_name_in_map_ = false;
};

}  // namespace taula::codec
