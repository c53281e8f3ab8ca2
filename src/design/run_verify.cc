// Whether a password is that of the item which was found.
#include <fmt/format.h>

#include "design/entity_json.h"
#include "design/execution.h"
#include "design/password.h"

namespace taula::design {
Outcome<std::string> RunVerify(Execution& execution) {
  const Operation& operation = execution.operation;
  const Entity& entity = execution.EntityOf(operation);
  const Attribute* const secret = entity.Find(operation.secret);
  const std::optional<Value> given = execution.scope.Find(operation.with);
  if (secret == nullptr || !given) return Invalid(operation.with, fmt::format("{} is missing.", operation.with));
  const std::string_view password = given->view().bytes();
  if (const std::string_view why = WhyNoPassword(password); !why.empty()) {
    return Invalid(operation.with, fmt::format("{} {}.", operation.with, why));
  }
  const Outcome<std::optional<Item>> item = FindWhole(execution, operation, execution.scope);
  if (!item) return std::unexpected(item.error());
  std::string_view hash;
  if (*item && !IsDeleted(execution, entity, (*item)->view())) {
    const auto stored = execution.deriver.Find(entity.name, secret->name, (*item)->view());
    if (stored && stored->type() == Type::kString) hash = stored->bytes();
  }
  // The same work and the same words, whether there is such an item or not.
  if (!VerifyPassword(password, hash, secret->rounds)) {
    return Fail(FailureCode::kWrongCredentials, fmt::format("No {} has this {} and this {}.", entity.name,
                                                            fmt::join(operation.by, ", "), operation.with));
  }
  std::string answer = R"({"item":)";
  AppendEntityJson(answer, execution.deriver, entity, (*item)->view(), {.returns = operation.returns});
  answer.push_back('}');
  return answer;
}

}  // namespace taula::design
