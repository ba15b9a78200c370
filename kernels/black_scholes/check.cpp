// The formula in double precision with the error function. The kernel's approximation of the normal distribution
// has an error of up to 7.5e-8, its single precision of some units of 2^-24, both relative to price and discounted
// strike.
#include <cmath>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::black_scholes {
namespace {

double normal_distribution(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

}  // namespace

launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  constexpr double rate = static_cast<double>(0.02f);
  constexpr double volatility = static_cast<double>(0.3f);
  const std::vector<float> price = context.initial<float>("price");
  const std::vector<float> strike = context.initial<float>("strike");
  const std::vector<float> years = context.initial<float>("years");
  launch::reference_result expected;
  for (std::size_t i = 0; i < price.size(); ++i) {
    const double s = 5 + 25 * static_cast<double>(price[i]);
    const double x = 1 + 99 * static_cast<double>(strike[i]);
    const double t = 0.25 + 9.75 * static_cast<double>(years[i]);
    const double spread = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + volatility * volatility / 2) * t) / spread;
    const double d2 = d1 - spread;
    const double discounted = x * std::exp(-rate * t);
    const double call = s * normal_distribution(d1) - discounted * normal_distribution(d2);
    expected.value.push_back(buffer == "call" ? call : call - s + discounted);
    expected.scale.push_back(s + discounted);
  }
  return expected;
}

}  // namespace gt200::kernels::black_scholes
