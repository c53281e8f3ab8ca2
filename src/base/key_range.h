// A stretch of an ordered key space.
#pragma once

#include <string>

namespace taula::base {

// Keys from `begin` up to, not including, `end`; an empty `end` is the end of
// all keys.
struct KeyRange {
  std::string begin;
  std::string end;
};

}  // namespace taula::base
