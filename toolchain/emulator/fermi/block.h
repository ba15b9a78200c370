// One thread block of sm_20 code under functional execution: registers and control flow of its warps, shared and
// local memory, barriers.
//
// Executes one warp instruction at a time; the caller decides the order of the warps:
//
//   step(w, ..., r)  executes the next instruction of warp w. An access to memory that other threads can change
//                    leaves the record `pending`: addresses and store data are there, and control flow has moved
//                    on. So does a barrier with results.
//   perform(r)       performs the access. A caller with another source of data fills r.values.destination itself.
//   complete(r)      writes the results of an instruction that was pending.
//
// A launch run calls them in a row. A checker beside a cycle model calls each when the model does the same.
// Everything that depends on the instruction set goes through arch_state::generation.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "toolchain/arch_state/barriers.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/arch_state/shared_locks.h"
#include "toolchain/arch_state/step_record.h"
#include "toolchain/emulator/block_state.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/fermi/code.h"
#include "toolchain/emulator/fermi/generic_access.h"
#include "toolchain/emulator/fermi/reductions.h"
#include "toolchain/launch/fermi/abi.h"

namespace gt200::emulator::fermi {

// The program that a block executes; refers to objects that must outlive it.
struct program_context {
  const arch_state::generation* generation = nullptr;
  const fermi::code* code = nullptr;
  const constant_memory* constants = nullptr;
  const launch::fermi::launch_parameters* launch = nullptr;
  arch_state::memory* global = nullptr;
  texture_memory* textures = nullptr;  // may be null: every fetch faults
  std::uint64_t initial_state_seed = 0;
};

class block {
 public:
  explicit block(const program_context& context);

  // Puts the block with these coordinates into its initial state. No allocation.
  void start(const std::array<std::uint32_t, 3>& coordinates);

  unsigned warps() const { return static_cast<unsigned>(warps_.size()); }
  bool finished(unsigned warp) const { return warps_[warp].flow->finished(); }
  bool waits(unsigned warp) const { return barriers_.waits(warp); }
  const arch_state::divergence& flow(unsigned warp) const { return *warps_[warp].flow; }
  const arch_state::register_rows& registers(unsigned warp) const { return warps_[warp].registers; }
  const std::vector<std::uint8_t>& shared() const { return shared_; }
  std::size_t state_bytes() const { return rows_.size() * sizeof rows_[0] + shared_.size() + local_.size(); }
  const std::array<std::uint32_t, 3>& coordinates() const { return place_.block; }

  // For a warp that neither has finished nor waits. `clock` is what $clock returns.
  void step(unsigned warp, std::uint64_t clock, step_record& r);
  // Generic addresses reach shared, local and global memory lane by lane.
  void perform(step_record& r);
  // The access is one to shared memory, by offsets.
  void perform_shared(step_record& r);
  void complete(step_record& r);
  // Computes and writes the results of a finished instruction again, after the caller has changed its sources.
  void repeat(step_record& r);
  // Writes the results of the barrier that warp r.warp has passed last, if it has not done so. Uses r.values.
  void complete_barrier(step_record& r);
  bool has_barrier_result(unsigned warp) const { return reductions_.has_result(warp); }

  arch_state::fault describe_fault(const step_record& r) const;

 private:
  struct warp_state {
    std::unique_ptr<arch_state::divergence> flow;
    arch_state::register_rows registers;
  };

  bool fetch(warp_state& w, step_record& r);
  bool gather(warp_state& w, std::uint64_t clock, step_record& r);
  bool move_on(warp_state& w, step_record& r);
  void write_results(warp_state& w, const isa::instruction& i, const isa::lane_bundle& values,
                     isa::lane_mask lanes);
  void lock_or_unlock(step_record& r);
  void arrive(unsigned warp, step_record& r);
  void open_barriers();
  static bool fail(step_record& r, arch_state::fault_kind kind, isa::lane_mask lanes, std::uint64_t address = 0);

  program_context context_;
  arch_state::block_place place_;
  std::vector<isa::lane_words> rows_;  // [warp][register]
  std::vector<warp_state> warps_;
  std::vector<std::uint8_t> shared_;
  std::vector<std::uint8_t> local_;  // [warp][lane][byte]
  std::uint32_t local_stride_ = 0;
  arch_state::shared_locks locks_;
  arch_state::barriers barriers_;
  std::array<unsigned, arch_state::barriers::count> opened_{};  // as far as reductions_ knows
  reductions reductions_;
};

}  // namespace gt200::emulator::fermi
