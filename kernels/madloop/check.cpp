// Every product a * x is exact, so the order of rounding in the multiply-add does not matter.
#include <array>
#include <string>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::madloop {

launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  constexpr float a = 0.5f;
  constexpr float b = 0.25f;
  constexpr std::size_t threads_per_block = 256;
  const std::int64_t steps = 4 * context.parameter("ITERS");
  launch::reference_result expected;
  expected.value.resize(context.initial<float>(buffer).size());
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    std::array<float, 8> chain;
    chain[0] = static_cast<float>(i % threads_per_block);
    for (std::size_t k = 1; k < chain.size(); ++k) chain[k] = chain[k - 1] + a;
    for (std::int64_t step = 0; step < steps; ++step)
      for (float& x : chain) x = a * x + b;
    float sum = chain[0];
    for (std::size_t k = 1; k < chain.size(); ++k) sum += chain[k];
    expected.value[i] = static_cast<double>(sum);
  }
  return expected;
}

}  // namespace gt200::kernels::madloop
