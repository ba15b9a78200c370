// cuRAND against generators of its own, and by statistics. The argument names a part; `small` is for the model,
// `first` for chips without double precision.
#include <algorithm>
#include <bitset>

#include "curand.h"
#include "testbenches/cuda/libraries/reference.h"

// XORWOW as published, step by step.
struct xorwow {
  unsigned x, y, z, w, v, d;
  unsigned next() {
    const unsigned t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    return (d += 362437) + v;
  }
};

// As the library's header says.
static xorwow seeded(unsigned long long seed) {
  const auto mixed = [&seed] {
    seed += 0x9e3779b97f4a7c15ull;
    unsigned long long z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<unsigned>(z ^ (z >> 31));
  };
  xorwow s = {123456789, 362436069, 521288629, 88675123, 5783321, 6615241};
  for (unsigned* word : {&s.x, &s.y, &s.z, &s.w, &s.v, &s.d}) *word ^= mixed();
  return s;
}

// A step without the counter as a matrix over the numbers 0 and 1, raised to a power of 2.
typedef std::bitset<160> bits;
typedef std::vector<bits> matrix;

static bits of(const xorwow& s) {
  bits all;
  const unsigned words[] = {s.x, s.y, s.z, s.w, s.v};
  for (int b = 0; b < 160; ++b) all[b] = words[b / 32] >> b % 32 & 1;
  return all;
}
static xorwow state_of(const bits& all, unsigned d) {
  unsigned words[5] = {};
  for (int b = 0; b < 160; ++b) words[b / 32] |= static_cast<unsigned>(all[b]) << b % 32;
  return {words[0], words[1], words[2], words[3], words[4], d};
}
// By rows: a bit of the result is the parity of a row and the vector.
static bits times(const matrix& rows, const bits& v) {
  bits result;
  for (int b = 0; b < 160; ++b) result[b] = (rows[b] & v).count() % 2 != 0;
  return result;
}
static matrix squared(const matrix& rows) {
  matrix result(160);
  for (int i = 0; i < 160; ++i)
    for (int j = 0; j < 160; ++j)
      if (rows[i][j]) result[i] ^= rows[j];
  return result;
}
// 2^n steps.
static matrix steps(int n) {
  matrix rows(160);
  for (int j = 0; j < 160; ++j) {
    bits one;
    one[j] = true;
    xorwow s = state_of(one, 0);
    s.next();
    const bits column = of(s);
    for (int i = 0; i < 160; ++i) rows[i][j] = column[i];
  }
  while (n-- > 0) rows = squared(rows);
  return rows;
}

enum { sequences = 4096 };
static std::vector<xorwow> all_sequences(unsigned long long seed) {
  const matrix jump = steps(67);
  std::vector<xorwow> all = {seeded(seed)};
  while (all.size() < sequences) all.push_back(state_of(times(jump, of(all.back())), all.back().d));
  return all;
}

static curandGenerator_t generator_of(curandRngType_t type, bool on_host) {
  curandGenerator_t g = nullptr;
  expect((on_host ? curandCreateGeneratorHost : curandCreateGenerator)(&g, type) == CURAND_STATUS_SUCCESS,
         "create");
  return g;
}

// What f(pointer) writes: n numbers, with one in front and behind that must not change.
template <class T, class F>
std::vector<T> written(int n, bool on_host, F f, const std::string& what) {
  std::vector<T> host(n + 2, T(7));
  if (on_host) {
    expect(f(host.data() + 1) == CURAND_STATUS_SUCCESS, what);
  } else {
    T* device = nullptr;
    const size_t bytes = host.size() * sizeof(T);
    expect(cudaMalloc(reinterpret_cast<void**>(&device), bytes) == cudaSuccess, "cudaMalloc");
    expect(cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess, "send");
    expect(f(device + 1) == CURAND_STATUS_SUCCESS, what);
    expect(cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "fetch");
    cudaFree(device);
  }
  expect(host.front() == T(7) && host.back() == T(7), what + ": writes outside its numbers");
  return std::vector<T>(host.begin() + 1, host.end() - 1);
}

static std::vector<unsigned> words_of(curandGenerator_t g, int n, bool on_host) {
  return written<unsigned>(
      n, on_host, [&](unsigned* p) { return curandGenerate(g, p, n); }, "generate");
}

