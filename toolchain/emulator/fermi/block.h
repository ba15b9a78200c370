// One thread block of sm_20 code under functional execution: registers and control flow of its warps, shared and
// local memory, barriers.
//
// Executes one warp instruction at a time; the caller decides the order of the warps. Everything that depends on
// the instruction set goes through arch_state::generation.
#pragma once

#include <memory>
#include <vector>

#include "toolchain/arch_state/barriers.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/arch_state/step_record.h"
#include "toolchain/emulator/block_state.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/fermi/code.h"
#include "toolchain/emulator/fermi/generic_access.h"
#include "toolchain/emulator/fermi/reductions.h"
#include "toolchain/launch/fermi/abi.h"

namespace gt200::emulator::fermi {

// What a block executes; refers to objects that must outlive it.
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
  const std::array<std::uint32_t, 3>& coordinates() const { return place_.block; }

  // Executes the next instruction of a warp that neither has finished nor waits. `clock` is what $clock returns.
  void step(unsigned warp, std::uint32_t clock, step_record& r);

  arch_state::fault describe_fault(const step_record& r) const;

 private:
  struct warp_state {
    std::unique_ptr<arch_state::divergence> flow;
    arch_state::register_rows registers;
  };

  bool fetch(warp_state& w, step_record& r);
  bool gather(warp_state& w, std::uint32_t clock, step_record& r);
  bool gather_constants(const isa::instruction& i, step_record& r);
  bool move_on(warp_state& w, step_record& r);
  bool access(step_record& r);
  void write_results(warp_state& w, const isa::instruction& i, const isa::lane_bundle& values,
                     isa::lane_mask lanes);
  void arrive(unsigned warp, step_record& r);
  void release_warps(unsigned barrier, isa::lane_bundle& values);
  static bool fail(step_record& r, arch_state::fault_kind kind, isa::lane_mask lanes, std::uint32_t address = 0);

  program_context context_;
  arch_state::block_place place_;
  std::vector<isa::lane_words> rows_;  // [warp][register]
  std::vector<warp_state> warps_;
  std::vector<std::uint8_t> shared_;
  std::vector<std::uint8_t> local_;  // [warp][lane][byte]
  std::uint32_t local_stride_ = 0;
  arch_state::barriers barriers_;
  reductions reductions_;
};

}  // namespace gt200::emulator::fermi
