#include "sc_models/warp_instruction.h"

#include <array>
#include <string>

#include "tlm_bus/numbered_names.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const warp_instruction* operation) {
  static const warp_instruction none{};
  const warp_instruction& o = operation == nullptr ? none : *operation;
  to.identifier("id", o.id);
  to.number("warp", 6, o.warp.index());
  to.number("pc", 32, o.pc);
  to.mask("active", isa::warp_size, o.active);
}

namespace {

constexpr unsigned access_words = 4;  // of 32 bits, per lane
using row_names = std::array<tlm_bus::numbered_names, access_words>;

row_names names_of(const std::string& stem) {
  const auto row = [&](unsigned word) {
    return tlm_bus::numbered_names(stem + "_" + std::to_string(word) + ".lane_", isa::warp_size);
  };
  return {{row(0), row(1), row(2), row(3)}};
}

void show_row(tlm_bus::signal_writer& to, const tlm_bus::numbered_names& names, const isa::lane_words& row,
              isa::lane_mask lanes) {
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    to.word(names[lane], 32, (lanes >> lane & 1) != 0 ? row.lane[lane] : 0);
}

const warp_instruction& or_none(const warp_instruction* operation) {
  static const warp_instruction none{};
  return operation == nullptr ? none : *operation;
}

bool changes_memory(const isa::memory_access& access) {
  return access.stores() || access.kind == isa::access_kind::atomic || access.kind == isa::access_kind::reduction;
}

}  // namespace

void show_request_values(tlm_bus::signal_writer& to, const warp_instruction* operation) {
  static const tlm_bus::numbered_names address("address.lane_", isa::warp_size);
  static const row_names data = names_of("data");
  const warp_instruction& o = or_none(operation);
  unsigned words = 0;
  if (o.instruction != nullptr && changes_memory(o.instruction->access))
    words = static_cast<unsigned>(isa::words_of(o.instruction->access.type));
  to.mask("executed", isa::warp_size, o.executed);
  show_row(to, address, o.values.address, o.executed);
  for (unsigned w = 0; w < access_words; ++w)
    show_row(to, data[w], o.values.source[1][w], w < words ? o.executed : 0);
}

void show_answer_values(tlm_bus::signal_writer& to, const warp_instruction* operation) {
  static const row_names result = names_of("result");
  const warp_instruction& o = or_none(operation);
  unsigned words = 0;
  if (o.instruction != nullptr) {
    const isa::memory_access& access = o.instruction->access;
    if (access.kind == isa::access_kind::texture)
      words = static_cast<unsigned>(__builtin_popcount(o.instruction->texture.write_mask));
    else if (!access.stores() && access.kind != isa::access_kind::reduction)
      words = static_cast<unsigned>(isa::words_of(access.type));
  }
  to.mask("executed", isa::warp_size, o.executed);
  for (unsigned w = 0; w < access_words; ++w)
    show_row(to, result[w], o.values.destination[w], w < words ? o.executed : 0);
}

void describe(tlm_bus::event_details& event, const warp_instruction* operation) {
  if (operation == nullptr) return;
  event.id = operation->id;
  event.add(operation->warp.index());
  event.add(operation->pc);
}

}  // namespace gt200::model