// Words are those of the sequences in turn, over several calls; offsets skip words.
static void check_words(bool on_host, int n) {
  const unsigned long long seed = 0x123456789abcdefull;
  std::vector<xorwow> all = all_sequences(seed);
  std::vector<unsigned> expected(2 * n + 777);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = all[i % sequences].next();
  curandGenerator_t g = generator_of(CURAND_RNG_PSEUDO_DEFAULT, on_host);
  expect(curandSetPseudoRandomGeneratorSeed(g, seed) == CURAND_STATUS_SUCCESS, "seed");
  std::vector<unsigned> got;
  for (const int part : {n, 777, n}) {
    const std::vector<unsigned> more = words_of(g, part, on_host);
    got.insert(got.end(), more.begin(), more.end());
  }
  expect(got == expected, "words of XORWOW");
  for (const int skipped : {1, 777, 4096, n}) {
    expect(curandSetGeneratorOffset(g, skipped) == CURAND_STATUS_SUCCESS, "offset");
    const std::vector<unsigned> after = words_of(g, 500, on_host);
    expect(std::equal(after.begin(), after.end(), expected.begin() + skipped), "words from an offset");
  }
  // 2^51 steps of the first sequence later; the counter has come back.
  expect(curandSetGeneratorOffset(g, 1ull << 63) == CURAND_STATUS_SUCCESS, "offset");
  const xorwow first = seeded(seed);
  xorwow late = state_of(times(steps(51), of(first)), first.d);
  expect(words_of(g, 1, on_host)[0] == late.next(), "words from a large offset");
  expect(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS, "offset");
  expect(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED) == CURAND_STATUS_SUCCESS, "ordering");
  expect(curandGenerateSeeds(g) == CURAND_STATUS_SUCCESS, "seeds");
  const std::vector<unsigned> own = words_of(g, 2 * sequences, on_host);
  unsigned long long z = seed + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  for (int j = 0; j < sequences; ++j) {
    xorwow s = seeded(z + j);
    expect(own[j] == s.next() && own[j + sequences] == s.next(), "sequences with seeds of their own");
  }
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

