#include "toolchain/emulator/grid_run.h"

#include "toolchain/arch_state/barriers.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/emulator/warp_places.h"

namespace gt200::emulator {

using namespace arch_state;
namespace {

// Without time, the clock counts the warp instructions executed so far; the block is on SM 0 of TPC 0.
class untimed_special_registers : public special_registers {
 public:
  explicit untimed_special_registers(const run_counters& counters) : counters_(counters) {}

  void read(unsigned index, unsigned warp, isa::lane_words& out) override {
    constexpr unsigned physid = 0, clock = 1;
    fill_row(out.lane, index == clock ? static_cast<std::uint32_t>(counters_.warp_instructions) : 0);
    if (index == physid)
      for (std::uint32_t lane = 0; lane < isa::warp_size; ++lane) out.lane[lane] = lane | warp << 8;
  }

 private:
  const run_counters& counters_;
};

class launch_run {
 public:
  launch_run(const program_context& context, memory& global, const run_options& options, run_observer* observer)
      : special_(result_.counters),
        block_(with_special(context)),
        barriers_(block_.warps()),
        grid_(context.launch->grid),
        global_(global),
        options_(options),
        observer_(observer) {}

  run_result run() {
    for (std::uint32_t y = 0; y < grid_[1]; ++y)
      for (std::uint32_t x = 0; x < grid_[0]; ++x)
        if (!run_block(x, y)) return result_;
    return result_;
  }

 private:
  program_context with_special(program_context context) {
    context.special = &special_;
    return context;
  }

  bool run_block(std::uint32_t x, std::uint32_t y) {
    block_.start(x, y);
    barriers_.start(block_.warps());
    for (unsigned running = block_.warps(); running > 0;) {
      bool progress = false;
      for (unsigned w = 0; w < block_.warps(); ++w) {
        if (block_.finished(w) || barriers_.waits(w)) continue;
        progress = true;
        if (!take_turn(w)) return false;
        if (block_.finished(w)) {
          --running;
          barriers_.warp_ended();
        }
      }
      if (!progress) {
        report_deadlock();
        return false;
      }
    }
    return true;
  }

  bool take_turn(unsigned w) {
    if (options_.stop != nullptr && *options_.stop != 0) {
      report(fault_kind::interrupted, w, places());
      return false;
    }
    for (std::uint32_t n = 0; n < options_.turn && !block_.finished(w) && !barriers_.waits(w); ++n) {
      if (result_.counters.warp_instructions >= options_.instruction_limit) {
        report_limit(w);
        return false;
      }
      block_.step(w, record_);
      if (record_.state == step_state::pending) {
        block_.perform(record_, global_);
        if (record_.state == step_state::pending) block_.complete(record_);
      }
      if (record_.state == step_state::faulted) {
        result_.fault = block_.describe_fault(record_);
        return false;
      }
      if (record_.state == step_state::switched) continue;
      count();
      if (record_.instruction->unit == isa::unit_class::barrier) barriers_.execute(w, record_.instruction->barrier);
      if (observer_ != nullptr) observer_->retired(record_, block_);
    }
    return true;
  }

  void count() {
    run_counters& c = result_.counters;
    ++c.warp_instructions;
    c.thread_instructions += count_lanes(record_.executed);
    ++c.per_opcode[static_cast<std::size_t>(isa::tesla::as_tesla(*record_.instruction).op)];
    ++c.per_unit[static_cast<std::size_t>(record_.instruction->unit)];
  }

  // Reports a fault of a warp that is about to execute its next instruction.
  void report(fault_kind kind, unsigned w, std::string detail) {
    record_.warp = w;
    record_.pc = block_.flow(w).pc();
    record_.fault = kind;
    record_.fault_lanes = block_.flow(w).active_mask();
    result_.fault = block_.describe_fault(record_);
    result_.fault.detail = std::move(detail);
  }

  void report_deadlock() {
    unsigned first = 0;
    while (!barriers_.waits(first)) ++first;
    std::string waiting;
    for (unsigned w = 0; w < block_.warps(); ++w)
      if (barriers_.waits(w))
        waiting += (waiting.empty() ? "" : ", ") + std::to_string(w) + " at barrier " +
                   std::to_string(barriers_.waits_at(w));
    report(fault_kind::deadlock, first, "no warp of the block can go on; waiting: " + waiting);
  }

  std::string places() const {
    return places_of_warps(block_, [this](unsigned w) { return barriers_.waits(w); });
  }

  void report_limit(unsigned w) {
    std::string detail = std::to_string(options_.instruction_limit) + " warp instructions";
    for (unsigned other = 0; other < block_.warps(); ++other)
      if (const auto address = block_.locks().held_by(other))
        detail += "; warp " + std::to_string(other) + " holds the lock of s[" + std::to_string(*address) + "]" +
                  (block_.finished(other) ? " and has ended" : "");
    detail += "; " + places();
    report(fault_kind::instruction_limit, w, std::move(detail));
  }

  run_result result_;
  untimed_special_registers special_;
  block_state block_;
  arch_state::barriers barriers_;
  launch::grid_size grid_;
  memory& global_;
  const run_options& options_;
  run_observer* observer_;
  step_record record_;
};

}  // namespace

run_result run(const launch::launch_parameters& launch, const code_image& code, const constant_memory& constants,
               memory& global, const run_options& options, run_observer* observer) {
  program_context context;
  context.code = &code;
  context.constants = &constants;
  context.launch = &launch;
  context.textures = options.textures;
  context.divergence = options.divergence;
  context.initial_state_seed = options.initial_state_seed;
  if (observer != nullptr) observer->launch_begins(launch);
  return launch_run(context, global, options, observer).run();
}

}  // namespace gt200::emulator
