#include "codec/json_value_reader.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "value/encoding.h"
#include "value/map_builder.h"
#include "value/number.h"

namespace taula::codec {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::object;

constexpr std::string_view kModelName = "AttributeValue";

std::optional<Type> TypeByName(std::string_view name) {
  if (name.size() == 1) {
    switch (name[0]) {
      case 'S':
        return Type::kString;
      case 'N':
        return Type::kNumber;
      case 'M':
        return Type::kMap;
      case 'L':
        return Type::kList;
      case 'B':
        return Type::kBinary;
      default:
        return std::nullopt;
    }
  }
  if (name == "BOOL") return Type::kBool;
  if (name == "NULL") return Type::kNull;
  if (name == "SS") return Type::kStringSet;
  if (name == "NS") return Type::kNumberSet;
  if (name == "BS") return Type::kBinarySet;
  return std::nullopt;
}

bool IsAscending(const std::vector<std::string_view>& elements) {
  return std::adjacent_find(elements.begin(), elements.end(), std::greater_equal<>()) == elements.end();
}

}  // namespace

std::optional<ValueFault> JsonValueReader::TakeFault() {
  // Amazon looks for an empty name in the item before it looks into the
  // values, and for one in their maps after all else.
  if (empty_name_in_item_) return EmptyNameFault(true);
  if (!fault_ && empty_name_in_map_) return EmptyNameFault(false);
  return std::move(fault_);
}

bool JsonValueReader::ReadItem(Json json, JsonPlace place) {
  object members;
  if (json.get_object().get(members) != SUCCESS) return TypeError(NotAMap(json, place, kModelName));
  value::MapBuilder map(out_);
  for (const auto& [name, attribute] : members) {
    if (name.empty()) empty_name_in_item_ = true;
    if (name.size() > base::kAttributeNameBytesMax) AddFault(LongNameFault());
    map.Name(name);
    if (!ReadValue(attribute, JsonPlace::kElement, 1)) return false;
  }
  map.Finish();
  return true;
}

bool JsonValueReader::ReadValue(Json json, JsonPlace place, std::size_t level) {
  const std::size_t begin = out_.size();
  unsigned types = 0;
  object members;
  if (json.get_object().get(members) == SUCCESS) {
    for (const auto& [name, member] : members) {
      const auto type = TypeByName(name);
      if (!type || member.is_null()) continue;
      // Only the last can stay: of one type sent twice it counts, and with
      // several types none does.
      out_.resize(begin);
      if (!ReadTyped(*type, member, level)) return false;
      types |= 1U << static_cast<unsigned>(*type);
    }
  } else if (!json.is_null()) {
    return TypeError(NotAStructure(json, place, kModelName));
  }
  if (std::has_single_bit(types)) return true;
  AddFault(types == 0 ? NoDatatypeFault() : SeveralDatatypesFault());
  out_.resize(begin);
  value::AppendNull(out_);
  return true;
}

bool JsonValueReader::ReadTyped(Type type, Json json, std::size_t level) {
  if (level > base::kNestingLevelsMax) {
    // Not read any further: what is down there can be as deep as the request
    // is long.
    AddFault(NestingFault());
    value::AppendNull(out_);
    return true;
  }
  switch (type) {
    case Type::kNull:
      return ReadNull(json);
    case Type::kBool:
      return ReadBool(json);
    case Type::kNumber:
      return ReadNumber(json);
    case Type::kString:
      return ReadString(json);
    case Type::kBinary:
      return ReadBinary(json);
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return ReadSet(type, json);
    case Type::kList:
      return ReadList(json, level);
    case Type::kMap: {
      object members;
      if (json.get_object().get(members) != SUCCESS) return TypeError(NotAMap(json, JsonPlace::kMember, kModelName));
      return ReadMap(members, level);
    }
  }
  return true;
}

bool JsonValueReader::ReadString(Json json) {
  std::string_view text;
  if (json.get_string().get(text) != SUCCESS) return TypeError(NotAScalar(json, "String"));
  value::AppendString(out_, text);
  return true;
}

bool JsonValueReader::ReadNumber(Json json) {
  std::string_view text;
  if (json.get_string().get(text) != SUCCESS) return TypeError(NotAScalar(json, "String"));
  out_.push_back(static_cast<char>(Type::kNumber));
  const auto appended = value::AppendOrderedFromText(out_, text);
  if (!appended) {
    AddFault(NumberFault(appended.error(), text, wording_));
    out_.pop_back();
    value::AppendNull(out_);
  }
  return true;
}

