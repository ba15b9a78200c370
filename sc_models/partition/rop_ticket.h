// The contract between the arbiter of a partition and its ROP.
//
// 1. The arbiter gives every store and atomic a ticket before it passes it to the ROP.
// 2. The ROP answers each of them, in any order, with the ticket unchanged.
// 3. Every write of the ROP carries the ticket of the youngest request it performs. The write also performs
//    all older stores that touch the same sectors and have not been written yet.
// 4. Reads of the ROP carry no ticket.
// So the arbiter knows from rule 3 which requests the DRAM has. Until then it keeps the order between them and
// loads or fills.
//
// A ticket travels in the tag of the memory extension. This field is for the bookkeeping of the initiator.
#pragma once

#include <cstdint>
#include <tlm>

#include "sc_models/memory_transaction.h"

namespace gt200::model {

// The arbiter's number for a store or atomic that the DRAM has not answered yet.
enum class rop_ticket : std::uint32_t {};

constexpr unsigned index_of(rop_ticket ticket) { return static_cast<unsigned>(ticket); }

// `request` must have a memory extension.
inline rop_ticket ticket_of(const tlm::tlm_generic_payload& request) {
  return rop_ticket{request.get_extension<memory_extension>()->tag};
}
inline void set_ticket(memory_extension& extension, rop_ticket ticket) { extension.tag = index_of(ticket); }

}  // namespace gt200::model
