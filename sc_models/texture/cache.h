// One of the L1 texture caches of a TPC as a module: the lines of line_store.h behind a socket.
//
// The L1 stage (l1.h) looks up lines, fills them and reads texels from them; each is one transaction, answered in
// its cycle. Another cache with this socket may take its place.
#pragma once

#include <systemc>

#include "sc_models/texture/line_store.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/transaction.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

struct texture_cache_access {
  enum class command : std::uint8_t {
    look_up,  // address -> line, or no_line and room
    expect,   // address -> line, which expects its bytes from now on
    pin,      // line, uses -> expected: `uses` reads of the line will follow
    read,     // line, lanes, addresses -> texels; releases the pin. If `expected`, nothing happens: the line is not
              // filled
    fill,     // line, data, caches_missed
    fail,     // line: its fill was refused
    invalidate
  };
  command what = command::look_up;
  std::uint64_t address = 0;  // of a line
  line_index line = no_line;
  unsigned uses = 0;
  const std::uint8_t* data = nullptr;  // a line
  isa::lane_mask lanes = 0;
  const std::uint64_t* addresses = nullptr;  // of the texels, by lane
  std::uint32_t (*texels)[4] = nullptr;      // by lane: the answer of a read
  unsigned caches_missed = 0;  // cache levels that did not have the line: input of a fill, answer of a read

  // The answer.
  bool room = false;      // a line can be allocated
  bool expected = false;  // the line has not been filled
  bool failed = false;    // its fill was refused; the texels are undefined
};
inline bool has_effect(const texture_cache_access& access) {
  using command = texture_cache_access::command;
  return access.what != command::look_up && !(access.what == command::read && access.expected);
}
void show(tlm_bus::signal_writer& to, const texture_cache_access& access);
// Event details: command, address, line, lanes, expected.
void describe(tlm_bus::event_details& event, const texture_cache_access& access);

class texture_cache : public sc_core::sc_module,
                      private tlm_bus::transaction_target<texture_cache_access>,
                      public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<texture_cache_access> accesses;

  texture_cache(const sc_core::sc_module_name& name, const config::cache_config& config);

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "texture_cache"; }

 private:
  void transport(texture_cache_access& access) override;
  void read(texture_cache_access& access);

  texture_line_store lines_;
  std::uint64_t offset_mask_;  // of an address within its line
};

}  // namespace gt200::model
