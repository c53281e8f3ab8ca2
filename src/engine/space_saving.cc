#include "engine/space_saving.h"

#include <utility>

namespace taula::engine {

void SpaceSaving::Add(std::string_view key, double weight) {
  if (weight <= 0) return;
  total_ += weight;
  if (const auto known = places_.find(key); known != places_.end()) {
    heap_[known->second].count += weight;
    SinkFrom(known->second);
    return;
  }
  if (heap_.size() < capacity_) {
    heap_.push_back({std::string(key), weight, 0});
    places_.emplace(key, heap_.size() - 1);
    RiseFrom(heap_.size() - 1);
    return;
  }
  SketchedKey& lowest = heap_.front();
  // The node of the key that goes serves the one that comes.
  auto node = places_.extract(lowest.key);
  lowest.key = key;
  lowest.error = lowest.count;
  lowest.count += weight;
  node.key() = lowest.key;
  node.mapped() = 0;
  places_.insert(std::move(node));
  SinkFrom(0);
}

void SpaceSaving::SinkFrom(std::size_t place) {
  while (true) {
    std::size_t least = place;
    for (const std::size_t child : {2 * place + 1, 2 * place + 2}) {
      if (child < heap_.size() && heap_[child].count < heap_[least].count) least = child;
    }
    if (least == place) return;
    Swap(place, least);
    place = least;
  }
}

void SpaceSaving::RiseFrom(std::size_t place) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (heap_[parent].count <= heap_[place].count) return;
    Swap(place, parent);
    place = parent;
  }
}

void SpaceSaving::Swap(std::size_t left, std::size_t right) {
  std::swap(heap_[left], heap_[right]);
  places_.find(heap_[left].key)->second = left;
  places_.find(heap_[right].key)->second = right;
}

}  // namespace taula::engine
