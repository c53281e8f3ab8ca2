#include "engine/policy_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/index_rules.h"

namespace taula::engine {
namespace {

using Json = simdjson::ondemand::value;

constexpr std::size_t kAccountDigits = 12;

bool IsAccount(std::string_view text) {
  return text.size() == kAccountDigits &&
         std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
}

// "Allow" and "allow" are the same.
bool EqualsIgnoringCase(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

// Reads in the order of the text. Each part answers whether it could be read; the
// first that cannot leaves its error.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<PolicyDocument> Read() {
    PolicyDocument policy;
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    simdjson::ondemand::value root;
    if (parser.iterate(text_).get(document) != simdjson::SUCCESS ||
        document.get_value().get(root) != simdjson::SUCCESS) {
      return InvalidPolicy("This policy contains invalid Json");
    }
    if (!Document(root, policy)) return std::unexpected(*error_);
    return policy;
  }

 private:
  bool Refuse(std::string_view what) {
    if (!error_) error_ = InvalidPolicy(what).error();
    return false;
  }

  // Lines and columns count from one.
  bool SyntaxError(const char* at) {
    const std::string_view before(text_.data(), static_cast<std::size_t>(at - text_.data()));
    const std::size_t line_start = before.rfind('\n') + 1;  // zero when there is none
    return Refuse(fmt::format("Syntax error at position ({},{})", 1 + std::ranges::count(before, '\n'),
                              1 + before.size() - line_start));
  }

  const char* Place(Json& json) {
    const char* at = text_.data();
    std::ignore = json.current_location().get(at);
    return at;
  }

  // Calls member(name, value) for each member of an object.
  template <typename Member>
  bool Object(Json& json, Member member) {
    const char* const at = Place(json);
    simdjson::ondemand::object object;
    if (json.get_object().get(object) != simdjson::SUCCESS) return SyntaxError(at);
    for (auto each : object) {
      simdjson::ondemand::field field;
      std::string_view name;
      if (std::move(each).get(field) != simdjson::SUCCESS || field.unescaped_key().get(name) != simdjson::SUCCESS) {
        return SyntaxError(at);
      }
      const std::string kept(name);  // the view is gone as soon as the value is read
      if (!member(kept, field.value())) return false;
    }
    return true;
  }

  template <typename Text>
  bool ReadText(Json& json, Text& text) {
    const char* const at = Place(json);
    std::string_view view;
    if (json.get_string().get(view) != simdjson::SUCCESS) return SyntaxError(at);
    text = std::string(view);
    return true;
  }

  // A text, or a list of them. Numbers and truths are texts in conditions.
  bool ReadTexts(Json& json, std::vector<std::string>& texts, bool scalars = false) {
    const char* const at = Place(json);
    simdjson::ondemand::json_type type{};
    if (json.type().get(type) != simdjson::SUCCESS) return SyntaxError(at);
    if (scalars && (type == simdjson::ondemand::json_type::number || type == simdjson::ondemand::json_type::boolean)) {
      const std::string_view raw = json.raw_json_token();
      texts.emplace_back(raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1));
      return true;
    }
    if (type == simdjson::ondemand::json_type::string) return ReadText(json, texts.emplace_back());
    simdjson::ondemand::array list;
    if (json.get_array().get(list) != simdjson::SUCCESS) return SyntaxError(at);
    for (auto each : list) {
      if (each.error() != simdjson::SUCCESS) return SyntaxError(at);
      Json element = each.value_unsafe();
      if (scalars ? !ReadTexts(element, texts, true) : !ReadText(element, texts.emplace_back())) return false;
    }
    return true;
  }

  bool Document(Json& json, PolicyDocument& policy) {
    bool has_statements = false;
    const bool read = Object(json, [&](std::string_view name, Json value) {
      const char* const at = Place(value);
      if (name == "Version") {
        if (!ReadText(value, policy.version)) return false;
        return *policy.version == "2012-10-17" || *policy.version == "2008-10-17" || SyntaxError(at);
      }
      if (name == "Id") return ReadText(value, policy.id);
      if (name != "Statement") return SyntaxError(at);
      has_statements = true;
      return Statements(value, policy.statements);
    });
    if (!read) return false;
    if (!has_statements) return Refuse("Missing required field Statement");
    if (policy.statements.empty()) return Refuse("Could not parse the policy: Statement is empty!");
    std::set<std::string_view> sids;
    for (const PolicyStatement& statement : policy.statements) {
      if (statement.sid && !sids.insert(*statement.sid).second) {
        return Refuse("The Statement Ids in the policy are not unique");
      }
    }
    return true;
  }

