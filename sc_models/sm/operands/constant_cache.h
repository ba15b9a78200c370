// Constant cache of an SM (L1): serves the operand collector and fetches absent lines from the TPC's L2.
//
// Read-only and not coherent: a line keeps its content until the cache is invalidated at a launch. 2 KB, 4-way,
// 64-byte lines: Wong 2010.
#pragma once

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cache/fill_latencies.h"
#include "sc_models/cache/l1_lines.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/constant_transactions.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/registered_event.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class constant_cache : public tlm_bus::stage,
                       public constant_cache_if,
                       public cache_control_if,
                       public tlm_bus::transaction_target<constant_read>,
                       public tlm_bus::transaction_target<constant_line_fetch> {
 public:
  tlm_bus::transaction_in<constant_read> reads;               // from the operand collector
  tlm_bus::transaction_in<constant_line_fetch> line_fetches;  // from the operand collector

  tlm_bus::memory_initiator<tlm_bus::base_protocol> fill;  // to the TPC's instruction and constant L2

  tlm_bus::counter hits{"hits", "words", "words read by the operand collector"};
  tlm_bus::counter misses{"misses", "lines", "lines fetched from the L2"};

  fill_latencies latencies;

  constant_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                 const config::sm_config& config, const memory_extension& origin, bool perfect = false);

  void tick() override;
  bool is_present(std::uint64_t address) const override { return find(address) != no_line; }
  // Throws std::logic_error if the line is absent.
  void transport(constant_read& read) override;
  void transport(constant_line_fetch& fetch) override;
  const tlm_bus::registered_event& arrival() const override { return arrival_; }
  // From the next cycle on, no line that is present or in flight serves a look-up.
  void invalidate() override;

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "constant_cache"; }

 private:
  // Installs a line that arrived in an earlier cycle. Called before every look-up, so the order of callers does not
  // matter, and nobody can see when it happens.
  void settle() const {
    if (lines_.settle(cycle()) != 0) mshrs_busy_.left(lines_.arrived_at() + 1);
  }
  // The line if it was present at the last edge, else no_line.
  line_index find(std::uint64_t address) const {
    settle();
    return lines_.find(address);
  }

  mutable l1_lines lines_;
  mutable tlm_bus::queue_counter mshrs_busy_;
  tlm_bus::registered_event arrival_;
};

}  // namespace gt200::model
