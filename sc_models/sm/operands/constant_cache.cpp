#include "sc_models/sm/operands/constant_cache.h"

#include <stdexcept>
#include <string>

#include "tlm_bus/state_image.h"
#include "toolchain/isa/common/memory_word.h"

namespace gt200::model {

namespace {

memory_extension constant_fill(memory_extension origin) {
  origin.space = memory_space::constant;
  return origin;
}

}  // namespace

constant_cache::constant_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                               const config::sm_config& config, const memory_extension& origin, bool perfect)
    : stage(name, domain),
      reads("reads", *this),
      line_fetches("line_fetches", *this),
      fill("fill", *this),
      lines_(fill, latencies, config.constant_cache, constant_fill(origin), perfect),
      mshrs_busy_("mshrs", config.constant_cache.mshrs) {}

void constant_cache::invalidate() {
  settle();  // of an earlier one
  lines_.invalidate(cycle());
}

void constant_cache::transport(constant_read& read) {
  const line_index line = find(read.address);
  if (line == no_line) throw std::logic_error(std::string(this->name()) + ": read from a line that is absent");
  read.data = isa::memory_word(lines_.data(line, read.address), read.type);
  lines_.used(line);
  ++hits;
}

void constant_cache::transport(constant_line_fetch& fetch) {
  settle();
  // Without a free MSHR nothing happens. The waiter tries again when a line has arrived, because an MSHR is free
  // then.
  const l1_lines::miss miss = lines_.start_miss(fetch.address, cycle());
  fetch.refused = miss == l1_lines::miss::no_mshr;
  if (miss != l1_lines::miss::reserved) return;
  fetch.started = true;
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

void constant_cache::visit_state(tlm_bus::state_image& state) { state(lines_, mshrs_busy_); }

}  // namespace gt200::model
