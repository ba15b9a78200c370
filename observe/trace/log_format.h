// The binary log of a traced run: chunks of records, as docs/tracing.md describes them.
//
// A file is a sequence of chunks. A chunk whose checksum is wrong is discarded together with everything after it,
// so the log of a killed run can be read up to its last complete chunk. The first chunk contains the definitions
// and nothing else. The last one is empty: a log without it has been cut short. Numbers in records are LEB128
// varints, except for one byte of an event. Times are in femtoseconds. Times, signals and ids are stored as
// differences from the previous one in the chunk, starting from 0: times as deltas, signals as zigzag deltas, ids
// as XOR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tlm_bus/signals.h"
#include "tlm_bus/time.h"
#include "tlm_bus/token_trace.h"

namespace gt200::observe {

inline constexpr std::uint32_t log_magic = 0x4c543247;  // "G2TL"
inline constexpr std::uint32_t log_version = 4;

struct chunk_header {
  std::uint32_t magic = log_magic;
  std::uint32_t version = log_version;
  std::uint32_t bytes = 0;     // of the records after the header; 0: the log ends here
  std::uint32_t checksum = 0;  // CRC-32 of the records
};
static_assert(sizeof(chunk_header) == 16);

enum class record : std::uint8_t {
  // definitions
  domain,  // name, period
  place,   // path: a pipe, port or module at which events happen; numbered from 0 as they are defined
  signal,  // path, kind, bits; numbered from 0 as they are defined
  window,  // begin and end of the recording; end 0 = until the end of the run
  // events
  time,   // femtoseconds
  text,   // number, text: the meaning of values of text signals
  event,  // place, head (see event_head), id if there is one, details
  value   // value + n: another signal has a new value, which follows; n is 2d if its number is d larger, 2d - 1 if
          // smaller
};

// One byte: the kind of event, its number of details, and whether it has a nonzero id.
struct event_head {
  static constexpr unsigned kind = 0x0f;
  static constexpr unsigned details_shift = 4;
  static constexpr unsigned details = 0x07;
  static constexpr unsigned has_id = 0x80;
};

// The kinds of events at a place; an event concerns the token or transaction with its id. The events of one instant
// are logged in this order.
enum class event_kind : std::uint8_t {
  taken,      // from a pipe
  sent,       // into a pipe
  entered,    // into an instruction buffer
  completed,  // at write-back
  begin_request,
  end_request,
  begin_response,
  end_response,
  transported,  // over a transaction socket, with its answer
  lanes         // after `completed`, if asked for: eight lanes of an operand or result; see values/operands.h
};
const char* name_of(event_kind kind);

// The place defines the meaning of the details. For a pipe or transaction socket see the definition of its token or
// payload, for a memory socket sc_models/memory_transaction.h, for other places probes.h.
struct event : tlm_bus::event_details {
  std::uint32_t place = 0;
  event_kind kind = event_kind::taken;
};

struct logged_domain {
  std::string name;  // full path: gt200.core
  tlm_bus::femtoseconds period = 0;
};

struct logged_signal {
  std::string path;  // gt200.tpc_0.sm_1.issue.warp_3.state
  tlm_bus::signal_kind kind = tlm_bus::signal_kind::number;
  unsigned bits = 64;
};

struct log_definitions {
  std::vector<logged_domain> domains;
  std::vector<std::string> places;
  std::vector<logged_signal> signals;
  tlm_bus::femtoseconds begin = 0;
  tlm_bus::femtoseconds end = 0;  // 0: until the end of the run
};

}  // namespace gt200::observe
