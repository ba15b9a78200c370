// Sums of payoffs of European call options over random paths, several blocks per option: the white paper of the CUDA SDK,
// listing 2. options holds S, X, MuByT and VBySqrtT of each.
extern "C" __global__ void monte_carlo(float2* sums, const float* samples, const float4* options, int paths) {
  const int option = blockIdx.y;
  const float s = options[option].x;
  const float x = options[option].y;
  const float drift = options[option].z;
  const float deviation = options[option].w;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * gridDim.x;
  float2 sum = {0, 0};
  for (int i = first; i < paths; i += threads) {
    const float end = s * __expf(drift + deviation * samples[i]) - x;
    const float payoff = end > 0 ? end : 0;
    sum.x += payoff;
    sum.y += payoff * payoff;
  }
  sums[option * threads + first] = sum;
}