  // A list of them, or one alone.
  bool Statements(Json& json, std::vector<PolicyStatement>& statements) {
    const char* const at = Place(json);
    simdjson::ondemand::json_type type{};
    if (json.type().get(type) != simdjson::SUCCESS) return SyntaxError(at);
    if (type == simdjson::ondemand::json_type::object) return Statement(json, statements.emplace_back());
    simdjson::ondemand::array list;
    if (json.get_array().get(list) != simdjson::SUCCESS) return SyntaxError(at);
    for (auto each : list) {
      if (each.error() != simdjson::SUCCESS) return SyntaxError(at);
      Json element = each.value_unsafe();
      if (!Statement(element, statements.emplace_back())) return false;
    }
    return true;
  }

  bool Statement(Json& json, PolicyStatement& statement) {
    bool has_effect = false;
    bool has_principal = false;
    const bool read = Object(json, [&](std::string_view name, Json value) {
      const char* const at = Place(value);
      if (name == "Sid") return ReadText(value, statement.sid);
      if (name == "Effect") {
        std::string effect;
        if (!ReadText(value, effect)) return false;
        has_effect = true;
        statement.allows = EqualsIgnoringCase(effect, "Allow");
        return statement.allows || EqualsIgnoringCase(effect, "Deny") || SyntaxError(at);
      }
      if (name == "Principal" || name == "NotPrincipal") {
        has_principal = true;
        statement.principals.negated = name.starts_with("Not");
        return Principals(value, statement.principals);
      }
      if (name == "Action" || name == "NotAction") {
        statement.actions.negated = name.starts_with("Not");
        return ReadTexts(value, statement.actions.patterns);
      }
      if (name == "Resource" || name == "NotResource") {
        statement.resources.negated = name.starts_with("Not");
        return ReadTexts(value, statement.resources.patterns);
      }
      if (name == "Condition") return Conditions(value, statement.conditions);
      return SyntaxError(at);
    });
    if (!read) return false;
    if (!has_effect) return Refuse("Missing required field Effect");
    if (!has_principal) return Refuse("Missing required field Principal");
    if (statement.actions.patterns.empty()) return Refuse("Missing required field Action");
    if (statement.resources.patterns.empty()) return Refuse("Missing required field Resource");
    return true;
  }

  // "*", or texts by kind.
  bool Principals(Json& json, PolicyPrincipals& principals) {
    const char* const at = Place(json);
    std::string_view text;
    if (json.get_string().get(text) == simdjson::SUCCESS) {
      principals.everyone = text == "*";
      return principals.everyone || SyntaxError(at);
    }
    constexpr std::array<std::string_view, 4> kKinds = {"AWS", "Service", "Federated", "CanonicalUser"};
    return Object(json, [&](std::string_view kind, Json value) {
      if (std::ranges::find(kKinds, kind) == kKinds.end()) return SyntaxError(Place(value));
      std::vector<std::string> named;
      if (!ReadTexts(value, named)) return false;
      auto& [name, kept] = principals.by_kind.emplace_back(std::string(kind), std::vector<std::string>());
      for (std::string& each : named) {
        if (kind == "AWS" && IsAccount(each)) each = fmt::format("arn:aws:iam::{}:root", each);
        if (std::ranges::find(kept, each) == kept.end()) kept.push_back(std::move(each));
      }
      return true;
    });
  }

  bool Conditions(Json& json, std::vector<PolicyCondition>& conditions) {
    return Object(json, [&](std::string_view comparison, Json keys) {
      PolicyCondition& condition = conditions.emplace_back();
      condition.comparison = comparison;
      return Object(keys, [&](std::string_view key, Json values) {
        auto& [name, texts] = condition.keys.emplace_back();
        name = key;
        return ReadTexts(values, texts, true);
      });
    });
  }

  simdjson::padded_string text_;
  std::optional<Error> error_;
};

}  // namespace

std::unexpected<Error> InvalidPolicy(std::string_view what) {
  return InvalidParameter(fmt::format("Invalid policy document: {}", what));
}

Result<PolicyDocument> ReadPolicyParts(std::string_view json) {
  // Whether it is JSON at all, in every corner, comes first.
  simdjson::dom::parser whole;
  if (whole.parse(simdjson::padded_string(json)).error() != simdjson::SUCCESS) {
    return InvalidPolicy("This policy contains invalid Json");
  }
  return Reader(json).Read();
}

}  // namespace taula::engine
