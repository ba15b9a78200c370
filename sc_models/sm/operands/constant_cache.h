// Constant cache of an SM (L1): answers the operand collector, fetches absent lines from the TPC's L2.
//
// Read-only and not coherent: a line stays as it was read until the cache is invalidated at a launch.
// 2 KB, 4-way, 64-byte lines: Wong 2010.
#pragma once

#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/sm/front_end/fill_latencies.h"
#include "sc_models/sm/interfaces.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/registered_event.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class constant_cache : public tlm_bus::stage, public constant_cache_if, public cache_control_if {
 public:
  tlm_bus::memory_initiator<tlm_bus::base_protocol> fill;  // to the TPC's instruction and constant L2

  tlm_bus::counter hits{"hits", "words", "words read by the operand collector"};
  tlm_bus::counter misses{"misses", "lines", "lines fetched from the L2"};

  fill_latencies latencies;

  constant_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                 const config::sm_config& config, const memory_extension& origin);

  void tick() override;
  const std::uint8_t* look_up(std::uint64_t address) override;
  void used(std::uint64_t address) override;
  void fetch(std::uint64_t address) override;
  const tlm_bus::registered_event& arrival() const override { return arrival_; }
  // All lines become absent, also those on their way.
  void invalidate() override;

  const char* kind() const override { return "constant_cache"; }

 private:
  struct line {
    std::uint64_t tag = ~std::uint64_t{0};
    std::uint64_t used_at = 0;
  };
  struct mshr {
    bool busy = false;
    bool requested = false;
    std::uint64_t address = 0;
    bool void_on_arrival = false;   // invalidated on the way
    tlm_bus::cycle_t taken_at = 0;  // the L2 is asked from the next cycle on
  };
  // A line that arrived in an earlier cycle takes its place, whoever looks first.
  void settle();
  // Index of the line if it was present at the last edge, else -1.
  int find(std::uint64_t address);
  std::uint64_t tag_of(std::uint64_t address) const { return address / config_.line_bytes * config_.line_bytes; }

  const config::constant_cache_config& config_;
  memory_extension origin_;
  payload_pool payloads_;
  std::vector<line> lines_;
  std::vector<std::uint8_t> data_;
  std::vector<mshr> mshrs_;
  tlm_bus::queue_counter mshrs_busy_;
  tlm::tlm_generic_payload* arrived_ = nullptr;
  tlm_bus::cycle_t arrived_at_ = 0;
  tlm_bus::registered_event arrival_;
  std::uint64_t uses_ = 0;
  std::uint64_t transactions_ = 0;
};

}  // namespace gt200::model
