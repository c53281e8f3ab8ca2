// Text with attributes in it, such as "NOTIF#{created_at}#{id}": written from
// attributes, and read backwards into them.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"

namespace taula::design {

enum class Transform : std::uint8_t {
  kNone,
  kLower,
  kUpper,
  kSlug,  // lower case, accents off, one '-' for every run of anything else
  kDate,  // the first ten characters
  kPad,   // a whole number with zeros in front, Part::width digits wide
};

class Template {
 public:
  // Either literal text or a reference.
  struct Part {
    std::string literal;
    std::string reference;  // an attribute or a parameter; "item.quantity" is a field of one
    Transform transform = Transform::kNone;
    unsigned width = 0;
    [[nodiscard]] bool is_reference() const { return !reference.empty(); }
    friend bool operator==(const Part&, const Part&) = default;
  };

  struct SyntaxError {
    std::size_t offset = 0;
    std::string what;
  };

  Template() = default;
  // "{{" and "}}" are braces.
  [[nodiscard]] static std::expected<Template, SyntaxError> Parse(std::string_view text);

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool has_references() const;
  // The only part is a reference, without a transform.
  [[nodiscard]] bool is_single_reference() const;
  [[nodiscard]] bool Refers(std::string_view reference) const;

  // The literal text before the first reference.
  [[nodiscard]] std::string_view Prefix() const;

  using Lookup = base::FunctionRef<std::optional<std::string>(std::string_view reference)>;

  // The text; nothing when a reference has no value, or a transform does not
  // fit it (a number to be padded that is none or too long).
  [[nodiscard]] std::optional<std::string> Render(Lookup lookup) const;

  // The text up to the first reference without a value: what every key with
  // these attributes begins with. `complete` tells whether that is all.
  [[nodiscard]] std::string RenderPrefix(Lookup lookup, bool& complete) const;

  using Values = std::vector<std::pair<std::string_view, std::string_view>>;  // reference, text

  // Reads `text` backwards, each reference up to the first occurrence of the
  // literal behind it; nothing when it does not fit. Values after a transform
  // that loses something are the transformed ones.
  [[nodiscard]] std::optional<Values> Match(std::string_view text) const;

  // The same without making a list: calls back for each reference, in order,
  // and tells whether the text fits. Some calls may come before it is found not
  // to.
  using Visit = base::FunctionRef<void(std::string_view reference, std::string_view text)>;
  [[nodiscard]] bool MatchEach(std::string_view text, Visit visit) const;

  // Whether a value can stand in the part with this number and be read back: it
  // is not empty and does not hold the literal that follows.
  [[nodiscard]] bool CanHold(std::size_t part, std::string_view value) const;

  // Whether some text fits both.
  [[nodiscard]] bool Overlaps(const Template& other) const;

  friend bool operator==(const Template& a, const Template& b) { return a.parts_ == b.parts_; }

 private:
  std::vector<Part> parts_;
  std::string text_;
};

// Applies a transform; nothing when it does not fit.
[[nodiscard]] std::optional<std::string> Apply(Transform transform, unsigned width, std::string_view text);

}  // namespace taula::design
