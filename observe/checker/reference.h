// The other side of a checked run: executes every instruction a second time, in the order of the model.
//
// The checker asks for it once per chip and knows nothing else of a generation. A reference has an execution of its
// own; the order in which its warps go on, the moments of its accesses to memory, and values of time and place are
// the model's. emulator_reference.h is Tesla's, fermi_reference.h Fermi's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/grid_descriptor.h"
#include "sc_models/sm/formed_lanes.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/arch_state/step_record.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::observe {

// The launch that begins, or runs: its kernel, grid, block and parameters.
using launch_source = std::function<const launch::launch_parameters&()>;

// Operands that a model must have collected for an instruction, and results that it must write: lanes of both sides
// are compared.
struct checked_operands {
  static constexpr int none = -1;
  // 32-bit words of each source that collector and shared memory have filled in.
  std::array<std::uint8_t, 3> source_words = {};
  int flags_in = none;    // number of the predicate whose row is in flags_in
  int address_in = none;  // number of the address register whose row is in address_in
  // Results: registers from `destination` on, a predicate, an address register.
  unsigned destination = 0;
  std::uint8_t destination_words = 0;
  int flags_out = none;
  // Bit n: row n of predicate_in or predicate_out is compared, in generations whose predicates are single bits.
  std::uint8_t predicates_in = 0;
  std::uint8_t predicates_out = 0;
  int address_out = none;
};

// A source whose value depends on time and place: the reference takes the model's, if that is possible.
enum class special_value : std::uint8_t {
  none,
  clock,  // in core cycles: between issue and write-back, and never backwards
  place,  // always the same for a warp
  other   // any value
};

// One thread block. An access to memory leaves the record pending: to shared memory it is performed by
// perform_shared(), to device memory by the checker, which puts loaded values into the record.
class reference_block {
 public:
  virtual ~reference_block() = default;

  // Puts the block with this linear number into its initial state.
  virtual void start(std::uint32_t block_id) = 0;
  virtual unsigned warps() const = 0;
  virtual bool finished(unsigned warp) const = 0;
  // The next instruction of the warp, and the lanes that are active there.
  virtual isa::code_address pc(unsigned warp) const = 0;
  virtual isa::lane_mask active_mask(unsigned warp) const = 0;
  // True if paths of the warp meet before that instruction, so that a step may change to another path instead.
  virtual bool meets_before(unsigned warp) const = 0;
  virtual const arch_state::register_rows& registers(unsigned warp) const = 0;
  virtual const std::vector<std::uint8_t>& shared() const = 0;
  // Barriers of the block since its start; see reference::keeps_barriers().
  virtual std::uint64_t barriers_opened() const { return 0; }

  // The core cycle in which the model issues the next instruction; only a generation whose clock is read at a fixed
  // time behind the issue needs it.
  virtual void issued_at(std::uint64_t /*cycle*/) {}
  // Before a step: the model has chosen these lanes of the warp. Where a warp has several paths, the reference
  // takes the one of these lanes, if it can run; which of them goes first is nobody's rule.
  virtual void run_path(unsigned /*warp*/, isa::lane_mask /*lanes*/) {}
  virtual void step(unsigned warp, arch_state::step_record& r) = 0;
  // For warps that are formed anew: the threads of a warp that have not ended, where a thread is, and the step of
  // any threads that are at `pc`, each in its lane.
  virtual isa::lane_mask live_threads(unsigned /*warp*/) const { return 0; }
  virtual isa::code_address thread_pc(unsigned /*warp*/, unsigned /*lane*/) const { return 0; }
  virtual void step_threads(const model::formed_lanes& /*threads*/, isa::lane_mask /*lanes*/,
                            isa::code_address /*pc*/, arch_state::step_record& /*r*/) {}
  virtual void perform_shared(arch_state::step_record& r) = 0;
  // Computes what depends on the access and writes the results.
  virtual void complete(arch_state::step_record& r) = 0;
  // Computes and writes the results again, after a source has been changed.
  virtual void repeat(arch_state::step_record& r) = 0;
};

class reference {
 public:
  virtual ~reference() = default;

  // Before the first instruction of a launch. What refers to the launch before ends here.
  virtual void begin_launch(const model::grid_descriptor& grid) = 0;
  virtual std::unique_ptr<reference_block> make_block() = 0;

  // The instruction there; null if there is none.
  virtual const isa::instruction* at(isa::code_address pc) const = 0;
  virtual checked_operands operands_of(const isa::instruction& i) const = 0;
  virtual special_value special_of(const isa::instruction& i) const = 0;

  // The compiler keeps readers from results that are not there yet, not the hardware: an instruction may issue
  // while older ones still have to write what it reads.
  virtual bool compiler_schedules() const { return false; }
  // The blocks of the reference know who waits at barriers and count those that opened; else the checker does,
  // by warps.
  virtual bool keeps_barriers() const { return false; }

  // For reports: the kernel of the running launch, and the line of its source; 0 = unknown.
  virtual std::string kernel() const = 0;
  virtual std::uint32_t line(isa::code_address pc) const = 0;
};

}  // namespace gt200::observe
