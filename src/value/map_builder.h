// Builds a map or an item whose attributes come in any order.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "taula/value.h"

namespace taula::value {

// Appends one map value to a buffer. Attributes are appended as they come:
//
//   MapBuilder map(out);
//   map.Name("PK");  AppendString(out, "USER#1");
//   map.Finish();
//
// Finish brings them in order; of two with one name the last one stays. As
// long as they come in order it costs nothing beyond the appending.
class MapBuilder {
 public:
  explicit MapBuilder(std::string& out);
  MapBuilder(const MapBuilder&) = delete;
  MapBuilder& operator=(const MapBuilder&) = delete;

  // The value must be appended to the buffer before the next call.
  void Name(std::string_view name);
  void Add(std::string_view name, ValueView value);
  void Finish();

 private:
  void Reorder();

  std::string& out_;
  std::size_t begin_;
  // Where the last name stands in the buffer, which may move as it grows.
  std::size_t last_name_ = 0;
  std::size_t last_name_length_ = 0;
  std::size_t names_ = 0;
  bool in_order_ = true;
};

// Appends a set value; elements may come in any order and more than once.
void AppendSet(std::string& out, Type type, std::vector<std::string> elements);

}  // namespace taula::value
