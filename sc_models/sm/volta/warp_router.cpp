#include "sc_models/sm/volta/warp_router.h"

#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

warp_router::warp_router(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                         const config::sm_config& config)
    : core_stage(name, domain),
      start("start", *this, config.fetch.command_entries),
      allocations("allocations", *this),
      initial_writes("initial_writes", *this),
      starts("starts", config.processing_block.blocks,
             [&](const char*, std::size_t b) {
               return new tlm_bus::pipe_out<start_token>(("to_block_" + std::to_string(b)).c_str(), *this);
             }),
      to_register_files("to_register_file", config.processing_block.blocks,
                        [](const char* socket, std::size_t) {
                          return new tlm_bus::transaction_out<register_allocation>(socket);
                        }),
      writes_to_register_files("writes_to_register_file", config.processing_block.blocks,
                               [](const char* socket, std::size_t) {
                                 return new tlm_bus::transaction_out<register_write_request>(socket);
                               }),
      blocks_(config.processing_block.blocks) {}

void warp_router::tick() {
  const start_token* token = start.front();
  if (token == nullptr || !starts[block_of(token->warp)].can_send()) return;
  starts[block_of(token->warp)].send(*token);
  start.pop();
}

void warp_router::transport(register_allocation& allocation) {
  allocation.first_row = allocation.warp.index() / blocks_ * allocation.registers;
  to_register_files[block_of(allocation.warp)].send(allocation);
}

void warp_router::transport(register_write_request& request) {
  writes_to_register_files[block_of(request.warp)].send(request);
}

void warp_router::visit_state(tlm_bus::state_image& state) { state.fixed(blocks_); }

}  // namespace gt200::model
