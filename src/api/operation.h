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

class RequestRecord;

// What an operation works with while it runs; what is done later takes of it
// what it needs.
struct Context {
  engine::Engine& engine;
  expression::ExpressionCache& expressions;
  RequestRecord* record = nullptr;  // where there is somebody to count requests
};

// Takes the JSON body of the answer, or the error. Called once, from any
// thread, possibly before the operation returns; must not block.
using Completion = std::move_only_function<void(Result<std::string>)>;

// `body` has simdjson's padding behind it, and lives until the completion has
// been called.
using Operation = void (*)(Context& context, std::string_view body, Completion done);

}  // namespace taula::api
