#include "tlm_bus/transaction.h"

#include <stdexcept>
#include <string>

namespace gt200::tlm_bus {

void transaction_violation(const sc_core::sc_object& socket, const char* what) {
  throw std::logic_error(std::string(socket.name()) + ": " + what);
}

void show_described(signal_writer& to, const signal_description& about, std::uint64_t value) {
  const char* name = about.name.c_str();
  switch (about.kind) {
    case signal_kind::number: to.number(name, about.bits, value); return;
    case signal_kind::mask: to.mask(name, about.bits, value); return;
    case signal_kind::text: to.text(name, value, about.meaning); return;
    case signal_kind::identifier: to.identifier(name, value); return;
    case signal_kind::word: to.word(name, about.bits, value); return;
    case signal_kind::real: to.real(name, static_cast<std::uint32_t>(value)); return;
  }
}

}  // namespace gt200::tlm_bus
