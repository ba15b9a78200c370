// SHA-1 of messages of four bytes: every thread tries one number and remembers it if the digest starts with `wanted`.
__device__ unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

extern "C" __global__ void sha1(unsigned* found, unsigned* digest, unsigned wanted, unsigned first) {
  const unsigned number = first + blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w[16] = {number, 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32};
  unsigned a = 0x67452301u;
  unsigned b = 0xefcdab89u;
  unsigned c = 0x98badcfeu;
  unsigned d = 0x10325476u;
  unsigned e = 0xc3d2e1f0u;
#pragma unroll
  for (int t = 0; t < 80; ++t) {
    if (t >= 16) w[t & 15] = rotate(w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ w[t & 15], 1);
    const unsigned f = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
    const unsigned k = t < 20 ? 0x5a827999u : t < 40 ? 0x6ed9eba1u : t < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
    const unsigned sum = rotate(a, 5) + f + e + k + w[t & 15];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = sum;
  }
  a += 0x67452301u;
  digest[number - first] = a;
  if (a == wanted) *found = number;
}
