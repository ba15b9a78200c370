#include "sc_models/sm/units/unit_transactions.h"

#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

std::uint64_t key_of(const isa::instruction* instruction) { return reinterpret_cast<std::uintptr_t>(instruction); }

}  // namespace

void show(tlm_bus::signal_writer& to, const warp_operation& operation) {
  static const isa::lane_bundle nothing{};
  const isa::lane_bundle& values = operation.values == nullptr ? nothing : *operation.values;
  to.identifier("id", operation.id);
  to.number("warp", 6, operation.warp.index());
  to.text("instruction", key_of(operation.instruction), text_of_instruction);
  to.mask("executed", isa::warp_size, operation.executed);
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    to.enter("lane", lane);
    to.flag("predicate", (operation.executed >> lane & 1) != 0);
    to.number("source_0", 32, values.source[0][0].lane[lane]);
    to.number("source_1", 32, values.source[1][0].lane[lane]);
    to.number("source_2", 32, values.source[2][0].lane[lane]);
    to.number("result", 32, values.destination[0].lane[lane]);
    to.number("flags", 8, values.flags_out[lane]);
    to.leave();
  }
}
void describe(tlm_bus::event_details& event, const warp_operation& operation) {
  event.id = operation.id;
  event.add(operation.warp.index());
  event.add(operation.executed);
}

void show(tlm_bus::signal_writer& to, const lane_operation& operation) {
  to.identifier("id", operation.id);
  to.number("warp", 6, operation.warp.index());
  to.text("instruction", key_of(operation.instruction), text_of_instruction);
  to.number("lane", 5, operation.lane);
  to.flag("predicate", operation.predicate);
  to.number("source_0", 32, operation.source[0][0]);
  to.number("source_1", 32, operation.source[1][0]);
  to.number("source_2", 32, operation.source[2][0]);
  to.number("source_0_high", 32, operation.source[0][1]);
  to.number("source_1_high", 32, operation.source[1][1]);
  to.number("source_2_high", 32, operation.source[2][1]);
  to.number("flags_in", 8, operation.flags_in);
  to.number("address_in", 16, operation.address_in);
}
void describe(tlm_bus::event_details& event, const lane_operation& operation) {
  event.id = operation.id;
  event.add(operation.warp.index());
  event.add(operation.lane);
  event.add(operation.predicate ? 1 : 0);
}

void show(tlm_bus::signal_writer& to, const lane_result& result) {
  to.identifier("id", result.id);
  to.number("warp", 6, result.warp.index());
  to.number("lane", 5, result.lane);
  to.flag("executed", result.executed);
  to.number("value", 32, result.destination[0]);
  to.number("value_high", 32, result.destination[1]);
  to.number("flags", 8, result.flags_out);
  to.number("address", 16, result.address_out);
}
void describe(tlm_bus::event_details& event, const lane_result& result) {
  event.id = result.id;
  event.add(result.warp.index());
  event.add(result.lane);
  event.add(result.executed ? 1 : 0);
}

}  // namespace gt200::model
