// A block transforms 512 complex numbers: nine steps of radix 2, sorted by their indices as they go (Stockham), between
// two halves of shared memory. twiddle[k] = exp(-2 pi i k / 512).
constexpr int points = 512;

extern "C" __global__ void fft512(float2* out, const float2* in, const float2* twiddle) {
  __shared__ float re[2][points];
  __shared__ float im[2][points];
  const int t = threadIdx.x;
  const float2* own = in + blockIdx.x * points;
  for (int k = t; k < points; k += points / 2) {
    re[0][k] = own[k].x;
    im[0][k] = own[k].y;
  }
  int from = 0;
  for (int size = 1; size < points; size *= 2) {
    __syncthreads();
    const int k = t & (size - 1);
    const float2 w = twiddle[k * (points / 2 / size)];
    const float a_re = re[from][t];
    const float a_im = im[from][t];
    const float b_re = re[from][t + points / 2];
    const float b_im = im[from][t + points / 2];
    const float c_re = b_re * w.x - b_im * w.y;
    const float c_im = b_re * w.y + b_im * w.x;
    const int to = 2 * t - k;
    from = 1 - from;
    re[from][to] = a_re + c_re;
    im[from][to] = a_im + c_im;
    re[from][to + size] = a_re - c_re;
    im[from][to + size] = a_im - c_im;
  }
  __syncthreads();
  for (int k = t; k < points; k += points / 2) out[blockIdx.x * points + k] = make_float2(re[from][k], im[from][k]);
}
