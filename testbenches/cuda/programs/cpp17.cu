// C++17 without -std, and what older programs have that C++17 took away: register, and throw() with a type.
#include <cstdio>
#include <stdexcept>
#include <type_traits>

template <class T>
struct scaled {
  T value;
  __device__ scaled(T v) : value(v) {}
};
struct two {
  float first, second;
};

__global__ void product(float* o) {
  if constexpr (std::is_floating_point_v<float>) {
    const scaled two_times(o[0] * 2);
    const auto [x, y] = two{two_times.value, 3};
    o[1] = x * y;
  }
}

static float checked(float x) throw(std::runtime_error) {
  if (x != 30) throw std::runtime_error("wrong product");
  return x;
}

int main() {
  register float in = 5;
  float out = 0, *d;
  cudaMalloc(&d, 2 * sizeof out);
  cudaMemcpy(d, &in, sizeof in, cudaMemcpyHostToDevice);
  product<<<1, 1>>>(d);
  cudaMemcpy(&out, d + 1, sizeof out, cudaMemcpyDeviceToHost);
  std::printf("%g\n", checked(out));
  return 0;
}
