// Why a text or a result is not a number that can be kept.
#pragma once

namespace taula::value {

enum class NumberError {
  kNotANumber,
  kTooManyDigits,  // more than 38 significant digits
  kOverflow,       // magnitude above 9.99…E+125
  kUnderflow,      // magnitude below 1E-130, and not zero
};

}  // namespace taula::value
