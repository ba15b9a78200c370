// The next command of a DRAM controller, and the state that its policies see when they choose it.
#pragma once

#include <cstdint>

#include "sc_models/partition/dram/bank_timing.h"
#include "sc_models/partition/dram/request_queue.h"

namespace gt200::model {

// The next command and the cycle in which it is legal.
struct next_dram_command {
  enum class command : std::uint8_t { none, column, activate, precharge, refresh };
  command kind = command::none;
  tlm_bus::cycle_t at = tlm_bus::no_cycle;
  unsigned index = 0;  // index of the request, or of the bank to precharge

  // The earliest command wins; ties go to the one considered first.
  void consider(command c, tlm_bus::cycle_t legal_at, unsigned i) {
    if (legal_at >= at) return;
    kind = c;
    at = legal_at;
    index = i;
  }
};

struct dram_state {
  const dram_request_queue& queue;
  const bank_timing& timing;
  tlm_bus::cycle_t now;
  bool answers_full;  // no column command may be given

  // The first cycle in which the column command of a request whose row is open is legal.
  tlm_bus::cycle_t column_from(const dram_request& r) const {
    return r.write ? timing.write_from(r.at.bank) : timing.read_from(r.at.bank);
  }
};

}  // namespace gt200::model