// Single precision is exact; the difference of normal numbers is that of the functions.
static void check_distributions(bool on_host, int n) {
  curandGenerator_t g = generator_of(CURAND_RNG_PSEUDO_XORWOW, on_host);
  const auto restart = [&](unsigned long long offset) {
    expect(curandSetGeneratorOffset(g, offset) == CURAND_STATUS_SUCCESS, "offset");
  };
  // The two words of a pair of normal numbers are from one sequence.
  const std::vector<unsigned> words = words_of(g, 2 * sequences + 2 * n, on_host);
  const auto word = [&](int group, int k) {
    return words[group / sequences * 2 * sequences + group % sequences + k * sequences];
  };
  const auto as_uniform = [](unsigned w) {
    return static_cast<float>(static_cast<float>(w) * std::ldexp(1.0f, -32) + std::ldexp(1.0f, -33));
  };
  restart(0);
  const std::vector<float> uniform = written<float>(
      n, on_host, [&](float* p) { return curandGenerateUniform(g, p, n); }, "uniform");
  for (int i = 0; i < n; ++i) expect(uniform[i] == as_uniform(words[i]), "uniform numbers");
  for (const bool of_logarithm : {false, true}) {
    restart(0);
    const float mean = of_logarithm ? 0.25f : 3.0f, deviation = of_logarithm ? 0.5f : 2.0f;
    const std::vector<float> normal = written<float>(
        n, on_host,
        [&](float* p) {
          return of_logarithm ? curandGenerateLogNormal(g, p, n, mean, deviation)
                              : curandGenerateNormal(g, p, n, mean, deviation);
        },
        "normal");
    for (int i = 0; i < n; ++i) {
      const double radius = std::sqrt(-2 * std::log(static_cast<double>(as_uniform(word(i / 2, 0)))));
      const double angle = 2 * std::acos(-1.0) * as_uniform(word(i / 2, 1));
      const double x = mean + deviation * radius * (i % 2 == 0 ? std::sin(angle) : std::cos(angle));
      const double expected = of_logarithm ? std::exp(x) : x;
      expect_near(normal[i], expected, 1e-5 * (1 + std::abs(expected)), "normal numbers");
    }
  }
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

static void check_double(bool on_host, int n) {
  curandGenerator_t g = generator_of(CURAND_RNG_PSEUDO_XORWOW, on_host);
  const std::vector<unsigned> words = words_of(g, 4 * sequences, on_host);
  const auto as_uniform = [&](int sequence, int first) {
    const double lower = words[sequence + first * sequences],
                 upper = words[sequence + (first + 1) * sequences] >> 11;
    return std::ldexp(upper * 4294967296.0 + lower, -53) + std::ldexp(1.0, -54);
  };
  expect(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS, "offset");
  const std::vector<double> uniform = written<double>(
      n, on_host, [&](double* p) { return curandGenerateUniformDouble(g, p, n); }, "uniform double");
  for (int i = 0; i < n; ++i) expect(uniform[i] == as_uniform(i, 0), "uniform numbers in double precision");
  for (const bool of_logarithm : {false, true}) {
    expect(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS, "offset");
    const std::vector<double> normal = written<double>(
        n, on_host,
        [&](double* p) {
          return of_logarithm ? curandGenerateLogNormalDouble(g, p, n, 0.25, 0.5)
                              : curandGenerateNormalDouble(g, p, n, 0.25, 0.5);
        },
        "normal double");
    for (int i = 0; i < n; ++i) {
      const double radius = std::sqrt(-2 * std::log(as_uniform(i / 2, 0)));
      const double angle = 2 * std::acos(-1.0) * as_uniform(i / 2, 2);
      const double x = 0.25 + 0.5 * radius * (i % 2 == 0 ? std::sin(angle) : std::cos(angle));
      const double expected = of_logarithm ? std::exp(x) : x;
      expect_near(normal[i], expected, 1e-14 * (1 + std::abs(expected)), "normal numbers in double precision");
    }
  }
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

// Mean, variance and, over 256 intervals of equal probability, chi-square: 255 degrees, within five deviations.
template <class F>
void check_statistics(const std::vector<float>& x, double mean, double variance, F probability, const char* what) {
  double sum = 0, squares = 0;
  std::vector<int> hits(256);
  for (const float v : x) {
    sum += v;
    squares += (v - mean) * (v - mean);
    ++hits[std::min(255, static_cast<int>(256 * probability(v)))];
  }
  const double n = static_cast<double>(x.size());
  expect_near(sum / n, mean, 4 * std::sqrt(variance / n), std::string(what) + ": mean");
  expect_near(squares / n, variance, 6 * variance / std::sqrt(n), std::string(what) + ": variance");
  double chi = 0;
  for (const int h : hits) chi += (h - n / 256) * (h - n / 256) / (n / 256);
  expect_near(chi, 255, 5 * std::sqrt(2 * 255.0), std::string(what) + ": chi-square");
}

static double normal_probability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

static void check_all_statistics() {
  const int n = 200000;
  for (const curandOrdering_t order : {CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_SEEDED}) {
    curandGenerator_t g = generator_of(CURAND_RNG_PSEUDO_DEFAULT, false);
    expect(curandSetPseudoRandomGeneratorSeed(g, 42) == CURAND_STATUS_SUCCESS, "seed");
    expect(curandSetGeneratorOrdering(g, order) == CURAND_STATUS_SUCCESS, "ordering");
    const std::vector<float> uniform = written<float>(
        n, false, [&](float* p) { return curandGenerateUniform(g, p, n); }, "uniform");
    check_statistics(
        uniform, 0.5, 1.0 / 12, [](double v) { return v; }, "uniform");
    for (const float v : uniform) expect(v > 0 && v <= 1, "uniform: range");
    const std::vector<float> normal = written<float>(
        n, false, [&](float* p) { return curandGenerateNormal(g, p, n, 0, 1); }, "normal");
    check_statistics(normal, 0, 1, normal_probability, "normal");
    // Neighbours, and numbers of one sequence, are not correlated.
    for (const int apart : {1, 4096}) {
      double products = 0;
      for (int i = 0; i + apart < n; ++i) products += normal[i] * normal[i + apart];
      expect_near(products / n, 0, 5 / std::sqrt(static_cast<double>(n)), "correlation");
    }
    expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
  }
}

// In each dimension, 2^k points from a multiple of 2^k on are one in each of 2^k intervals. The first points of the
// first three dimensions are published.
static void check_sobol(bool on_host, unsigned dimensions, int log2_n) {
  const int n = 1 << log2_n;
  const std::string what = "Sobol in " + std::to_string(dimensions) + " dimensions";
  curandGenerator_t g = generator_of(CURAND_RNG_QUASI_SOBOL32, on_host);
  expect(curandSetQuasiRandomGeneratorDimensions(g, dimensions) == CURAND_STATUS_SUCCESS, what);
  const int total = n * static_cast<int>(dimensions);
  std::vector<std::vector<unsigned>> rounds;
  for (int round = 0; round < 2; ++round) {
    rounds.push_back(words_of(g, total, on_host));
    for (unsigned d = 0; d < dimensions; ++d) {
      std::vector<bool> seen(n);
      for (int k = 0; k < n; ++k) seen[rounds[round][d * n + k] >> (32 - log2_n)] = true;
      expect(std::count(seen.begin(), seen.end(), true) == n, what + ": one in each interval");
    }
  }
  const unsigned first[3][5] = {{0, 0x80000000, 0xc0000000, 0x40000000, 0x60000000},
                                {0, 0x80000000, 0x40000000, 0xc0000000, 0x60000000},
                                {0, 0x80000000, 0x40000000, 0xc0000000, 0xa0000000}};
  for (unsigned d = 0; d < std::min(dimensions, 3u); ++d)
    for (int k = 0; k < 5; ++k) expect(rounds[0][d * n + k] == first[d][k], what + ": first points");
  expect(curandSetGeneratorOffset(g, n - 3) == CURAND_STATUS_SUCCESS, "offset");
  const std::vector<unsigned> across = words_of(g, 6 * static_cast<int>(dimensions), on_host);
  for (unsigned d = 0; d < dimensions; ++d)
    for (int k = 0; k < 6; ++k)
      expect(across[d * 6 + k] == (k < 3 ? rounds[0][d * n + n - 3 + k] : rounds[1][d * n + k - 3]),
             what + ": points from an offset");
  expect(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS, "offset");
  const std::vector<float> normal = written<float>(
      total, on_host, [&](float* p) { return curandGenerateNormal(g, p, total, 0, 1); }, what + ": normal");
  for (int i = 0; i < total; ++i) {
    const double p = static_cast<float>(rounds[0][i] * std::ldexp(1.0, -32) + std::ldexp(1.0, -33));
    expect_near(normal_probability(normal[i]), p, 5e-7, what + ": normal numbers");
  }
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

static void check_sobol_double(bool on_host, int n) {
  curandGenerator_t g = generator_of(CURAND_RNG_QUASI_DEFAULT, on_host);
  const std::vector<unsigned> words = words_of(g, n, on_host);
  expect(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS, "offset");
  const std::vector<double> normal = written<double>(
      n, on_host, [&](double* p) { return curandGenerateNormalDouble(g, p, n, 0, 1); }, "normal double");
  for (int i = 0; i < n; ++i) {
    const double p = words[i] * std::ldexp(1.0, -32) + std::ldexp(1.0, -33);
    expect_near(normal_probability(normal[i]), p, 1e-14, "Sobol: normal numbers in double precision");
  }
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

// Philox: the first block of the published test (Random123: key and counter 0), the same words in one call, in
// parts and from an offset, and numbers made of them.
static void check_philox(bool on_host, int n) {
  curandGenerator_t g = generator_of(CURAND_RNG_PSEUDO_PHILOX4_32_10, on_host);
  const std::vector<unsigned> words = words_of(g, n, on_host);
  expect(std::vector<unsigned>(words.begin(), words.begin() + 4) ==
             std::vector<unsigned>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
         "first block of Philox");
  const auto from = [&](unsigned long long offset) {
    expect(curandSetGeneratorOffset(g, offset) == CURAND_STATUS_SUCCESS, "offset");
  };
  from(0);
  std::vector<unsigned> parts;
  for (const int part : {1, 777, n - 778}) {
    const std::vector<unsigned> more = words_of(g, part, on_host);
    parts.insert(parts.end(), more.begin(), more.end());
  }
  expect(parts == words, "Philox in parts");
  from(6);
  const std::vector<unsigned> after = words_of(g, 100, on_host);
  expect(std::equal(after.begin(), after.end(), words.begin() + 6), "Philox from an offset");
  from(0);
  const auto uniform = written<float>(
      n, on_host, [&](float* p) { return curandGenerateUniform(g, p, n); }, "uniform");
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    expect(std::fabs(uniform[k] - (words[k] + 0.5) / 4294967296.0) < 1e-7, "uniform number of Philox");
    sum += uniform[k];
  }
  expect(std::fabs(sum / n - 0.5) < 4 * 0.2887 / std::sqrt(n), "mean of Philox");
  from(0);
  const auto normal = written<float>(
      n, on_host, [&](float* p) { return curandGenerateNormal(g, p, n, 3, 2); }, "normal");
  for (int k = 0; k < n; k += 2) {
    const double radius = std::sqrt(-2 * std::log((words[k] + 0.5) / 4294967296.0));
    const double angle = 6.283185307179586 * (words[k + 1] + 0.5) / 4294967296.0;
    expect(std::fabs(normal[k] - (3 + 2 * radius * std::sin(angle))) < 1e-4 &&
               std::fabs(normal[k + 1] - (3 + 2 * radius * std::cos(angle))) < 1e-4,
           "normal number of Philox");
  }
  expect(curandSetPseudoRandomGeneratorSeed(g, 1ull << 40) == CURAND_STATUS_SUCCESS, "seed");
  from(0);
  expect(words_of(g, n, on_host) != words, "another seed");
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

static void check_errors() {
  curandGenerator_t g = nullptr;
  unsigned words[8];
  float numbers_[8];
  expect(curandGenerate(nullptr, words, 8) == CURAND_STATUS_NOT_INITIALIZED, "no generator");
  expect(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR,
         "a generator that is not here");
  expect(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS, "create");
  expect(curandGenerateNormal(g, numbers_, 7, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE, "odd number");
  expect(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE,
         "other ordering");
  expect(curandSetQuasiRandomGeneratorDimensions(g, 2) == CURAND_STATUS_TYPE_ERROR, "dimensions of XORWOW");
  expect(curandGenerate(g, words, 0) == CURAND_STATUS_SUCCESS, "no numbers");
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
  expect(curandDestroyGenerator(g) == CURAND_STATUS_NOT_INITIALIZED, "destroys twice");
  expect(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_SUCCESS, "create");
  expect(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR, "seed of Sobol");
  expect(curandSetQuasiRandomGeneratorDimensions(g, 33) == CURAND_STATUS_OUT_OF_RANGE, "too many dimensions");
  expect(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE, "no dimensions");
  expect(curandSetGeneratorOffset(g, 1ull << 32) == CURAND_STATUS_OUT_OF_RANGE, "large offset");
  expect(curandSetQuasiRandomGeneratorDimensions(g, 3) == CURAND_STATUS_SUCCESS, "three dimensions");
  expect(curandGenerate(g, words, 8) == CURAND_STATUS_LENGTH_NOT_MULTIPLE, "8 numbers in 3 dimensions");
  expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
}

int main(int, char** arguments) {
  const std::string part = arguments[1];
  check_errors();
  if (part == "words")
    for (const bool on_host : {false, true}) {
      check_words(on_host, 10000);
      check_distributions(on_host, 20000);
      check_double(on_host, 4000);
      check_philox(on_host, 20000);
    }
  if (part == "statistics") check_all_statistics();
  if (part == "sobol")
    for (const bool on_host : {false, true}) {
      for (const unsigned dimensions : {1, 2, 7, 32}) check_sobol(on_host, dimensions, 9);
      check_sobol(on_host, 3, 14);
      check_sobol_double(on_host, 10000);
    }
  if (part == "small" || part == "first") {
    check_distributions(false, 3000);
    check_sobol(false, 3, 7);
    check_philox(false, 2000);
  }
  if (part == "small") check_double(false, 500);
  if (part == "first") {
    curandGenerator_t g = generator_of(CURAND_RNG_PSEUDO_DEFAULT, false);
    double* device = nullptr;
    expect(cudaMalloc(reinterpret_cast<void**>(&device), 64) == cudaSuccess, "cudaMalloc");
    expect(curandGenerateUniformDouble(g, device, 8) == CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
           "double precision before 1.3");
    expect(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
