#include "observe/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "observe/register_liveness.h"
#include "toolchain/assembler/code_walk.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/fermi/flops.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/flops.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/flops.h"

namespace gt200::observe {
namespace {

constexpr auto no_warp = static_cast<std::size_t>(model::stall_cause::no_warp);

template <class Entry>
auto values_of(const std::vector<Entry>& figures) {
  std::vector<std::decay_t<decltype(figures.front().counter->value())>> values;
  values.reserve(figures.size());
  for (const Entry& f : figures) values.push_back(f.counter->value());
  return values;
}

// The number of the first edge that does not belong to a launch. At the last edges of a completed launch only idle
// SMs are active. A launch that ended early ends between two edges.
tlm_bus::cycle_t end_of(const launch_result& result, tlm_bus::cycle_t begin, tlm_bus::femtoseconds core) {
  return result.reason == end_reason::done ? begin + result.cycles : (result.ended_at + core - 1) / core;
}

void add(slot_counts& sum, const slot_counts& slots) {
  for (std::size_t cause = 0; cause < sum.size(); ++cause) sum[cause] += slots[cause];
}

// Subtracts `before` from `record`.
void subtract(sm_record& record, const sm_record& before) {
  record.resident_warp_cycles -= before.resident_warp_cycles;
  record.miss_starved_warp_cycles -= before.miss_starved_warp_cycles;
  record.dependency_probes -= before.dependency_probes;
  for (std::size_t s = 0; s < record.schedulers.size(); ++s)
    for (std::size_t cause = 0; cause < model::stall_causes; ++cause)
      record.schedulers[s][cause] -= before.schedulers[s][cause];
}

// Texts and floating-point operations of the instructions, at the numbers of their first words.
void describe_tesla(const std::vector<std::uint32_t>& code, std::vector<instruction_record>& all) {
  assembler::walk_code(code, [&](const assembler::code_step& step) {
    if (step.address / 4 >= all.size() || !step.instruction) return;
    all[step.address / 4].text = isa::tesla::disassemble(*step.instruction);
    all[step.address / 4].flops = isa::tesla::flops_of(step.instruction->op);
  });
}

std::uint64_t hash_of(const std::vector<std::uint32_t>& code) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t word : code) hash = (hash ^ word) * 0x100000001b3;
  return hash;
}

void describe_fermi(const std::vector<std::uint32_t>& code, std::vector<instruction_record>& all) {
  for (std::size_t word = 0; word + 1 < code.size() && word < all.size(); word += 2) {
    isa::fermi::decode_error error;
    const auto i = isa::fermi::decode(isa::fermi::words_of({code[word], code[word + 1], 0, 0}), error);
    if (!i) continue;
    all[word].text = isa::fermi::disassemble(*i);
    all[word].flops = isa::fermi::flops_of(i->op);
  }
}

void describe_volta(const std::vector<std::uint32_t>& code, std::vector<instruction_record>& all) {
  for (std::size_t word = 0; word + 3 < code.size() && word < all.size(); word += 4) {
    isa::volta::decode_error error;
    const auto i = isa::volta::decode(
        isa::volta::words_of({code[word], code[word + 1], code[word + 2], code[word + 3]}), error);
    if (!i) continue;
    all[word].text = isa::volta::disassemble(*i);
    all[word].flops = isa::volta::flops_of(*i);
  }
}

}  // namespace

void require_closed(const sm_record& sm, std::uint64_t cycles) {
  for (std::size_t i = 0; i < sm.schedulers.size(); ++i) {
    const slot_counts& slots = sm.schedulers[i];
    const std::uint64_t sum = std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
    // Subtracting a slot that was never charged would wrap around.
    const bool wrapped = std::any_of(slots.begin(), slots.end(), [&](std::uint64_t n) { return n > cycles; });
    if (sum != cycles || wrapped)
      throw std::logic_error(fmt::format("{}, scheduler {}: {} issue slots are charged in a launch of {} cycles",
                                         sm.path, i, sum, cycles));
  }
}

