#include "design/closest_name.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace taula::design {
namespace {

constexpr std::size_t kNameBytesMax = 64;  // longer ones are no slip of a known name
constexpr std::size_t kNamesListedMax = 12;

char Plain(char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Letters to insert, delete, replace or swap with their neighbour. Case, and '_'
// for '-', do not count.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Plain(a[i - 1]) == Plain(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && Plain(a[i - 1]) == Plain(b[j - 2]) && Plain(a[i - 2]) == Plain(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view ClosestName(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > kNameBytesMax) return {};
  std::size_t closest_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string_view closest;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kNameBytesMax) continue;
    const std::size_t distance = Distance(name, candidate);
    if (distance < closest_distance) {
      closest_distance = distance;
      closest = candidate;
    }
  }
  return closest;
}

std::string SuggestName(std::string_view name, std::span<const std::string_view> known) {
  if (const std::string_view closest = ClosestName(name, known); !closest.empty()) {
    return fmt::format("Did you mean '{}'?", closest);
  }
  if (known.empty()) return {};
  std::string all;
  for (const std::string_view candidate : known.first(std::min(known.size(), kNamesListedMax))) {
    all += all.empty() ? "" : ", ";
    all += candidate;
  }
  return fmt::format("Known here: {}{}.", all, known.size() > kNamesListedMax ? " and others" : "");
}

}  // namespace taula::design
