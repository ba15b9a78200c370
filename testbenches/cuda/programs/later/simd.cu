// All functions of two halves or four bytes of a word, against the same in loops of the host, on bytes at the edges
// of their range and others.
#include <cstdio>
#include <limits>
#include <vector>

// X(function of two words, s or u: lanes p and q are signed or not, result of a lane): CUDA Math API, "SIMD
// Intrinsics".
#define OF_TWO(X)                                      \
  X(vadd, u, p + q)                                    \
  X(vaddss, s, limited<T>(p + q))                      \
  X(vaddus, u, limited<T>(p + q))                      \
  X(vsub, u, p - q)                                    \
  X(vsubss, s, limited<T>(p - q))                      \
  X(vsubus, u, limited<T>(p - q))                      \
  X(vabsdiffs, s, p > q ? p - q : q - p)               \
  X(vabsdiffu, u, p > q ? p - q : q - p)               \
  X(vavgs, s, floor_half(p + q + (p + q < 0 ? 0 : 1))) \
  X(vavgu, u, (p + q + 1) / 2)                         \
  X(vhaddu, u, (p + q) / 2)                            \
  X(vmaxs, s, p < q ? q : p)                           \
  X(vmaxu, u, p < q ? q : p)                           \
  X(vmins, s, p < q ? p : q)                           \
  X(vminu, u, p < q ? p : q)                           \
  X(vcmpeq, u, p == q ? -1 : 0)                        \
  X(vcmpne, u, p != q ? -1 : 0)                        \
  X(vcmpges, s, p < q ? 0 : -1)                        \
  X(vcmpgeu, u, p < q ? 0 : -1)                        \
  X(vcmpgts, s, p > q ? -1 : 0)                        \
  X(vcmpgtu, u, p > q ? -1 : 0)                        \
  X(vcmples, s, p > q ? 0 : -1)                        \
  X(vcmpleu, u, p > q ? 0 : -1)                        \
  X(vcmplts, s, p < q ? -1 : 0)                        \
  X(vcmpltu, u, p < q ? -1 : 0)                        \
  X(vseteq, u, p == q)                                 \
  X(vsetne, u, p != q)                                 \
  X(vsetges, s, p >= q)                                \
  X(vsetgeu, u, p >= q)                                \
  X(vsetgts, s, p > q)                                 \
  X(vsetgtu, u, p > q)                                 \
  X(vsetles, s, p <= q)                                \
  X(vsetleu, u, p <= q)                                \
  X(vsetlts, s, p < q)                                 \
  X(vsetltu, u, p < q)
// Of one word.
#define OF_ONE(X)              \
  X(vneg, s, -p)               \
  X(vnegss, s, limited<T>(-p)) \
  X(vabs, s, p < 0 ? -p : p)   \
  X(vabsss, s, limited<T>(p < 0 ? -p : p))
// Sums over the lanes.
#define SUMS(X)                      \
  X(vsads, s, p > q ? p - q : q - p) \
  X(vsadu, u, p > q ? p - q : q - p)

#define COUNT(...) +2
enum { functions = 0 OF_TWO(COUNT) OF_ONE(COUNT) SUMS(COUNT) };

__global__ void results(const unsigned* in, unsigned* d) {
  const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  d += functions * threadIdx.x;
#define CALL(NAME, KIND, RESULT) \
  *d++ = __##NAME##2(a, b);      \
  *d++ = __##NAME##4(a, b);
  OF_TWO(CALL)
#define CALL_ONE(NAME, KIND, RESULT) \
  *d++ = __##NAME##2(a);             \
  *d++ = __##NAME##4(a);
  OF_ONE(CALL_ONE)
  SUMS(CALL)
}

template <class T>
int limited(int x) {
  typedef std::numeric_limits<T> range;
  return x < range::min() ? range::min() : x > range::max() ? range::max() : x;
}
int floor_half(int x) { return x < 0 ? (x - 1) / 2 : x / 2; }

// The result of every lane in its place, or their sum.
template <class T, class F>
unsigned lanes(unsigned a, unsigned b, bool is_sum, F f) {
  const int bits = 8 * sizeof(T);
  unsigned d = 0;
  for (int k = 0; k < 32; k += bits) {
    const unsigned r = static_cast<unsigned>(f(static_cast<T>(a >> k), static_cast<T>(b >> k), T()));
    d += is_sum ? r : (r & ((1u << bits) - 1)) << k;
  }
  return d;
}

typedef short s2;
typedef signed char s4;
typedef unsigned short u2;
typedef unsigned char u4;

int main() {
  const int count = 256;
  static const unsigned char edges[] = {0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xff};
  std::vector<unsigned> in(2 * count), out(functions * count), expected;
  std::vector<const char*> names;
  unsigned random = 12345;
  for (unsigned& word : in)
    for (int k = 0; k < 32; k += 8) {
      random = random * 1664525 + 1013904223;
      word |= (random >> 31 != 0 ? random >> 16 & 255u : edges[random >> 24 & 7]) << k;
    }
  unsigned *di, *d;
  cudaMalloc(&di, in.size() * 4);
  cudaMalloc(&d, out.size() * 4);
  cudaMemcpy(di, in.data(), in.size() * 4, cudaMemcpyHostToDevice);
  results<<<1, count>>>(di, d);
  cudaMemcpy(out.data(), d, out.size() * 4, cudaMemcpyDeviceToHost);
  for (int t = 0; t < count; ++t) {
    const unsigned a = in[2 * t], b = in[2 * t + 1];
#define EXPECT(NAME, KIND, RESULT, IS_SUM)                                                 \
  {                                                                                        \
    const auto lane = [](int p, int q, auto type) {                                        \
      typedef decltype(type) T;                                                            \
      return static_cast<void>(sizeof(T)), static_cast<void>(q), static_cast<int>(RESULT); \
    };                                                                                     \
    expected.push_back(lanes<KIND##2>(a, b, IS_SUM, lane));                                \
    expected.push_back(lanes<KIND##4>(a, b, IS_SUM, lane));                                \
    if (t == 0) names.insert(names.end(), {#NAME "2", #NAME "4"});                         \
  }
#define IN_PLACE(NAME, KIND, RESULT) EXPECT(NAME, KIND, RESULT, false)
#define AS_SUM(NAME, KIND, RESULT) EXPECT(NAME, KIND, RESULT, true)
    OF_TWO(IN_PLACE) OF_ONE(IN_PLACE) SUMS(AS_SUM)
  }
  int wrong = 0;
  for (size_t k = 0; k < out.size(); ++k)
    if (out[k] != expected[k] && ++wrong < 10) {
      const size_t t = k / functions;
      printf("__%s(%08x, %08x): %08x instead of %08x\n", names[k % functions], in[2 * t], in[2 * t + 1], out[k],
             expected[k]);
    }
  printf("%d functions: %s\n", functions, wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
