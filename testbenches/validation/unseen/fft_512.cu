// A transform of 512 complex numbers by 64 threads: three steps of radix 8 in registers, exchanges of real and imaginary
// parts in turn through shared memory (Volkov and Kazian, "Fitting FFT onto the G80 architecture", 2008).
constexpr int points = 512;
constexpr float half_root = 0.70710678f;

__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ float2 times_minus_i(float2 a) { return make_float2(a.y, -a.x); }

__device__ void butterfly(float2& a, float2& b) {
  const float2 sum = a + b;
  b = a - b;
  a = sum;
}

__device__ void fft_4(float2& a, float2& b, float2& c, float2& d) {
  butterfly(a, c);
  butterfly(b, d);
  d = times_minus_i(d);
  butterfly(a, b);
  butterfly(c, d);
}

// Result k is a[order(k)].
__device__ void fft_8(float2* a) {
  butterfly(a[0], a[4]);
  butterfly(a[1], a[5]);
  butterfly(a[2], a[6]);
  butterfly(a[3], a[7]);
  a[5] = make_float2(half_root * (a[5].x + a[5].y), half_root * (a[5].y - a[5].x));
  a[6] = times_minus_i(a[6]);
  a[7] = make_float2(half_root * (a[7].y - a[7].x), -half_root * (a[7].x + a[7].y));
  fft_4(a[0], a[1], a[2], a[3]);
  fft_4(a[4], a[5], a[6], a[7]);
}

__device__ constexpr int order(int k) { return ((k & 1) << 2) | (k & 2) | ((k & 4) >> 2); }

__device__ void twiddle(float2* a, float angle) {
#pragma unroll
  for (int k = 1; k < 8; ++k) {
    float2 w;
    w.x = __cosf(angle * k);
    w.y = __sinf(angle * k);
    a[order(k)] = a[order(k)] * w;
  }
}

template <int to_step, int from_step>
__device__ void exchange(float2* a, float* shared, int to, int from) {
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; ++k) shared[to + k * to_step] = a[order(k)].x;
  __syncthreads();
  float real[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) real[k] = shared[from + k * from_step];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; ++k) shared[to + k * to_step] = a[order(k)].y;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; ++k) a[k] = make_float2(real[k], shared[from + k * from_step]);
}

extern "C" __global__ void fft_512(float2* out, const float2* in) {
  __shared__ float shared[8 * 8 * 9];
  const int t = threadIdx.x;
  const int high = t >> 3;
  const int low = t & 7;
  in += blockIdx.x * points + t;
  out += blockIdx.x * points + t;
  float2 a[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) a[k] = in[64 * k];
  fft_8(a);
  twiddle(a, -2 * 3.14159265f / 512 * t);
  exchange<72, 8>(a, shared, t, high * 72 + low);
  fft_8(a);
  twiddle(a, -2 * 3.14159265f / 64 * low);
  exchange<8, 1>(a, shared, high * 73 + low, low * 73 + high * 8);
  fft_8(a);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[64 * k] = a[order(k)];
}
