// DynamoDB's limits, in one place. All sizes are in bytes.
#pragma once

#include <cstddef>

namespace taula::base {

inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;
inline constexpr std::size_t kItemBytesMax = 400 * 1024;
inline constexpr std::size_t kPageBytesMax = 1024 * 1024;
inline constexpr std::size_t kNestingLevelsMax = 32;
inline constexpr std::size_t kAttributeNameBytesMax = 65535;
inline constexpr std::size_t kKeyNameBytesMax = 255;

inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kExpressionOperatorsMax = 300;
inline constexpr std::size_t kInOperandsMax = 100;
inline constexpr std::size_t kPlaceholderBytesMax = 255;
inline constexpr std::size_t kSubstitutionBytesMax = 2 * 1024 * 1024;

inline constexpr std::size_t kBatchWriteItemsMax = 25;
inline constexpr std::size_t kBatchGetItemsMax = 100;
inline constexpr std::size_t kBatchBytesMax = 16 * 1024 * 1024;
inline constexpr std::size_t kTransactionItemsMax = 100;
inline constexpr std::size_t kTransactionBytesMax = 4 * 1024 * 1024;

inline constexpr std::size_t kGlobalIndexesMax = 20;
inline constexpr std::size_t kLocalIndexesMax = 5;
inline constexpr std::size_t kIndexKeyAttributesMax = 4;  // for each of partition and sort key
inline constexpr std::size_t kProjectedAttributesMax = 100;
inline constexpr std::size_t kScanSegmentsMax = 1'000'000;
inline constexpr std::size_t kTagsMax = 50;

}  // namespace taula::base
