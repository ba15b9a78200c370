// The tokens between the modules of the memory path of a TPC.
#pragma once

#include <cstdint>
#include <tlm>

#include "sc_models/memory_path/translation_cache.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/warp_instruction.h"

namespace gt200::model {

// A warp-wide access to global or local memory, from address generation until its last response. Pooled per TPC:
// address generation allocates it, the load/store queue returns it.
struct memory_access {
  warp_instruction* operation = nullptr;
  memory_space space = memory_space::global;
  memory_kind kind = memory_kind::load;
  isa::data_type type = isa::data_type::b32;  // per lane
  std::uint8_t word_bytes = 4;                // bytes of a lane in one pass
  std::uint8_t passes = 1;                    // wide local accesses go word by word, 128 bytes apart
  isa::lane_mask lanes = 0;                   // lanes that execute and have no fault
  // The bits in which the lanes' virtual addresses (operation->values.address) differ. Inactive lanes differ only
  // in these bits.
  std::uint32_t address_spread = 0;
  // Physical addresses, set by the TLB. Normally all lanes have the same offset from their virtual addresses;
  // otherwise each lane has its own.
  bool uniform_offset = true;
  std::uint64_t physical_offset = 0;
  std::uint64_t physical[isa::warp_size] = {};
  std::uint64_t physical_address(unsigned lane) const {
    return uniform_offset ? operation->values.address.lane[lane] + physical_offset : physical[lane];
  }
  // Used by the load/store queue.
  std::uint32_t unanswered = 0;  // transactions sent and not yet answered
  bool all_sent = false;
};

inline constexpr std::uint32_t local_pass_stride = 4 * isa::warp_size;

struct memory_access_token {
  memory_access* access = nullptr;
};
void show(tlm_bus::signal_writer& to, const memory_access_token& token);
void describe(tlm_bus::event_details& event, const memory_access_token& token);
void show_values(tlm_bus::signal_writer& to, const memory_access_token& token);

// One memory transaction of an access. 0 bytes: the access needs none (all lanes at fault or switched off).
struct transaction_token {
  memory_access* access = nullptr;
  std::uint64_t address = 0;  // physical, a multiple of `bytes` except for atomics
  std::uint16_t bytes = 0;    // 32, 64 or 128; atomics: 4 or 8
  std::uint8_t pass = 0;
  bool last = false;         // of its access
  bool in_sequence = false;  // the lanes are the 16 of a half-warp and access successive 32-bit words
  isa::lane_mask lanes = 0;
};
void show(tlm_bus::signal_writer& to, const transaction_token& token);
// Event details: warp, address, bytes.
void describe(tlm_bus::event_details& event, const transaction_token& token);

// A page for the walker to find, and the warp that needs it.
struct walk_request_token {
  std::uint64_t address = 0;  // virtual
  std::uint64_t instruction_id = 0;
  std::uint8_t sm = 0;
  warp_slot warp;
};
void show(tlm_bus::signal_writer& to, const walk_request_token& token);
// Event details: warp, address.
void describe(tlm_bus::event_details& event, const walk_request_token& token);

// The result of a walk: the block of the page, or a page that is not mapped.
struct walk_result_token {
  bool mapped = false;
  translation block;
};
void show(tlm_bus::signal_writer& to, const walk_result_token& token);
// Event details: 1 if the page is mapped.
void describe(tlm_bus::event_details& event, const walk_result_token& token);

// A payload on its way between its owner, the load/store queue or the page walker, and the crossbar port.
struct payload_token {
  tlm::tlm_generic_payload* payload = nullptr;
};
void show(tlm_bus::signal_writer& to, const payload_token& token);
// Event details: those of a memory transaction.
void describe(tlm_bus::event_details& event, const payload_token& token);
void show_values(tlm_bus::signal_writer& to, const payload_token& token);

}  // namespace gt200::model
