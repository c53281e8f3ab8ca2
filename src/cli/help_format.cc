#include "cli/help_format.h"

namespace taula::cli {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kTextColumn = 29;
constexpr std::size_t kLineEnd = 96;

}  // namespace

std::string HelpParagraph(std::string_view name, std::string_view text) {
  std::string out(kIndent, ' ');
  out.append(name);
  std::size_t column = out.size();
  const auto new_line = [&] {
    out.append("\n").append(kTextColumn, ' ');
    column = kTextColumn;
  };
  if (column + 2 > kTextColumn) {
    new_line();
  } else {
    out.append(kTextColumn - column, ' ');
    column = kTextColumn;
  }
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    if (column > kTextColumn && column + 1 + word.size() > kLineEnd) new_line();
    if (column > kTextColumn) {
      out.push_back(' ');
      ++column;
    }
    out.append(word);
    column += word.size();
  }
  out.push_back('\n');
  return out;
}

std::string HelpFormat::make_usage(const CLI::App* app, std::string name) const {
  const bool has_commands = !app->get_subcommands([](const CLI::App*) { return true; }).empty();
  return "Usage: " + (name.empty() ? app->get_name() : name) + (has_commands ? " COMMAND [OPTIONS]\n" : " [OPTIONS]\n");
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = option->get_name(is_positional, true);
  // Without what CLI11 adds about the values it takes: "NUMBER:INT in [1 - 64]".
  const std::string type = option->get_type_name().substr(0, option->get_type_name().find(':'));
  if (option->get_type_size() != 0 && !type.empty()) name += " " + type;
  std::string notes = option->get_default_str();
  if (!notes.empty()) notes = "default " + notes;
  if (!option->get_envname().empty()) notes += (notes.empty() ? "" : ", ") + option->get_envname();
  const std::string& text = option->get_description();
  return HelpParagraph(name, notes.empty() ? text : text + " [" + notes + "]");
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return HelpParagraph(command->get_name(), command->get_description());
}

}  // namespace taula::cli
