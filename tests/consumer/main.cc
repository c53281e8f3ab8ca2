// Uses the installed headers and library alone: what is missing from either
// does not compile or does not link here.

#include <taula/database.h>
#include <taula/error.h>
#include <taula/value.h>

#include <cstdio>

int main() {
  const taula::Value greeting("hello");
  const taula::Value number(42);
  if (greeting == number) return 1;
  std::puts("linked against taula");
  return 0;
}
