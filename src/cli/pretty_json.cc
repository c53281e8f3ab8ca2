#include "cli/pretty_json.h"

#include <cctype>

namespace taula::cli {

std::string PrettyJson(std::string_view json) {
  std::string pretty;
  std::size_t depth = 0;
  const auto new_line = [&] { pretty.append("\n").append(2 * depth, ' '); };
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t begin = at;
      for (++at; at < json.size() && json[at] != '"'; ++at) {
        if (json[at] == '\\') ++at;
      }
      pretty.append(json.substr(begin, at + 1 - begin));
    } else if (c == '{' || c == '[') {
      pretty.push_back(c);
      const std::size_t next = json.find_first_not_of(" \t\r\n", at + 1);
      if (next != std::string_view::npos && (json[next] == '}' || json[next] == ']')) {
        pretty.push_back(json[next]);
        at = next;
        continue;
      }
      ++depth;
      new_line();
    } else if (c == '}' || c == ']') {
      if (depth > 0) --depth;
      new_line();
      pretty.push_back(c);
    } else if (c == ',') {
      pretty.push_back(c);
      new_line();
    } else if (c == ':') {
      pretty.append(": ");
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      pretty.push_back(c);
    }
  }
  return pretty;
}

}  // namespace taula::cli
