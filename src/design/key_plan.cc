#include "design/key_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/item_path.h"

namespace taula::design {
namespace {

using Reach = KeyPlan::Reach;

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The first part whose value `by` does not give; the number of parts when it
// gives all.
std::size_t FirstOpenPart(const Template& text, const std::vector<std::string>& by) {
  const auto is_open = [&](const Template::Part& part) { return part.is_reference() && !Contains(by, part.reference); };
  return static_cast<std::size_t>(std::ranges::find_if(text.parts(), is_open) - text.parts().begin());
}

// Whether the order of keys is the order of the attribute's values in this part.
bool IsOrdered(const Entity& entity, const Template::Part& part, const KeyPart& key) {
  const Attribute* const attribute = entity.Find(part.reference);
  const bool is_number =
      attribute != nullptr && (attribute->type == AttributeType::kNumber || attribute->type == AttributeType::kInteger);
  return !is_number || key.type == Type::kNumber || part.transform == Transform::kPad;
}

// A day stands for all times in it, so that a time is not exactly where the key
// says. Other transforms decide themselves what counts as equal.
bool IsLossy(Transform transform) { return transform == Transform::kDate; }

bool IsStored(const Entity& entity, std::string_view name) {
  const Attribute* const attribute = entity.Find(name);
  return attribute != nullptr && attribute->stored;
}

struct SidePlan {
  Reach reach = Reach::kNothing;
  std::vector<std::string> used_by;
  std::vector<const Bound*> used_where;
  std::vector<const Bound*> loose_where;  // used, but the filter has to look again
};

SidePlan PlanSide(const Entity& entity, const Template& text, const KeyPart& key, const Operation& operation) {
  SidePlan plan;
  const std::size_t open = FirstOpenPart(text, operation.by);
  for (std::size_t i = 0; i < open; ++i) {
    if (text.parts()[i].is_reference()) plan.used_by.push_back(text.parts()[i].reference);
  }
  if (open == text.parts().size()) {
    plan.reach = Reach::kWhole;
    return plan;
  }
  if (open > 0) plan.reach = Reach::kBeginning;
  const Template::Part& part = text.parts()[open];
  for (const Bound& bound : operation.where) {
    if (bound.attribute != part.reference || !IsOrdered(entity, part, key)) continue;
    if (bound.comparison == Comparison::kStartsWith && part.transform == Transform::kPad) continue;
    plan.used_where.push_back(&bound);
    if (IsLossy(part.transform) && IsStored(entity, part.reference)) plan.loose_where.push_back(&bound);
    const bool is_beginning = bound.comparison == Comparison::kStartsWith && plan.reach != Reach::kRange;
    plan.reach = is_beginning ? Reach::kBeginning : Reach::kRange;
  }
  return plan;
}

struct EntityPlan {
  SidePlan partition;
  SidePlan sort;
};

std::expected<EntityPlan, std::string> PlanEntity(const Design& design, const Entity& entity, const KeyPlan& keys,
                                                  const Operation& operation) {
  const std::optional<Template> partition = TemplateFor(design, entity, keys.index, keys.partition_part());
  if (!partition || !IsIn(design, entity, keys.index)) {
    return std::unexpected(fmt::format("{} is not in the index '{}'", entity.name, operation.index));
  }
  EntityPlan plan;
  plan.partition = PlanSide(entity, *partition, keys.partition_part(), operation);
  const KeyPart* const sort_part = keys.sort_part();
  if (sort_part == nullptr) return plan;
  if (const auto sort = TemplateFor(design, entity, keys.index, *sort_part)) {
    plan.sort = PlanSide(entity, *sort, *sort_part, operation);
  }
  return plan;
}

bool IsRangeOverPartitionsOnly(const EntityPlan& plan) {
  return plan.partition.reach != Reach::kWhole && !plan.partition.used_where.empty() && plan.sort.used_by.empty() &&
         plan.sort.used_where.empty();
}

// What any entity's keys leave open is filtered for all of them.
void AddUnserved(const Operation& operation, const EntityPlan& entity, KeyPlan& plan) {
  for (const std::string& name : operation.by) {
    const bool is_served = Contains(entity.partition.used_by, name) || Contains(entity.sort.used_by, name);
    if (!is_served && !Contains(plan.filtered_by, name)) plan.filtered_by.push_back(name);
  }
  const auto has = [](const std::vector<const Bound*>& bounds, const Bound* bound) {
    return std::ranges::find(bounds, bound) != bounds.end();
  };
  for (const Bound& bound : operation.where) {
    const bool is_served = has(entity.partition.used_where, &bound) || has(entity.sort.used_where, &bound);
    const bool is_loose = has(entity.partition.loose_where, &bound) || has(entity.sort.loose_where, &bound);
    if ((!is_served || is_loose) && !has(plan.filtered_where, &bound)) plan.filtered_where.push_back(&bound);
  }
}

// The template's beginning that `by` gives, with anything behind it.
Template BeginningOf(const Template& text, const std::vector<std::string>& by) {
  const std::size_t open = FirstOpenPart(text, by);
  if (open == text.parts().size()) return text;
  std::string beginning;
  const auto escape = [&](std::string_view literal) {
    for (const char c : literal) {
      if (c == '{' || c == '}') beginning.push_back(c);
      beginning.push_back(c);
    }
  };
  for (std::size_t i = 0; i < open; ++i) {
    const Template::Part& part = text.parts()[i];
    if (part.is_reference()) {
      beginning.append(fmt::format("{{{}}}", part.reference));
    } else {
      escape(part.literal);
    }
  }
  return Template::Parse(beginning + "{rest}").value_or(text);
}

bool CanHoldItemsOf(const Design& design, const Entity& entity, const Entity& other, const KeyPlan& plan,
                    const Operation& operation) {
  const auto overlaps = [&](const KeyPart& part) {
    const std::optional<Template> mine = TemplateFor(design, entity, plan.index, part);
    const std::optional<Template> theirs = TemplateFor(design, other, plan.index, part);
    return mine && theirs && BeginningOf(*mine, operation.by).Overlaps(*theirs);
  };
  if (!IsIn(design, other, plan.index) || !overlaps(plan.partition_part())) return false;
  return plan.sort_part() == nullptr || overlaps(*plan.sort_part());
}

void AddOthers(const Design& design, const Operation& operation, KeyPlan& plan) {
  for (const Entity& other : design.entities) {
    if (Contains(operation.entities, other.name) || design.FindTable(other.table) != plan.table) continue;
    const bool in_range = std::ranges::any_of(operation.entities, [&](const std::string& name) {
      return CanHoldItemsOf(design, *design.FindEntity(name), other, plan, operation);
    });
    if (in_range) plan.others.push_back(other.name);
  }
}

// One entity's range of one key attribute.
class SideRange {
 public:
  SideRange(const Entity& entity, const Template& text, const KeyPart& key, const Operation& operation,
            const Scope& scope)
      : entity_(entity), text_(text), key_(key), operation_(operation), scope_(scope) {}

