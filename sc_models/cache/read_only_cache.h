// A level of a read-only cache: constant and instruction L2 (per TPC) and L3 (chip), and the texture L2 of a
// partition.
//
// It holds real data, which may be stale: stores to memory do not update it, and only invalidate() removes it.
// Instructions and constants share the lines. There is one look-up per cycle; requesters take turns. A request may
// be larger or smaller than a line: it makes one look-up per line it touches, and is answered when all parts are
// present. Misses to a line in flight merge. A request that finds no free MSHR waits in its port and blocks only
// that port.
//
// TRAITS is the protocol of the fill port: base_protocol (L2 to L3, texture L2 to DRAM) or gpu_memory_protocol (L3
// A fill carries the extension of the request that caused it, if there is one, with kind `fill`. The extension of a
// response says how many cache levels missed (memory_transaction.h). Debug access goes to the memory behind, not to
// the lines. Writes are answered with a command error.
//
// A hit is answered hit_latency_cycles after its last look-up; a miss is answered in the cycle after its last part
// has arrived. Source of the numbers: config (Wong 2010).
#pragma once

#include <deque>
#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cache/line_fill.h"
#include "sc_models/cache/line_storage.h"
#include "sc_models/cache/mshr_file.h"
#include "sc_models/cache/mshr_waiters.h"
#include "sc_models/cache/pending_command.h"
#include "sc_models/cache/tag_array.h"
#include "sc_models/config/cache_config.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

// Parameters of a cache level besides its geometry. All numbers >= 1, `requesters` <= 64.
struct cache_ports {
  unsigned requesters = 1;
  unsigned request_depth = 2;         // requests of a port, in transit and waiting
  unsigned request_latency = 1;       // cycles in transit from a requester
  unsigned fill_latency = 1;          // cycles in transit from the next level
  unsigned largest_fill_bytes = 256;  // a larger line is fetched in several transactions
  bool perfect = false;               // idealisation: a miss is filled at once
};

template <class TRAITS>
class read_only_cache : public tlm_bus::stage, public tlm_bus::signal_source, private cache_control_if {
 public:
  using request_socket = tlm_bus::memory_target<tlm_bus::base_protocol>;

  std::deque<request_socket> requests;  // request_0 ..
  tlm_bus::memory_initiator<TRAITS> fill;
  sc_core::sc_export<cache_control_if> control;

  read_only_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                  const config::cache_config& config, const cache_ports& ports);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  // Fill transactions not yet returned; 0 at the end of a run.
  std::size_t outstanding() const { return fills_.outstanding(); }

  tlm_bus::counter hits{"hits", "look-ups", "look-ups that found their line"};
  tlm_bus::counter misses{"misses", "look-ups", "look-ups that fetched their line"};
  tlm_bus::counter merged{"merged", "look-ups", "look-ups of a line already being fetched"};
  tlm_bus::counter invalidations{"invalidations", "commands", "times all lines were forgotten"};
  tlm_bus::histogram fill_latency{"latency.fill", "cycles of its clock", "misses, until the line is there"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "read_only_cache"; }

 private:
  // A request being served.
  struct transaction {
    tlm::tlm_generic_payload* payload = nullptr;
    unsigned port = 0;
    unsigned parts_missing = 0;  // look-ups whose data has not arrived yet
    bool looked_up = false;      // all its look-ups have been made
    std::uint8_t caches_missed = 0;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    tlm_bus::cycle_t ready_at = 0;
    int next = -1;  // in the port's FIFO of responses
  };
  // One part of a transaction waiting for a line.
  struct waiting_part {
    int transaction = -1;
    unsigned offset = 0;  // in the data of the payload
  };
  struct port_state {
    unsigned position = 0;  // next byte of the front request to look up
    int transaction = -1;   // of the front request, if it has started
    bool blocked = false;   // until an MSHR becomes free
    unsigned in_service = 0;
    int first_answer = -1;
  };

  void invalidate() override;  // cache_control_if

  void take_fill();
  void answer(unsigned port);
  void look_up();
  void send_fill();
  void look_up_part(unsigned port, tlm::tlm_generic_payload& payload);
  void begin_transaction(unsigned port, tlm::tlm_generic_payload& payload);
  const std::uint8_t* find_line(std::uint64_t address);
  const std::uint8_t* fill_at_once(std::uint64_t address);
  bool wait_for_line(int transaction, std::uint64_t address, tlm::tlm_generic_payload& payload);
  unsigned end_of_part(const tlm::tlm_generic_payload& payload, unsigned offset) const;
  void copy_part(tlm::tlm_generic_payload& payload, unsigned offset, const std::uint8_t* line) const;
  void queue_answer(int transaction, tlm_bus::cycle_t ready_at);

  unsigned hit_latency_;
  bool perfect_;
  unsigned max_in_service_;  // per port

  tag_array tags_;
  line_storage data_;
  mshr_file mshrs_;
  tlm_bus::queue_counter mshrs_busy_;
  mshr_waiters<waiting_part> waiting_;
  line_fill<TRAITS> fills_;
  std::deque<tlm_bus::queue_counter> request_queues_;  // by port
  std::vector<transaction> transactions_;
  std::vector<int> free_transactions_;
  std::vector<port_state> ports_;
  tlm_bus::round_robin turn_;
  pending_command invalidation_;
};

extern template class read_only_cache<tlm_bus::base_protocol>;
extern template class read_only_cache<gpu_memory_protocol>;

}  // namespace gt200::model
