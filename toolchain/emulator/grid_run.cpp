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

// A block with the barriers of its warps.
struct resident_block {
  explicit resident_block(const program_context& context) : block(context), barriers(block.warps()) {}
  std::size_t state_bytes() const { return block.state_bytes(); }
  block_state block;
  arch_state::barriers barriers;
  unsigned running = 0;  // warps that have not ended
};

class launch_run {
 public:
  launch_run(const program_context& context, memory& global, const run_options& options, run_observer* observer)
      : special_(result_.counters),
        context_(with_special(context)),
        grid_(context.launch->grid),
        global_(global),
        options_(options),
        observer_(observer) {}

  run_result run() {
    const auto start = [this](resident_block& b, std::uint64_t number) {
      b.block.start(static_cast<std::uint32_t>(number % grid_[0]), static_cast<std::uint32_t>(number / grid_[0]));
      b.barriers.start(b.block.warps());
      b.running = b.block.warps();
    };
    run_in_turns(
        std::uint64_t{grid_[0]} * grid_[1], options_.patience,
        [this] { return std::make_unique<resident_block>(context_); }, start,
        [this](resident_block& b, std::uint64_t instructions) { return advance(b, instructions); });
    return result_;
  }

 private:
  program_context with_special(program_context context) {
    context.special = &special_;
    return context;
  }

  block_end advance(resident_block& b, std::uint64_t instructions) {
    turn_ = &b;
    const std::uint64_t before = result_.counters.warp_instructions;
    while (b.running > 0) {
      if (result_.counters.warp_instructions - before >= instructions) return block_end::waits;
      bool progress = false;
      for (unsigned w = 0; w < b.block.warps(); ++w) {
        if (b.block.finished(w) || b.barriers.waits(w)) continue;
        progress = true;
        if (!take_turn(w)) return block_end::stopped;
        if (b.block.finished(w)) {
          --b.running;
          b.barriers.warp_ended();
        }
      }
      if (!progress) {
        report_deadlock();
        return block_end::stopped;
      }
    }
    return block_end::ended;
  }

  bool take_turn(unsigned w) {
    if (options_.stop != nullptr && *options_.stop != 0) {
      report(fault_kind::interrupted, w, places());
      return false;
    }
    for (std::uint32_t n = 0; n < options_.turn && !turn_->block.finished(w) && !turn_->barriers.waits(w); ++n) {
      if (result_.counters.warp_instructions >= options_.instruction_limit) {
        report_limit(w);
        return false;
      }
      turn_->block.step(w, record_);
      if (record_.state == step_state::pending) {
        turn_->block.perform(record_, global_);
        if (record_.state == step_state::pending) turn_->block.complete(record_);
      }
      if (record_.state == step_state::faulted) {
        result_.fault = turn_->block.describe_fault(record_);
        return false;
      }
      if (record_.state == step_state::switched) continue;
      count();
      if (record_.instruction->unit == isa::unit_class::barrier)
        turn_->barriers.execute(w, record_.instruction->barrier);
      if (observer_ != nullptr) observer_->retired(record_, turn_->block);
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
    record_.pc = turn_->block.flow(w).pc();
    record_.fault = kind;
    record_.fault_lanes = turn_->block.flow(w).active_mask();
    result_.fault = turn_->block.describe_fault(record_);
    result_.fault.detail = std::move(detail);
  }

  void report_deadlock() {
    unsigned first = 0;
    while (!turn_->barriers.waits(first)) ++first;
    std::string waiting;
    for (unsigned w = 0; w < turn_->block.warps(); ++w)
      if (turn_->barriers.waits(w))
        waiting += (waiting.empty() ? "" : ", ") + std::to_string(w) + " at barrier " +
                   std::to_string(turn_->barriers.waits_at(w));
    report(fault_kind::deadlock, first, "no warp of the block can go on; waiting: " + waiting);
  }

  std::string places() const {
    return places_of_warps(turn_->block, [this](unsigned w) { return turn_->barriers.waits(w); });
  }

  void report_limit(unsigned w) {
    std::string detail = std::to_string(options_.instruction_limit) + " warp instructions";
    for (unsigned other = 0; other < turn_->block.warps(); ++other)
      if (const auto address = turn_->block.locks().held_by(other))
        detail += "; warp " + std::to_string(other) + " holds the lock of s[" + std::to_string(*address) + "]" +
                  (turn_->block.finished(other) ? " and has ended" : "");
    detail += "; " + places();
    report(fault_kind::instruction_limit, w, std::move(detail));
  }

  run_result result_;
  untimed_special_registers special_;
  program_context context_;
  resident_block* turn_ = nullptr;  // whose turn it is
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
