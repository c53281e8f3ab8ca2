// Checks bytes that nobody has vouched for: those of a damaged disk, or of a
// fuzzer. Every length is held against what is left before it is believed.
#include <optional>

#include "base/limits.h"
#include "value/encoding.h"
#include "value/number.h"

namespace taula::value {
namespace {

class Checker {
 public:
  explicit Checker(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool AtEnd() const { return rest_.empty(); }

  // One value, with no more than `levels` lists and maps around what is in it.
  [[nodiscard]] bool Value(std::size_t levels) {
    if (rest_.empty()) return false;
    const auto type = static_cast<Type>(rest_.front());
    rest_.remove_prefix(1);
    switch (type) {
      case Type::kNull:
        return true;
      case Type::kBool: {
        const auto truth = Take(1);
        return truth && static_cast<std::uint8_t>(truth->front()) <= 1;
      }
      case Type::kNumber:
        return Number();
      case Type::kString:
      case Type::kBinary:
        return Counted().has_value();
      case Type::kStringSet:
      case Type::kNumberSet:
      case Type::kBinarySet: {
        const auto content = Content();
        return content && Checker(*content).Elements(type == Type::kNumberSet);
      }
      case Type::kList: {
        const auto content = Content();
        return content && Checker(*content).Values(levels);
      }
      case Type::kMap: {
        const auto content = Content();
        return content && Checker(*content).Attributes(levels);
      }
    }
    return false;
  }

 private:
  std::optional<std::string_view> Take(std::size_t length) {
    if (length > rest_.size()) return std::nullopt;
    const auto taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  // A varint in the one form that AppendVarint writes it, and what it counts.
  std::optional<std::string_view> Counted() {
    std::uint64_t length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const auto taken = Take(1);
      if (!taken) return std::nullopt;
      const auto byte = static_cast<std::uint8_t>(taken->front());
      length |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (byte == 0 && shift > 0) return std::nullopt;
      return Take(length);
    }
    return std::nullopt;
  }

  std::optional<std::string_view> Content() {
    const auto length = Take(4);
    if (!length) return std::nullopt;
    return Take(base::ReadU32(length->data()));
  }

  bool Number() {
    const auto length = CheckOrdered(rest_);
    if (!length) return false;
    rest_.remove_prefix(*length);
    return true;
  }

  bool Elements(bool numbers) {
    for (std::optional<std::string_view> last; !AtEnd();) {
      const auto element = Counted();
      if (!element || (last && *element <= *last)) return false;
      if (numbers && CheckOrdered(*element) != element->size()) return false;
      last = element;
    }
    return true;
  }

  bool Values(std::size_t levels) {
    while (!AtEnd()) {
      if (levels == 0 || !Value(levels - 1)) return false;
    }
    return true;
  }

  bool Attributes(std::size_t levels) {
    for (std::optional<std::string_view> last; !AtEnd();) {
      const auto name = Counted();
      if (!name || (last && *name <= *last)) return false;
      if (levels == 0 || !Value(levels - 1)) return false;
      last = name;
    }
    return true;
  }

  std::string_view rest_;
};

}  // namespace

bool IsWellFormedValue(std::string_view bytes) {
  Checker checker(bytes);
  return checker.Value(base::kNestingLevelsMax) && checker.AtEnd();
}

}  // namespace taula::value
