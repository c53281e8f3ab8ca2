#include "codec/value_fault.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/base64.h"
#include "value/written_scale.h"

namespace taula::codec {
namespace {

using Kind = ValueFault::Kind;

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

ValueFault Invalid(std::string_view what) { return {Kind::kContent, std::string(kInvalid).append(what)}; }

// The order in which the current layer lists a set with duplicates: by bytes
// up to the first repetition, then the rest as sent.
std::vector<std::string_view> ListedOrder(std::vector<std::string_view> elements) {
  std::vector<std::size_t> by_element(elements.size());
  std::iota(by_element.begin(), by_element.end(), std::size_t{0});
  std::stable_sort(by_element.begin(), by_element.end(),
                   [&](std::size_t a, std::size_t b) { return elements[a] < elements[b]; });
  std::size_t first_repetition = elements.size();
  for (std::size_t i = 1; i < by_element.size(); ++i) {
    if (elements[by_element[i]] == elements[by_element[i - 1]]) {
      first_repetition = std::min(first_repetition, by_element[i]);
    }
  }
  std::sort(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(first_repetition));
  return elements;
}

std::string Listed(Type type, const std::vector<std::string_view>& elements, ValueWording wording) {
  const bool current = wording == ValueWording::kCurrent;
  const std::string_view quote = current ? "\"" : "";
  const std::string_view separator = current && type == Type::kBinarySet ? "," : ", ";
  std::string list = "[";
  for (const std::string_view element : elements) {
    if (list.size() > 1) list.append(separator);
    list.append(quote);
    if (type == Type::kBinarySet) {
      base::AppendBase64(list, element);
    } else {
      list.append(element);
    }
    list.append(quote);
  }
  return list.append("]");
}

// What is wrong with a number that is out of range, when it is read into a
// scale of 32 bits: it may not be one, and its magnitude may wrap around.
value::NumberError AsJavaSees(value::NumberError error, std::string_view text) {
  if (error != value::NumberError::kOverflow && error != value::NumberError::kUnderflow) return error;
  const std::optional<std::int32_t> scale = value::WrittenScale(text);
  if (!scale) return value::NumberError::kNotANumber;
  const bool wraps = *scale == -std::numeric_limits<std::int32_t>::max();
  return wraps ? value::NumberError::kUnderflow : error;
}

}  // namespace

ValueFault NumberFault(value::NumberError error, std::string_view text, ValueWording wording) {
  if (wording == ValueWording::kStatement) error = AsJavaSees(error, text);
  switch (error) {
    case value::NumberError::kNotANumber: {
      std::string message = "The parameter cannot be converted to a numeric value";
      if (!text.empty() || wording == ValueWording::kCurrent) message.append(": ").append(text);
      return {Kind::kContent, std::move(message)};
    }
    case value::NumberError::kTooManyDigits:
      return {Kind::kContent, "Attempting to store more than 38 significant digits in a Number"};
    case value::NumberError::kOverflow:
      return {Kind::kContent,
              "Number overflow. Attempting to store a number with magnitude larger than supported range"};
    case value::NumberError::kUnderflow:
      return {Kind::kContent,
              "Number underflow. Attempting to store a number with magnitude smaller than supported range"};
  }
  return {};
}

ValueFault EmptySetFault(Type type) {
  // Two spaces in the first two, as Amazon sends them.
  if (type == Type::kStringSet) return Invalid("An string set  may not be empty");
  if (type == Type::kNumberSet) return Invalid("An number set  may not be empty");
  return Invalid("Binary sets should not be empty");
}

ValueFault DuplicatesFault(Type type, const std::vector<std::string_view>& elements, ValueWording wording) {
  if (type == Type::kNumberSet) {
    if (wording == ValueWording::kCurrent) return Invalid("Input collection contains duplicates.");
    return {Kind::kContent, "Input collection contains duplicates"};
  }
  std::string what = "Input collection ";
  what += Listed(type, wording == ValueWording::kCurrent ? ListedOrder(elements) : elements, wording);
  what += type == Type::kBinarySet ? "of type BS contains duplicates." : " contains duplicates.";
  return Invalid(what);
}

ValueFault NullNotTrueFault() { return Invalid("Null attribute value types must have the value of true"); }

ValueFault NoDatatypeFault() {
  return {Kind::kDatatypes, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"};
}

ValueFault SeveralDatatypesFault() {
  return {Kind::kDatatypes,
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
          "datatypes"};
}

ValueFault NestingFault() {
  return {Kind::kNesting,
          "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
          "limit"};
}

ValueFault EmptyNameFault(bool of_item) {
  return {of_item ? Kind::kEmptyAttributeName : Kind::kContent, "Empty attribute name"};
}

ValueFault LongNameFault() { return {.message = "Attribute name is too large, must be less than 65536 bytes"}; }

}  // namespace taula::codec
