// The loop of PBKDF2 with HMAC-SHA1, as programs that search for WPA keys run it: a thread has a password's two states, of
// the key with the inner and with the outer pad, and hashes a digest of 20 bytes with each of them in every round. As in
// Pyrit, blocks have 64 threads and the states are in shared memory; they are volatile so that they stay there.
constexpr int block = 64;

constexpr int words = 5;

__device__ unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

// Replaces the digest by its hash, from a state on.
__device__ void hash(const volatile unsigned* state, unsigned& h0, unsigned& h1, unsigned& h2, unsigned& h3,
                     unsigned& h4) {
  unsigned w[16] = {h0, h1, h2, h3, h4, 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 672};
  unsigned a = state[0];
  unsigned b = state[1];
  unsigned c = state[2];
  unsigned d = state[3];
  unsigned e = state[4];
#pragma unroll
  for (int t = 0; t < 80; ++t) {
    if (t >= 16) w[t & 15] = rotate(w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ w[t & 15], 1);
    const unsigned f = t < 20 ? d ^ (b & (c ^ d)) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (d & (b | c));
    const unsigned k = t < 20 ? 0x5a827999u : t < 40 ? 0x6ed9eba1u : t < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
    const unsigned sum = rotate(a, 5) + f + e + k + w[t & 15];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = sum;
  }
  h0 = state[0] + a;
  h1 = state[1] + b;
  h2 = state[2] + c;
  h3 = state[3] + d;
  h4 = state[4] + e;
}

extern "C" __global__ void pbkdf2(unsigned* keys, const unsigned* states, int threads, int rounds) {
  __shared__ volatile unsigned inner[block][words];
  __shared__ volatile unsigned outer[block][words];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
#pragma unroll
  for (int k = 0; k < words; ++k) {
    inner[t][k] = states[k * threads + i];
    outer[t][k] = states[(words + k) * threads + i];
  }
  unsigned h0 = states[10 * threads + i];
  unsigned h1 = states[11 * threads + i];
  unsigned h2 = states[12 * threads + i];
  unsigned h3 = states[13 * threads + i];
  unsigned h4 = states[14 * threads + i];
  unsigned k0 = h0;
  unsigned k1 = h1;
  unsigned k2 = h2;
  unsigned k3 = h3;
  unsigned k4 = h4;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    hash(inner[t], h0, h1, h2, h3, h4);
    hash(outer[t], h0, h1, h2, h3, h4);
    k0 ^= h0;
    k1 ^= h1;
    k2 ^= h2;
    k3 ^= h3;
    k4 ^= h4;
  }
  keys[i] = k0;
  keys[threads + i] = k1;
  keys[2 * threads + i] = k2;
  keys[3 * threads + i] = k3;
  keys[4 * threads + i] = k4;
}
