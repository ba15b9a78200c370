// The loop of PBKDF2 with HMAC-SHA1, as programs that search for WPA keys run it: a thread has a password's two states, of
// the key with the inner and with the outer pad, and hashes a digest of 20 bytes with each of them in every round.
struct digest {
  unsigned h[5];
};

__device__ unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

__device__ digest hash(const digest& state, const digest& text) {
  unsigned w[16] = {text.h[0], text.h[1], text.h[2], text.h[3], text.h[4], 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 672};
  unsigned a = state.h[0];
  unsigned b = state.h[1];
  unsigned c = state.h[2];
  unsigned d = state.h[3];
  unsigned e = state.h[4];
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
  return {{state.h[0] + a, state.h[1] + b, state.h[2] + c, state.h[3] + d, state.h[4] + e}};
}

extern "C" __global__ void pbkdf2(unsigned* keys, const unsigned* states, int threads, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  digest inner;
  digest outer;
  digest last;
  digest key;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    inner.h[k] = states[k * threads + i];
    outer.h[k] = states[(5 + k) * threads + i];
    last.h[k] = states[(10 + k) * threads + i];
    key.h[k] = last.h[k];
  }
  for (int round = 0; round < rounds; ++round) {
    last = hash(outer, hash(inner, last));
#pragma unroll
    for (int k = 0; k < 5; ++k) key.h[k] ^= last.h[k];
  }
#pragma unroll
  for (int k = 0; k < 5; ++k) keys[k * threads + i] = key.h[k];
}
