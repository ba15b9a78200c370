// One thread block under functional execution: registers and control flow of its warps, shared and local memory.
//
// Executes one warp instruction at a time. The caller decides the order:
//
//   step(w, r)       executes the next instruction of warp w. Arithmetic finishes at once. An access to memory that
//                    other threads can change (s[], l[], g[], texture, and s[] operands of arithmetic instructions)
//                    leaves the record `pending`: the record holds addresses and store data, the destination
//                    registers count as not yet written, and control flow has moved on.
//   perform(r, ...)  performs the access for all or some lanes, at the moment the caller chooses: loads, stores,
//                    atomics and locks take effect here. A caller with another source of data (textures) fills
//                    r.values.destination itself instead.
//   complete(r)      computes what depends on loaded values and writes the destination registers.
//
// A launch run (grid_run.h) calls the three in a row. A checker beside a cycle model calls each when the model does
// the same. Reading or overwriting a register whose producer has not completed is a fault: a missed hazard.
//
// step() writes a post-incremented $a: the address does not depend on the access.
// With forms_warps the caller composes the warps: step_threads() executes the next instruction of any threads of
// the block, each in its lane, and each thread has a program counter of its own. perform() for s[], complete() and
// repeat() know from the record whose threads they are; results that are still to be written are the caller's
// matter.
//
// A warp that acquires a section of shared registers finds a pattern there. To read it is a fault, because the
// value was lost by a release, or never was. A mov may read it: compilers move values of which some lanes are
// undefined. Registers beyond the allocated count read as zero; writes to them are dropped. Barriers: step() only
// checks that the warp is converged. The caller makes warps wait.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "toolchain/arch_state/memory.h"
#include "toolchain/arch_state/memory_access.h"
#include "toolchain/arch_state/pending_registers.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/arch_state/shared_locks.h"
#include "toolchain/arch_state/step_record.h"
#include "toolchain/arch_state/tesla/simt_stack.h"
#include "toolchain/arch_state/tesla/thread_stacks.h"
#include "toolchain/emulator/code_image.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/undefined_values.h"
#include "toolchain/launch/abi.h"

namespace gt200::emulator {

using arch_state::step_record;
using arch_state::step_state;

// Supplies the $sr registers, whose values depend on time and place.
class special_registers {
 public:
  virtual ~special_registers() = default;
  // Fills all lanes with $sr<index> (0 physid, 1 clock, 4..7 pm0..pm3) as warp `warp` of the block reads it now.
  virtual void read(unsigned index, unsigned warp, isa::lane_words& out) = 0;
};

// Texture fetches: coordinates are in r.values.source[0][0..3], results go to r.values.destination.
class texture_memory {
 public:
  virtual ~texture_memory() = default;
  // fault_kind::texture_not_bound if there is no such texture.
  virtual arch_state::fault_kind fetch(step_record& r, isa::lane_mask lanes) = 0;
};

// The program that a block executes; refers to objects that must outlive it.
struct program_context {
  const code_image* code = nullptr;
  const constant_memory* constants = nullptr;
  const launch::launch_parameters* launch = nullptr;
  special_registers* special = nullptr;
  texture_memory* textures = nullptr;  // may be null: every fetch faults
  arch_state::tesla::divergence_options divergence;
  bool forms_warps = false;  // warps are composed of threads by the caller
  std::uint64_t initial_state_seed = 0;
};

class block_state {
 public:
  explicit block_state(const program_context& context);

  // Puts block (x, y) of the grid into its initial state. No allocation.
  void start(std::uint32_t x, std::uint32_t y);

