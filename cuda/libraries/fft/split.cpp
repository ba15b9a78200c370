#include "cuda/libraries/fft/split.h"

#include <algorithm>

namespace gt200_fft {
namespace {

// Rows of eight complex numbers beside each other fit into shared memory.
constexpr int small_transform = 112;

// Into `parts` factors whose largest is the least possible.
std::vector<int> divided(int n, int parts, int most) {
  if (parts == 1) return n <= most ? std::vector<int>{n} : std::vector<int>();
  std::vector<int> best;
  for (int d = 2; d <= most && d <= n; ++d) {
    if (n % d != 0) continue;
    std::vector<int> rest = divided(n / d, parts - 1, std::min(most, best.empty() ? most : best.front()));
    if (rest.empty()) continue;
    rest.push_back(d);
    std::sort(rest.rbegin(), rest.rend());
    if (best.empty() || rest.front() < best.front()) best = rest;
  }
  return best;
}

}  // namespace

bool has_small_factors(int n) {
  for (const int p : {2, 3, 5, 7})
    while (n % p == 0) n /= p;
  return n == 1;
}

std::vector<int> factors_of(int n, int most) {
  if (!has_small_factors(n)) return {};
  if (n <= most) return {n};
  for (const int limit : {std::min(small_transform, most), most})
    for (const int parts : {2, 3})
      if (std::vector<int> found = divided(n, parts, limit); !found.empty()) return found;
  return {};
}

int padded_length(int least, int most) {
  while (factors_of(least, most).empty()) ++least;
  return least;
}

std::vector<int> radices_of(int length) {
  std::vector<int> radices;
  for (const int r : {7, 5, 3, 4, 2})
    for (; length % r == 0; length /= r) radices.push_back(r);
  return radices;
}

std::vector<int> order_of(const std::vector<int>& radices) {
  int length = 1;
  for (const int r : radices) length *= r;
  std::vector<int> order(length);
  for (int k = 0; k < length; ++k) {
    int rest = k, apart = length;
    for (const int r : radices) {
      apart /= r;
      order[k] += rest % r * apart;
      rest /= r;
    }
  }
  return order;
}

}  // namespace gt200_fft
