#include "testbenches/system/checked/front_end_coverage.h"

#include <algorithm>
#include <random>
#include <set>

#include "testbenches/system/checked/random_operation.h"

namespace gt200::support {
namespace {

using model::dependency_vectors;
using model::warp_bit;

constexpr std::array<const char*, static_cast<std::size_t>(isa::tesla::opcode::count_)> operations = {
    "mov",       "mov from $c", "mov to $c", "mov from $a", "mov from $sr", "shl to $a", "add to $a", "ld c[]",
    "ld s[]",    "st s[]",      "ld l[]",    "st l[]",      "ld g[]",       "st g[]",    "red g[]",   "atomic g[]",
    "add",       "sub",         "subr",      "addc",        "mul",          "mul24",     "sad",       "mad",
    "mad24",     "min",         "max",       "set",         "shl",          "shr",       "logic",     "add f32",
    "mul f32",   "mad f32",     "set f32",   "min f32",     "max f32",      "slct f32",  "rcp",       "rsqrt",
    "lg2",       "sin",         "cos",       "ex2",         "presin",       "preex2",    "quadop",    "fma f64",
    "add f64",   "mul f64",     "min f64",   "max f64",     "set f64",      "cvt",       "tex",       "texfetch",
    "vote any",  "vote all",    "nop",       "pmevent",     "bra",          "call",      "ret",       "prebreak",
    "break",     "joinat",      "quadon",    "quadpop",     "bar",          "trap",      "brkpt",     "regacquire",
    "regrelease"};
static_assert(operations.back() != nullptr, "a name for every operation");

coverage_format format_of(const isa::tesla::instruction& i) {
  if (i.length == 4) return coverage_format::short_;
  if ((i.words[0] & 2) != 0) return coverage_format::control;
  return (i.words[1] & 3) == 3 ? coverage_format::immediate : coverage_format::long_;
}

std::string describe(const char* what, isa::tesla::opcode op, coverage_format format, isa::unit_class unit) {
  constexpr std::array<const char*, 4> formats = {"short", "long", "immediate", "control"};
  return std::string(what) + "\t" + operations[static_cast<std::size_t>(op)] + "\t" +
         formats[static_cast<std::size_t>(format)] + "\t" + isa::name_of(unit).key;
}

class recorder : public model::dependency_tracker {
 public:
  recorder(model::tesla_sm& sm, const depth_of_code& depths, coverage& bins)
      : sm_(sm), depths_(depths), bins_(bins), tracker_(sm.scoreboard.use(nullptr)) {}

  lookup enter(model::warp_slot warp, const isa::instruction& instruction) override {
    return tracker_->enter(warp, instruction);
  }
  std::uint64_t issue(model::warp_slot warp, dependency_vectors& buffer) override {
    note(warp, buffer.at(warp, 0));
    return tracker_->issue(warp, buffer);
  }
  void complete(model::warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override {
    tracker_->complete(warp, instruction, entries, buffer);
  }
  bool full(model::warp_slot warp) const override { return tracker_->full(warp); }
  model::warp_mask probed(model::warp_mask occupied, model::core_cycle cycle) override {
    return tracker_->probed(occupied, cycle);
  }
  std::uint64_t probes_until(model::core_cycle until) const override { return tracker_->probes_until(until); }
  model::stall_cause cause_of(model::warp_slot warp, model::scoreboard_entry dependency) const override {
    return tracker_->cause_of(warp, dependency);
  }
  model::tracking_cost cost() const override { return tracker_->cost(); }
  void publish(model::warp_slot warp, tlm_bus::signal_writer& to) const override { tracker_->publish(warp, to); }

 private:
  void note(model::warp_slot warp, const model::buffered_instruction& b) {
    if (b.fault != arch_state::fault_kind::none) return;  // words that are no instruction
    const isa::tesla::instruction& i = isa::tesla::as_tesla(*b.instruction);
    coverage_bin bin;
    bin.op = i.op;
    bin.format = format_of(i);
    bin.unit = i.unit;
    if (!sm_.simt_stack.converged(warp)) {
      const unsigned regions = b.pc / 4 < depths_.size() ? depths_[b.pc / 4] : 0;
      bin.depth = static_cast<std::uint8_t>(std::clamp(regions, 1u, coverage_depths - 1));
    }
    const auto& pipe = sm_.operand_collector.from_issue[as_index(sm_.units.collector_of(i))];
    bin.collector_full = pipe.occupancy() + 1 >= pipe.depth();
    bin.scoreboard_full =
        (sm_.scoreboard.full().read(sm_.operand_collector.domain().cycle()) & warp_bit(warp)) != 0;
    waiting_ &= ~warp_bit(warp);
    bin.at_barrier = waiting_ != 0;
    if (i.unit == isa::unit_class::barrier && i.barrier_wait) waiting_ |= warp_bit(warp);
    ++bins_[bin];
  }

  model::tesla_sm& sm_;
  const depth_of_code& depths_;
  coverage& bins_;
  std::unique_ptr<model::dependency_tracker> tracker_;
  model::warp_mask waiting_ = 0;  // warps whose last instruction waits at a barrier
};

}  // namespace

std::string describe(const coverage& bins) {
  std::string text;
  for (const auto& [bin, count] : bins) {
    text += describe("bin", bin.op, bin.format, bin.unit) + "\t" + std::to_string(bin.depth);
    for (const bool b : {bin.collector_full, bin.scoreboard_full, bin.at_barrier}) text += b ? "\t1" : "\t0";
    text += "\t" + std::to_string(count) + "\n";
  }
  return text;
}

std::string describe_instruction_set() {
  std::mt19937_64 random(1);
  std::set<std::tuple<isa::tesla::opcode, coverage_format, isa::unit_class>> groups;
  for (const isa::tesla::row& row : isa::tesla::opcode_table())
    for (unsigned n = 0; n < 32; ++n) {
      const isa::tesla::instruction i = random_operation(row, {}, random);
      groups.insert({i.op, format_of(i), i.unit});
    }
  std::string text;
  for (const auto& [op, format, unit] : groups) text += describe("row", op, format, unit) + "\n";
  return text;
}

void record_coverage(model::tesla_sm& sm, const depth_of_code& depths, coverage& bins) {
  sm.scoreboard.use(std::make_unique<recorder>(sm, depths, bins));
}

}  // namespace gt200::support
