#include "api/read_projection.h"

#include <utility>

namespace taula::api {

void CheckAttributesToGet(const std::optional<std::vector<std::string>>& names, std::string_view path,
                          Constraints& constraints) {
  constexpr std::size_t kNamesMax = 255;
  if (!names) return;
  if (names->empty()) constraints.Violated(path, "[]", LengthAtLeast(1));
  if (names->size() <= kNamesMax) return;
  std::string list = "[";
  for (const std::string& name : *names) {
    if (list.size() > 1) list += ", ";
    list += name;
  }
  constraints.Violated(path, list + "]", LengthAtMost(kNamesMax));
}

Result<MaybeProjection> BindAttributesToGet(const std::optional<std::vector<std::string>>& names) {
  if (!names) return std::nullopt;
  Result<expression::Projection> projection = expression::Projection::OfAttributes(*names);
  if (!projection) return std::unexpected(std::move(projection.error()));
  return MaybeProjection(*std::move(projection));
}

Result<MaybeProjection> BindReadProjection(Context& context, const std::optional<std::string>& text,
                                           const std::optional<AttributeNames>& names) {
  ExpressionBinder binder(context);
  if (Result<void> ok = binder.AddNames(names); !ok) return std::unexpected(std::move(ok.error()));
  Result<MaybeProjection> projection = binder.BindProjection(text);
  if (!projection) return projection;
  if (Result<void> ok = binder.CheckAllUsed(); !ok) return std::unexpected(std::move(ok.error()));
  return projection;
}

Item ProjectItem(const MaybeProjection& projection, ValueView item) {
  return projection ? projection->Apply(item.map()) : Item(item);
}

void WriteProjected(codec::JsonWriter& json, const MaybeProjection& projection, ValueView item, std::string& scratch) {
  if (!projection) {
    json.Item(item.map());
    return;
  }
  scratch.clear();
  projection->AppendTo(scratch, item.map());
  json.Item(ValueView(scratch.data()).map());
}

}  // namespace taula::api
