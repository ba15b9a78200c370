// The passes between lowering and machine words, beside those of machine/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/ptx/fermi/machine_code.h"

namespace gt200::ptx::fermi {

// With more registers than this, an SM cannot hold its maximum number of threads: 32,768 registers for 1,536.
inline constexpr unsigned registers_of_full_occupancy = 20;

// Forwards copies, constants and immediates to where they are read, folds operations that become constant, and
// contracts products and sums: of integers, and of floats that may be contracted if `contract`.
void forward_values(machine_function& f, bool contract);

// Makes every operation one that the hardware has: other orders of operands, immediates in the constant space of
// the kernel or in registers.
void legalise(machine_function& f);

// Colours, and makes room as long as needed: general registers are spilled to local memory, predicates to general
// registers. nullopt if even that does not suffice.
std::optional<allocation> allocate_registers(machine_function& f, unsigned max_registers);

// Appends words, lines and literals to `kernel`.
void emit(machine_function& f, const allocation& registers, const std::string& file, cubin::kernel& kernel);

}  // namespace gt200::ptx::fermi
