#include "cli/dynamodb_local.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace taula::cli {
namespace {

struct LocalOption {
  std::string_view name;
  bool has_value;
  std::string_view ours;  // empty: always so here, or of no meaning
};

constexpr std::array kLocalOptions = {
    LocalOption{"-port", true, "--port"},
    LocalOption{"-dbPath", true, "--data"},
    LocalOption{"-inMemory", false, "--memory"},
    LocalOption{"-help", false, "--help"},
    LocalOption{"-sharedDb", false, ""},
    LocalOption{"-cors", true, ""},
    LocalOption{"-delayTransientStatuses", false, ""},
    LocalOption{"-optimizeDbBeforeStartup", false, ""},
    LocalOption{"-disableTelemetry", false, ""},
};

const LocalOption* Find(std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  const auto* const found = std::ranges::find(kLocalOptions, name, &LocalOption::name);
  return found == kLocalOptions.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string> TranslateDynamoDbLocal(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const bool bare = Find(arguments.front()) != nullptr;
  if (!bare && arguments.front() != "serve") return arguments;

  std::vector<std::string> translated;
  if (bare) translated.emplace_back("serve");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LocalOption* const option = Find(arguments[i]);
    if (option == nullptr) {
      translated.push_back(std::move(arguments[i]));
      continue;
    }
    const std::size_t equals = arguments[i].find('=');
    const bool value_follows = option->has_value && equals == std::string::npos && i + 1 < arguments.size();
    if (!option->ours.empty()) {
      translated.emplace_back(option->ours);
      if (equals != std::string::npos) translated.back().append(arguments[i], equals);
      if (value_follows) translated.push_back(arguments[i + 1]);
    }
    if (value_follows) ++i;
  }
  return translated;
}

}  // namespace taula::cli
