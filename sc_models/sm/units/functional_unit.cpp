#include "sc_models/sm/units/functional_unit.h"

#include <algorithm>
#include <stdexcept>

#include "sc_models/sm/units/arithmetic.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

functional_unit::functional_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                                 const unit_descriptor& group, unsigned number, const rtl_maker& make_rtl)
    : shader_stage(name, shader), operands("operands", *this), result("result") {
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if (lane / group.lanes_per_unit % group.functional_units == number)
      lanes_.push_back(static_cast<std::uint8_t>(lane));
  for (const unit_result_port& port : group.results) {
    pipeline p;
    p.length = port.pipeline;
    // As many lanes as can enter while one passes.
    p.ring.resize(lanes_.size() * (port.pipeline.count() + 1));
    pipelines_.push_back(std::move(p));
  }
  if (make_rtl) rtl_ = make_rtl(number, this->name());
}

lane_result functional_unit::result_of(const lane_operation& o, bool by_model) {
  lane_result r;
  r.id = o.id;
  r.warp = o.warp;
  r.lane = o.lane;
  r.beat = o.beat;
  r.executed = o.predicate;
  if (!o.predicate || !by_model) return r;
  isa::lane_mask lanes = isa::lane_mask{1} << o.lane;
  if (o.exchange != nullptr) {
    work_ = *o.exchange;
    lanes = o.executed;
  } else {
    for (unsigned s = 0; s < o.source.size(); ++s)
      for (unsigned word = 0; word < o.source[s].size(); ++word)
        work_.source[s][word].lane[o.lane] = o.source[s][word];
    work_.flags_in[o.lane] = o.flags_in;
    work_.address_in[o.lane] = o.address_in;
    for (unsigned k = 0; k < o.predicate_in.size(); ++k) work_.predicate_in[k][o.lane] = o.predicate_in[k];
  }
  calculate(*o.instruction, lanes, work_, own_);
  for (unsigned word = 0; word < r.destination.size(); ++word)
    r.destination[word] = work_.destination[word].lane[o.lane];
  r.flags_out = work_.flags_out[o.lane];
  r.address_out = work_.address_out[o.lane];
  for (unsigned k = 0; k < r.predicate_out.size(); ++k) r.predicate_out[k] = work_.predicate_out[k][o.lane];
  return r;
}

void functional_unit::transport(lane_operation& operation) {
  pipeline& p = pipelines_[operation.result];
  in_pipeline lane{cycle() + p.length - shader_cycles(1), {}};
  if (rtl_ != nullptr && rtl_->start(operation)) {
    lane.in_rtl = operation.instruction;
    lane.pc = operation.pc;
  }
  lane.result = result_of(operation, lane.in_rtl == nullptr || !rtl_->alone());
  note_activity();
  if (p.length == shader_cycles(1)) return leave(lane);
  if (p.used == p.ring.size()) throw std::logic_error(std::string(name()) + ": more lanes than the pipeline holds");
  p.ring[(p.head + p.used++) % p.ring.size()] = lane;
  wake_at(lane.leaves_at);
}

void functional_unit::leave(in_pipeline& lane) {
  if (lane.in_rtl != nullptr) rtl_->finish(*lane.in_rtl, lane.pc, lane.result);
  result.send(lane.result);
}

void functional_unit::tick() {
  for (pipeline& p : pipelines_) {
    for (; p.used != 0 && p.ring[p.head].leaves_at <= cycle(); --p.used) {
      leave(p.ring[p.head]);
      p.head = (p.head + 1) % p.ring.size();
      note_activity();
    }
    if (p.used != 0) wake_at(p.ring[p.head].leaves_at);
  }
}

void functional_unit::visit_state(tlm_bus::state_image& state) {
  if (rtl_ != nullptr && !rtl_->can_be_reset()) state.refuse(*this, "its RTL came from outside");
  state.fixed(lanes_, own_);
  state(pipelines_, work_, rtl_);
}

}  // namespace gt200::model
