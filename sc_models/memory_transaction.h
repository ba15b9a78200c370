// A memory transaction of this GPU: a generic payload, plus an extension for what address, data and command do not
// say.
//
// Between TPC and partition the extension is mandatory (gpu_memory_protocol): an atomic operation that a target
// might ignore would be a wrong result. On base-protocol connections it may be ignored.
//
// Command and data by kind (little endian):
// - load: READ.
// - store, write_back: WRITE, with byte enables where not all bytes are written.
// - atomic: WRITE of w bytes (4, or 8 if `wide`) at a multiple of w. Data bytes 0..w-1 are the operand, for cas the
//   compare value; cas has 2w bytes of data, of which w..2w-1 are the new value. The response carries the old value
//   of memory in bytes 0..w-1, unless `returns_value` is false.
#pragma once

#include <cstdint>
#include <tlm>

#include "sc_models/slots.h"
#include "tlm_bus/payload_pool.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

enum class memory_space : std::uint8_t { global, local, constant, instruction, texture, page_table, host };
// fill and write_back: a cache reads a line, or writes what has been stored in it.
// prefetch, clean_line, drop_line: of an instruction that controls caches. A prefetch is a READ whose data nobody
// takes. The others go no further than the L1, which writes the line back, or does so and drops it.
enum class memory_kind : std::uint8_t { load, store, atomic, fill, write_back, prefetch, clean_line, drop_line };
// Same operations and order as isa::atomic_op. A type of its own, so that modules that move transactions need no
// instruction set.
enum class atomic_operation : std::uint8_t { add, exch, cas, inc, dec, max, min, and_, or_, xor_ };

class memory_extension : public tlm::tlm_extension<memory_extension> {
 public:
  std::uint64_t transaction_id = 0;  // unique within a run, ascending per initiator
  std::uint64_t instruction_id = 0;  // warp instruction that caused it; 0 = none
  std::uint8_t tpc = 0;
  std::uint8_t sm = 0;  // within the TPC
  warp_slot warp;
  memory_space space = memory_space::global;
  memory_kind kind = memory_kind::load;
  atomic_operation atomic = atomic_operation::add;
  bool atomic_signed = false;  // min and max compare as signed
  bool atomic_float = false;   // add adds single-precision numbers
  bool wide = false;           // 64-bit atomic
  bool returns_value = true;   // false for red
  bool past_l1 = false;        // a load that no L1 data cache may answer
  bool evict_first = false;    // the line that it uses in a cache is the first of its set to give way
  bool last_use = false;       // a load of all that a line of local memory holds, for the last time
  std::uint32_t lanes = 0;     // lanes of the warp this transaction serves
  std::uint32_t tag = 0;       // for the initiator's bookkeeping; carried back unchanged
  // Set in the response of a read: the number of caches that the request passed because they did not have the data.
  // It is 0 if the first cache had the data.
  std::uint8_t caches_missed = 0;

  tlm::tlm_extension_base* clone() const override { return new memory_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const memory_extension&>(other);
  }
};

using memory_payload = tlm_bus::extended_payload<memory_extension>;
using payload_pool = tlm_bus::payload_pool<memory_extension>;

// The extension of a payload, or null.
inline memory_extension* extension_of(const tlm::tlm_generic_payload& payload) {
  return payload.get_extension<memory_extension>();
}

// The number of memory bytes a transaction affects, from its address on. The data of a compare-and-swap may be
// longer, because it carries two operands.
inline unsigned bytes_of_memory(const tlm::tlm_generic_payload& payload) {
  const memory_extension* extension = extension_of(payload);
  if (extension == nullptr || extension->kind != memory_kind::atomic) return payload.get_data_length();
  return extension->wide ? 8 : 4;
}

// In traces; null stands for none.
inline constexpr unsigned traced_address_bits = 40;
void show(tlm_bus::signal_writer& to, const tlm::tlm_generic_payload* payload);
void describe(tlm_bus::event_details& event, const tlm::tlm_generic_payload* payload);
// Numbers of the event details: address, bytes, tlm command (0 read, 1 write), space, kind, id of the instruction
// it is for.
struct transaction_details {
  static constexpr unsigned address = 0, bytes = 1, write = 2, space = 3, kind = 4, instruction = 5;
};
// load, store, atomic, fill or write_back.
const char* name_of(memory_kind kind);

// Protocol traits of the path TPC - crossbar - partition: payload and phases of the base protocol, but a distinct
// type, so that a component without knowledge of the extension cannot be bound by accident.
struct gpu_memory_protocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
  using mandatory_extension = memory_extension;
};

}  // namespace gt200::model
