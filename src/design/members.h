// The members that each part of a design file may have. The loader refuses
// others, and designs/design.schema.json lists the same ones.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "design/model.h"

namespace taula::design {

inline constexpr std::array<std::string_view, 8> kDesignMembers = {"design",   "description", "stage",    "checks",
                                                                   "defaults", "tables",      "entities", "operations"};
inline constexpr std::array<std::string_view, 2> kDefaultsMembers = {"attributes", "map"};

inline constexpr std::array<std::string_view, 10> kTableMembers = {
    "name", "key", "indexes", "billing", "ttl", "stream", "encryption", "deletion-protection", "tags", "extensions"};
inline constexpr std::array<std::string_view, 2> kKeyMembers = {"partition", "sort"};
inline constexpr std::array<std::string_view, 2> kKeyPartMembers = {"name", "type"};
inline constexpr std::array<std::string_view, 5> kIndexMembers = {"partition", "sort", "projection", "local",
                                                                  "billing"};
inline constexpr std::array<std::string_view, 2> kBillingMembers = {"read", "write"};

inline constexpr std::array<std::string_view, 11> kEntityMembers = {
    "table", "description", "key", "indexes", "type", "map", "attributes", "unique", "soft-delete", "checks", "growth"};
inline constexpr std::array<std::string_view, 2> kGrowthMembers = {"attribute", "items"};

inline constexpr std::array<std::string_view, 20> kAttributeMembers = {
    "type", "required", "default",    "generated",  "prefix",    "set",        "values",
    "min",  "max",      "min-length", "max-length", "fields",    "items",      "stored",
    "top",  "secret",   "format",     "rounds",     "immutable", "description"};

inline constexpr std::array<std::string_view, 6> kBoundMembers = {"after", "from",    "before",
                                                                  "until", "between", "starts-with"};

inline constexpr std::array kAttributeTypes = [] {
  using enum AttributeType;
  return std::array<std::pair<std::string_view, AttributeType>, 18>{{{"string", kString},
                                                                     {"number", kNumber},
                                                                     {"integer", kInteger},
                                                                     {"boolean", kBoolean},
                                                                     {"binary", kBinary},
                                                                     {"list", kList},
                                                                     {"map", kMap},
                                                                     {"string-set", kStringSet},
                                                                     {"number-set", kNumberSet},
                                                                     {"binary-set", kBinarySet},
                                                                     {"enum", kEnum},
                                                                     {"timestamp", kTimestamp},
                                                                     {"date", kDate},
                                                                     {"ulid", kUlid},
                                                                     {"uuid", kUuid},
                                                                     {"email", kEmail},
                                                                     {"bcrypt", kBcrypt},
                                                                     {"any", kAny}}};
}();

[[nodiscard]] constexpr std::string_view NameOf(AttributeType type) {
  for (const auto& [name, each] : kAttributeTypes) {
    if (each == type) return name;
  }
  return {};
}

struct OperationKindName {
  std::string_view name;
  OperationKind kind;
};

inline constexpr std::array<OperationKindName, 12> kOperationKinds = {{{"get", OperationKind::kGet},
                                                                       {"create", OperationKind::kCreate},
                                                                       {"put", OperationKind::kPut},
                                                                       {"update", OperationKind::kUpdate},
                                                                       {"delete", OperationKind::kDelete},
                                                                       {"query", OperationKind::kQuery},
                                                                       {"scan", OperationKind::kScan},
                                                                       {"batch-get", OperationKind::kBatchGet},
                                                                       {"batch-put", OperationKind::kBatchPut},
                                                                       {"verify", OperationKind::kVerify},
                                                                       {"transaction", OperationKind::kTransaction},
                                                                       {"check", OperationKind::kCheck}}};

[[nodiscard]] constexpr std::string_view NameOf(OperationKind kind) {
  for (const OperationKindName& each : kOperationKinds) {
    if (each.kind == kind) return each.name;
  }
  return {};
}

// Which kinds of operation a member belongs to.
class OperationKinds {
 public:
  constexpr OperationKinds(std::initializer_list<OperationKind> kinds) {
    for (const OperationKind kind : kinds) bits_ |= 1U << static_cast<unsigned>(kind);
  }
  static constexpr OperationKinds All() {
    OperationKinds all{};
    all.bits_ = ~0U;
    return all;
  }
  [[nodiscard]] constexpr bool Has(OperationKind kind) const {
    return (bits_ & 1U << static_cast<unsigned>(kind)) != 0;
  }

 private:
  unsigned bits_ = 0;
};

struct OperationMember {
  std::string_view name;
  OperationKinds kinds;
};

inline constexpr std::array kOperationMembers = [] {
  using enum OperationKind;
  return std::array<OperationMember, 24>{{
      {"description", OperationKinds::All()},
      {"covers", OperationKinds::All()},
      {"by", {kQuery, kVerify, kUpdate, kDelete}},
      {"key", {kGet, kUpdate, kDelete, kCheck}},
      {"index", {kQuery, kVerify, kScan, kUpdate, kDelete}},
      {"where", {kQuery}},
      {"filter", {kQuery, kScan}},
      {"if", {kCreate, kPut, kUpdate, kDelete, kCheck}},
      {"order", {kQuery}},
      {"limit", {kQuery, kScan}},
      {"one", {kQuery}},
      {"deleted", {kQuery, kScan, kGet}},
      {"consistent", {kGet, kQuery, kScan}},
      {"returns", {kGet, kQuery, kScan, kBatchGet, kVerify}},
      {"change", {kUpdate}},
      {"set", {kCreate, kPut, kUpdate}},
      {"add", {kUpdate}},
      {"remove", {kUpdate}},
      {"parameters", OperationKinds::All()},
      {"with", {kVerify}},
      {"secret", {kVerify}},
      {"let", {kTransaction}},
      {"read", {kTransaction, kUpdate}},
      // Only of a transaction's steps.
      {"for", {kCreate, kPut, kUpdate, kDelete, kCheck}},
  }};
}();

}  // namespace taula::design