void require_closed(const std::vector<instruction_record>& instructions, const slot_counts& total) {
  slot_counts sum{};
  for (const instruction_record& i : instructions) add(sum, i.use.slots);
  sum[no_warp] = total[no_warp];
  if (sum != total) throw std::logic_error("the issue slots of the instructions are not those of the SMs");
}

slot_counts sm_record::slots() const {
  slot_counts sum{};
  for (const slot_counts& slots : schedulers) add(sum, slots);
  return sum;
}

slot_counts launch_record::slots() const {
  slot_counts sum{};
  for (const sm_record& sm : sms) add(sum, sm.slots());
  return sum;
}

std::uint64_t launch_record::dependency_probes() const {
  return std::accumulate(sms.begin(), sms.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const sm_record& sm) { return sum + sm.dependency_probes; });
}

statistics::statistics(const model::chip& chip)
    : chip_(chip), counters_(counters_below(chip)), histograms_(histograms_below(chip)) {
  for (model::sm_if* sm : chip.sms()) sms_.push_back({path_below(chip, sm->name()), &sm->probe()});
}

std::vector<sm_record> statistics::accounting_until(model::core_cycle until) const {
  std::vector<sm_record> result;
  result.reserve(sms_.size());
  for (const sm_entry& sm : sms_) {
    result.push_back({sm.path,
                      {},
                      sm.probe->resident_warp_cycles_until(until),
                      sm.probe->miss_starved_warp_cycles_until(until),
                      sm.probe->dependency_probes_until(until)});
    for (unsigned s = 0; s < sm.probe->schedulers(); ++s)
      result.back().schedulers.push_back(sm.probe->slots_until(s, until));
  }
  return result;
}

// The sums of all SMs, by the place of the instruction in the code.
std::vector<model::instruction_use> statistics::instructions_until(model::core_cycle until) const {
  std::vector<model::instruction_use> sum;
  for (const sm_entry& sm : sms_) {
    const model::slot_profile profile = sm.probe->profile_until(until);
    const std::vector<model::instruction_use>& of_sm = profile.by_instruction();
    if (of_sm.size() > sum.size()) sum.resize(of_sm.size());
    for (std::size_t i = 0; i < of_sm.size(); ++i) sum[i] += of_sm[i];
  }
  return sum;
}

void statistics::list_instructions(launch_record& record, const cubin::kernel& kernel,
                                   model::core_cycle until) const {
  std::vector<model::instruction_use> uses = instructions_until(until);
  for (std::size_t i = 0; i < instructions_before_.size(); ++i) uses[i] -= instructions_before_[i];
  std::vector<instruction_record> all(uses.size());
  const config::chip_config& chip = chip_.config.chip;
  if (chip.is_volta())
    describe_volta(kernel.code, all);
  else if (chip.is_fermi())
    describe_fermi(kernel.code, all);
  else
    describe_tesla(kernel.code, all);
  auto next_line = kernel.lines.begin();
  std::uint32_t line = 0;
  const std::vector<unsigned> live = chip.is_tesla() ? live_registers(kernel.code) : std::vector<unsigned>();
  for (std::size_t i = 0; i < uses.size(); ++i) {
    while (next_line != kernel.lines.end() && next_line->offset <= 4 * i) line = (next_line++)->line;
    if (uses[i] == model::instruction_use{}) continue;
    all[i].pc = static_cast<std::uint32_t>(4 * i);
    all[i].line = line;
    all[i].live_registers = i < live.size() ? live[i] : 0;
    all[i].use = uses[i];
    record.instructions.push_back(std::move(all[i]));
  }
  require_closed(record.instructions, record.slots());
}

void statistics::launch_begins() {
  called_at_ = sc_core::sc_time_stamp().value();
  counters_before_ = values_of(counters_);
  histograms_before_ = values_of(histograms_);
  const model::core_cycle until(called_at_ / chip_.core.period() + 1);
  sms_before_ = accounting_until(until);
  instructions_before_ = instructions_until(until);
}

