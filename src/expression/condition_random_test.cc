// Random conditions on random items, evaluated twice: as the database does it,
// and by a model that shares no code with it. And random text, which must be
// refused or understood, but never do harm.
#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <variant>

#include "expression/testing.h"

namespace taula::expression {
namespace {

// A value of the model.
struct Plain {
  using List = std::vector<Plain>;
  using Map = std::map<std::string, Plain>;
  std::variant<std::nullptr_t, bool, int, std::string, std::set<std::string>, std::set<int>, List, Map> content;

  bool operator==(const Plain& other) const { return content == other.content; }
};

Value Encode(const Plain& plain) {
  struct Encoder {
    Value operator()(std::nullptr_t) const { return {}; }
    Value operator()(bool truth) const { return Value(truth); }
    Value operator()(int number) const { return Value(number); }
    Value operator()(const std::string& text) const { return Value(text); }
    Value operator()(const std::set<std::string>& set) const {
      return Value::StringSet(std::vector<std::string>(set.begin(), set.end()));
    }
    Value operator()(const std::set<int>& set) const {
      std::vector<std::string> texts;
      for (const int number : set) texts.push_back(std::to_string(number));
      return Value::NumberSet(texts).value();
    }
    Value operator()(const Plain::List& list) const {
      std::vector<Value> elements;
      for (const Plain& element : list) elements.push_back(Encode(element));
      return Value::List(elements);
    }
    Value operator()(const Plain::Map& map) const {
      Item item;
      for (const auto& [name, value] : map) item.Set(name, Encode(value));
      return Value(item.view());
    }
  };
  return std::visit(Encoder(), plain.content);
}

// A condition with its text and its meaning.
struct Generated {
  std::string text;
  std::function<bool(const Plain&)> meaning;
};
struct GeneratedOperand {
  std::string text;
  std::function<std::optional<Plain>(const Plain&)> meaning;
  bool is_value = false;  // of a type known before the item is
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  Plain MakeValue(int depth) {
    switch (Below(depth > 0 ? 8 : 6)) {
      case 0:
        return {nullptr};
      case 1:
        return {Below(2) == 0};
      case 2:
        return {Below(7) - 3};
      case 3:
        return {MakeText()};
      case 4:
        return {std::set<std::string>{MakeText(), MakeText()}};
      case 5:
        return {std::set<int>{Below(3), Below(3)}};
      case 6: {
        Plain::List list;
        for (int i = Below(3); i > 0; --i) list.push_back(MakeValue(depth - 1));
        return {list};
      }
      default:
        return MakeMap(depth);
    }
  }

  Plain MakeMap(int depth) {
    Plain::Map map;
    for (int i = Below(6); i > 0; --i) map[MakeName()] = MakeValue(depth - 1);
    return {map};
  }

  Generated MakeCondition(int depth) {
    if (depth > 0) {
      switch (Below(4)) {
        case 0: {
          Generated a = MakeCondition(depth - 1);
          return {"NOT (" + a.text + ")", [a](const Plain& item) { return !a.meaning(item); }};
        }
        case 1: {
          Generated a = MakeCondition(depth - 1), b = MakeCondition(depth - 1);
          return {"(" + a.text + ") AND (" + b.text + ")",
                  [a, b](const Plain& item) { return a.meaning(item) && b.meaning(item); }};
        }
        case 2: {
          Generated a = MakeCondition(depth - 1), b = MakeCondition(depth - 1);
          return {"(" + a.text + ") OR (" + b.text + ")",
                  [a, b](const Plain& item) { return a.meaning(item) || b.meaning(item); }};
        }
        default:
          break;
      }
    }
    return MakeLeaf();
  }

  Placeholders TakePlaceholders() { return std::move(placeholders_); }

 private:
  std::string MakeName() { return std::string(1, static_cast<char>('a' + Below(3))); }
  std::string MakeText() {
    std::string text;
    for (int i = Below(3); i > 0; --i) text += static_cast<char>('x' + Below(2));
    return text;
  }

