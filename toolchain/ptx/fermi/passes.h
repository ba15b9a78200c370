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

// Removes operations that compute what a dominating operation has computed.
void share_values(machine_function& f);

// Makes every operation one that the hardware has: other orders of operands, immediates in the constant space of
// the kernel or in registers.
void legalise(machine_function& f);

// Colours, and makes room as long as needed: general registers are spilled to local memory, predicates to general
// registers. nullopt if even that does not suffice.
std::optional<allocation> allocate_registers(machine_function& f, unsigned max_registers);

// Appends words, lines and literals to `kernel`.
void emit(machine_function& f, const allocation& registers, const std::string& file, cubin::kernel& kernel);

// The instruction with register numbers from `assigned`. Not encoded yet.
isa::fermi::instruction bind(const operation& o, const std::vector<int>& assigned);

// Encodes, with the form of immediates that fits. `reason` says why not.
bool encode(isa::fermi::instruction& code, std::string& reason);

// True if the operation can be encoded with any registers.
bool encodes(const operation& o);
// The same, or after its sources have been exchanged, which it then keeps.
bool encodes_in_some_order(operation& o);

// Byte offset of literals of one or two words in the constant space of the kernel; negative if that is full.
int literal_offset(machine_function& f, std::uint32_t bits);
int literal_offset(machine_function& f, std::uint32_t low, std::uint32_t high);

}  // namespace gt200::ptx::fermi
