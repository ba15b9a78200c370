// Everything that depends on the generation of a chip: instruction set, architectural state, divergence rule and
// limits. A chip has one object of this class, created from its configuration; the stages hold a const reference to
// it. The functions keep no state, so one object serves all SMs.
//
// A stage makes at most one virtual call per warp instruction. Loops over lanes are inside that call.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/forwarding.h"
#include "toolchain/arch_state/register_transfer.h"
#include "toolchain/arch_state/thread_flow.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

class register_rows;

// How the first word of an instruction encodes its length. Stages that move code know nothing else about encodings.
struct instruction_lengths {
  std::uint32_t long_mask = 0;  // an instruction is long if any of these bits of its first word is set
  std::uint8_t short_bytes = 4;
  std::uint8_t long_bytes = 4;  // equal to short_bytes if all instructions have the same length

  unsigned of(std::uint32_t first_word) const { return (first_word & long_mask) != 0 ? long_bytes : short_bytes; }
};

struct generation_values {
  instruction_lengths lengths;
  unsigned code_address_bits = 24;
  // Maximum number of registers per thread.
  unsigned general_registers = 128;
  unsigned predicates = 4;
  unsigned predicate_bits = 4;
  std::uint8_t predicate_true = 1;  // the values of a predicate that is true or false
  std::uint8_t predicate_false = 0;
  unsigned address_registers = 0;
  unsigned address_register_bits = 16;
  unsigned address_bits = 32;  // of device memory, as a program sees it
  // Limits of a launch. The limit of threads per block comes from the configuration (limits.threads_per_block).
  std::array<std::uint32_t, 3> max_grid = {65535, 65535, 1};
  std::array<std::uint32_t, 3> max_block = {512, 512, 64};
  // Shared memory of a block, in front of the program's own: a header, and parameters behind it.
  std::uint32_t shared_header_bytes = 16;
  std::uint32_t max_parameter_bytes = 256;
  // $r0 holds the packed thread number when a warp starts. Otherwise it is undefined like the other registers.
  bool thread_number_in_r0 = true;
  // Windows in the space of global addresses through which accesses reach shared and local memory; size 0: none.
  std::uint32_t shared_window = 0;
  std::uint32_t local_window = 0;
  std::uint32_t window_bytes = 0;
  // Results of fixed time; only where the compiler schedules.
  forwarding_table forwarding;

  std::uint32_t max_local_bytes = 64 * 1024;  // of a thread
  std::uint64_t address_space_bytes() const { return std::uint64_t{1} << address_bits; }
  // Device memory has the addresses below; those of the windows reach other memories.
  std::uint64_t end_of_device_memory() const {
    return window_bytes == 0 ? address_space_bytes() : shared_window < local_window ? shared_window : local_window;
  }
  std::uint32_t max_code_bytes() const { return std::uint32_t{1} << code_address_bits; }
};

// The block of a warp in its grid. Generations whose special registers return this read it at the collection.
struct block_place {
  std::array<std::uint32_t, 3> block = {0, 0, 0};
  std::array<std::uint32_t, 3> block_size = {1, 1, 1};  // threads
  std::array<std::uint32_t, 3> grid_size = {1, 1, 1};   // blocks
  std::uint32_t grid_id = 0;
  std::uint32_t shared_bytes = 0;
};

// The predicate that the threads of a block have handed to a barrier.
struct barrier_totals {
  std::uint32_t threads = 0;
  std::uint32_t holds = 0;  // threads for which it is true
};

// Place and time at which a warp reads its operands. Special registers return this.
struct warp_place {
  std::uint64_t clock = 0;  // core cycle
  std::uint8_t tpc = 0;
  std::uint8_t sm = 0;                 // within the TPC
  std::uint8_t warp = 0;               // slot of the SM
  std::uint32_t first_thread = 0;      // number in its block of the thread in lane 0
  const block_place* block = nullptr;  // null: the generation does not need it
};

