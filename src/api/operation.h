// What every operation of the wire API is: a function from a JSON body to a
// JSON answer or an error.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "expression/expression_cache.h"
#include "taula/error.h"

namespace taula::api {

// What operations work with. Outlives every request.
struct Context {
  engine::Engine& engine;
  expression::ExpressionCache& expressions;
};

// Takes the JSON body of the answer, or the error. Called once, from any
// thread, possibly before the operation returns; must not block.
using Completion = std::move_only_function<void(Result<std::string>)>;

// `body` has simdjson's padding behind it, and lives until the completion has
// been called.
using Operation = void (*)(Context& context, std::string_view body, Completion done);

}  // namespace taula::api
