// Random numbers of a draw: the same on every machine and with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace gt200::inject {

class random_numbers {
 public:
  // Draws of different names are independent of each other.
  random_numbers(std::uint64_t seed, const std::string& name) {
    std::uint64_t hash = seed ^ 0xcbf29ce484222325u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    engine_.seed(hash);
  }
  // Uniform over 0 to n - 1; n is at least 1.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t excess = (~std::uint64_t{0} % n + 1) % n;  // of the numbers that n does not divide evenly
    std::uint64_t value = engine_();
    while (value > ~std::uint64_t{0} - excess) value = engine_();
    return value % n;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace gt200::inject
