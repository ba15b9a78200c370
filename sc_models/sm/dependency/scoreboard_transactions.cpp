#include "sc_models/sm/dependency/scoreboard_transactions.h"

#include <array>
#include <string>

#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

// Shows as many places as `ranges` has; those from `count` on are empty.
template <std::size_t places>
void show_ranges(tlm_bus::signal_writer& to, const char* what,
                 const std::array<isa::register_range, places>& ranges, unsigned count) {
  for (unsigned i = 0; i < places; ++i) {
    to.enter(what, i);
    to.text("registers", i < count ? register_range_key(ranges[i]) : 0, text_of_register_range);
    to.leave();
  }
}

void show_answer(tlm_bus::signal_writer& to, const lookup_answer& answer) {
  to.flag("entered", answer.entered);
  to.mask("dependencies", 64, answer.dependencies);
  to.mask("allocated", 64, answer.allocated);
}
void add_answer(tlm_bus::event_details& event, const lookup_answer& answer) {
  event.add(answer.entered ? 1 : 0);
  event.add(answer.dependencies);
  event.add(answer.allocated);
}

}  // namespace

void show(tlm_bus::signal_writer& to, const scoreboard_lookup& lookup) {
  static const isa::instruction nothing;
  const isa::instruction& i = lookup.instruction == nullptr ? nothing : *lookup.instruction;
  to.number("warp", 6, lookup.warp.index());
  to.number("pc", 32, lookup.pc);
  to.text("instruction", instruction_key(lookup.instruction), text_of_instruction);
  to.number("destinations", 3, i.write_count);
  show_ranges(to, "source", i.reads, i.read_count);
  show_ranges(to, "destination", i.writes, i.write_count);
  show_answer(to, lookup.answer);
}
void describe(tlm_bus::event_details& event, const scoreboard_lookup& lookup) {
  event.add(lookup.warp.index());
  event.add(lookup.pc);
  add_answer(event, lookup.answer);
}

void show(tlm_bus::signal_writer& to, const scoreboard_answer& fetched) {
  to.number("warp", 6, fetched.warp.index());
  show_answer(to, fetched.answer);
}
void describe(tlm_bus::event_details& event, const scoreboard_answer& fetched) {
  event.add(fetched.warp.index());
  add_answer(event, fetched.answer);
}

void show(tlm_bus::signal_writer& to, const scoreboard_allocation& allocation) {
  to.identifier("id", allocation.id);
  to.number("warp", 6, allocation.warp.index());
  to.mask("entries", 64, allocation.entries);
}
void describe(tlm_bus::event_details& event, const scoreboard_allocation& allocation) {
  event.id = allocation.id;
  event.add(allocation.warp.index());
  event.add(allocation.entries);
}

void show(tlm_bus::signal_writer& to, const scoreboard_release& release) {
  to.identifier("id", release.id);
  to.number("warp", 6, release.warp.index());
  to.text("instruction", instruction_key(release.instruction), text_of_instruction);
  to.mask("entries", 64, release.entries);
}
void describe(tlm_bus::event_details& event, const scoreboard_release& release) {
  event.id = release.id;
  event.add(release.warp.index());
  event.add(release.entries);
}

}  // namespace gt200::model
