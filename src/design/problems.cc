#include "design/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace taula::design {
namespace {

constexpr std::size_t kNamedMax = 5;

}  // namespace

void Problems::Add(std::string clause) {
  if (++count_ <= kNamedMax) first_.push_back(std::move(clause));
}

std::string Problems::Message(std::string_view beginning) const {
  std::string message = fmt::format("{}: {}", beginning, fmt::join(first_, "; "));
  if (count_ > first_.size()) message += fmt::format("; and {} more", count_ - first_.size());
  return message;
}

}  // namespace taula::design
