// {"Item":{…}}: the lines that exports have, and imports read.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "codec/json_request.h"
#include "taula/value.h"

namespace taula::buckets {

// What stands in an item's place and is none.
struct BadItem {
  std::string message;
  // What follows cannot be trusted either, and is not read.
  bool rest_is_lost = false;
};

// Keeps what it needs between lines; so one for each thread.
class ItemLineReader {
 public:
  [[nodiscard]] std::expected<Item, BadItem> Read(std::string_view line);

 private:
  codec::JsonBody json_;
  std::string padded_;
};

}  // namespace taula::buckets
