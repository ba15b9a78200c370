// A cache of data: the L1 of a memory path and the L2 of a partition.
//
// A request lies within one line. One is looked up per cycle, in order. A rule says what becomes of it:
// - cached: a load takes its bytes from its line, which is fetched if it is not there. A store changes its line and
//   is acknowledged; the line goes to memory when it gives way to another one (write-back). A store that misses
//   gets a line without a fetch, because dirty bytes are known one by one.
// - evicting: the request passes on to memory, and its line is dropped; dirty bytes go to memory before it.
//   The request waits for a line in flight that has such bytes, or will have them.
// - uncached: the request passes on, and the line stays.
// - controlling: the request ends here. Its line is written back if it is dirty; by drop_line it then goes.
// Requests to a line in flight wait for it, in order, if they need it. Misses merge. A request that finds no MSHR,
// no line that may give way, or no room in the queue to memory waits at the head.
//
// All that goes to memory (fills, write-backs, passing requests) goes in the order of the look-ups, one per cycle.
// So what is behind may keep the order of accesses to an address by keeping the order of arrival. Responses may
// return in any order.
//
// A request marks its line with evict_first, or takes the mark away; marked lines are the first to give way.
// In a cache whose role says so, a hit by the last use of a line drops the line and what was stored in it, if no
// fetch of it is under way.
//
// The lines hold the data. A cache of whole lines fetches a line at once, one of sectors only those of 32 bytes
// that a request needs. invalidate() drops everything, dirty bytes too: at a launch no program needs them.
// drop_clean_lines() keeps dirty lines and those in flight that stores wait for. Debug
// access sees dirty bytes and write-backs on their way to memory; a debug write reaches memory and lines.
//
// A hit is answered hit_latency_cycles after its look-up, a miss in the cycle after its fill. There is one response
// per cycle; those of passing requests and the others take turns. TRAITS is the protocol on both sides.
//
// Source: write policies of Fermi's L1 and L2: PTX ISA 3.2, cache operators; NVIDIA, Fermi white paper.
#pragma once

#include <deque>
#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cache/line_control_if.h"
#include "sc_models/cache/line_fill.h"
#include "sc_models/cache/line_storage.h"
#include "sc_models/cache/mshr_file.h"
#include "sc_models/cache/mshr_waiters.h"
#include "sc_models/cache/pending_command.h"
#include "sc_models/cache/tag_array.h"
#include "sc_models/config/data_cache_config.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"

namespace gt200::model {

// Is notified of the order in which a cache takes its accesses; checked runs attach it to L1s.
class data_cache_observer {
 public:
  virtual ~data_cache_observer() = default;
  // A load will have the bytes that the fill with this transaction_id read, changed by the stores that the cache
  // has taken into the line before. `fill` is 0 if these stores are all of it. A store takes its place among them.
  virtual void looked_up(const tlm::tlm_generic_payload& access, std::uint64_t fill) = 0;
  // The access passes on. From now on no earlier fill of its line may answer a load.
  virtual void evicted(const tlm::tlm_generic_payload& access) = 0;
};

enum class cache_treatment : std::uint8_t { cached, evicting, uncached, controlling };
using cache_rule = cache_treatment (*)(const tlm::tlm_generic_payload& request);
enum class fetch_size : std::uint8_t { line, sectors };

// What a data cache has besides its configuration.
struct data_cache_role {
  cache_rule rule = nullptr;
  fetch_size fetches = fetch_size::line;
  unsigned memory_latency = 1;  // cycles in transit from memory; the port there is one deeper
  // Fills and write-backs have the transaction_ids that follow; 0: that of their cause.
  std::uint64_t first_id = 0;
  bool forgets_after_last_use = false;
};

template <class TRAITS>
class data_cache : public tlm_bus::stage,
                   public tlm_bus::signal_source,
                   private cache_control_if,
                   private line_control_if {
 public:
  tlm_bus::memory_target<TRAITS> requests;
  tlm_bus::memory_initiator<TRAITS> memory;
  sc_core::sc_export<cache_control_if> control;
  sc_core::sc_export<line_control_if> line_control;

  data_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
             const config::data_cache_config& config, const data_cache_role& role);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  tlm_bus::tap<data_cache_observer>& observers() { return observers_; }
  // Copies to `to` the bytes of [address, address + bytes) that are in the cache, or on their way from it, and not
  // in memory.
  void show_unwritten(std::uint64_t address, unsigned bytes, std::uint8_t* to) const;
  // Calls each(address, bytes) for pieces that hold all such bytes.
  template <class Each>
  void for_each_unwritten(Each each) const {
    for (line_index line = 0; line < tags_.lines(); ++line)
      if (data_.dirty(line)) each(tags_.address_of(line), tags_.line_bytes());
    for (const memory_payload* write : write_backs_) each(write->get_address(), write->get_data_length());
  }
  // Fills and write-backs not yet answered. Write-backs may be under way after the last access has been answered.
  std::size_t outstanding() const { return fills_.outstanding() + write_backs_.size(); }

