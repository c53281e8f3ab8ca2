// The settings of a table by the names that the wire protocol gives them. The
// catalog's records keep the same names. Persisted: do not change.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "taula/table.h"

namespace taula::catalog {

// Specialised below for each enumeration: its values with their names.
template <typename Enum>
inline constexpr auto kEnumNames = nullptr;

template <>
inline constexpr auto kEnumNames<KeyType> =
    std::to_array<std::pair<KeyType, std::string_view>>({{KeyType::kHash, "HASH"}, {KeyType::kRange, "RANGE"}});

template <>
inline constexpr auto kEnumNames<ProjectionType> = std::to_array<std::pair<ProjectionType, std::string_view>>(
    {{ProjectionType::kAll, "ALL"}, {ProjectionType::kInclude, "INCLUDE"}, {ProjectionType::kKeysOnly, "KEYS_ONLY"}});

template <>
inline constexpr auto kEnumNames<BillingMode> = std::to_array<std::pair<BillingMode, std::string_view>>(
    {{BillingMode::kProvisioned, "PROVISIONED"}, {BillingMode::kPayPerRequest, "PAY_PER_REQUEST"}});

template <>
inline constexpr auto kEnumNames<TableClass> = std::to_array<std::pair<TableClass, std::string_view>>(
    {{TableClass::kStandard, "STANDARD"}, {TableClass::kStandardInfrequentAccess, "STANDARD_INFREQUENT_ACCESS"}});

template <>
inline constexpr auto kEnumNames<StreamViewType> = std::to_array<std::pair<StreamViewType, std::string_view>>(
    {{StreamViewType::kOldImage, "OLD_IMAGE"},
     {StreamViewType::kKeysOnly, "KEYS_ONLY"},
     {StreamViewType::kNewAndOldImages, "NEW_AND_OLD_IMAGES"},
     {StreamViewType::kNewImage, "NEW_IMAGE"}});

template <>
inline constexpr auto kEnumNames<TableStatus> =
    std::to_array<std::pair<TableStatus, std::string_view>>({{TableStatus::kCreating, "CREATING"},
                                                             {TableStatus::kUpdating, "UPDATING"},
                                                             {TableStatus::kActive, "ACTIVE"},
                                                             {TableStatus::kDeleting, "DELETING"}});

template <>
inline constexpr auto kEnumNames<IndexStatus> =
    std::to_array<std::pair<IndexStatus, std::string_view>>({{IndexStatus::kCreating, "CREATING"},
                                                             {IndexStatus::kUpdating, "UPDATING"},
                                                             {IndexStatus::kActive, "ACTIVE"},
                                                             {IndexStatus::kDeleting, "DELETING"}});

template <>
inline constexpr auto kEnumNames<TimeToLiveStatus> =
    std::to_array<std::pair<TimeToLiveStatus, std::string_view>>({{TimeToLiveStatus::kEnabling, "ENABLING"},
                                                                  {TimeToLiveStatus::kEnabled, "ENABLED"},
                                                                  {TimeToLiveStatus::kDisabling, "DISABLING"},
                                                                  {TimeToLiveStatus::kDisabled, "DISABLED"}});

// The types a key attribute may have.
template <>
inline constexpr auto kEnumNames<Type> = std::to_array<std::pair<Type, std::string_view>>({{Type::kBinary, "B"},
                                                                                           {Type::kNumber, "N"},
                                                                                           {Type::kString, "S"}});

template <typename Enum>
[[nodiscard]] constexpr std::string_view NameOf(Enum value) {
  for (const auto& [candidate, name] : kEnumNames<Enum>) {
    if (candidate == value) return name;
  }
  return {};
}

template <typename Enum>
[[nodiscard]] constexpr std::optional<Enum> FromName(std::string_view name) {
  for (const auto& [value, candidate] : kEnumNames<Enum>) {
    if (candidate == name) return value;
  }
  return std::nullopt;
}

}  // namespace taula::catalog
