// Counts how often keys come in a stream of far too many to remember them all.
// This is the Space-Saving sketch of Metwally, Agrawal and El Abbadi (2005): it
// remembers a fixed number of keys, and one that is new takes the place, and the
// count, of the one with the lowest. A key is then over-counted by at most the
// count it took over, and every key that makes up more than 1/capacity of the
// whole is among those remembered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace taula::engine {

struct SketchedKey {
  std::string key;
  double count = 0;  // at least what it is
  double error = 0;  // by how much it may be less
};

// Not for several threads at a time.
class SpaceSaving {
 public:
  explicit SpaceSaving(std::size_t capacity) : capacity_(capacity) {}

  void Add(std::string_view key, double weight);

  // In no order.
  [[nodiscard]] const std::vector<SketchedKey>& keys() const { return heap_; }
  [[nodiscard]] double total() const { return total_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };

  void SinkFrom(std::size_t place);
  void RiseFrom(std::size_t place);
  void Swap(std::size_t left, std::size_t right);

  std::size_t capacity_;
  double total_ = 0;
  std::vector<SketchedKey> heap_;                                               // the lowest count first
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;  // in the heap
};

}  // namespace taula::engine
