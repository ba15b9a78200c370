#include "sc_models/sm/operands/register_transactions.h"

#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/numbered_names.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

using isa::register_file_kind;

constexpr unsigned shown_registers = 4;  // of one transaction

// The value of a lane in a row of a register of this file.
std::uint32_t value_of(register_file_kind file, const void* row, unsigned lane) {
  switch (file) {
    case register_file_kind::gpr: return static_cast<const isa::lane_words*>(row)->lane[lane];
    case register_file_kind::condition: return static_cast<const std::uint8_t*>(row)[lane];
    case register_file_kind::address: return static_cast<const std::uint16_t*>(row)[lane];
  }
  return 0;
}

// Calls visit(place, range, row) for the registers that are shown; a register of 128 bits takes four places. Places
// without a register have the range {} and a null row.
template <class Request, class Visit>
void for_each_shown(const Request& request, Visit visit) {
  unsigned place = 0;
  for (const isa::register_transfer& r : request.registers)
    for (unsigned word = 0; word < r.count && place < shown_registers; ++word) {
      const void* row = request.registers.template row<const std::uint8_t>(r) + word * sizeof(isa::lane_words);
      visit(place++, isa::register_range{r.file, static_cast<std::uint8_t>(r.first + word), 1}, row);
    }
  for (; place < shown_registers; ++place) visit(place, isa::register_range{}, static_cast<const void*>(nullptr));
}

template <class Request>
void show_request(tlm_bus::signal_writer& to, const Request& request) {
  to.identifier("id", request.id);
  to.number("warp", 6, request.warp.index());
  to.mask("lanes", isa::warp_size, request.lanes);
  for_each_shown(request, [&](unsigned place, const isa::register_range& range, const void*) {
    to.enter("register", place);
    to.text("name", register_range_key(range), text_of_register_range);
    to.leave();
  });
}

template <class Request>
void show_values_of_request(tlm_bus::signal_writer& to, const Request& request) {
  static const tlm_bus::numbered_names names("lane_", isa::warp_size);
  for_each_shown(request, [&](unsigned place, const isa::register_range& range, const void* row) {
    to.enter("register", place);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      to.word(names[lane], 32,
              row != nullptr && (request.lanes >> lane & 1) != 0 ? value_of(range.file, row, lane) : 0);
    to.leave();
  });
}

template <class Request>
void describe_request(tlm_bus::event_details& event, const Request& request) {
  event.id = request.id;
  event.add(request.warp.index());
  event.add(request.lanes);
  event.add(request.registers.empty() ? 0 : request.registers[0].first);
}

}  // namespace

void show(tlm_bus::signal_writer& to, const register_read_request& request) { show_request(to, request); }
void show_values(tlm_bus::signal_writer& to, const register_read_request& request) {
  show_values_of_request(to, request);
}
void describe(tlm_bus::event_details& event, const register_read_request& request) {
  describe_request(event, request);
}

void show(tlm_bus::signal_writer& to, const register_write_request& request) { show_request(to, request); }
void show_values(tlm_bus::signal_writer& to, const register_write_request& request) {
  show_values_of_request(to, request);
}
void describe(tlm_bus::event_details& event, const register_write_request& request) {
  describe_request(event, request);
}

void show(tlm_bus::signal_writer& to, const register_allocation& allocation) {
  to.number("warp", 6, allocation.warp.index());
  to.number("first_row", 16, allocation.first_row);
  to.number("registers", 8, allocation.registers);
}
void describe(tlm_bus::event_details& event, const register_allocation& allocation) {
  event.add(allocation.warp.index());
  event.add(allocation.first_row);
  event.add(allocation.registers);
}

void show(tlm_bus::signal_writer& to, const slice_access& access) {
  to.flag("writes", access.writes);
  to.number("row", 16, access.row);
  to.mask("lanes", isa::warp_size, access.lanes);
  constexpr unsigned shown = 4;  // as many as an SP of GT200 has
  static constexpr std::array<const char*, shown> names = {"data_0", "data_1", "data_2", "data_3"};
  for (unsigned n = 0; n < shown; ++n) to.number(names[n], 32, (access.lanes >> n & 1) != 0 ? access.data[n] : 0);
}
void describe(tlm_bus::event_details& event, const slice_access& access) {
  event.add(access.row);
  event.add(access.lanes);
  event.add(access.writes ? 1 : 0);
}

}  // namespace gt200::model
