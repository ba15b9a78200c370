#include "sc_models/sm/units/unit_list.h"

#include <algorithm>
#include <stdexcept>

#include "sc_models/config/lane_beats.h"

namespace gt200::model {
namespace {

using isa::unit_class;

constexpr std::size_t index(unit_class c) { return static_cast<std::size_t>(c); }

// -- classes of instructions --

enum class executed_by : std::uint8_t { unit, shared_memory, memory_port, branch_or_barrier };

struct class_row {
  unit_class key;
  executed_by where;
  stall_cause result;                 // stall cause of a warp that waits for its result
  stall_cause shared_operand_result;  // the same if it has an s[] operand
};

constexpr std::array<class_row, isa::unit_classes> class_rows = {{
    {unit_class::sp, executed_by::unit, stall_cause::dependency_sp, stall_cause::dependency_shared},
    {unit_class::sp_mul, executed_by::unit, stall_cause::dependency_sp, stall_cause::dependency_shared},
    {unit_class::shared_move, executed_by::unit, stall_cause::dependency_sp, stall_cause::dependency_shared},
    {unit_class::sfu, executed_by::unit, stall_cause::dependency_sfu, stall_cause::dependency_sfu},
    {unit_class::sfu_reduced, executed_by::unit, stall_cause::dependency_sfu, stall_cause::dependency_sfu},
    {unit_class::sp_half, executed_by::unit, stall_cause::dependency_sp, stall_cause::dependency_shared},
    {unit_class::dp, executed_by::unit, stall_cause::dependency_dp, stall_cause::dependency_dp},
    {unit_class::compare, executed_by::unit, stall_cause::dependency_control, stall_cause::dependency_control},
    {unit_class::shared, executed_by::shared_memory, stall_cause::dependency_shared,
     stall_cause::dependency_shared},
    {unit_class::memory, executed_by::memory_port, stall_cause::dependency_global, stall_cause::dependency_global},
    {unit_class::constant, executed_by::unit, stall_cause::dependency_constant, stall_cause::dependency_constant},
    {unit_class::texture, executed_by::memory_port, stall_cause::dependency_texture,
     stall_cause::dependency_texture},
    {unit_class::control, executed_by::branch_or_barrier, stall_cause::dependency_control,
     stall_cause::dependency_control},
    {unit_class::barrier, executed_by::branch_or_barrier, stall_cause::dependency_control,
     stall_cause::dependency_control},
    {unit_class::none, executed_by::unit, stall_cause::dependency_sp, stall_cause::dependency_shared},
}};

constexpr bool in_order_of_the_enumeration() {
  for (std::size_t i = 0; i < class_rows.size(); ++i)
    if (class_rows[i].key != static_cast<unit_class>(i)) return false;
  return true;
}
static_assert(in_order_of_the_enumeration());

// -- units --

constexpr unsigned sfus = 2;
constexpr unsigned multipliers_per_sfu = config::sfu_config::multipliers / sfus;

// Latency of the pipe from shared memory to a unit. An instruction with an s[] operand takes
// `shared_latency` in all. `unit_latency` of it passes as for any other instruction of the unit, and the core cycle
// in shared memory is also part of it.
shader_cycles shared_operand_latency(shader_cycles shared_latency, shader_cycles unit_latency) {
  // The core cycle in shared memory is part of the difference; the clock crossing takes the last shader cycle.
  constexpr shader_cycles crossing{1};
  return shared_latency > unit_latency + crossing ? shared_latency - unit_latency - crossing : shader_cycles(1);
}

unit_result_port result_of(const config::sm_config& config, const char* name, const char* source,
                           shader_cycles latency, shader_cycles interval) {
  const bool in_unit = config.units.latency_measured == config::latency_measure::unit;
  return {name, source, config.issue_to_issue(latency), interval, in_unit ? latency : shader_cycles(0)};
}

// A unit with one result port, which executes nothing yet.
unit_descriptor unit_of(const char* name, const config::execution_unit_config& unit,
                        const config::sm_config& config, std::uint32_t collector_units,
                        std::uint32_t issue_weight) {
  unit_descriptor u;
  u.name = name;
  u.collector_units = collector_units;
  u.issue_weight = issue_weight;
  u.shared_operand_latency =
      shared_operand_latency(config.shared_memory.latency_cycles, config.issue_to_issue(unit.latency_cycles));
  u.results = {result_of(config, "out", name, unit.latency_cycles, unit.interval_cycles())};
  return u;
}

unit_timing timing_of(shader_cycles interval, shader_cycles shared_operand_interval, unsigned lanes,
                      unsigned result = 0) {
  return {interval, shared_operand_interval, static_cast<std::uint8_t>(lanes), static_cast<std::uint8_t>(result)};
}

// The index of the unit's result port that has the latency of `wanted`: a further port if there is none yet.
// Results of equal latency leave in the order in which their instructions entered, so one port is enough for them.
unsigned port_with(unit_descriptor& unit, const unit_result_port& wanted) {
  unsigned port = 0;
  while (port < unit.results.size() && unit.results[port].latency != wanted.latency) ++port;
  if (port == unit.results.size()) unit.results.push_back(wanted);
  unit.results[port].interval = std::min(unit.results[port].interval, wanted.interval);
  return port;
}

unit_descriptor sp_of(const config::sm_config& config) {
  unit_descriptor u =
      unit_of("sp", config.sp, config, config.operand_collector.sp_units, config.scheduler.weights.sp);
  u.functional_units = config.sp.lanes;
  u.passes_by_lane = config.units.sp;
  const shader_cycles interval = config.sp.interval_cycles();
  for (const unit_class c : {unit_class::sp, unit_class::sp_mul, unit_class::sp_half, unit_class::compare,
                             unit_class::constant, unit_class::none})
    u.timing[index(c)] =
        timing_of(interval, std::max(interval, config.sp.shared_operand_interval_cycles), config.sp.lanes);
  u.timing[index(unit_class::shared_move)] =
      timing_of(interval, std::max(interval, config.sp.shared_move_interval_cycles), config.sp.lanes);
  return u;
}

unit_descriptor sfu_of(const config::sm_config& config) {
  const config::sfu_config& sfu = config.sfu;
  unit_descriptor u = unit_of("sfu", sfu, config, config.operand_collector.sfu_units, config.scheduler.weights.sfu);
  u.functional_units = std::min(sfus, sfu.lanes);
  u.passes_by_lane = config.units.sfu;
  u.lanes_per_unit = multipliers_per_sfu;
  u.timing[index(unit_class::sfu)] = timing_of(sfu.interval_cycles(), sfu.interval_cycles(), sfu.lanes);
  // An fp32 multiplication uses only the multipliers.
  u.timing[index(unit_class::sp_mul)] =
      timing_of(sfu.multiply_interval_cycles, sfu.multiply_interval_cycles, sfus * multipliers_per_sfu, 1);
  u.results.push_back(
      result_of(config, "multiply_out", "sfu_multiply", sfu.multiply_latency_cycles, sfu.multiply_interval_cycles));
  u.timing[index(unit_class::sfu_reduced)] = timing_of(
      sfu.interval_cycles(), sfu.interval_cycles(), sfu.lanes,
      port_with(
          u, result_of(config, "reduced_out", "sfu_reduced", sfu.reduced_latency_cycles(), sfu.interval_cycles())));
  return u;
}

unit_descriptor dp_of(const config::sm_config& config) {
  unit_descriptor u =
      unit_of("dp", config.dp, config, config.operand_collector.dp_units, config.scheduler.weights.dp);
  u.passes_by_lane = config.units.dp;
  u.timing[index(unit_class::dp)] =
      timing_of(config.dp.interval_cycles(), config.dp.interval_cycles(), config.dp.lanes);
  return u;
}

// A further group of SPs. It takes instructions that may issue to any group.
unit_descriptor second_sp_of(const config::sm_config& config) {
  unit_descriptor u =
      unit_of("sp_second", config.sp, config, config.operand_collector.sp_units, config.scheduler.weights.sp);
  u.functional_units = config.sp.lanes;
  u.passes_by_lane = config.units.sp;
  u.takes_shared_operands = false;
  const shader_cycles interval = config.sp.interval_cycles();
  u.timing[index(unit_class::sp)] = timing_of(interval, interval, config.sp.lanes);
  return u;
}

// The comparisons of the branch unit follow one another as fast as branches, and take as long as on the SPs.
unit_descriptor compare_of(const config::sm_config& config) {
  constexpr unsigned lanes = config::branch_config::compared_lanes;
  unit_descriptor u;
  u.name = "compare";
  u.lanes_per_unit = lanes;
  u.collector_units = config.operand_collector.memory_units;
  u.issue_weight = config.scheduler.weights.control;
  u.shared_operand_latency =
      shared_operand_latency(config.shared_memory.latency_cycles, config.issue_to_issue(config.sp.latency_cycles));
  const shader_cycles interval = config.branch.interval_cycles;
  u.results = {result_of(config, "out", "compare", config.sp.latency_cycles, interval)};
  u.timing[index(unit_class::compare)] = timing_of(interval, interval, lanes);
  return u;
}

std::vector<unit_descriptor> units_of(const config::sm_config& config, const unit_options& options) {
  std::vector<unit_descriptor> units = {sp_of(config), sfu_of(config), dp_of(config)};
  if (options.sp_groups > 2) throw std::length_error("more than two groups of SPs");
  if (options.sp_groups == 2) units.push_back(second_sp_of(config));
  if (!config.branch.comparisons) return units;
  units[0].timing[index(unit_class::compare)] = {};
  units.push_back(compare_of(config));
  return units;
}

}  // namespace

unit_list::unit_list(const config::sm_config& config, const unit_options& options)
    : options_(options),
      units_(units_of(config, options)),
      of_shared_accesses_(options.one_memory_class ? memory() : shared()) {
  for (unsigned u = 0; u < units_.size(); ++u) units_[u].data_path = u;
  if (config.dp.shares_sp) units_[index_of("dp")].data_path = index_of("sp");
  set_pipelines(config);
  index_results();
  index_classes();
  index_shared_operand_units();
  add_alternative("sfu", unit_class::sp_mul, "multiplications_on_sfu", "fp32 multiplications sent to the SFUs",
                  config.sfu.multiply_enabled);
  if (options.sp_groups == 2)
    add_alternative("sp_second", unit_class::sp, "issued_to_second_sps", "instructions sent to the second SPs");
  add_collectors(config);
}

// A result port's pipeline is as short as its slowest class of instructions needs.
void unit_list::set_pipelines(const config::sm_config& config) {
  for (unit_descriptor& unit : units_) {
    for (unsigned r = 0; r < unit.results.size(); ++r) {
      shader_cycles last_beat;
      for (const unit_timing& t : unit.timing) {
        if (t.interval == shader_cycles(0) || t.result != r) continue;
        const unsigned beats = isa::warp_size / t.lanes_per_step;
        for (const shader_cycles interval : {t.interval, t.shared_operand_interval})
          last_beat = std::max(last_beat, config::beat_offset(beats - 1, beats, interval));
      }
      unit_result_port& port = unit.results[r];
      const core_cycles pipe = result_pipe_latency(config.clocks, port.latency, config.issue.latency_cycles);
      port.pipeline = config::unit_pipeline(config.clocks, pipe, last_beat);
      if (port.in_unit > last_beat) port.pipeline = port.in_unit - last_beat;
      // config/check.cpp refuses it with the keys to blame.
      if (port.pipeline == shader_cycles(0))
        throw std::logic_error("no time left in unit " + unit.name + " behind its last beat");
    }
  }
}

void unit_list::index_results() {
  if (units_.size() > max_units) throw std::length_error("more execution units than max_units");
  for (unsigned u = 0; u < units_.size(); ++u) {
    if (units_[u].results.size() > max_results_per_unit)
      throw std::length_error("more result ports of a unit than max_results_per_unit");
    for (unsigned n = 0; n < units_[u].results.size(); ++n) results_.push_back({u, n, units_[u].results[n]});
  }
}

void unit_list::index_classes() {
  for (std::size_t u = 0; u < units_.size(); ++u)
    for (std::size_t c = 0; c < isa::unit_classes; ++c) {
      const unit_timing& t = units_[u].timing[c];
      occupancy_[u][c] = {static_cast<std::uint8_t>(units_[u].data_path), t.lanes_per_step,
                          static_cast<std::uint32_t>(t.interval.count()),
                          static_cast<std::uint32_t>(t.shared_operand_interval.count())};
    }
  for (const class_row& row : class_rows) {
    // The first unit that executes a class is the class's own unit.
    const auto unit = std::find_if(units_.begin(), units_.end(), [&](const unit_descriptor& u) {
      return u.timing[index(row.key)].interval != shader_cycles(0);
    });
    if (row.where == executed_by::unit && unit == units_.end())
      throw std::logic_error("no execution unit for a class of instructions");
    unit_of_[index(row.key)] =
        row.where == executed_by::unit ? static_cast<unsigned>(unit - units_.begin()) : no_unit;
    switch (row.where) {
      case executed_by::unit:
        collector_of_[index(row.key)] = static_cast<collector_class>(unit_of_[index(row.key)]);
        break;
      case executed_by::shared_memory: collector_of_[index(row.key)] = of_shared_accesses_; break;
      case executed_by::memory_port: collector_of_[index(row.key)] = memory(); break;
      case executed_by::branch_or_barrier: collector_of_[index(row.key)] = control(); break;
    }
  }
}

void unit_list::index_shared_operand_units() {
  shared_operand_pipe_.fill(no_unit);
  for (unsigned u = 0; u < units_.size(); ++u) {
    if (!options_.shared_operands || !units_[u].takes_shared_operands) continue;
    for (std::size_t c = 0; c < isa::unit_classes; ++c)
      if (unit_of_[c] == u) shared_operand_pipe_[c] = static_cast<unsigned>(shared_operand_units_.size());
    shared_operand_units_.push_back(u);
  }
}

void unit_list::add_alternative(const char* unit, unit_class c, const char* counter, const char* description,
                                bool enabled) {
  if (alternatives_.size() == max_alternatives) throw std::length_error("more than max_alternatives");
  if (enabled) alternatives_of_[index(c)] |= 1u << alternatives_.size();
  alternatives_.push_back({c, unit_of(c), index_of(unit), counter, description, enabled});
}

void unit_list::add_collectors(const config::sm_config& config) {
  for (const unit_descriptor& u : units_) collectors_.push_back({u.name, u.collector_units, u.issue_weight});
  const config::weights_config& weights = config.scheduler.weights;
  const unsigned memory_units = config.operand_collector.memory_units;
  collectors_.push_back({"shared", memory_units, weights.shared});
  collectors_.push_back({"memory", memory_units, weights.memory});
  collectors_.push_back({"control", memory_units, weights.control});
}

unsigned unit_list::index_of(std::string_view name) const {
  for (unsigned u = 0; u < units_.size(); ++u)
    if (units_[u].name == name) return u;
  throw std::out_of_range("no execution unit " + std::string(name));
}

unsigned unit_list::result_index(std::string_view source) const {
  for (unsigned r = 0; r < results_.size(); ++r)
    if (results_[r].port.source == source) return r;
  throw std::out_of_range("no result port " + std::string(source));
}

stall_cause cause_of_result(const isa::instruction& instruction) {
  const class_row& row = class_rows[index(instruction.unit)];
  return instruction.reads_shared ? row.shared_operand_result : row.result;
}

core_cycles result_pipe_latency(const config::clock_ratio& clocks, shader_cycles latency,
                                core_cycles issue_latency) {
  // At least 1: config/check.cpp.
  return clocks.to_core(latency) - (core_overhead + issue_latency - core_cycles(1));
}

}  // namespace gt200::model
