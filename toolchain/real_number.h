#pragma once
// Real numbers of text, the same under every locale and with every standard library.
#include <locale.h>
#include <stdlib.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace gt200 {

// A decimal number at the start of a text, as std::from_chars reads it, which libc++ has for integers only: no
// blank, no '+', no hexadecimal digits in front; "inf" and "nan" are numbers.
template <class number>
struct real_number {
  number value = 0;           // the nearest one there is
  std::size_t length = 0;     // of its text; 0 without a number
  bool is_too_small = false;  // it became zero, and is not written so
  bool is_too_large = false;  // it became infinity, and is not written so
};

template <class number>
real_number<number> read_real(std::string_view text) {
  static_assert(std::numeric_limits<number>::is_iec559);
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  real_number<number> result;
  const std::string digits(text.substr(0, text.find_first_of("xX")));
  if (digits.empty() || digits[0] == '+' || digits.find_first_of(" \t\n\v\f\r") == 0) return result;
  char* end = nullptr;
  if constexpr (sizeof(number) == sizeof(float)) {
    result.value = strtof_l(digits.c_str(), &end, plain);
  } else {
    result.value = strtod_l(digits.c_str(), &end, plain);
  }
  result.length = static_cast<std::size_t>(end - digits.c_str());
  const std::string_view mantissa = std::string_view(digits).substr(0, digits.find_first_of("eE"));
  result.is_too_small = result.value == 0 && mantissa.find_first_of("123456789") != std::string_view::npos;
  result.is_too_large = std::isinf(result.value) && digits.find_first_of("iI") > 1;
  return result;
}

// The whole text as one number; length 0 otherwise.
template <class number>
real_number<number> whole_real(std::string_view text) {
  const real_number<number> read = read_real<number>(text);
  return read.length == text.size() ? read : real_number<number>{};
}

}  // namespace gt200
