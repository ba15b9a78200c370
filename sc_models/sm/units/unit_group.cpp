#include "sc_models/sm/units/unit_group.h"

#include <algorithm>
#include <string>

#include "sc_models/config/lane_beats.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

// The time between two instructions from shared memory: one per half-warp and core cycle.
shader_cycles shared_operand_interval(lane_share share) { return shader_cycles(share.own_lanes_only() ? 2 : 4); }

}  // namespace

unit_group::unit_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner, const unit_descriptor& unit,
                       const config::operand_collector_config& config, lane_share share, detail_window by_lane,
                       const functional_unit::rtl_maker& make_rtl)
    : sc_core::sc_module(name),
      from_collector("from_collector", owner, config.unit_queue_entries),
      results("results"),
      to_datapath_("to_datapath"),
      timing_(unit.timing),
      share_(share),
      by_lane_(by_lane),
      to_units_("to_unit"),
      datapath_("datapath") {
  if (unit.takes_shared_operands)
    from_shared_memory.emplace(
        "from_shared_memory", owner,
        config.shared_operand_queue_entries + unit.shared_operand_latency / shared_operand_interval(share),
        unit.shared_operand_latency.count());
  results.init(unit.results.size(), [&](const char*, std::size_t i) {
    return new tlm_bus::pipe_out<executed_token>(unit.results[i].name.c_str(), owner);
  });
  for (unsigned r = 0; r < results.size(); ++r) results_[r] = &results[r];
  to_datapath_.bind(datapath_.operations);
  if (!by_lane.ever_opens() && !make_rtl) return;
  to_units_.init(unit.functional_units, [](const char* socket, std::size_t) {
    return new tlm_bus::transaction_out<lane_operation>(socket);
  });
  for (unsigned i = 0; i < unit.functional_units; ++i) {
    const std::string unit_name = unit.name + "_" + std::to_string(i);
    units_.push_back(std::make_unique<functional_unit>(unit_name.c_str(), owner.domain(), unit, i, make_rtl));
    if (units_.back()->rtl() != nullptr) by_lane_ = detail_window::always(owner.domain());
    to_units_[i].bind(units_.back()->operands);
  }
}

void unit_group::use(std::unique_ptr<unit_arithmetic> own) {
  own_ = std::move(own);
  datapath_.use(own_.get());
  for (const auto& unit : units_) unit->use(own_.get());
}

void unit_group::show_occupied(unsigned bit) {
  from_collector.show_occupied(bit);
  if (from_shared_memory) from_shared_memory->show_occupied(bit + 1);
}

void unit_group::begin_beats(warp_instruction& operation, const unit_timing& timing) {
  operation_ = &operation;
  result_ = timing.result;
  places_ = 0;
  const isa::lane_mask passing = share_.is_part(operation.executed) ? operation.executed : ~isa::lane_mask{0};
  for (const unsigned lane : set_bits(passing)) lane_at_place_[places_++] = static_cast<std::uint8_t>(lane);
  lanes_per_unit_ = std::max(1u, timing.lanes_per_step / units());
  beats_ = std::max(1u, (places_ + timing.lanes_per_step - 1) / timing.lanes_per_step);
  next_beat_ = 0;
  enter_beat(started_at_);
}

shader_cycle unit_group::next_beat_at() const {
  return started_at_ + config::beat_offset(next_beat_, beats_, interval_);
}

void unit_group::enter_beat(shader_cycle now) {
  if (now < next_beat_at()) return;
  for (unsigned unit = 0; unit < units(); ++unit) {
    const std::vector<std::uint8_t>& own = units_[unit]->lanes();
    const std::size_t first = std::size_t{next_beat_} * lanes_per_unit_;
    const std::size_t end = std::min(own.size(), first + lanes_per_unit_);
    for (std::size_t i = first; i < end; ++i)
      if (own[i] < places_) enter_lane(unit, lane_at_place_[own[i]]);
  }
  if (++next_beat_ == beats_) operation_ = nullptr;
}

void unit_group::enter_lane(unsigned unit, unsigned lane) {
  const warp_instruction& operation = *operation_;
  const isa::lane_bundle& values = operation.values;
  lane_operation o;
  o.id = operation.id;
  o.instruction = operation.instruction;
  o.pc = operation.pc;
  o.warp = operation.warp;
  o.lane = static_cast<std::uint8_t>(lane);
  o.beat = static_cast<std::uint8_t>(next_beat_);
  o.result = result_;
  o.predicate = (operation.executed >> lane & 1) != 0 && operation.fault == arch_state::fault_kind::none;
  for (unsigned s = 0; s < o.source.size(); ++s)
    for (unsigned word = 0; word < o.source[s].size(); ++word)
      o.source[s][word] = values.source[s][word].lane[lane];
  o.flags_in = values.flags_in[lane];
  o.address_in = values.address_in[lane];
  for (unsigned k = 0; k < o.predicate_in.size(); ++k) o.predicate_in[k] = values.predicate_in[k][lane];
  if (operation.instruction->crosses_lanes) {
    o.exchange = &values;
    o.executed = operation.executed;
  }
  to_units_[unit].send(o);
}

void unit_group::publish(tlm_bus::signal_writer& to) {
  to.identifier("started", started_);
  to.mask("executed", isa::warp_size, executed_);
  to.number("started_at", 64, started_at_.number());
}

void unit_group::visit_state(tlm_bus::state_image& state) {
  if (own_ != nullptr) state.refuse(*this, "its arithmetic comes from outside");
  state.fixed(own_, datapath_, units_, timing_, results_, share_, by_lane_);
  state(next_is_shared_, operation_, started_, executed_, started_at_, interval_, beats_, next_beat_,
        lanes_per_unit_, result_, places_, lane_at_place_);
}

}  // namespace gt200::model
