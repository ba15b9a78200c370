#include "sc_models/sm/operands/constant_transactions.h"

#include "sc_models/memory_transaction.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const constant_read& read) {
  to.identifier("id", read.id);
  to.number("address", traced_address_bits, read.address);
  to.number("bytes", 5, isa::bytes_of(read.type));
  to.number("data", 32, read.data);
}
void describe(tlm_bus::event_details& event, const constant_read& read) {
  event.id = read.id;
  event.add(read.address);
  event.add(read.data);
}

void show(tlm_bus::signal_writer& to, const constant_line_fetch& fetch) {
  to.identifier("id", fetch.id);
  to.number("address", traced_address_bits, fetch.address);
}
void describe(tlm_bus::event_details& event, const constant_line_fetch& fetch) {
  event.id = fetch.id;
  event.add(fetch.address);
}

}  // namespace gt200::model
