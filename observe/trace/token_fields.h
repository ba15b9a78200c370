// What a log says of the tokens of pipes and the transactions of memory sockets: as signals of waveforms, and as
// details of events.
//
// Waveforms show only what does not change while a token waits in its pipe. Details of events, by token:
//   start         warp, pc                       fetch, fetched    warp, pc, instructions
//   issued, collected, executed, control, memory operation, completion, texture, memory access    warp, pc
//   transaction   warp, address, bytes           payload           as a memory socket
//   launch        SM of the TPC, block, grid     retire            SM of the TPC, block, 1 if it faulted
//   grid          grid, blocks                   grid end          1 if it faulted
//   redirect, fetch control, stack transfer      warp, pc
//   walk request  warp, address
// Memory socket: address, bytes, tlm command (0 read, 1 write), space, kind, id of the instruction it is for.
#pragma once

#include <tlm>

#include "observe/trace/log_format.h"
#include "sc_models/cluster_tokens.h"
#include "sc_models/distribution/grid_tokens.h"
#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/texture/texture_tokens.h"
#include "tlm_bus/signals.h"

namespace gt200::observe {

// Signals of the token; a default one stands for none.
void show(tlm_bus::signal_writer& to, const model::warp_instruction* operation);
void show(tlm_bus::signal_writer& to, const model::start_token& token);
void show(tlm_bus::signal_writer& to, const model::fetch_token& token);
void show(tlm_bus::signal_writer& to, const model::fetched_token& token);
void show(tlm_bus::signal_writer& to, const model::fetch_control_token& token);
void show(tlm_bus::signal_writer& to, const model::redirect_token& token);
void show(tlm_bus::signal_writer& to, const model::stack_transfer_token& token);
void show(tlm_bus::signal_writer& to, const model::control_token& token);
void show(tlm_bus::signal_writer& to, const model::launch_token& token);
void show(tlm_bus::signal_writer& to, const model::retire_token& token);
void show(tlm_bus::signal_writer& to, const model::grid_token& token);
void show(tlm_bus::signal_writer& to, const model::grid_end_token& token);
void show(tlm_bus::signal_writer& to, const model::memory_access_token& token);
void show(tlm_bus::signal_writer& to, const model::transaction_token& token);
void show(tlm_bus::signal_writer& to, const model::payload_token& token);
void show(tlm_bus::signal_writer& to, const model::texture_access_token& token);
void show(tlm_bus::signal_writer& to, const model::walk_request_token& token);
void show(tlm_bus::signal_writer& to, const model::walk_result_token& token);
void show(tlm_bus::signal_writer& to, const tlm::tlm_generic_payload* payload);

// Id and details.
void tell(event& e, const model::warp_instruction* operation);
void tell(event& e, const model::start_token& token);
void tell(event& e, const model::fetch_token& token);
void tell(event& e, const model::fetched_token& token);
void tell(event& e, const model::fetch_control_token& token);
void tell(event& e, const model::redirect_token& token);
void tell(event& e, const model::stack_transfer_token& token);
void tell(event& e, const model::control_token& token);
void tell(event& e, const model::launch_token& token);
void tell(event& e, const model::retire_token& token);
void tell(event& e, const model::grid_token& token);
void tell(event& e, const model::grid_end_token& token);
void tell(event& e, const model::memory_access_token& token);
void tell(event& e, const model::transaction_token& token);
void tell(event& e, const model::payload_token& token);
void tell(event& e, const model::texture_access_token& token);
void tell(event& e, const model::walk_request_token& token);
void tell(event& e, const model::walk_result_token& token);
void tell(event& e, const tlm::tlm_generic_payload* payload);

// Of an event of a memory socket: load, store, atomic or fill.
const char* name_of_transaction(const event& e);

// Tokens that only point to their instruction.
template <class T>
auto show(tlm_bus::signal_writer& to, const T& token) -> decltype(show(to, token.operation)) {
  show(to, token.operation);
}
template <class T>
auto tell(event& e, const T& token) -> decltype(tell(e, token.operation)) {
  tell(e, token.operation);
}

}  // namespace gt200::observe
