// The binary log of a traced run: chunks of records, as docs/tracing.md describes them.
//
// A file is a sequence of chunks. A chunk is complete, which its checksum says, or it is discarded with everything
// behind it, so that what a killed run leaves can be read up to its last whole chunk. The first chunk holds the
// definitions and nothing else. Numbers in records are LEB128 varints, but for one byte of an event. Times are
// femtoseconds. Times, signals and ids follow each other closely, so each says by how much it differs from the one
// before it in the chunk, and the first from 0: later, further on (odd: back), and in which bits.
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
inline constexpr std::uint32_t log_version = 2;

struct chunk_header {
  std::uint32_t magic = log_magic;
  std::uint32_t version = log_version;
  std::uint32_t bytes = 0;     // of the records behind the header
  std::uint32_t checksum = 0;  // CRC-32 of them
};
static_assert(sizeof(chunk_header) == 16);

enum class record : std::uint8_t {
  // definitions
  domain,  // name, period
  place,   // path: a pipe, port or module at which events happen; numbered from 0 as they are defined
  signal,  // path, kind, bits; numbered from 0 as they are defined
  window,  // begin and end of the recording, end 0 = to the end of the run
  // what happened
  time,   // femtoseconds
  text,   // number, text: what values of text signals stand for
  event,  // place, head (see event_head), id if there is one, details
  value   // value + n: another signal has a new value, which follows; n is 2d if its number is d larger, 2d - 1 if
          // smaller
};

// A byte: what happens, how many details it has, and whether it has an id other than 0.
struct event_head {
  static constexpr unsigned what = 0x0f;
  static constexpr unsigned details_shift = 4;
  static constexpr unsigned details = 0x07;
  static constexpr unsigned has_id = 0x80;
};

// What happens at a place to the bearer of an id, in the order in which one instant is logged.
enum class happening : std::uint8_t {
  taken,      // from a pipe
  sent,       // into a pipe
  entered,    // into an instruction buffer
  completed,  // at write-back
  begin_request,
  end_request,
  begin_response,
  end_response,
  commanded  // a DRAM device; no id
};
const char* name_of(happening what);

// The meaning of the details depends on the place: of a pipe, see the definition of its token; of a memory socket,
// sc_models/memory_transaction.h; of other places, probes.h.
struct event : tlm_bus::event_details {
  std::uint32_t place = 0;
  happening what = happening::taken;
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
  tlm_bus::femtoseconds end = 0;  // 0: to the end of the run
};

}  // namespace gt200::observe
