#include "cuda/worker/cpu/device_functions.h"

#include <array>
#include <chrono>
#include <cstring>

#include "cuda/worker/cpu/block_runner.h"
#include "cuda/worker/cpu/float_state.h"
#include "toolchain/isa/tesla/semantics/convert_half.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/tables.h"
#include "toolchain/isa/tesla/semantics/sfu_units.h"
#include "toolchain/sampling/sampler.h"

namespace gt200::cudart {
namespace {

using namespace isa::tesla::semantics;

thread_local const cpu_textures* textures_here = nullptr;

class default_arithmetic {
 public:
  default_arithmetic() : before_(float_state::get()) { float_state::set(float_state::to_nearest); }
  ~default_arithmetic() { float_state::set(before_); }
  default_arithmetic(const default_arithmetic&) = delete;
  default_arithmetic& operator=(const default_arithmetic&) = delete;

 private:
  unsigned before_;
};

[[gnu::noinline]] unsigned meet(gt200_cpu_meeting what, int value) {
  return block_runner::current()->meet(what, value, __builtin_return_address(0));
}

void yield() { block_runner::current()->yield(); }

unsigned long long nanoseconds() {
  return static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch() /
                                         std::chrono::nanoseconds(1));
}

void trap() { block_runner::current()->fail(block_runner::end::fault, "trap instruction"); }

std::uint32_t special_bits(gt200_cpu_special function, std::uint32_t x) {
  switch (function) {
    case gt200_cpu_rcp: return sfu_result<rcp_unit>(rcp_table, x);
    case gt200_cpu_rsqrt: return sfu_result<rsqrt_unit>(rsqrt_table, x);
    case gt200_cpu_sqrt: return sfu_result<rcp_unit>(rcp_table, sfu_result<rsqrt_unit>(rsqrt_table, x));
    case gt200_cpu_lg2: return sfu_result<lg2_unit>(lg2_table, x);
    case gt200_cpu_ex2: return sfu_result<ex2_unit>(ex2_table, preex2(x));
    case gt200_cpu_sin: return sfu_result<sin_unit>(sin_table, presin(x));
    case gt200_cpu_cos: return sfu_result<cos_unit>(sin_table, presin(x));
  }
  return 0;
}

float special(gt200_cpu_special function, float x) { return as_float(special_bits(function, bits_of(x))); }

void round(char mode) {
  const unsigned bits = mode == 'z'   ? float_state::to_zero
                        : mode == 'm' ? float_state::down
                        : mode == 'p' ? float_state::up
                                      : 0;
  float_state::set((float_state::get() & ~float_state::to_zero) | bits);
}

template <class number>
std::array<number, 3> coordinates_of(unsigned dimensions, const unsigned* words) {
  std::array<number, 3> result{};
  std::memcpy(result.data(), words, dimensions * sizeof(number));
  return result;
}

// As bound_textures of the emulator.
void fetch(const void* texture, int texel_numbers, unsigned dimensions, const unsigned* coordinates, void* words) {
  const auto bound = textures_here->find(texture);
  if (bound == textures_here->end())
    block_runner::current()->fail(block_runner::end::fault, "texture that is not bound");
  const sampling::texture_shape& shape = bound->second->shape;
  if (texel_numbers == 0 && shape.dimensions == 0)
    block_runner::current()->fail(block_runner::end::fault,
                                  "linear memory read by coordinates that are no numbers "
                                  "of texels");
  const default_arithmetic exact;
  const sampling::footprint f =
      texel_numbers != 0 ? sampling::fetch(shape, {}, coordinates_of<std::int32_t>(dimensions, coordinates))
                         : sampling::sample(shape, {}, coordinates_of<float>(dimensions, coordinates));
  const std::uintptr_t image = bound->second->address;
  const sampling::texel_value value = sampling::filtered(
      shape.texel, f, [&](unsigned k) { return reinterpret_cast<const std::uint8_t*>(image + f.offset[k]); });
  std::memcpy(words, value.component, sizeof value.component);
}

unsigned short to_half(float x) {
  constexpr auto nearest = isa::tesla::rounding::nearest;
  return static_cast<unsigned short>(single_to_half(bits_of(x), nearest, nearest));
}
float from_half(unsigned short x) { return as_float(half_to_single(x)); }

}  // namespace

const gt200_cpu_runtime& device_functions() {
  static const gt200_cpu_runtime all = {meet, yield, nanoseconds, trap, special, round, fetch, to_half, from_half};
  return all;
}

device_code_environment::device_code_environment(bool flushes, const cpu_textures& textures)
    : state_before_(float_state::get()) {
  float_state::set(float_state::to_nearest | (flushes ? float_state::flushing : 0));
  textures_here = &textures;
}

device_code_environment::~device_code_environment() {
  float_state::set(state_before_);
  textures_here = nullptr;
}

}  // namespace gt200::cudart