  GeneratedOperand MakePath() {
    std::vector<std::variant<std::string, std::size_t>> steps{MakeName()};
    std::string text = std::get<std::string>(steps[0]);
    for (int i = Below(3); i > 0; --i) {
      if (Below(2) == 0) {
        steps.emplace_back(MakeName());
        text += "." + std::get<std::string>(steps.back());
      } else {
        steps.emplace_back(static_cast<std::size_t>(Below(3)));
        text += "[" + std::to_string(std::get<std::size_t>(steps.back())) + "]";
      }
    }
    return {text, [steps](const Plain& item) -> std::optional<Plain> {
              Plain at = item;
              for (const auto& step : steps) {
                Plain next;
                if (const auto* name = std::get_if<std::string>(&step)) {
                  const auto* map = std::get_if<Plain::Map>(&at.content);
                  if (map == nullptr || !map->contains(*name)) return std::nullopt;
                  next = map->at(*name);
                } else {
                  const auto* list = std::get_if<Plain::List>(&at.content);
                  const std::size_t index = std::get<std::size_t>(step);
                  if (list == nullptr || index >= list->size()) return std::nullopt;
                  next = (*list)[index];
                }
                at = next;
              }
              return at;
            }};
  }

  GeneratedOperand MakeConstant(const Plain& value) {
    const std::string name = ":v" + std::to_string(placeholders_.values.size());
    placeholders_.values.emplace(name, Encode(value));
    return {name, [value](const Plain&) { return value; }, true};
  }

  GeneratedOperand MakeSize() {
    GeneratedOperand path = MakePath();
    return {"size(" + path.text + ")", [path](const Plain& item) -> std::optional<Plain> {
              const std::optional<Plain> value = path.meaning(item);
              if (!value) return std::nullopt;
              return std::visit(
                  [](const auto& content) -> std::optional<Plain> {
                    if constexpr (requires { content.size(); }) return Plain{static_cast<int>(content.size())};
                    return std::nullopt;
                  },
                  value->content);
            }};
  }

  // Something that may stand on either side of `<`.
  GeneratedOperand MakeOrdered() {
    switch (Below(4)) {
      case 0:
        return MakeConstant({Below(7) - 3});
      case 1:
        return MakeConstant({MakeText()});
      case 2:
        return MakeSize();
      default:
        return MakePath();
    }
  }

  static std::optional<int> Order(const std::optional<Plain>& a, const std::optional<Plain>& b) {
    if (!a || !b) return std::nullopt;
    const auto *na = std::get_if<int>(&a->content), *nb = std::get_if<int>(&b->content);
    if (na != nullptr && nb != nullptr) return *na < *nb ? -1 : *na > *nb ? 1 : 0;
    const auto *sa = std::get_if<std::string>(&a->content), *sb = std::get_if<std::string>(&b->content);
    if (sa != nullptr && sb != nullptr) return sa->compare(*sb);
    return std::nullopt;
  }

  static bool Contains(const Plain& whole, const Plain& part) {
    const auto* text = std::get_if<std::string>(&part.content);
    const auto* number = std::get_if<int>(&part.content);
    if (const auto* s = std::get_if<std::string>(&whole.content)) {
      return text != nullptr && s->find(*text) != std::string::npos;
    }
    if (const auto* ss = std::get_if<std::set<std::string>>(&whole.content)) {
      return text != nullptr && ss->contains(*text);
    }
    if (const auto* ns = std::get_if<std::set<int>>(&whole.content)) return number != nullptr && ns->contains(*number);
    if (const auto* list = std::get_if<Plain::List>(&whole.content)) {
      return std::find(list->begin(), list->end(), part) != list->end();
    }
    return false;
  }