// Sizes of the chip that special registers return. Without a chip they are those of a GTX 480.
struct machine_size {
  std::uint32_t sms_per_tpc = 1;
  std::uint32_t sms = 15;
  std::uint32_t warps = 48;  // of an SM

  std::uint32_t sm_number(const warp_place& place) const { return place.tpc * sms_per_tpc + place.sm; }
};

class generation {
 public:
  virtual ~generation() = default;
  generation(const generation&) = delete;
  generation& operator=(const generation&) = delete;

  const generation_values& values() const { return values_; }

  // -- code --

  struct decoded {
    std::shared_ptr<const isa::instruction> instruction;  // null: `fault` says why
    fault_kind fault = fault_kind::none;                  // illegal_instruction, or unsupported by this chip
    // The operation that issues when a path arrives at a reconvergence point that acts before its instruction.
    std::shared_ptr<const isa::instruction> arrival;
  };
  virtual decoded decode(const isa::instruction_words& words) const = 0;
  // A substitute for words that decode to nothing. It goes to the branch unit, which reports the fault.
  virtual std::shared_ptr<const isa::instruction> trap(const isa::instruction_words& words) const = 0;

  // The text of an instruction, and why the chip may refuse it: always, or with some operands. Of words that decode
  // to nothing there is a reason only.
  struct explanation {
    std::string text;
    std::string reason;  // empty: it is never refused
  };
  virtual explanation explain(const isa::instruction_words& /*words*/) const { return {}; }

  // -- operands --

  // Completes the bundle, which holds the registers of operands_of() (register_transfer.h): immediates, special
  // registers, halves, the addresses of an access to shared, local or global memory, and address registers as they
  // are after the access. Returns the lanes of `active` that execute. Not called for an instruction that
  // does not need it (isa::instruction::needs_collect).
  virtual isa::lane_mask collect(const isa::instruction& i, const warp_place& place, isa::lane_mask active,
                                 isa::lane_bundle& values) const = 0;
  // The lanes of `active` whose guard is true, before operands are collected. A generation without this says
  // `active`.
  virtual isa::lane_mask guarded_lanes(const isa::instruction& /*i*/, const register_rows& /*registers*/,
                                       isa::lane_mask active) const {
    return active;
  }
  // Byte addresses of an indexed constant operand within its bank. `values` is the bundle that collect() filled.
  virtual void constant_addresses(const isa::instruction& i, const isa::constant_operand& operand,
                                  const isa::lane_bundle& values, std::uint32_t* addresses) const = 0;
  // The 32-bit words of source operand `slot` (0..2) in the bundle, for readers of values; 0: there is no such
  // operand.
  virtual unsigned operand_words(const isa::instruction& i, unsigned slot) const = 0;

  // -- barriers --

  // True for an instruction of the barrier unit that waits for older instructions of its warp, not for other warps.
  virtual bool is_fence(const isa::instruction& /*i*/) const { return false; }
  // Among the lanes `executed` of a barrier: those whose predicate is true.
  virtual isa::lane_mask barrier_vote(const isa::instruction& /*i*/, const isa::lane_bundle& /*values*/,
                                      isa::lane_mask executed) const {
    return executed;
  }
  // Writes the results of a barrier that all warps have reached. Called only if the instruction has results.
  virtual void finish_barrier(const isa::instruction& /*i*/, const barrier_totals& /*totals*/,
                              isa::lane_bundle& /*values*/) const {}

  // -- divergence --

  virtual std::unique_ptr<divergence> make_divergence() const = 0;
  // The operation that ends the turn of the running path in front of the instruction at which it stands, where the
  // paths of a warp take turns. It is no instruction of the program and has no length. Null: they take none.
  virtual std::shared_ptr<const isa::instruction> turn_end() const { return nullptr; }
  // For the threads of a warp whose warps are formed anew; null: the generation has no such rule.
  virtual std::unique_ptr<thread_flow> make_thread_flow() const { return nullptr; }

 protected:
  explicit generation(const generation_values& values) : values_(values) {}

 private:
  generation_values values_;
};

}  // namespace gt200::arch_state
