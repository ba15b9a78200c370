#include "sc_models/texture/cache.h"

#include <array>
#include <cstring>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const texture_cache_access& access) {
  to.text("command", static_cast<std::uint64_t>(access.what), [](std::uint64_t key) -> std::string {
    static constexpr std::array<const char*, 7> names = {"look_up", "expect", "pin",       "read",
                                                         "fill",    "fail",   "invalidate"};
    return names[key];
  });
  to.number("address", traced_address_bits + 1, access.address);
  to.number("line", 32, access.line);
  to.mask("lanes", isa::warp_size, access.lanes);
  to.flag("expected", access.expected);
  to.flag("failed", access.failed);
}
void describe(tlm_bus::event_details& event, const texture_cache_access& access) {
  event.add(static_cast<std::uint64_t>(access.what));
  event.add(access.address);
  event.add(access.line);
  event.add(access.lanes);
  event.add(access.expected ? 1 : 0);
}

texture_cache::texture_cache(const sc_core::sc_module_name& name, const config::cache_config& config)
    : sc_core::sc_module(name), accesses("accesses", *this), lines_(config), offset_mask_(config.line_bytes - 1) {}

void texture_cache::transport(texture_cache_access& a) {
  switch (a.what) {
    case texture_cache_access::command::look_up:
      a.line = lines_.find(a.address);
      if (a.line == no_line) a.room = lines_.has_room(a.address);
      return;
    case texture_cache_access::command::expect: a.line = lines_.expect(a.address); return;
    case texture_cache_access::command::pin:
      for (unsigned i = 0; i < a.uses; ++i) lines_.pin(a.line);
      a.expected = lines_.expected(a.line);
      return;
    case texture_cache_access::command::read: return read(a);
    case texture_cache_access::command::fill: lines_.fill(a.line, a.data, a.caches_missed); return;
    case texture_cache_access::command::fail: lines_.fail(a.line); return;
    case texture_cache_access::command::invalidate: lines_.invalidate(); return;
  }
}

void texture_cache::read(texture_cache_access& a) {
  a.expected = lines_.expected(a.line);
  if (a.expected) return;
  a.failed = lines_.failed(a.line);
  a.caches_missed = lines_.caches_missed(a.line);
  const std::uint8_t* const data = lines_.data(a.line);
  for (const unsigned lane : set_bits(a.lanes))
    std::memcpy(a.texels[lane], data + (a.addresses[lane] & offset_mask_), sizeof a.texels[lane]);
  lines_.unpin(a.line);
}

void texture_cache::visit_state(tlm_bus::state_image& state) {
  state.fixed(offset_mask_);
  state(lines_);
}

}  // namespace gt200::model
