// What is wrong with one item, gathered into one message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace taula::design {

class Problems {
 public:
  // A clause such as "name is required".
  void Add(std::string clause);
  [[nodiscard]] bool empty() const { return count_ == 0; }

  // The first few after `beginning`, and how many more there are:
  // "Item does not fit …: name is required; status must be …; and 3 more".
  [[nodiscard]] std::string Message(std::string_view beginning) const;

 private:
  std::vector<std::string> first_;
  std::size_t count_ = 0;
};

}  // namespace taula::design
