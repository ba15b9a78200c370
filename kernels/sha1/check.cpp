// The first word of the SHA-1 (FIPS 180) of each number's four bytes, big-endian.
#include <array>
#include <cstdint>
#include <string>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::sha1 {
namespace {

std::uint32_t rotate(std::uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

std::uint32_t first_word(std::uint32_t number) {
  std::array<std::uint32_t, 80> w = {number, 0x80000000u};
  w[15] = 32;
  for (std::size_t t = 16; t < 80; ++t) w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  std::array<std::uint32_t, 5> h = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
  auto [a, b, c, d, e] = h;
  for (std::size_t t = 0; t < 80; ++t) {
    std::uint32_t f = b ^ c ^ d;
    std::uint32_t k = t < 40 ? 0x6ed9eba1u : 0xca62c1d6u;
    if (t < 20) {
      f = d ^ (b & (c ^ d));
      k = 0x5a827999u;
    } else if (t >= 40 && t < 60) {
      f = (b & c) + (d & (b ^ c));
      k = 0x8f1bbcdcu;
    }
    const std::uint32_t sum = rotate(a, 5) + f + e + k + w[t];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = sum;
  }
  return h[0] + a;
}

}  // namespace

launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  launch::reference_result expected;
  const auto wanted = static_cast<std::uint32_t>(context.parameter("WANTED"));
  const auto first = static_cast<std::uint32_t>(context.parameter("FIRST"));
  const auto count = static_cast<std::uint32_t>(context.parameter("N"));
  std::uint32_t found = 0;
  for (std::uint32_t number = first; number < first + count; ++number) {
    const std::uint32_t word = first_word(number);
    if (word == wanted) found = number;
    if (buffer == "digest") expected.value.push_back(word);
  }
  if (buffer == "found") expected.value = {static_cast<double>(found)};
  return expected;
}

}  // namespace gt200::kernels::sha1
