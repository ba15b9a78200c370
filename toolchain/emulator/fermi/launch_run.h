// The order in which blocks and warps of a launch are executed (grid_run.h), for any kind of block.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/emulator/block_turns.h"
#include "toolchain/emulator/fermi/grid_run.h"
#include "toolchain/emulator/warp_places.h"

namespace gt200::emulator::fermi {

template <class block_type>
class launch_run {
 public:
  launch_run(const program_context& context, const run_options& options, basic_run_observer<block_type>* observer)
      : context_(context), grid_(context.launch->grid), options_(options), observer_(observer) {}

  run_result run() {
    const auto start = [this](block_type& b, std::uint64_t number) {
      const std::uint64_t row = number / grid_[0];
      b.start({static_cast<std::uint32_t>(number % grid_[0]), static_cast<std::uint32_t>(row % grid_[1]),
               static_cast<std::uint32_t>(row / grid_[1])});
    };
    run_in_turns(
        std::uint64_t{grid_[0]} * grid_[1] * grid_[2], options_.patience,
        [this] { return std::make_unique<block_type>(context_); }, start,
        [this](block_type& b, std::uint64_t instructions) { return advance(b, instructions); });
    return result_;
  }

 private:
  block_end advance(block_type& b, std::uint64_t instructions) {
    block_ = &b;
    const std::uint64_t before = result_.warp_instructions;
    for (bool progress = true; progress;) {
      if (result_.warp_instructions - before >= instructions) return block_end::waits;
      progress = false;
      for (unsigned w = 0; w < b.warps(); ++w) {
        if (b.finished(w) || b.waits(w)) continue;
        progress = true;
        if (!take_turn(w)) return block_end::stopped;
      }
    }
    for (unsigned w = 0; w < b.warps(); ++w)
      if (!b.finished(w)) {
        report(arch_state::fault_kind::deadlock, w, "no warp of the block can go on; " + places());
        return block_end::stopped;
      }
    return block_end::ended;
  }

  bool take_turn(unsigned w) {
    if (options_.stop != nullptr && *options_.stop != 0)
      return report(arch_state::fault_kind::interrupted, w, places());
    for (std::uint32_t n = 0; n < options_.turn && !block_->finished(w) && !block_->waits(w); ++n) {
      if (result_.warp_instructions >= options_.instruction_limit)
        return report(arch_state::fault_kind::instruction_limit, w,
                      std::to_string(options_.instruction_limit) + " warp instructions; " + places());
      if (block_->has_barrier_result(w)) complete_barrier(w);
      block_->step(w, result_.warp_instructions, record_);
      if (record_.state == step_state::pending && record_.access.kind != isa::access_kind::none) {
        block_->perform(record_);
        if (record_.state == step_state::pending) block_->complete(record_);
      }
      if (record_.state == step_state::faulted) {
        result_.fault = block_->describe_fault(record_);
        return false;
      }
      ++result_.warp_instructions;
      result_.thread_instructions += arch_state::count_lanes(record_.executed);
      if (observer_ != nullptr) observer_->retired(record_, *block_);
    }
    return true;
  }

  std::string places() const {
    return places_of_warps(*block_, [this](unsigned w) { return block_->waits(w); });
  }

  // The results of the barrier at which the warp has waited.
  void complete_barrier(unsigned w) {
    record_.warp = w;
    block_->complete_barrier(record_);
  }

  // Reports a fault of a warp that is about to execute its next instruction.
  bool report(arch_state::fault_kind kind, unsigned w, std::string detail) {
    record_.warp = w;
    record_.pc = block_->flow(w).pc();
    record_.instruction = nullptr;
    record_.fault = kind;
    record_.fault_lanes = block_->flow(w).active_mask();
    result_.fault = block_->describe_fault(record_);
    if (!detail.empty()) result_.fault.detail = std::move(detail);
    return false;
  }

  run_result result_;
  const program_context& context_;
  block_type* block_ = nullptr;  // whose turn it is
  std::array<std::uint32_t, 3> grid_;
  const run_options& options_;
  basic_run_observer<block_type>* observer_;
  step_record record_;
};

}  // namespace gt200::emulator::fermi
