// A page of a list whose elements are known by their ARNs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace taula::api {

// Leaves the elements behind the one with the ARN `start`, none when there is no
// such element.
template <typename Element, typename ArnOf>
void SkipThrough(std::vector<Element>& elements, const std::optional<std::string>& start, ArnOf arn_of) {
  if (!start) return;
  const auto found = std::ranges::find(elements, *start, arn_of);
  elements.erase(elements.begin(), found == elements.end() ? found : found + 1);
}

// Leaves the first `limit`, and says whether there were more.
template <typename Element>
[[nodiscard]] bool CutTo(std::vector<Element>& elements, std::size_t limit) {
  if (elements.size() <= limit) return false;
  elements.resize(limit);
  return true;
}

}  // namespace taula::api
