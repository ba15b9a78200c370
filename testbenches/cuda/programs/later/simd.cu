// Functions of two halves or four bytes of a word, against the same in loops of the host.
#include <cstdio>

__global__ void results(const unsigned* in, unsigned* d) {
  const unsigned a = in[threadIdx.x], b = in[threadIdx.x + 1];
  unsigned* const own = d + 10 * threadIdx.x;
  own[0] = __vadd4(a, b);
  own[1] = __vaddss2(a, b);
  own[2] = __vsubus4(a, b);
  own[3] = __vabsdiffu4(a, b);
  own[4] = __vavgs4(a, b);
  own[5] = __vmaxs2(a, b);
  own[6] = __vcmpgtu4(a, b);
  own[7] = __vsetles2(a, b);
  own[8] = __vsadu4(a, b);
  own[9] = __vabsss4(a);
}

template <class T, class F>
unsigned lanes(unsigned a, unsigned b, F f) {
  const int bits = 8 * sizeof(T);
  unsigned d = 0;
  for (int k = 0; k < 32; k += bits)
    d |= (static_cast<unsigned>(f(static_cast<T>(a >> k), static_cast<T>(b >> k))) & ((1u << bits) - 1)) << k;
  return d;
}

int main() {
  const int count = 64;
  unsigned in[count + 1], h[10 * count], *di, *d;
  unsigned x = 0x80808080;
  for (unsigned& v : in) {
    v = x;
    x = x * 1664525 + 1013904223;
  }
  cudaMalloc(&di, sizeof in);
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(di, in, sizeof in, cudaMemcpyHostToDevice);
  results<<<1, count>>>(di, d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < count; ++t) {
    typedef unsigned char byte;
    typedef signed char number;
    const unsigned a = in[t], b = in[t + 1];
    unsigned differences = 0;
    for (int k = 0; k < 32; k += 8) {
      const int difference = static_cast<byte>(a >> k) - static_cast<byte>(b >> k);
      differences += difference < 0 ? -difference : difference;
    }
    const unsigned expected[] = {
        lanes<byte>(a, b, [](int p, int q) { return p + q; }),
        lanes<short>(a, b, [](int p, int q) { return p + q > 32767    ? 32767
                                                     : p + q < -32768 ? -32768
                                                                      : p + q; }),
        lanes<byte>(a, b, [](int p, int q) { return p < q ? 0 : p - q; }),
        lanes<byte>(a, b, [](int p, int q) { return p < q ? q - p : p - q; }),
        lanes<number>(a, b, [](int p, int q) { return p + q < 0 ? (p + q) >> 1 : (p + q + 1) >> 1; }),
        lanes<short>(a, b, [](int p, int q) { return p > q ? p : q; }),
        lanes<byte>(a, b, [](int p, int q) { return p > q ? 255 : 0; }),
        lanes<short>(a, b, [](int p, int q) { return p <= q; }),
        differences,
        lanes<number>(a, b, [](int p, int) { return p == -128 ? 127
                                                    : p < 0   ? -p
                                                              : p; })};
    for (int k = 0; k < 10; ++k)
      if (h[10 * t + k] != expected[k] && ++wrong < 10)
        printf("thread %d, value %d: %x instead of %x\n", t, k, h[10 * t + k], expected[k]);
  }
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
