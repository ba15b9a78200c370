// A number of 16 bits, extended with its sign to 64 and to 32: the back ends of clang 14 and 16 take the lower half
// of the first for the second, and then fill it with zeros.
extern "C" __global__ void sign_extended_shift(const int* in, unsigned long long* out) {
  const unsigned t = threadIdx.x;
  const short number = static_cast<short>(in[t] * 3);
  const unsigned moved = static_cast<unsigned>(static_cast<unsigned long long>(number) >> (in[t] & 63)) > t;
  out[t] = static_cast<unsigned long long>(moved) << 32 | static_cast<unsigned>(static_cast<int>(number));
}
