// Prices of European options by the Black-Scholes formula, with the hardware's logarithm, exponential, square
// root and reciprocal.
__device__ float normal_distribution(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float tail = 0.3989422804f * __expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(float* call, float* put, const float* price, const float* strike, const float* years,
                                         float rate, float volatility, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float s = 5.0f + 25.0f * price[i];
  const float x = 1.0f + 99.0f * strike[i];
  const float t = 0.25f + 9.75f * years[i];
  const float root = sqrtf(t);
  const float d1 = __fdividef(__logf(__fdividef(s, x)) + (rate + 0.5f * volatility * volatility) * t, volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal_distribution(d1);
  const float n2 = normal_distribution(d2);
  const float discounted = x * __expf(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
