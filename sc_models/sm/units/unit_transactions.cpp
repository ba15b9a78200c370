#include "sc_models/sm/units/unit_transactions.h"

#include <cstddef>

#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

constexpr std::size_t place_of(unsigned source) {
  return offsetof(isa::lane_bundle, source) + source * sizeof(isa::lane_bundle::source[0]);
}

// What of a bundle an instruction uses. The rest of it is unspecified and shown as 0.
struct used_values {
  bool source[3] = {};
  bool wide[3] = {};  // more than one word
  bool flags_in = false;
  bool address_in = false;
  bool result = false;
  bool flags = false;

  explicit used_values(const isa::instruction* i) {
    if (i == nullptr) return;
    for (unsigned s = 0; s < 3; ++s) source[s] = (i->sources >> s & 1) != 0;
    for (unsigned o = 0; o < i->operand_count; ++o) {
      for (unsigned s = 0; s < 3; ++s) wide[s] |= i->operands[o].place == place_of(s) && i->operands[o].count > 1;
      flags_in |= i->operands[o].place == offsetof(isa::lane_bundle, flags_in);
      address_in |= i->operands[o].place == offsetof(isa::lane_bundle, address_in);
    }
    for (unsigned r = 0; r < i->result_count; ++r) {
      result |= i->results[r].place == offsetof(isa::lane_bundle, destination);
      flags |= i->results[r].place == offsetof(isa::lane_bundle, flags_out);
    }
  }
};

}  // namespace

void show(tlm_bus::signal_writer& to, const warp_operation& operation) {
  to.identifier("id", operation.id);
  to.number("warp", 6, operation.warp.index());
  to.text("instruction", instruction_key(operation.instruction), text_of_instruction);
  to.mask("executed", isa::warp_size, operation.executed);
}
void show_values(tlm_bus::signal_writer& to, const warp_operation& operation) {
  static const isa::lane_bundle nothing{};
  const isa::lane_bundle& values = operation.values == nullptr ? nothing : *operation.values;
  const used_values used(operation.instruction);
  static constexpr const char* source_names[] = {"source_0", "source_1", "source_2"};
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const bool executes = (operation.executed >> lane & 1) != 0;
    to.enter("lane", lane);
    to.flag("predicate", executes);
    for (unsigned s = 0; s < 3; ++s)
      to.word(source_names[s], 32, executes && used.source[s] ? values.source[s][0].lane[lane] : 0);
    to.word("result", 32, executes && used.result ? values.destination[0].lane[lane] : 0);
    to.number("flags", 8, executes && used.flags ? values.flags_out[lane] : 0);
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
  to.text("instruction", instruction_key(operation.instruction), text_of_instruction);
  to.number("lane", 5, operation.lane);
  to.flag("predicate", operation.predicate);
  const used_values used(operation.instruction);
  static constexpr const char* low_words[] = {"source_0", "source_1", "source_2"};
  static constexpr const char* high_words[] = {"source_0_high", "source_1_high", "source_2_high"};
  for (unsigned s = 0; s < 3; ++s)
    to.number(low_words[s], 32, operation.predicate && used.source[s] ? operation.source[s][0] : 0);
  for (unsigned s = 0; s < 3; ++s)
    to.number(high_words[s], 32, operation.predicate && used.wide[s] ? operation.source[s][1] : 0);
  to.number("flags_in", 8, operation.predicate && used.flags_in ? operation.flags_in : 0);
  to.number("address_in", 16, operation.predicate && used.address_in ? operation.address_in : 0);
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
