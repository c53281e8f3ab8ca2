// Shorthand for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "expression/bindings.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/parser.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "taula/value.h"

namespace taula::expression {

// A number by its text.
inline Value N(std::string_view text) { return Value::Number(text).value(); }
inline Value NumberSet(std::initializer_list<std::string> texts) {
  return Value::NumberSet(std::vector<std::string>(texts)).value();
}

// The placeholders of a request.
struct Placeholders {
  std::map<std::string, std::string> names;
  std::map<std::string, Value> values;
};

inline Bindings BindingsOf(const Placeholders& placeholders) {
  Bindings bindings;
  for (const auto& [placeholder, name] : placeholders.names) EXPECT_TRUE(bindings.AddName(placeholder, name));
  for (const auto& [placeholder, value] : placeholders.values) {
    EXPECT_TRUE(bindings.AddValue(placeholder, value.view()));
  }
  return bindings;
}

// Parse and bind; `placeholders` must outlive what is bound.
inline Result<Condition> BindCondition(std::string_view text, const Placeholders& placeholders = {}) {
  Result<SyntaxPtr> syntax = Parse(ExpressionKind::kCondition, text);
  if (!syntax) return std::unexpected(syntax.error());
  Bindings bindings = BindingsOf(placeholders);
  return Condition::Bind(ExpressionKind::kCondition, *syntax, bindings);
}

inline Result<KeyCondition> BindKeyCondition(std::string_view text, const Placeholders& placeholders = {},
                                             ConditionsPerKey per_key = ConditionsPerKey::kOne) {
  Result<SyntaxPtr> syntax = Parse(ExpressionKind::kKeyCondition, text);
  if (!syntax) return std::unexpected(syntax.error());
  Bindings bindings = BindingsOf(placeholders);
  return KeyCondition::Bind(*syntax, bindings, per_key);
}

inline Result<Projection> BindProjection(std::string_view text, const Placeholders& placeholders = {}) {
  Result<SyntaxPtr> syntax = Parse(ExpressionKind::kProjection, text);
  if (!syntax) return std::unexpected(syntax.error());
  Bindings bindings = BindingsOf(placeholders);
  return Projection::Bind(*syntax, bindings);
}

inline Result<Update> BindUpdate(std::string_view text, const Placeholders& placeholders = {}) {
  Result<SyntaxPtr> syntax = Parse(ExpressionKind::kUpdate, text);
  if (!syntax) return std::unexpected(syntax.error());
  Bindings bindings = BindingsOf(placeholders);
  return Update::Bind(*syntax, bindings);
}

// The message of a result that is expected to be an error.
template <typename T>
std::string MessageOf(const Result<T>& result) {
  return result ? "(no error)" : result.error().message;
}

}  // namespace taula::expression