  std::expected<KeyRange, KeyProblem> Make() {
    const std::size_t open = FirstOpenPart(text_, operation_.by);
    if (key_.type != Type::kString) return OfTyped(open);
    std::string beginning;
    for (std::size_t i = 0; i < open; ++i) {
      const Template::Part& part = text_.parts()[i];
      if (!part.is_reference()) {
        beginning.append(part.literal);
        continue;
      }
      const auto piece = PieceOf(i, scope_.Implied(part.reference));
      if (!piece) return std::unexpected(piece.error());
      beginning.append(*piece);
    }
    if (open == text_.parts().size()) return KeyRange::Of(Value(beginning));
    return Narrowed(open, beginning);
  }

 private:
  static std::unexpected<KeyProblem> Problem(const std::string& parameter, std::string what) {
    return std::unexpected(KeyProblem{parameter, std::move(what)});
  }

  // The text that a value has in its part of the key.
  std::expected<std::string, KeyProblem> PieceOf(std::size_t at, const std::optional<Value>& value) {
    const Template::Part& part = text_.parts()[at];
    const std::optional<std::string> plain = value ? TextOf(value->view()) : std::nullopt;
    if (!plain) return Problem(part.reference, fmt::format("{} has no value", part.reference));
    std::optional<std::string> piece = Apply(part.transform, part.width, *plain);
    if (!piece) {
      return Problem(part.reference,
                     fmt::format("{} cannot be '{}' in the key \"{}\"", part.reference, *plain, text_.text()));
    }
    if (!text_.CanHold(at, *piece)) {
      return Problem(part.reference, piece->empty()
                                         ? fmt::format("{} is empty", part.reference)
                                         : fmt::format("{} may not hold '{}', which ends it in the key \"{}\"",
                                                       part.reference, LiteralBehind(at), text_.text()));
    }
    return *std::move(piece);
  }

  std::string_view LiteralBehind(std::size_t at) const {
    return at + 1 < text_.parts().size() ? std::string_view(text_.parts()[at + 1].literal) : std::string_view();
  }

  std::expected<Value, KeyProblem> ValueOf(const Term& term, const Bound& bound) {
    const bool is_start = bound.comparison == Comparison::kStartsWith;
    const auto value = Evaluate(term, scope_, is_start ? nullptr : entity_.Find(bound.attribute));
    if (!value) return Problem(bound.attribute, value.error());
    if (!*value) return Problem(bound.attribute, fmt::format("{} has no value to compare with", bound.attribute));
    return **value;
  }

