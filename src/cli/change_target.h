// Who is handed the changes of a table: a command, or a web address. Both get
// the event that a function behind a stream gets, {"Records": […]}.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace taula::cli {

class ChangeTarget {
 public:
  virtual ~ChangeTarget() = default;
  // The error is a sentence that says why the target did not take it.
  [[nodiscard]] virtual std::expected<void, std::string> Take(const std::string& event) = 0;
};

// Runs a command for each event, which gets it on its standard input and takes
// it by ending with 0. Not a shell: the first argument is the program.
[[nodiscard]] std::unique_ptr<ChangeTarget> CommandTarget(std::vector<std::string> command);

// Posts each event, which an answer with a status from 200 to 299 takes. The
// error is a sentence.
[[nodiscard]] std::expected<std::unique_ptr<ChangeTarget>, std::string> WebhookTarget(std::string_view url);

}  // namespace taula::cli
