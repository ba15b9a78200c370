#include "cuda/libraries/random/xorwow.h"

#include <array>

namespace gt200_random {
namespace {

// SplitMix64: the next number of a state.
uint64_t split_mix(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The five words without the counter are a vector of 160 bits, of which a step is a linear function. A function is
// held by its results for one bit each.
constexpr int words = 5, bits = 32 * words;
typedef std::array<uint32_t, words> vector;
typedef std::array<vector, bits> function;

vector applied(const function& f, const vector& v) {
  vector result = {};
  for (int b = 0; b < bits; ++b)
    if (v[b / 32] >> b % 32 & 1)
      for (int w = 0; w < words; ++w) result[w] ^= f[b][w];
  return result;
}

// `first`, then `second`.
function after(const function& second, const function& first) {
  function both;
  for (int b = 0; b < bits; ++b) both[b] = applied(second, first[b]);
  return both;
}

function one_step() {
  function f;
  for (int b = 0; b < bits; ++b) {
    xorwow_state s = {};
    s.v[b / 32] = 1u << b % 32;
    next(s);
    for (int w = 0; w < words; ++w) f[b][w] = s.v[w];
  }
  return f;
}

// 2^n steps.
const function& steps(unsigned n) {
  static const std::vector<function> powers = [] {
    std::vector<function> all = {one_step()};
    while (all.size() <= log2_apart) all.push_back(after(all.back(), all.back()));
    return all;
  }();
  return powers[n];
}

// The counter advances by the same number every time.
xorwow_state skipped(xorwow_state s, uint64_t count) {
  vector v;
  for (int w = 0; w < words; ++w) v[w] = s.v[w];
  for (unsigned n = 0; count >> n != 0; ++n)
    if (count >> n & 1) v = applied(steps(n), v);
  for (int w = 0; w < words; ++w) s.v[w] = v[w];
  s.d += static_cast<unsigned>(count) * counter_step;
  return s;
}

// To the same place of the next sequence: 2^67 steps, a multiple of the counter's period.
xorwow_state in_next_sequence(xorwow_state s) {
  vector v;
  for (int w = 0; w < words; ++w) v[w] = s.v[w];
  v = applied(steps(log2_apart), v);
  for (int w = 0; w < words; ++w) s.v[w] = v[w];
  return s;
}

}  // namespace

xorwow_state first_state(uint64_t seed) {
  xorwow_state s = {{123456789, 362436069, 521288629, 88675123, 5783321}, 6615241};
  for (unsigned& word : s.v) word ^= static_cast<unsigned>(split_mix(seed));
  s.d ^= static_cast<unsigned>(split_mix(seed));
  return s;
}

std::vector<xorwow_state> states_of(uint64_t seed, uint64_t offset, bool seeded) {
  std::vector<xorwow_state> states(sequences);
  const unsigned ahead = static_cast<unsigned>(offset % sequences);
  if (seeded) {
    uint64_t mixed = seed;
    const uint64_t seed_of_first = split_mix(mixed);
    for (unsigned j = 0; j < sequences; ++j)
      states[j] = skipped(first_state(seed_of_first + j), offset / sequences + (j < ahead ? 1 : 0));
    return states;
  }
  states[0] = skipped(first_state(seed), offset / sequences);
  for (unsigned j = 1; j < sequences; ++j) states[j] = in_next_sequence(states[j - 1]);
  for (unsigned j = 0; j < ahead; ++j) next(states[j]);
  return states;
}

}  // namespace gt200_random
