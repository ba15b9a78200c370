// One thread block of sm_70 code under functional execution: registers and paths of its warps, shared and local
// memory, barriers. It executes one warp instruction at a time; the caller decides the order of the warps, with the
// calls of fermi::block. An instruction acts on the lanes of one path (arch_state/volta/warp_paths.h); control
// codes have no effect.
//
// Barriers count threads: a path that arrives waits until all threads of the block that have not ended have
// arrived; one that arrives without waiting and ends is not awaited and counts for nobody else. An instruction
// whose guard holds for a part of its path only cannot wait there (fault: divergent barrier).
#pragma once

#include <array>
#include <vector>

#include "toolchain/arch_state/register_rows.h"
#include "toolchain/arch_state/step_record.h"
#include "toolchain/arch_state/volta/warp_paths.h"
#include "toolchain/emulator/fermi/block.h"

namespace gt200::emulator::volta {

using fermi::program_context;

class block {
 public:
  explicit block(const program_context& context);

  // Puts the block with these coordinates into its initial state. No allocation.
  void start(const std::array<std::uint32_t, 3>& coordinates);

  unsigned warps() const { return static_cast<unsigned>(warps_.size()); }
  bool finished(unsigned warp) const { return warps_[warp].paths.live_mask() == 0; }
  bool waits(unsigned warp) const { return warps_[warp].paths.blocked(); }
  const arch_state::volta::warp_paths& flow(unsigned warp) const { return warps_[warp].paths; }
  const arch_state::register_rows& registers(unsigned warp) const { return warps_[warp].registers; }
  const std::vector<std::uint8_t>& shared() const { return shared_; }
  std::size_t state_bytes() const { return rows_.size() * sizeof rows_[0] + shared_.size() + local_.size(); }
  // How many barriers have opened since the block began.
  std::uint64_t barriers_opened() const { return barriers_opened_; }

  // Before a step: the path with these lanes runs next, if it can run.
  void run_path(unsigned warp, isa::lane_mask lanes) { warps_[warp].paths.run(lanes); }
  void step(unsigned warp, std::uint64_t clock, step_record& r);
  void perform(step_record& r);
  // For those who order accesses themselves: performs one to shared memory.
  void perform_shared(step_record& r);
  void complete(step_record& r);
  // Computes and writes the results again, after the sources in the record have been changed.
  void repeat(step_record& r) { compute(warps_[r.warp], r); }
  // b2r writes results of barriers; bar itself has none.
  bool has_barrier_result(unsigned) const { return false; }
  void complete_barrier(step_record&) {}

  arch_state::fault describe_fault(const step_record& r) const;

 private:
  static constexpr unsigned block_barriers = 16;

  struct warp_state {
    arch_state::volta::warp_paths paths;
    arch_state::register_rows registers;
    std::uint32_t barrier_count = 0;  // of the last reduction
    bool barrier_truth = false;
    std::array<isa::lane_mask, block_barriers> arrived{};  // at each barrier since it opened last
  };
  struct barrier_state {
    bool armed = false;  // somebody has arrived
    arch_state::barrier_totals totals;
    const isa::instruction* reduction = nullptr;
  };

  bool fetch(warp_state& w, step_record& r);
  bool gather(warp_state& w, std::uint64_t clock, step_record& r);
  void gather_state(const warp_state& w, const isa::volta::instruction& i, step_record& r) const;
  void compute(warp_state& w, step_record& r);
  bool move_on(warp_state& w, step_record& r);
  bool arrive(warp_state& w, step_record& r);
  void open_barriers();
  bool all_have_arrived(unsigned barrier) const;
  void write_results(warp_state& w, const isa::instruction& i, const isa::lane_bundle& values,
                     isa::lane_mask lanes);
  static bool fail(step_record& r, arch_state::fault_kind kind, isa::lane_mask lanes, std::uint64_t address = 0);

  program_context context_;
  arch_state::block_place place_;
  std::vector<isa::lane_words> rows_;  // [warp][register]
  std::vector<warp_state> warps_;
  std::vector<std::uint8_t> shared_;
  std::vector<std::uint8_t> local_;  // [warp][lane][byte]
  std::uint32_t local_stride_ = 0;
  std::array<barrier_state, block_barriers> barriers_;
  std::uint64_t barriers_opened_ = 0;
};

}  // namespace gt200::emulator::volta
