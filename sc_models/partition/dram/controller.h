// The GDDR3 controller of a partition: chooses the request that the devices serve next and drives their commands.
//
// Requests wait in a queue in order of arrival. A scheduler (schedulers/) chooses the request that the next command
// serves. A page policy (page_policies/) chooses the rows that are closed early. A request never passes an older
// one to the same 32 bytes. Refresh: every t_refi all rows are closed and the banks refreshed; in idle time this is
// not simulated command by command. Between two refreshes at least one waiting request is served; if t_refi is too
// short for that, the second refresh is late.
//
// A request is answered when its last burst has been transferred. Its data is read or written in the order of the
// column commands. A request beyond the capacity is answered with an address error, one that crosses a row with a
// burst error; these cause no command.
//
// Clock: memory. Protocol: base protocol, extensions ignored, so any DRAM model may take its place. Debug access
// sees queued writes. Source of the numbers: config/dram_config.h.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/address.h"
#include "sc_models/partition/dram/commands.h"
#include "sc_models/partition/dram/devices_if.h"
#include "sc_models/partition/dram/page_policies/page_policy.h"
#include "sc_models/partition/dram/request_queue.h"
#include "sc_models/partition/dram/schedulers/scheduler.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class dram_controller : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  tlm_bus::memory_target<tlm_bus::base_protocol> requests;
  tlm_bus::port<dram_devices_if> devices;
  tlm_bus::transaction_out<dram_transaction> commands;

  dram_controller(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory,
                  const config::dram_config& config);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  // As dram_model::begin_refresh_at().
  void begin_refresh_at(double fraction);

  tlm_bus::counter read_bytes{"read_bytes", "bytes", "data read"};
  tlm_bus::counter written_bytes{"written_bytes", "bytes", "data written, masked bytes included"};
  tlm_bus::counter row_hits{"row_hits", "transactions", "transactions that found their row open"};
  tlm_bus::counter row_misses{"row_misses", "transactions", "transactions for which a row was opened"};
  tlm_bus::histogram read_latency{"latency.read", "memory cycles",
                                  "reads, from the queue to the end of their data"};
  tlm_bus::histogram write_latency{"latency.write", "memory cycles",
                                   "writes, from the queue to the end of their data"};
  tlm_bus::counter data_cycles{"data_cycles", "memory cycles", "cycles in which the data bus carried data"};

  // bank_0 ..
  struct bank_counters {
    explicit bank_counters(const std::string& name);
    tlm_bus::counter row_hits, row_misses, row_conflicts;  // a conflict is also a miss
    tlm_bus::counter activates, precharges;
  };
  std::deque<bank_counters> banks;

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "dram_controller"; }

 private:
  struct answer {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm_bus::cycle_t at = 0;
  };
  class contents;

  void send_answer();
  void take_request();
  void reject(tlm::tlm_generic_payload& payload, tlm::tlm_response_status status);
  void queue_answer(tlm::tlm_generic_payload& payload, tlm_bus::cycle_t at);
  void note_refreshes_in_idle_time();
  dram_state state() const { return {queue_, devices->timing(), cycle(), answers_full()}; }
  next_dram_command next_command() const;
  void consider_newest_request();
  void consider_refresh(next_dram_command& best) const;
  bool refresh_due() const { return next_refresh_ <= cycle() && !access_owed_; }
  void perform(const next_dram_command& command);
  void perform_column(unsigned index);
  void give(dram_command c, unsigned bank, std::uint32_t row = 0);
  bool answers_full() const { return answers_waiting_ == answers_.size(); }
  unsigned debug(tlm::tlm_generic_payload& payload);

  std::unique_ptr<dram_scheduler> make_scheduler(const config::dram_config& config) const;
  std::unique_ptr<page_policy> make_page_policy_of(const config::dram_config& config) const;

  config::dram_config config_;
  dram_address_map map_;
  std::unique_ptr<dram_scheduler> scheduler_;
  std::unique_ptr<page_policy> page_policy_;
  dram_request_queue queue_;
  tlm_bus::queue_counter queue_counter_;
  std::uint64_t closed_for_request_ = 0;  // banks whose row was closed for a request to another row
  std::vector<answer> answers_;           // ring, in order of time
  unsigned answer_head_ = 0;
  unsigned answers_waiting_ = 0;
  tlm_bus::cycle_t next_refresh_;
  tlm_bus::cycle_t refresh_wake_ = 0;  // it is already due then
  bool access_owed_ = false;           // requests waited for a refresh, and none was served since
  next_dram_command next_;             // the last decision
  bool reconsider_ = false;            // the last decision is no longer valid
};

}  // namespace gt200::model
