// Values on request: what registers, memories and transactions of a chip hold.
//
// There are too many to record them all, so a value is recorded only if a pattern names it (--wave-values). A part
// without a chosen value is not observed. All of them are found from outside: by the probe of an SM, by pipes and
// by memory sockets. Values are those after the edge.
//
// Below an SM (sizes by its configuration):
//   register_file.warp_5.r3.lane_7, .float_7   contents of $r3; the same bits as a number of single precision
//   register_file.warp_5.c0.lane_7             a predicate, 4 bits; .zero, .sign, .carry, .overflow: a bit per lane
//   register_file.warp_5.a1.lane_7             an address register
//   shared_memory.block_2.word_0x0010, .float_0x0010   by block slot and byte address in the block
//   shared_memory.bank_9.busy, .write, .address, .data  the word that the bank serves in this cycle
//   shared_memory.access.id, .block, .half_warp         the access that occupies the banks
//   simt_stack.warp_5.entry_0.kind, .pc, .reconvergence_pc, .mask   0 is the oldest entry
//   scoreboard.warp_5.owner_0                  instruction that holds the entry
//   instruction_buffer.warp_5.slot_0.id, .pc, .instruction, .dependencies, .allocated   0 is the oldest
//   block_control.slot_0.state, .grid, .warps, .warps_left
// A pipe that carries accesses or transactions has, below its path:
//   data.*      of the oldest token (show_values() of the token)
// A transaction socket of the datapaths and the register file has, below its path:
//   data.*      of the last transaction (show_values() of the payload): operands and results, or registers, by lane
// A memory socket has, at the target:
//   request.*, response.*   of the last one (sc_models/transaction_values.h)
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "observe/trace/catalog.h"
#include "sc_models/sm/sm_if.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/transaction.h"

namespace gt200::observe {

void add_values_of_sm(catalog& to, model::sm_if& sm);
void add_values_of_pipe(catalog& to, const std::string& path, tlm_bus::pipe_state& pipe);
void add_values_of_socket(catalog& to, const std::string& path, tlm_bus::transaction_state& socket);
// Adds the values of any object whose kind is memory_target.
void add_values_of_target(catalog& to, sc_core::sc_object& target);

// -- the parts of an SM --

void add_registers(catalog& to, model::sm_if& sm);
void add_shared_words(catalog& to, model::sm_if& sm);
void add_shared_banks(catalog& to, model::sm_if& sm);
void add_stack_entries(catalog& to, model::sm_if& sm);
void add_dependencies(catalog& to, model::sm_if& sm);
void add_block_slots(catalog& to, model::sm_if& sm);

// The module of this name in the SM; null if there is none.
const sc_core::sc_object* module_of(const model::sm_if& sm, const char* name);
// The stages whose tick may change the module's state.
std::vector<const tlm_bus::stage*> callers_of(const catalog& in, const sc_core::sc_object& module);
// Returns the one of these that starts blocks and so sets registers and shared memory to their first values.
std::vector<const tlm_bus::stage*> starter_of(const catalog& in, const sc_core::sc_object& module);

}  // namespace gt200::observe
