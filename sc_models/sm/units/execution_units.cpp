#include "sc_models/sm/units/execution_units.h"

#include <string>

#include "sc_models/sm/units/arithmetic.h"

namespace gt200::model {
namespace {

constexpr unsigned bits_per_group = 2;  // in execution_units::occupied_
constexpr std::uint64_t bits_of_group(unsigned group) { return std::uint64_t{3} << bits_per_group * group; }
// The group to which the lowest of these bits belongs.
unsigned group_of_lowest(std::uint64_t occupied) {
  return static_cast<unsigned>(__builtin_ctzll(occupied)) / bits_per_group;
}

// The time between two instructions from shared memory: one per half-warp and core cycle.
shader_cycles shared_operand_interval(lane_share share) { return shader_cycles(share.own_lanes_only() ? 2 : 4); }

}  // namespace

unit_group::unit_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner, const unit_descriptor& unit,
                       const config::operand_collector_config& config, lane_share share)
    : sc_core::sc_module(name),
      from_collector("from_collector", owner, config.unit_queue_entries),
      results("results"),
      share_(share) {
  if (unit.takes_shared_operands)
    from_shared_memory.emplace(
        "from_shared_memory", owner,
        config.shared_operand_queue_entries + unit.shared_operand_latency / shared_operand_interval(share),
        unit.shared_operand_latency.count());
  results.init(unit.results.size(), [&](const char*, std::size_t i) {
    return new tlm_bus::pipe_out<executed_token>(unit.results[i].name.c_str(), owner);
  });
  for (unsigned i = 0; i < unit.functional_units; ++i) {
    const std::string unit_name = unit.name + "_" + std::to_string(i);
    units_.push_back(
        std::make_unique<functional_unit>(unit_name.c_str(), i, unit.functional_units, unit.lanes_per_unit));
    units_.back()->group.bind(*this);
  }
}

void unit_group::show_occupied(std::uint64_t& mask, unsigned bit) {
  from_collector.show_occupied(mask, bit);
  if (from_shared_memory) from_shared_memory->show_occupied(mask, bit + 1);
}

const collected_token* unit_group::next() {
  const collected_token* collected = from_collector.front();
  const collected_token* shared = from_shared_memory ? from_shared_memory->front() : nullptr;
  next_is_shared_ =
      shared != nullptr && (collected == nullptr || shared->operation->sequence < collected->operation->sequence);
  return next_is_shared_ ? shared : collected;
}

void unit_group::start(shader_cycle now, shader_cycles interval, unsigned lanes_per_step) {
  auto& from = next_is_shared_ ? *from_shared_memory : from_collector;
  const warp_instruction& operation = *from.front()->operation;
  activities_[1] = activities_[0];
  activities_[0] = {operation.id, operation.executed, lanes_per_step,
                    now,          interval,           share_.is_part(operation.executed)};
  ++instructions;
  busy_cycles += interval.count();
  from.pop();
}

const unit_activity* unit_group::activity_at(shader_cycle cycle) const {
  for (const unit_activity& a : activities_)
    if (cycle >= a.started_at && cycle < a.started_at + a.occupied_for) return &a;
  return nullptr;
}

void unit_group::publish(tlm_bus::signal_writer& to) {
  to.identifier("started", activities_[0].instruction);
  to.mask("executed", isa::warp_size, activities_[0].executed);
  to.number("started_at", 64, activities_[0].started_at.number());
}

execution_units::execution_units(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                                 const config::sm_config& config, const unit_list& units, lane_share share)
    : shader_stage(name, shader),
      groups("groups"),
      units_(units),
      share_(share),
      path_count_(static_cast<unsigned>(units.units().size())) {
  groups.init(units.units().size(), [&](const char*, std::size_t i) {
    const unit_descriptor& unit = units.units()[i];
    return new unit_group(unit.name.c_str(), *this, unit, config.operand_collector, share);
  });
  for (unsigned g = 0; g < groups.size(); ++g) {
    groups_[g] = &groups[g];
    for (unsigned r = 0; r < groups[g].results.size(); ++r) results_[g][r] = &groups[g].results[r];
    groups[g].show_occupied(occupied_, bits_per_group * g);
    paths_[units.units()[g].data_path].occupied_bits |= bits_of_group(g);
  }
}

void execution_units::start_next(unsigned group, const collected_token& token, shader_cycle& free_at) {
  // 1. It starts when the previous instruction has made room.
  if (cycle() < free_at) {
    wake_at(free_at);
    return;
  }
  warp_instruction& operation = *token.operation;
  const isa::instruction& instruction = *operation.instruction;
  const unit_timing& timing = units_.timing(group, instruction.unit);
  auto& out = *results_[group][timing.result];
  if (!out.can_send()) return;
  // 2. All lanes are calculated unless the collector has done it. The pipe adds the unit's latency.
  if (!operation.calculated) calculate(operation, operation.values);
  out.send({&operation});
  const shader_cycles of_warp = instruction.reads_shared ? timing.shared_operand_interval : timing.interval;
  const shader_cycles interval = share_.cycles(of_warp, timing.lanes_per_step, operation.executed);
  free_at = cycle() + interval;
  unit_group& units = *groups_[group];
  units.start(cycle(), interval, timing.lanes_per_step);
  if (units.next() != nullptr) wake_at(free_at);
}

// Every group has one turn; the group whose next instruction was issued first goes first. `occupied`: of this path.
void execution_units::start_on(data_path& path, std::uint64_t occupied) {
  // Usually only one group has instructions.
  const unsigned first = group_of_lowest(occupied);
  if ((occupied & ~bits_of_group(first)) == 0) {
    if (const collected_token* token = groups_[first]->next()) start_next(first, *token, path.free_at);
    return;
  }
  struct turn {
    unsigned group;
    const collected_token* token;
  };
  turn turns[max_units];
  unsigned count = 0;
  for (std::uint64_t left = occupied; left != 0; left &= ~bits_of_group(group_of_lowest(left))) {
    const unsigned group = group_of_lowest(left);
    const collected_token* token = groups_[group]->next();
    if (token == nullptr) continue;
    unsigned place = count++;
    for (; place > 0 && token->operation->sequence < turns[place - 1].token->operation->sequence; --place)
      turns[place] = turns[place - 1];
    turns[place] = {group, token};
  }
  for (unsigned i = 0; i < count; ++i) start_next(turns[i].group, *turns[i].token, path.free_at);
}

void execution_units::tick() {
  for (unsigned p = path_count_; p-- > 0;) {
    const std::uint64_t occupied = occupied_ & paths_[p].occupied_bits;
    if (occupied != 0) start_on(paths_[p], occupied);
  }
}

}  // namespace gt200::model