bool JsonValueReader::ReadBinary(Json json) {
  std::string_view text;
  if (json.get_string().get(text) != SUCCESS) return TypeError(NotABlob(json));
  out_.push_back(static_cast<char>(Type::kBinary));
  base::AppendVarint(out_, static_cast<std::uint32_t>(base::Base64DecodedSize(text)));
  return base::AppendBase64Decoded(out_, text) || TypeError(NotBase64(text));
}

bool JsonValueReader::ReadBool(Json json) {
  bool truth = false;
  if (!ReadJsonBoolean(json, truth, type_error_)) return false;
  value::AppendBool(out_, truth);
  return true;
}

bool JsonValueReader::ReadNull(Json json) {
  bool truth = false;
  if (!ReadJsonBoolean(json, truth, type_error_)) return false;
  if (!truth) AddFault(NullNotTrueFault());
  value::AppendNull(out_);
  return true;
}

bool JsonValueReader::ReadSet(Type type, Json json) {
  array members;
  if (json.get_array().get(members) != SUCCESS) return TypeError(NotAList(json, JsonPlace::kMember));
  const std::size_t faults_before = faults_;
  // Elements are views into the arena, which therefore must not move.
  std::size_t arena_bytes = 0;
  std::size_t count = 0;
  for (const Json member : members) {
    ++count;
    if (type == Type::kNumberSet) arena_bytes += value::kOrderedBytesMax;
    std::size_t text_bytes = 0;
    if (type == Type::kBinarySet && member.get_string_length().get(text_bytes) == SUCCESS) arena_bytes += text_bytes;
  }
  std::string arena;
  arena.reserve(arena_bytes);
  std::vector<std::string_view> elements;
  elements.reserve(count);
  for (const Json member : members) {
    if (member.is_null()) {
      AddFault(NoDatatypeFault());
      continue;
    }
    if (!ReadElement(type, member, arena, elements.emplace_back())) return false;
  }
  if (count == 0) AddFault(EmptySetFault(type));
  if (!IsAscending(elements)) {
    const std::vector<std::string_view> sent = elements;
    std::sort(elements.begin(), elements.end());
    if (!IsAscending(elements)) AddFault(DuplicatesFault(type, sent, wording_));
  }
  if (faults_ != faults_before) {
    value::AppendNull(out_);
    return true;
  }
  const std::size_t begin = value::BeginContainer(out_, type);
  for (const std::string_view element : elements) value::AppendSetElement(out_, element);
  value::EndContainer(out_, begin);
  return true;
}

bool JsonValueReader::ReadElement(Type type, Json json, std::string& arena, std::string_view& element) {
  std::string_view text;
  if (json.get_string().get(text) != SUCCESS) {
    return TypeError(type == Type::kBinarySet ? NotABlob(json) : NotAScalar(json, "String"));
  }
  const std::size_t begin = arena.size();
  if (type == Type::kStringSet) {
    element = text;
    return true;
  }
  if (type == Type::kBinarySet) {
    if (!base::AppendBase64Decoded(arena, text)) return TypeError(NotBase64(text));
  } else if (const auto appended = value::AppendOrderedFromText(arena, text); !appended) {
    AddFault(NumberFault(appended.error(), text, wording_));
  }
  element = std::string_view(arena).substr(begin);
  return true;
}

bool JsonValueReader::ReadList(Json json, std::size_t level) {
  array members;
  if (json.get_array().get(members) != SUCCESS) return TypeError(NotAList(json, JsonPlace::kMember));
  const std::size_t begin = value::BeginContainer(out_, Type::kList);
  for (const Json member : members) {
    if (!ReadValue(member, JsonPlace::kElement, level + 1)) return false;
  }
  value::EndContainer(out_, begin);
  return true;
}

bool JsonValueReader::ReadMap(object json, std::size_t level) {
  value::MapBuilder map(out_);
  for (const auto& [name, member] : json) {
    if (name.empty()) empty_name_in_map_ = true;
    if (name.size() > base::kAttributeNameBytesMax) AddFault(LongNameFault());
    map.Name(name);
    if (!ReadValue(member, JsonPlace::kElement, level + 1)) return false;
  }
  map.Finish();
  return true;
}

}  // namespace taula::codec
