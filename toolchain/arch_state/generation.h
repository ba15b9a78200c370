// What depends on the generation of a chip: its instruction set, the shape of its state, its rule of divergence and
// its limits. A chip has one object of this class, chosen once from its configuration; stages of the models hold a
// const reference to it. No function has a state of its own, so one object serves all SMs.
//
// A stage makes at most one virtual call per warp instruction; what it needs per lane happens within it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

// How the first word of an instruction tells its length; stages that move code know no more of an encoding.
struct instruction_lengths {
  std::uint32_t long_mask = 0;  // bits of the first word; one that is set marks a long instruction
  std::uint8_t short_bytes = 4;
  std::uint8_t long_bytes = 4;  // no more than short_bytes when there is one length only

  unsigned of(std::uint32_t first_word) const { return (first_word & long_mask) != 0 ? long_bytes : short_bytes; }
};

struct generation_values {
  instruction_lengths lengths;
  unsigned code_address_bits = 24;
  // Registers of a thread.
  unsigned general_registers = 128;  // at most
  unsigned predicates = 4;
  unsigned predicate_bits = 4;
  std::uint8_t predicate_true = 1;  // what a predicate holds for a true and for a false value
  std::uint8_t predicate_false = 0;
  unsigned address_registers = 0;
  unsigned address_register_bits = 16;
  unsigned address_bits = 32;  // of device memory, as a program sees it
  // What a launch may ask for; threads of a block in all are the configuration's (limits.threads_per_block).
  std::array<std::uint32_t, 2> max_grid = {65535, 65535};
  std::array<std::uint32_t, 3> max_block = {512, 512, 64};
  // Of the shared memory of a block, in front of the program's own: a header, and parameters behind it.
  std::uint32_t shared_header_bytes = 16;
  std::uint32_t max_parameter_bytes = 256;

  std::uint64_t address_space_bytes() const { return std::uint64_t{1} << address_bits; }
  std::uint32_t max_code_bytes() const { return std::uint32_t{1} << code_address_bits; }
};

// Where and when a warp reads its operands, for special registers.
struct warp_place {
  std::uint32_t clock = 0;  // core cycle
  std::uint8_t tpc = 0;
  std::uint8_t sm = 0;    // within the TPC
  std::uint8_t warp = 0;  // slot of the SM
};

class generation {
 public:
  virtual ~generation() = default;
  generation(const generation&) = delete;
  generation& operator=(const generation&) = delete;

  const generation_values& values() const { return values_; }

  // -- code --

  struct decoded {
    std::shared_ptr<const isa::instruction> instruction;  // null: the fault says why
    fault_kind fault = fault_kind::none;                  // illegal_instruction, or unsupported by this chip
    // A reconvergence point that acts before its instruction: what issues when a path of the warp comes to it.
    std::shared_ptr<const isa::instruction> arrival;
  };
  virtual decoded decode(const isa::instruction_words& words) const = 0;
  // What stands for words that are no instruction: it goes to the branch unit, which passes the fault on.
  virtual std::shared_ptr<const isa::instruction> trap(const isa::instruction_words& words) const = 0;

  // -- operands --

  // Reads registers, predicates and immediates into the bundle, and the addresses of an access to shared, local or
  // global memory. Returns the lanes of `active` that execute.
  virtual isa::lane_mask collect(const isa::instruction& i, const register_rows& registers, const warp_place& place,
                                 isa::lane_mask active, isa::lane_bundle& values) const = 0;
  // Byte addresses, within its bank, of an indexed constant operand; `values` as collect() left them.
  virtual void constant_addresses(const isa::instruction& i, const isa::constant_operand& operand,
                                  const register_rows& registers, const isa::lane_bundle& values,
                                  std::uint32_t* addresses) const = 0;
  // What write_results() needs, from one bundle to another.
  virtual void copy_results(const isa::instruction& i, const isa::lane_bundle& from,
                            isa::lane_bundle& to) const = 0;
  // Writes the results of the executed lanes.
  virtual void write_results(const isa::instruction& i, register_rows& registers, isa::lane_bundle& values,
                             isa::lane_mask executed) const = 0;

  // -- divergence --

  virtual std::unique_ptr<divergence> make_divergence() const = 0;

 protected:
  explicit generation(const generation_values& values) : values_(values) {}

 private:
  generation_values values_;
};

}  // namespace gt200::arch_state
