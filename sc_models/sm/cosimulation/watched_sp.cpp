#include "sc_models/sm/cosimulation/watched_sp.h"

#include <fmt/format.h>

#include <algorithm>

#include "sc_models/sm/cosimulation/systemc_rtl.h"
#include "toolchain/error.h"

namespace gt200::model {

watched_sp::watched_sp(const tlm_bus::clock_domain& shader, std::string sp, bool alone,
                       lockstep_comparison comparison, std::unique_ptr<rtl::sp_pins> pins)
    : shader_(shader),
      sp_(std::move(sp)),
      alone_(alone),
      comparison_(std::move(comparison)),
      pins_(std::move(pins)),
      in_pipeline_(pins_->depth() + 1) {  // one lane enters before the oldest one leaves
  prepare_for_systemc_rtl(*pins_, shader_, "SP");
  if (!alone_) comparison_.add_port("sp.result");
}

// Ends the RTL's cycles before `cycle`.
void watched_sp::clock_until(tlm_bus::cycle_t cycle) {
  const tlm_bus::cycle_t last = free_running_ ? cycle : std::min(cycle, empty_from_);
  for (; cycle_ < last; ++cycle_) pins_->edge();
  cycle_ = cycle;
}

bool watched_sp::start(const lane_operation& o) {
  if (!o.predicate) return false;
  if (o.instruction != instruction_) {
    instruction_ = o.instruction;
    is_supported_ = rtl::supported(*o.instruction);
    if (is_supported_) control_ = rtl::control_of(*o.instruction);
  }
  if (!is_supported_ || o.exchange != nullptr) {
    ++rtl_bypassed;
    return false;
  }
  ++rtl_operations;
  clock_until(shader_.cycle());
  rtl::lane_operands operands;
  for (unsigned s = 0; s < o.source.size(); ++s) operands.source[s] = o.source[s][0];
  operands.flags_in = o.flags_in;
  operands.address_in = o.address_in;
  pins_->start(control_, operands);
  empty_from_ = shader_.cycle() + pins_->depth() + 1;
  driven_ = o;
  in_pipeline_[youngest_] = operands;
  youngest_ = (youngest_ + 1) % in_pipeline_.size();
  return true;
}

void watched_sp::finish(const isa::instruction& instruction, isa::code_address pc, lane_result& result) {
  clock_until(shader_.cycle());
  const rtl::lane_result* got = pins_->result();
  if (got != nullptr) left_ = *got;
  const rtl::lane_operands operands = in_pipeline_[oldest_];
  oldest_ = (oldest_ + 1) % in_pipeline_.size();
  if (!alone_) return compare(instruction, pc, result, operands, got);
  if (got == nullptr) {
    comparison_.differs(
        result.warp, pc,
        [&] {
          return fmt::format("{}: the RTL gives no result for lane {} at {}\n  {}\n", sp_, result.lane,
                             comparison_.place(result.warp, pc, &instruction), text_of(result, operands));
        },
        lockstep_difference::kind::protocol);
    return;
  }
  result.destination[0] = got->destination;
  result.flags_out = got->flags_out;
  result.address_out = got->address_out;
}

// The RTL gets only lanes whose predicate is true.
std::string watched_sp::text_of(const lane_result& lane, const rtl::lane_operands& o) {
  return fmt::format(
      "lane {}: predicate {}, source 0 {:#010x}, source 1 {:#010x}, source 2 {:#010x}, flags {:#x}, address "
      "{:#06x}",
      lane.lane, lane.executed, o.source[0], o.source[1], o.source[2], o.flags_in & 0xf, o.address_in);
}

void watched_sp::compare(const isa::instruction& instruction, isa::code_address pc, const lane_result& model,
                         const rtl::lane_operands& operands, const rtl::lane_result* got) {
  comparison_.answered(0);
  const rtl::sp_results has = rtl::results_of(instruction);
  if (got != nullptr && (!has.value || got->destination == model.destination[0]) &&
      (!has.flags || (got->flags_out & 0xf) == (model.flags_out & 0xf)) &&
      (!has.address || got->address_out == model.address_out))
    return;
  comparison_.differs(model.warp, pc, [&] {
    const auto text = [&](std::uint32_t value, unsigned flags, unsigned address) {
      std::string t;
      if (has.value) t += fmt::format(" value {:#010x}", value);
      if (has.flags) t += fmt::format(" flags {:#x}", flags & 0xf);
      if (has.address) t += fmt::format(" address {:#06x}", address);
      return t;
    };
    return fmt::format("{}: RTL and model differ in lane {} at {}\n  {}\n  model:{}\n  RTL:  {}\n", sp_, model.lane,
                       comparison_.place(model.warp, pc, &instruction), text_of(model, operands),
                       text(model.destination[0], model.flags_out, model.address_out),
                       got == nullptr ? " no result" : text(got->destination, got->flags_out, got->address_out));
  });
}

void watched_sp::publish(tlm_bus::signal_writer& to) const {
  to.number("rtl.cycle", 64, cycle_);
  to.identifier("rtl.id", driven_.id);
  to.number("rtl.source_0", 32, driven_.source[0][0]);
  to.number("rtl.source_1", 32, driven_.source[1][0]);
  to.number("rtl.source_2", 32, driven_.source[2][0]);
  to.number("rtl.flags_in", 4, driven_.flags_in & 0xf);
  to.number("rtl.address_in", 16, driven_.address_in);
  to.number("rtl.value", 32, left_.destination);
  to.number("rtl.flags", 4, left_.flags_out & 0xf);
  to.number("rtl.address", 16, left_.address_out);
}

unsigned rtl_depth_of(const unit_descriptor& group) {
  const auto length = static_cast<unsigned>(group.results[0].pipeline.count());
  if (length < 2)
    throw input_error("tpc.sm.sp.model: the pipeline of an SP has " + std::to_string(length) +
                      " shader cycle; RTL needs at least two: raise tpc.sm.sp.latency_cycles");
  return length - 1;
}

bool may_be_watched(const config::sm_config& config, const unit_descriptor& group, unsigned sm_in_chip) {
  return group.name == "sp" && config.sp.model != config::model_kind::systemc && config.rtl.concerns(sm_in_chip);
}

std::unique_ptr<watched_sp> make_watched_sp(const config::sm_config& config, const unit_descriptor& group,
                                            unsigned number, const std::string& unit,
                                            const tlm_bus::clock_domain& shader, const tlm_bus::clock_domain& core,
                                            unsigned sm_in_chip) {
  const config::sp_config& sp = config.sp;
  if (!may_be_watched(config, group, sm_in_chip) || (sp.rtl_units != 0 && (sp.rtl_units >> number & 1) == 0))
    return nullptr;
  const watched_sp::maker make = [depth = rtl_depth_of(group), description = sp.rtl] {
    return rtl::make_sp(depth, description);
  };
  auto made = std::make_unique<watched_sp>(shader, unit, sp.model == config::model_kind::rtl,
                                           lockstep_comparison(core, shader, config.rtl, sm_in_chip), make());
  made->made_by(make);
  if (config.rtl.free_running()) made->run_freely();
  return made;
}

}  // namespace gt200::model
