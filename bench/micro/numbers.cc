// DynamoDB's numbers: between text and ordered bytes, added, compared.
#include <array>
#include <string>
#include <string_view>

#include "expect.h"
#include "value/number.h"

namespace taula::micro {
namespace {

using value::Number;

// A count, a price and the longest there is.
constexpr std::array<std::string_view, 3> kTexts = {"555555", "1234.25",
                                                    "-1.2345678901234567890123456789012345678E-20"};
constexpr std::array<std::string_view, 3> kWritten = {"555555", "1234.25",
                                                      "-0.000000000000000000012345678901234567890123456789012345678"};

std::string OrderedOf(std::string_view text) {
  std::string ordered;
  Number::Parse(text).value().AppendOrdered(ordered);
  return ordered;
}

void NumberTextToOrderedBytes(benchmark::State& state) {
  const std::string_view text = kTexts[static_cast<std::size_t>(state.range(0))];
  std::string ordered;
  bool good = true;
  for (auto _ : state) {
    ordered.clear();
    good = value::AppendOrderedFromText(ordered, text).has_value() && good;
    benchmark::DoNotOptimize(ordered.data());
  }
  Expect(state, good && ordered == OrderedOf(text), "not the number's ordered form");
  state.SetLabel(std::string(text));
}
BENCHMARK(NumberTextToOrderedBytes)->DenseRange(0, 2);

void NumberOrderedBytesToText(benchmark::State& state) {
  const auto which = static_cast<std::size_t>(state.range(0));
  const std::string ordered = OrderedOf(kTexts[which]);
  std::string text;
  for (auto _ : state) {
    text.clear();
    value::AppendTextFromOrdered(text, ordered);
    benchmark::DoNotOptimize(text.data());
  }
  Expect(state, text == kWritten[which], "not the number's text");
  state.SetLabel(std::string(kTexts[which]));
}
BENCHMARK(NumberOrderedBytesToText)->DenseRange(0, 2);

// What SET stock = stock - :q does: ordered bytes in, ordered bytes out.
void NumberSubtractOneInOrderedBytes(benchmark::State& state) {
  const std::string stock = OrderedOf("555555");
  const std::string quantity = OrderedOf("1");
  std::string left;
  for (auto _ : state) {
    left.clear();
    const auto difference = Number::FromOrdered(stock).Minus(Number::FromOrdered(quantity));
    if (difference) difference->AppendOrdered(left);
    benchmark::DoNotOptimize(left.data());
  }
  Expect(state, left == OrderedOf("555554"), "not one less");
}
BENCHMARK(NumberSubtractOneInOrderedBytes);

void NumberAddOfThirtyDigits(benchmark::State& state) {
  Number a = Number::Parse("123456789012345678901234567890").value();
  const Number b = Number::Parse("0.98765432").value();
  std::expected<Number, value::NumberError> sum;
  for (auto _ : state) {
    benchmark::DoNotOptimize(a);
    sum = a.Plus(b);
    benchmark::DoNotOptimize(sum);
  }
  Expect(state, sum && sum->Text() == "123456789012345678901234567890.98765432", "not the sum");
}
BENCHMARK(NumberAddOfThirtyDigits);

void NumberCompareOrderedBytes(benchmark::State& state) {
  std::string smaller = OrderedOf("555554");
  const std::string larger = OrderedOf("555555");
  bool less = true;
  for (auto _ : state) {
    benchmark::DoNotOptimize(smaller.data());
    less = std::string_view(smaller) < std::string_view(larger) && less;
    benchmark::DoNotOptimize(less);
  }
  Expect(state, less, "555554 is less than 555555");
}
BENCHMARK(NumberCompareOrderedBytes);

void NumberCompareUnpacked(benchmark::State& state) {
  Number smaller = Number::Parse("555554.5").value();
  const Number larger = Number::Parse("555555").value();
  bool less = true;
  for (auto _ : state) {
    benchmark::DoNotOptimize(smaller);
    less = smaller < larger && less;
    benchmark::DoNotOptimize(less);
  }
  Expect(state, less, "555554.5 is less than 555555");
}
BENCHMARK(NumberCompareUnpacked);

}  // namespace
}  // namespace taula::micro
