// A reference to something callable, for parameters that are only called while
// the function they were given to runs. Never allocates.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace taula::base {

template <typename Signature>
class FunctionRef;

template <typename Return, typename... Arguments>
class FunctionRef<Return(Arguments...)> {
 public:
  template <typename Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Return, Callable&, Arguments...>)
      FunctionRef(Callable&& callable)  // NOLINT(google-explicit-constructor): passing a lambda is the point
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Return {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Return operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_;
  Return (*call_)(void*, Arguments...);
};

}  // namespace taula::base