  // The keys with this very value begin with all of it and what follows it in
  // the template; those that are greater come behind all of these.
  std::optional<std::string> Behind(const std::string& beginning, std::string_view literal) {
    if (literal.empty()) return beginning + '\0';
    return AfterPrefix(beginning + std::string(literal));
  }

  std::expected<KeyRange, KeyProblem> Narrowed(std::size_t at, const std::string& beginning) {
    KeyRange range = KeyRange::OfPrefix(beginning);
    const Template::Part& part = text_.parts()[at];
    if (!IsOrdered(entity_, part, key_)) return range;
    for (const Bound& bound : operation_.where) {
      if (bound.attribute != part.reference) continue;
      if (bound.comparison == Comparison::kStartsWith && part.transform == Transform::kPad) continue;
      const auto narrower = OfBound(at, beginning, bound);
      if (!narrower) return narrower;
      range.Intersect(*narrower);
    }
    return range;
  }

  std::expected<KeyRange, KeyProblem> OfBound(std::size_t at, const std::string& beginning, const Bound& bound) {
    const std::expected<Value, KeyProblem> low = ValueOf(bound.low, bound);
    if (!low) return std::unexpected(low.error());
    if (bound.comparison == Comparison::kStartsWith) return OfStart(at, beginning, *low, bound);
    const auto low_piece = PieceOf(at, *low);
    if (!low_piece) return std::unexpected(low_piece.error());
    std::string high_piece = *low_piece;
    if (bound.comparison == Comparison::kBetween) {
      const auto high = ValueOf(bound.high, bound);
      if (!high) return std::unexpected(high.error());
      const auto piece = PieceOf(at, *high);
      if (!piece) return std::unexpected(piece.error());
      high_piece = *piece;
    }
    return Between(at, beginning + *low_piece, beginning + high_piece, bound.comparison);
  }

  KeyRange Between(std::size_t at, const std::string& low, const std::string& high, Comparison comparison) {
    KeyRange range;
    const std::string_view literal = LiteralBehind(at);
    const bool lossy = IsLossy(text_.parts()[at].transform);
    const auto begin_behind = [&] {
      if (const auto behind = Behind(low, literal)) range.low = KeyRange::End{Value(*behind), false};
    };
    const auto end_behind = [&] {
      if (const auto behind = Behind(high, literal)) range.high = KeyRange::End{Value(*behind), true};
    };
    switch (comparison) {
      case Comparison::kAfter:
        if (lossy) {
          range.low = KeyRange::End{Value(low), false};
        } else {
          begin_behind();
        }
        break;
      case Comparison::kFrom:
        range.low = KeyRange::End{Value(low), false};
        break;
      case Comparison::kBefore:
        if (lossy) {
          end_behind();
        } else {
          range.high = KeyRange::End{Value(high), true};
        }
        break;
      case Comparison::kUntil:
        end_behind();
        break;
      case Comparison::kBetween:
        range.low = KeyRange::End{Value(low), false};
        end_behind();
        break;
      case Comparison::kStartsWith:
        break;
    }
    return range;
  }

  std::expected<KeyRange, KeyProblem> OfStart(std::size_t at, const std::string& beginning, const Value& value,
                                              const Bound& bound) {
    const Template::Part& part = text_.parts()[at];
    const std::optional<std::string> plain = TextOf(value.view());
    if (!plain) return Problem(bound.attribute, fmt::format("{} cannot start with that", bound.attribute));
    // The beginning of a date may be shorter than one.
    const std::optional<std::string> piece = part.transform == Transform::kDate
                                                 ? std::optional(plain->substr(0, 10))
                                                 : Apply(part.transform, part.width, *plain);
    return KeyRange::OfPrefix(beginning + piece.value_or(""));
  }

  // Keys that are numbers or binaries: the template is the attribute alone.
  std::expected<KeyRange, KeyProblem> OfTyped(std::size_t open) {
    if (!text_.is_single_reference()) {
      return Problem({}, fmt::format("the key '{}' is no text, so \"{}\" cannot be in it", key_.name, text_.text()));
    }
    const std::string& attribute = text_.parts().front().reference;
    if (open > 0) {
      const std::optional<Value> value = scope_.Implied(attribute);
      if (!value || value->type() != key_.type) return Problem(attribute, fmt::format("{} has no value", attribute));
      return KeyRange::Of(*value);
    }
    KeyRange range;
    for (const Bound& bound : operation_.where) {
      if (bound.attribute != attribute) continue;
      const auto narrower = OfTypedBound(bound);
      if (!narrower) return narrower;
      range.Intersect(*narrower);
    }
    return range;
  }