  Generated MakeLeaf() {
    const GeneratedOperand path = MakePath();
    switch (Below(8)) {
      case 0:
        return {"attribute_exists(" + path.text + ")",
                [path](const Plain& item) { return path.meaning(item).has_value(); }};
      case 1: {
        const GeneratedOperand value = MakeConstant(MakeValue(2));
        return {path.text + " = " + value.text,
                [path, value](const Plain& item) { return path.meaning(item) == value.meaning(item); }};
      }
      case 2: {
        const GeneratedOperand value = MakeConstant(MakeValue(2));
        return {value.text + " <> " + path.text,
                [path, value](const Plain& item) { return path.meaning(item) != value.meaning(item); }};
      }
      case 3: {
        const GeneratedOperand other = MakeOrdered();
        if (other.text == path.text) return MakeLeaf();
        return {path.text + " < " + other.text, [path, other](const Plain& item) {
                  return Order(path.meaning(item), other.meaning(item)).value_or(1) < 0;
                }};
      }
      case 4: {
        const GeneratedOperand other = MakeOrdered();
        if (other.text == path.text) return MakeLeaf();
        return {other.text + " >= " + path.text, [path, other](const Plain& item) {
                  return Order(other.meaning(item), path.meaning(item)).value_or(-1) >= 0;
                }};
      }
      case 5: {
        const int lower = Below(4) - 3;
        const GeneratedOperand low = MakeConstant({lower}), high = MakeConstant({lower + Below(3)});
        return {path.text + " BETWEEN " + low.text + " AND " + high.text, [path, low, high](const Plain& item) {
                  const auto value = path.meaning(item);
                  return Order(low.meaning(item), value).value_or(1) <= 0 &&
                         Order(value, high.meaning(item)).value_or(1) <= 0;
                }};
      }
      case 6: {
        const GeneratedOperand a = MakeConstant(MakeValue(1)), b = MakeConstant(MakeValue(1));
        return {path.text + " IN (" + a.text + ", " + b.text + ")", [path, a, b](const Plain& item) {
                  const auto value = path.meaning(item);
                  return value && (value == a.meaning(item) || value == b.meaning(item));
                }};
      }
      default: {
        const GeneratedOperand part = MakeConstant(MakeValue(1));
        return {"contains(" + path.text + ", " + part.text + ")", [path, part](const Plain& item) {
                  const auto whole = path.meaning(item);
                  return whole && Contains(*whole, *part.meaning(item));
                }};
      }
    }
  }

  std::mt19937 random_;
  Placeholders placeholders_;
};

TEST(RandomConditions, MeanWhatTheModelSays) {
  int held = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    Generator generator(static_cast<unsigned>(round));
    const Generated generated = generator.MakeCondition(3);
    const Plain plain_item = generator.MakeMap(3);
    const Placeholders placeholders = generator.TakePlaceholders();
    const Result<Condition> condition = BindCondition(generated.text, placeholders);
    ASSERT_TRUE(condition) << generated.text << ": " << MessageOf(condition);
    const Value item = Encode(plain_item);
    const bool expected = generated.meaning(plain_item);
    ASSERT_EQ(condition->Evaluate(item.view().map()), expected) << "round " << round << ": " << generated.text;
    held += expected ? 1 : 0;
  }
  // A generator whose conditions all end the same would show nothing.
  EXPECT_GT(held, kRounds / 10);
  EXPECT_LT(held, kRounds * 9 / 10);
}

TEST(RandomText, IsRefusedOrUnderstood) {
  static constexpr std::string_view kPieces[] = {"a",
                                                 "b",
                                                 "#n",
                                                 ":v",
                                                 "(",
                                                 ")",
                                                 "[",
                                                 "]",
                                                 "0",
                                                 "7",
                                                 ".",
                                                 ",",
                                                 "=",
                                                 "<>",
                                                 "<",
                                                 "<=",
                                                 ">",
                                                 ">=",
                                                 "+",
                                                 "-",
                                                 "AND",
                                                 "OR",
                                                 "NOT",
                                                 "IN",
                                                 "SET",
                                                 "ADD",
                                                 "size(",
                                                 "BETWEEN",
                                                 "REMOVE",
                                                 "DELETE",
                                                 "attribute_exists(",
                                                 "contains(",
                                                 "if_not_exists(",
                                                 "list_append(",
                                                 "\xff",
                                                 " "};
  const Placeholders placeholders{.names = {{"#n", "n"}}, .values = {{":v", 1}}};
  const Item item{{"a", 1}, {"b", Value::List({1, Value::Map({{"a", 2}})})}, {"n", "text"}};
  std::mt19937 random(1);
  int understood = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    if (round % 2 == 0) text = "SET ";
    for (unsigned i = random() % 12; i < 14; ++i) {
      text.append(kPieces[random() % std::size(kPieces)]).append(" ");
    }
    if (const auto condition = BindCondition(text, placeholders)) {
      ++understood;
      static_cast<void>(condition->Evaluate(item.attributes()));
    }
    if (const auto update = BindUpdate(text, placeholders)) {
      ++understood;
      static_cast<void>(update->Apply(item.attributes()));
    }
    if (const auto key = BindKeyCondition(text, placeholders)) ++understood;
    if (const auto projection = BindProjection(text, placeholders)) {
      ++understood;
      static_cast<void>(projection->Apply(item.attributes()));
    }
  }
  EXPECT_GT(understood, 0);
}

}  // namespace
}  // namespace taula::expression
