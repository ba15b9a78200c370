// Which functional unit executes an instruction, and what each class is called; the configuration gives interval
// and latency per class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gt200::isa {

enum class unit_class : std::uint8_t {
  sp,           // integer, logic, fp32 add and multiply-add, conversions, moves
  sp_mul,       // fp32 multiply: SP, or the multipliers of the SFU
  shared_move,  // a move from shared memory, which reads no registers: as sp, at a rate of its own
  sfu,          // reciprocal, square root, logarithm; of later generations sine, cosine and power as well
  sfu_reduced,  // sine, cosine, power of an operand that another instruction has reduced
  sp_half,      // as sp, but executed by half of the SPs: some operations of later generations
  dp,           // float64
  compare,      // comparisons, where they have a unit of their own beside the branch unit
  shared,       // loads and stores of shared memory
  memory,       // loads, stores, atomics and reductions of global and local memory
  constant,     // loads of constant memory
  texture,
  control,  // everything that only says where the warp goes on
  barrier,
  none  // no operation (still occupies an issue slot)
};

inline constexpr std::size_t unit_classes = static_cast<std::size_t>(unit_class::none) + 1;

struct unit_class_name {
  unit_class unit;
  const char* key;   // in files
  const char* text;  // for readers
};

// In the order of the enumeration.
inline constexpr std::array<unit_class_name, unit_classes> unit_class_names = {{
    {unit_class::sp, "sp", "SP"},
    {unit_class::sp_mul, "sp_mul", "SP or SFU multiply"},
    {unit_class::shared_move, "shared_move", "SP, move from shared"},
    {unit_class::sfu, "sfu", "SFU"},
    {unit_class::sfu_reduced, "sfu_reduced", "SFU, reduced operand"},
    {unit_class::sp_half, "sp_half", "SP at half rate"},
    {unit_class::dp, "dp", "DP"},
    {unit_class::compare, "compare", "comparisons"},
    {unit_class::shared, "shared", "shared"},
    {unit_class::memory, "memory", "memory"},
    {unit_class::constant, "constant", "constant"},
    {unit_class::texture, "texture", "texture"},
    {unit_class::control, "control", "control"},
    {unit_class::barrier, "barrier", "barrier"},
    {unit_class::none, "none", "none"},
}};

constexpr bool names_follow_the_unit_classes() {
  for (std::size_t i = 0; i < unit_classes; ++i)
    if (unit_class_names[i].unit != static_cast<unit_class>(i)) return false;
  return true;
}
static_assert(names_follow_the_unit_classes());

constexpr const unit_class_name& name_of(unit_class unit) {
  return unit_class_names[static_cast<std::size_t>(unit)];
}

}  // namespace gt200::isa
