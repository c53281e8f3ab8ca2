#include "engine/view_walk.h"

#include <cstddef>
#include <optional>
#include <string>

#include "codec/key_codec.h"

namespace taula::engine {
namespace {

// The next key costs a tenth of what looking for one does.
constexpr std::size_t kStepsBeforeJump = 16;

class Walk {
 public:
  Walk(const catalog::KeySchema& key, const ViewRead& read, bool reverse,
       base::FunctionRef<bool(std::string_view, bool)> visit)
      : parts_(read.parts), reverse_(reverse), visit_(visit) {
    const bool by_sort = read.order == ViewOrder::kBySort;
    for (const auto* attributes : {by_sort ? &key.sort : &key.partition, by_sort ? &key.partition : &key.sort}) {
      for (const catalog::KeyAttribute& attribute : *attributes) types_.push_back(attribute.type);
    }
  }

  // Whether to go on with the next key.
  bool See(std::string_view key) {
    if (!IsBeforeBound(key)) {
      steps_ = 0;
      bound_ = Misfit(key);
    }
    if (!visit_(key, !bound_)) {
      stopped_ = true;
      return false;
    }
    jump_ = bound_ && ++steps_ >= kStepsBeforeJump;
    return !jump_;
  }

  // Whether the walk goes on in what is left of the range.
  bool Jump(storage::Range& range) {
    if (stopped_ || !jump_) return false;
    jump_ = false;
    steps_ = 0;
    (reverse_ ? range.end : range.begin) = *bound_;
    return range.begin < range.end;
  }

 private:
  [[nodiscard]] bool IsBeforeBound(std::string_view key) const {
    return bound_ && (reverse_ ? key >= *bound_ : key < *bound_);
  }

  // Nothing when all parts are wanted. Otherwise no key up to this one is:
  // forward it is the first that may be, backward it is behind the first.
  [[nodiscard]] std::optional<std::string> Misfit(std::string_view key) const {
    std::size_t begin = codec::kSpacePrefixBytes + 1;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const base::KeyRange& wanted = parts_[i];
      const std::size_t bytes = codec::KeyPartBytes(key.substr(begin), types_[i]);
      const std::string_view part = key.substr(begin, bytes);
      const std::string_view before = key.substr(0, begin);
      if (part < wanted.begin) return reverse_ ? std::string(before) : std::string(before).append(wanted.begin);
      if (!wanted.end.empty() && part >= wanted.end) {
        return reverse_ ? std::string(before).append(wanted.end) : codec::PrefixEnd(before);
      }
      begin += bytes;
    }
    return std::nullopt;
  }

  const std::vector<base::KeyRange>& parts_;
  std::vector<Type> types_;  // of the parts
  bool reverse_;
  base::FunctionRef<bool(std::string_view, bool)> visit_;
  std::optional<std::string> bound_;
  std::size_t steps_ = 0;  // since the bound was found
  bool jump_ = false;
  bool stopped_ = false;
};

}  // namespace

storage::Status WalkView(const storage::Reader& reader, const catalog::KeySchema& key, const ViewRead& read,
                         storage::Range range, const storage::ScanOptions& options,
                         base::FunctionRef<bool(std::string_view view_key, bool fits)> visit) {
  Walk walk(key, read, options.reverse, visit);
  storage::Status status = storage::Status::kOk;
  do {
    status = reader.Scan(range, options,
                         [&walk](std::string_view view_key, std::string_view) { return walk.See(view_key); });
  } while (status == storage::Status::kOk && walk.Jump(range));
  return status;
}

}  // namespace taula::engine
