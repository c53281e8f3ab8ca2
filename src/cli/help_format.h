// How --help looks: an option a paragraph, wrapped, with its default and its
// environment variable at the end.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace taula::cli {

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

// Two columns: `name`, and `text` wrapped beside it.
[[nodiscard]] std::string HelpParagraph(std::string_view name, std::string_view text);

}  // namespace taula::cli