  std::expected<KeyRange, KeyProblem> OfTypedBound(const Bound& bound) {
    const auto low = ValueOf(bound.low, bound);
    if (!low) return std::unexpected(low.error());
    const auto high = bound.comparison == Comparison::kBetween ? ValueOf(bound.high, bound) : low;
    if (!high) return std::unexpected(high.error());
    if (low->type() != key_.type || high->type() != key_.type) {
      return Problem(bound.attribute, fmt::format("{} is compared with a value of another type", bound.attribute));
    }
    KeyRange range;
    if (bound.comparison == Comparison::kAfter || bound.comparison == Comparison::kFrom ||
        bound.comparison == Comparison::kBetween) {
      range.low = KeyRange::End{*low, bound.comparison == Comparison::kAfter};
    }
    if (bound.comparison == Comparison::kBefore || bound.comparison == Comparison::kUntil ||
        bound.comparison == Comparison::kBetween) {
      range.high = KeyRange::End{*high, bound.comparison == Comparison::kBefore};
    }
    return range;
  }

  const Entity& entity_;
  const Template& text_;
  const KeyPart& key_;
  const Operation& operation_;
  const Scope& scope_;
};

// The range of one key attribute for all entities of the operation.
std::expected<KeyRange, KeyProblem> RangeOver(const Design& design, const Operation& operation, const KeyPlan& plan,
                                              const KeyPart& part, const Scope& scope) {
  std::optional<KeyRange> all;
  for (const std::string& name : operation.entities) {
    const Entity& entity = *design.FindEntity(name);
    const std::optional<Template> text = TemplateFor(design, entity, plan.index, part);
    if (!text) return KeyRange::All();
    const auto range = SideRange(entity, *text, part, operation, scope).Make();
    if (!range) return range;
    if (all) {
      all->Extend(*range);
    } else {
      all = *range;
    }
  }
  return all.value_or(KeyRange::All());
}

}  // namespace

std::optional<Template> TemplateFor(const Design& design, const Entity& entity, const Index* index,
                                    const KeyPart& part) {
  const Table& table = design.TableOf(entity);
  if (index != nullptr) {
    if (const IndexKey* const key = entity.FindIndex(index->name)) {
      if (part.name == index->partition.name && key->partition) return key->partition;
      if (index->sort && part.name == index->sort->name && key->sort) return key->sort;
    }
  }
  if (part.name == table.partition.name) return entity.key.partition;
  if (table.sort && part.name == table.sort->name) return entity.key.sort;
  if (entity.Find(part.name) == nullptr) return std::nullopt;
  return Template::Parse(fmt::format("{{{}}}", part.name)).value_or(Template());
}

bool IsIn(const Design& design, const Entity& entity, const Index* index) {
  if (index == nullptr) return true;
  return TemplateFor(design, entity, index, index->partition) &&
         (!index->sort || TemplateFor(design, entity, index, *index->sort));
}

std::expected<KeyPlan, std::string> PlanKeys(const Design& design, const Operation& operation) {
  KeyPlan plan;
  plan.table = &design.TableOf(*design.FindEntity(operation.entities.front()));
  if (!operation.index.empty()) {
    plan.index = plan.table->FindIndex(operation.index);
    if (plan.index == nullptr) return std::unexpected(fmt::format("there is no index '{}'", operation.index));
  }
  plan.partition = Reach::kWhole;
  plan.sort = plan.sort_part() == nullptr ? Reach::kNothing : Reach::kWhole;
  for (const std::string& name : operation.entities) {
    const auto entity = PlanEntity(design, *design.FindEntity(name), plan, operation);
    if (!entity) return std::unexpected(entity.error());
    plan.partition = std::min(plan.partition, entity->partition.reach);
    plan.sort = std::min(plan.sort, entity->sort.reach);
    AddUnserved(operation, *entity, plan);
    plan.in_order_of_partitions |= IsRangeOverPartitionsOnly(*entity);
  }
  AddOthers(design, operation, plan);
  return plan;
}

std::expected<KeyRanges, KeyProblem> RangesOf(const Design& design, const Operation& operation, const KeyPlan& plan,
                                              const Scope& scope) {
  KeyRanges ranges;
  auto partition = RangeOver(design, operation, plan, plan.partition_part(), scope);
  if (!partition) return std::unexpected(partition.error());
  ranges.partition = *std::move(partition);
  if (plan.sort_part() == nullptr || plan.in_order_of_partitions) return ranges;
  auto sort = RangeOver(design, operation, plan, *plan.sort_part(), scope);
  if (!sort) return std::unexpected(sort.error());
  ranges.sort = *std::move(sort);
  return ranges;
}

}  // namespace taula::design
