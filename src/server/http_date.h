// The value of the Date field, made once a second.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace taula::server {

// "Sun, 15 Nov 2026 22:09:23 GMT".
[[nodiscard]] std::string HttpDate(std::time_t time);

// For one thread.
class HttpDateClock {
 public:
  [[nodiscard]] std::string_view Now();

 private:
  std::time_t second_ = -1;
  std::string text_;
};

}  // namespace taula::server
