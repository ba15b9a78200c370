#include "sc_models/sm/operands/constant_cache.h"

namespace gt200::model {

namespace {

memory_extension constant_fill(memory_extension origin) {
  origin.space = memory_space::constant;
  return origin;
}

}  // namespace

constant_cache::constant_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                               const config::sm_config& config, const memory_extension& origin)
    : stage(name, domain),
      fill("fill", *this),
      lines_(fill, latencies, config.constant_cache, constant_fill(origin)),
      mshrs_busy_("mshrs", config.constant_cache.mshrs) {}

void constant_cache::invalidate() { lines_.invalidate(); }

const std::uint8_t* constant_cache::look_up(std::uint64_t address) {
  const line_index line = find(address);
  return line == no_line ? nullptr : lines_.data(line, address);
}

void constant_cache::used(std::uint64_t address) {
  const line_index line = find(address);
  if (line == no_line) return;
  lines_.used(line);
  ++hits;
}

void constant_cache::fetch(std::uint64_t address) {
  settle();
  // Without a free MSHR nothing happens. The waiter tries again when a line has arrived, because an MSHR is free
  // then.
  if (lines_.start_miss(address, cycle()) != l1_lines::miss::reserved) return;
  mshrs_busy_.entered(cycle());
  ++misses;
  wake_next();
}

void constant_cache::tick() {
  // 1. A line arrives; it can be read from the next cycle on.
  settle();
  if (lines_.take_fill(cycle())) {
    wake_next();
    arrival_.notify(domain());
  }
  // 2. One miss of an earlier cycle goes to the L2.
  if (lines_.send_request(cycle())) wake_next();
}

}  // namespace gt200::model