void statistics::count_slots(launch_record& record, const launch_result& result,
                             const cubin::kernel& kernel) const {
  const tlm_bus::femtoseconds core = chip_.core.period();
  const tlm_bus::cycle_t called = called_at_ / core + 1;
  const tlm_bus::cycle_t begin = result.began_at / core + 1;
  const tlm_bus::cycle_t end = end_of(result, begin, core);
  record.cycles = end - begin;
  record.sms = accounting_until(model::core_cycle(end));
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sm_record& sm = record.sms[i];
    subtract(sm, sms_before_[i]);
    // No SM has a warp between the call and the start at the work distributor.
    for (slot_counts& slots : sm.schedulers) slots[no_warp] -= begin - called;
    require_closed(sm, record.cycles);
  }
  record.code_hash = hash_of(kernel.code);
  list_instructions(record, kernel, model::core_cycle(end));
}

void statistics::launch_ended(const launch::launch_parameters& parameters, const launch_result& result) {
  launch_record record;
  record.kernel = parameters.kernel->name;
  record.grid = parameters.grid;
  record.block = parameters.block;
  record.dynamic_shared = parameters.dynamic_shared;
  record.registers = parameters.kernel->registers;
  record.grid_id = parameters.grid_id;
  record.reason = result.reason;
  record.message = result.reason == end_reason::fault ? arch_state::describe(result.fault) : result.explanation;
  record.counters = values_of(counters_);
  for (std::size_t i = 0; i < record.counters.size(); ++i) record.counters[i] -= counters_before_[i];
  record.histograms = values_of(histograms_);
  for (std::size_t i = 0; i < record.histograms.size(); ++i) record.histograms[i] -= histograms_before_[i];
  // A launch that was stopped before it reached the work distributor has no cycles.
  if (result.began_at >= called_at_ && result.ended_at > result.began_at) {
    record.began_at = result.began_at;
    record.ended_at = result.ended_at;
    count_slots(record, result, *parameters.kernel);
  } else {
    record.began_at = record.ended_at = called_at_;
    for (const sm_entry& sm : sms_)
      record.sms.push_back({sm.path, std::vector<slot_counts>(sm.probe->schedulers()), 0, 0, 0});
  }
  launches_.push_back(std::move(record));
}

std::vector<warps_of_sm> statistics::warps() const {
  const model::core_cycle until(sc_core::sc_time_stamp().value() / chip_.core.period() + 1);
  std::vector<warps_of_sm> result;
  for (const sm_entry& sm : sms_) result.push_back({sm.path, sm.probe->profile_until(until).by_warp()});
  return result;
}

launch_record statistics::total() const {
  if (launches_.empty()) return {};
  launch_record sum = launches_.back();
  sum.began_at = 0;
  sum.ended_at = 0;
  sum.instructions.clear();
  for (const launch_record& l : launches_) sum.ended_at += l.duration();
  for (std::size_t n = 0; n + 1 < launches_.size(); ++n) {
    const launch_record& l = launches_[n];
    sum.cycles += l.cycles;
    for (std::size_t i = 0; i < sum.counters.size(); ++i) sum.counters[i] += l.counters[i];
    for (std::size_t i = 0; i < sum.histograms.size(); ++i) sum.histograms[i] += l.histograms[i];
    for (std::size_t i = 0; i < sum.sms.size(); ++i) {
      sum.sms[i].resident_warp_cycles += l.sms[i].resident_warp_cycles;
      sum.sms[i].miss_starved_warp_cycles += l.sms[i].miss_starved_warp_cycles;
      sum.sms[i].dependency_probes += l.sms[i].dependency_probes;
      for (std::size_t s = 0; s < sum.sms[i].schedulers.size(); ++s)
        add(sum.sms[i].schedulers[s], l.sms[i].schedulers[s]);
    }
  }
  return sum;
}

}  // namespace gt200::observe
