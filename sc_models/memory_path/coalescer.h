// Turns the accesses of each group of lanes into memory transactions, one per cycle.
//
// Loads and stores follow the rule of coalescing.h, which also says what a group is: by the rules of 1.x a
// half-warp. Wide local accesses take one word after the other. Atomics are not merged: each lane is a
// read-modify-write of its own, so there is one transaction per lane, in ascending order. Groups go in ascending
// order. So the highest of several lanes that store to one address wins.
//
// The rules exist as SystemC model and as RTL (tpc.memory.coalescer.model, tpc.sm.rtl.sms):
// cosimulation/watched_coalescer.h. The TPC puts the RTL in.
#pragma once

#include <memory>
#include <vector>

#include "sc_models/config/memory_config.h"
#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/memory_path/coalescing.h"
#include "sc_models/memory_path/coalescing_policy.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class lockstep_comparison;
class watched_coalescer;

class coalescer : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  // `loads_lines`: behind it is a cache that loads take whole lines from (rule 2.0).
  coalescer(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
            const config::coalescer_config& config, bool loads_lines = false);
  ~coalescer() override;

  tlm_bus::pipe_in<memory_access_token> from_tlb;
  tlm_bus::pipe_out<transaction_token> to_load_store_queue;

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "coalescer"; }

  // Puts RTL in place of the rules or beside them, before the first access; null: the model alone.
  void use(std::unique_ptr<watched_coalescer> rtl);
  // Comparisons of RTL with its model, one for each SM of the TPC; empty without RTL.
  std::vector<lockstep_comparison*> lockstep_comparisons() const;

  tlm_bus::counter half_warps{"half_warps", "half-warps",
                              "half-warps coalesced; a wide local access counts per word"};
  tlm_bus::counter transactions_32{"transactions_32", "transactions", "loads and stores of 32 bytes"};
  tlm_bus::counter transactions_64{"transactions_64", "transactions", "loads and stores of 64 bytes"};
  tlm_bus::counter transactions_128{"transactions_128", "transactions", "loads and stores of 128 bytes"};
  tlm_bus::counter atomics{"atomics", "transactions", "atomics, one per lane"};
  tlm_bus::counter bytes_requested{"bytes_requested", "bytes", "bytes the lanes loaded and stored"};
  tlm_bus::counter bytes_transferred{"bytes_transferred", "bytes", "bytes of their transactions"};

 private:
  // Fills segments_ with the transactions of the group and pass due next. Those of RTL alone follow one by one.
  void start_group(const memory_access& access);
  void coalesce_by_policy(const lane_group& group);
  isa::lane_mask lanes_of_group(const memory_access& access) const;
  transaction_token next_transaction(memory_access& access);

  config::coalescing_rule rule_;
  bool join_equal_;
  bool loads_lines_;
  segment_list segments_;      // of the current group
  unsigned next_segment_ = 0;  // == segments_.count: start the next group
  unsigned group_size_ = half_warp_size;
  unsigned group_ = 0;  // of the oldest access
  unsigned pass_ = 0;
  std::unique_ptr<watched_coalescer> rtl_;
  std::unique_ptr<coalescing_policy> policy_;  // null: rule_
  const config::coalescer_config& config_;
};

}  // namespace gt200::model