  std::uint32_t block_x() const { return x_; }
  std::uint32_t block_y() const { return y_; }
  unsigned warps() const { return static_cast<unsigned>(warps_.size()); }
  bool finished(unsigned warp) const { return warps_[warp].flow.finished(); }
  const arch_state::tesla::simt_stack& flow(unsigned warp) const { return warps_[warp].flow; }
  const arch_state::register_rows& registers(unsigned warp) const { return warps_[warp].registers; }
  bool has_pending(unsigned warp) const { return warps_[warp].pending.any(); }
  const std::vector<std::uint8_t>& shared() const { return shared_; }
  std::size_t state_bytes() const { return rows_.size() * sizeof rows_[0] + shared_.size() + local_.size(); }
  std::uint8_t* shared_bytes() { return shared_.data(); }
  const arch_state::shared_locks& locks() const { return locks_; }

  void step(unsigned warp, step_record& r);
  // The threads in `lanes`, each of warp warps[lane], execute the instruction at `pc`, where each of them is.
  void step_threads(const std::array<std::uint8_t, isa::warp_size>& warps, isa::lane_mask lanes,
                    isa::code_address pc, step_record& r);
  // With forms_warps: where the threads of a warp are, and which have not ended.
  const arch_state::thread_flow& threads(unsigned warp) const { return *threads_[warp]; }
  // Lanes in `lanes` that do not execute are ignored.
  void perform(step_record& r, arch_state::memory& global, isa::lane_mask lanes = 0xffffffffu);
  void complete(step_record& r);
  // Recomputes and rewrites the results of a finished instruction after the caller has changed its sources: for
  // values that are known late, such as $clock.
  void repeat(step_record& r) {
    if (r.formed) return finish_threads(r);
    finish(warps_[r.warp], r);
  }

  // Describes the fault of a record and its place, for messages. `detail` may add a sentence.
  arch_state::fault describe_fault(const step_record& r) const;

  // Local memory per thread, in bytes, that the hardware reserves for a kernel that asks for `bytes`: 0, or a power
  // of two from 16 up (envytools isa.rst).
  static std::uint32_t local_allocation(std::uint32_t bytes);

 private:
  struct warp_state {
    explicit warp_state(const arch_state::tesla::divergence_options& options) : flow(options) {}
    arch_state::tesla::simt_stack flow;
    arch_state::register_rows registers;
    arch_state::pending_registers pending;
    bool holds_section = false;
    unsigned sections_acquired = 0;
    undefined_values undefined;
  };

  static void clear(step_record& r);
  const code_entry* fetch(step_record& r);
  bool begin(warp_state& w, step_record& r);
  bool gather(warp_state& w, const code_entry& e, step_record& r);
  bool gather_constants(const isa::tesla::instruction& i, const warp_state& w, step_record& r);
  void move_on(warp_state& w, const code_entry& e, step_record& r);
  void use_section(warp_state& w, const isa::section_request& section, unsigned warp);
  void finish(warp_state& w, step_record& r);
  unsigned owner_of(const step_record& r, unsigned lane) const { return r.formed ? r.warps[lane] : r.warp; }
  void move_threads(const isa::tesla::instruction& i, step_record& r);
  void take_registers(const step_record& r);
  void put_registers(const step_record& r, bool addresses_only);
  void finish_threads(step_record& r);
  arch_state::access_fault access(step_record& r, arch_state::memory& global, isa::lane_mask lanes);
  static void fail(step_record& r, arch_state::fault_kind kind, isa::lane_mask lanes, std::uint64_t address = 0);

  program_context context_;
  std::vector<isa::lane_words> rows_;  // [warp][register]
  std::vector<warp_state> warps_;
  // With forms_warps: the control flow of the threads of each warp, and the registers of the threads that execute.
  std::vector<std::unique_ptr<arch_state::tesla::thread_stacks>> threads_;
  std::vector<isa::lane_words> gathered_rows_;
  std::unique_ptr<warp_state> gathered_;
  std::vector<std::uint8_t> shared_;
  std::vector<std::uint8_t> local_;  // [warp][lane][byte]
  std::uint32_t local_stride_ = 0;
  arch_state::shared_locks locks_;
  std::uint32_t x_ = 0;
  std::uint32_t y_ = 0;
};

}  // namespace gt200::emulator
