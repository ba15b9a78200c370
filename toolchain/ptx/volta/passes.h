// The passes between lowering and machine words, beside those of machine/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/volta/machine_code.h"

namespace gt200::ptx::volta {

// With more registers than this, an SM cannot hold its maximum number of threads: 65,536 registers for 2,048.
inline constexpr unsigned registers_of_full_occupancy = 32;

// Forwards copies, constants and immediates to where they are read, and forms operations with three sources: sums,
// logic, multiply-add of words and pairs, shift and add, and of floats that may be contracted if `contract`.
void forward_values(machine_function& f, bool contract);

// Gives each region in which threads diverge (machine/reconverge.h) a convergence barrier. A region for which none
// is left has no place of its own to meet: its threads meet where the next outer one does. So do the threads of a
// region in which some may wait for others to write, if what is behind the region may write: every thread that can
// run goes on. Result: by block that joins.
std::vector<int> number_barriers(machine_function& f);

// The loops, as sets of blocks, with a way out that depends on what other threads have written: on the result of an
// atomic operation, unless that only tries again to change what it has read, or of a volatile load.
std::vector<std::vector<bool>> waiting_loops(const machine_function& f);
// From the start of a block on, a thread may write what others read before it comes to a barrier of its block.
bool writes_before_barrier(const machine_function& f, int from);

// A machine instruction on its way: register numbers, not encoded yet.
struct placed_instruction {
  isa::volta::instruction code;
  unsigned line = 0;
  int target = -1;  // block that it branches to
};
// The code of a block and where control goes from it, as indices of blocks in the order of the code.
struct placed_block {
  std::vector<placed_instruction> code;
  std::vector<std::size_t> next;
};

// Orders the instructions of each block so that they wait less.
void order_instructions(std::vector<placed_block>& blocks);
// Sets the control codes, over all paths.
void set_control_codes(std::vector<placed_block>& blocks, bool uses_reuse);

// Appends words, lines and literals to `kernel`.
void emit(machine_function& f, const allocation& registers, const std::string& file, bool optimise,
          cubin::kernel& kernel);

}  // namespace gt200::ptx::volta