  tlm_bus::counter hits{"hits", "loads", "loads that found their bytes"};
  tlm_bus::counter misses{"misses", "loads", "loads that fetched their line or part of it"};
  tlm_bus::counter merged{"merged", "accesses", "loads and stores that waited for a line already being fetched"};
  tlm_bus::counter merged_stores{"merged_stores", "stores", "stores among those in `merged`"};
  tlm_bus::counter stores{"stores", "stores", "stores taken into a line"};
  tlm_bus::counter write_backs{"write_backs", "lines", "dirty lines written back"};
  tlm_bus::counter evictions{"evictions", "lines", "lines dropped by an access that passed on"};
  tlm_bus::counter passed{"passed", "transactions", "requests passed on to memory"};
  tlm_bus::histogram fill_latency{"latency.fill", "cycles of its clock", "fetches, until the bytes are there"};
  tlm_bus::counter invalidations{"invalidations", "commands",
                                 "times all lines, or all but dirty ones, were dropped"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "data_cache"; }

 private:
  using filled_line = typename line_fill<TRAITS>::filled_line;
  // The line that an MSHR fetches.
  struct line_in_flight {
    line_index line = no_line;
    std::uint64_t id = 0;  // of the fill
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    unsigned waiting_stores = 0;
  };
  struct answer_due {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm_bus::cycle_t at = 0;
  };
  // What a write-back says of its line's last store.
  struct line_writer {
    std::uint8_t tpc = 0;
    std::uint8_t sm = 0;
    memory_space space = memory_space::global;
    std::uint64_t transaction_id = 0;
  };

  void invalidate() override;        // cache_control_if
  void drop_clean_lines() override;  // line_control_if

  void carry_out_invalidation();
  void carry_out_drop();
  bool is_own(const tlm::tlm_generic_payload& response) const;
  void take_own_response();
  void take_fill();
  void serve_waiters(const filled_line& filled);
  bool serve_waiter(tlm::tlm_generic_payload& request, const filled_line& filled, bool kept);
  void answer();
  void answer_next_cycle(tlm::tlm_generic_payload& request, tlm::tlm_response_status status);
  void look_up();
  bool awaits_stores(std::uint64_t address) const;
  bool pass_on(tlm::tlm_generic_payload& request, cache_treatment treatment);
  bool control_line(tlm::tlm_generic_payload& request);
  bool serve(tlm::tlm_generic_payload& request);
  bool wait_for_line(tlm::tlm_generic_payload& request, unsigned mshr);
  bool load(tlm::tlm_generic_payload& request, line_index line);
  bool store(tlm::tlm_generic_payload& request, line_index line);
  void write_line(line_index line, const tlm::tlm_generic_payload& request);
  void read_line(line_index line, tlm::tlm_generic_payload& request) const;
  unsigned fetch(tlm::tlm_generic_payload& request, line_index line);
  line_index allocate(std::uint64_t address);
  void write_back(line_index line, std::uint64_t address);
  void drop_line(std::uint64_t address);
  void forget_stored(line_index line, std::uint64_t address);
  void use_line(line_index line, const tlm::tlm_generic_payload& request);
  bool readable(line_index line, std::uint32_t offset, std::uint32_t bytes) const;
  void answer_hit(tlm::tlm_generic_payload& request);
  // A fill and the write-back that makes room for it enter together, so the last of them may exceed the queue by
  // one.
  bool queue_full() const { return to_memory_.size() >= miss_queue_entries_; }
  void queue(tlm::tlm_generic_payload* payload);
  void send();
  unsigned debug(tlm::tlm_generic_payload& payload);
  void renew_lines(const tlm::tlm_generic_payload& write);

  cache_rule rule_;
  fetch_size fetches_;
  unsigned hit_latency_;
  std::size_t miss_queue_entries_;
  std::size_t max_answers_;

  tag_array tags_;
  line_storage data_;
  std::vector<std::uint32_t> sectors_;  // by line: bit n = sector n has been filled
  std::vector<std::uint64_t> fill_of_;  // by line: transaction_id of its last fill
  std::vector<line_writer> writers_;    // by line
  mshr_file mshrs_;
  tlm_bus::queue_counter mshrs_busy_;
  std::vector<line_in_flight> in_flight_;  // by MSHR
  mshr_waiters<tlm::tlm_generic_payload*> waiting_;
  std::vector<tlm::tlm_generic_payload*> served_;  // waiters of the line that has arrived
  line_fill<TRAITS> fills_;
  bool numbers_fills_;
  bool forgets_after_last_use_;
  std::uint64_t last_id_;

  // Towards memory, oldest first; null: the next fill.
  std::deque<tlm::tlm_generic_payload*> to_memory_;
  tlm_bus::queue_counter miss_queue_;
  tlm_bus::queue_counter request_queue_;
  payload_pool pool_;
  std::vector<memory_payload*> write_backs_;  // not answered yet, oldest first

  std::deque<answer_due> hits_due_;        // in order of time
  std::deque<answer_due> served_answers_;  // the same
  tlm_bus::round_robin turn_{2};
  pending_command invalidation_;
  pending_command drop_;
  tlm_bus::tap<data_cache_observer> observers_;
};

extern template class data_cache<tlm_bus::base_protocol>;
extern template class data_cache<gpu_memory_protocol>;

}  // namespace gt200::model
