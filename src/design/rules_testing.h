// Rules of small designs, and items for them: what the tests of the rules share.
#pragma once

#include <gtest/gtest.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "design/rules.h"
#include "design/test_design.h"

namespace taula::design::rules_testing {

inline constexpr std::int64_t kNow = 1'730'561'400'123;
inline constexpr std::string_view kNowText = "2024-11-02T15:30:00.123Z";
inline constexpr std::string_view kEarlier = "2024-01-01T00:00:00.000Z";

inline constexpr std::string_view kKefir = R"(
  Batch:
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}" }
    indexes:
      GSI1: { GSI1PK: "BATCH#{batchId}", GSI1SK: "STATUS#{status}#{createdAt}" }
    attributes:
      batchId:   string
      userId:    string
      name:      { type: string, required: true, max-length: 10 }
      status:    { type: enum, values: [active, ready, archived], default: active }
      stage:     { type: enum, values: [1, 2] }
      code:      { type: uuid, generated: true }
      ticket:    { type: ulid, generated: true, prefix: t_ }
      createdAt: { type: timestamp, set: on-create, immutable: true }
      updatedAt: { type: timestamp, set: on-write }
      seenAt:    { type: timestamp, format: seconds, set: on-create }
      expires:   { type: timestamp, format: epoch }
  User:
    key: { PK: "USER#{userId}", SK: METADATA }
    unique: [email, [country, nick]]
    soft-delete: deletedAt
    attributes:
      userId:    { type: string, stored: false }
      email:     { type: email, required: true }
      country:   string
      nick:      string
      password:  bcrypt
      deletedAt: timestamp
      settings:
        type: map
        fields: { theme: { type: enum, values: [dark, light], default: dark }, size: { type: integer, required: true } }
)";

class Rules {
 public:
  explicit Rules(const Design& design) : rules_(MakeRules(design, design.tables.at(0))) {}

  // The item as it is written, or the error's message.
  [[nodiscard]] std::expected<Item, std::string> Write(const Item& after, const Item* before, bool is_update) const {
    const std::optional<ValueView> old = before != nullptr ? std::optional(before->view()) : std::nullopt;
    const Result<std::optional<Item>> kept =
        rules_->Keep({.before = old, .after = after.view(), .is_update = is_update, .now_ms = kNow});
    if (!kept) {
      EXPECT_EQ(kept.error().code, ErrorCode::kValidationException);
      return std::unexpected(kept.error().message);
    }
    if (*kept) {
      EXPECT_NE(**kept, after) << "nothing is returned where nothing changes";
      return **kept;
    }
    return after;
  }

  [[nodiscard]] Item Put(const Item& item) const { return Written(Write(item, nullptr, false)); }
  [[nodiscard]] Item PutOver(const Item& before, const Item& item) const {
    return Written(Write(item, &before, false));
  }
  [[nodiscard]] Item Update(const Item& before, const Item& after) const {
    return Written(Write(after, &before, true));
  }

  [[nodiscard]] std::string RefusedPut(const Item& item) const { return Refused(Write(item, nullptr, false)); }
  [[nodiscard]] std::string RefusedUpdate(const Item& before, const Item& after) const {
    return Refused(Write(after, &before, true));
  }

  [[nodiscard]] const DesignRules* operator->() const { return rules_.get(); }

 private:
  static Item Written(const std::expected<Item, std::string>& result) {
    EXPECT_TRUE(result) << result.error();
    return result ? *result : Item();
  }
  static std::string Refused(const std::expected<Item, std::string>& result) {
    EXPECT_FALSE(result) << "was written";
    return result ? "" : result.error();
  }

  std::shared_ptr<const DesignRules> rules_;
};

inline Item With(Item item, std::string_view name, const Value& value) { return item.Set(name, value); }

inline Item Without(const Item& item, std::string_view name) {
  Item rest;
  for (const auto& [each, value] : item.attributes()) {
    if (each != name) rest.Set(each, Value(value));
  }
  return rest;
}

inline std::string Text(const Item& item, std::string_view name) {
  const std::optional<ValueView> value = item.Find(name);
  return value && value->type() == Type::kString ? std::string(value->bytes()) : "(none)";
}

inline Rules Kefir() { return Rules(DesignOfEntities(kKefir)); }

// As a client puts it.
inline Item Batch() { return {{"PK", "USER#1"}, {"SK", "BATCH#7"}, {"name", "first"}}; }

// As it is stored.
inline Item StoredBatch() {
  return {{"PK", "USER#1"},
          {"SK", "BATCH#7"},
          {"name", "first"},
          {"status", "active"},
          {"code", "9c5b94b1-35ad-49bb-b118-8e8fc24abf80"},
          {"ticket", "t_01ARZ3NDEKTSV4RRFFQ69G5FAV"},
          {"createdAt", kEarlier},
          {"updatedAt", kEarlier},
          {"seenAt", "2024-01-01T00:00:00Z"},
          {"GSI1PK", "BATCH#7"},
          {"GSI1SK", "STATUS#active#2024-01-01T00:00:00.000Z"}};
}

inline Item User() { return {{"PK", "USER#1"}, {"SK", "METADATA"}, {"email", "a@example.com"}}; }

}  // namespace taula::design::rules_testing
