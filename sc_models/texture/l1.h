// L1 texture cache: it saves bandwidth, not latency, and answers in order.
//
// Tags are looked up when an instruction arrives, `lookups_per_cycle` different lines per cycle; misses are sent at
// once, one per cycle. The instruction then waits in a queue, in order. The oldest one reads its texels as its
// lines are filled. It leaves when it has them all and the hit latency has passed. A line that an instruction still
// has to read is not replaced; misses to one line share one fill. The queue covers the hit latency and has room for
// one more instruction per outstanding miss (assumption). Data is not coherent with memory: it may be stale until
// invalidate(), or until a token says that a texture was written.
//
// There are `instances` caches, each a module (cache.h); SM n uses cache n mod instances. Sizes: Wong 2010 (5 KB,
// 20-way, 32-byte lines).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sc_models/cache/line_fill.h"
#include "sc_models/cache/mshr_file.h"
#include "sc_models/cache/pending_command.h"
#include "sc_models/cluster_tokens.h"
#include "sc_models/config/texture_config.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/texture/cache.h"
#include "sc_models/texture/texture_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class texture_l1 : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  // `tpc`: number of the TPC in the chip. `perfect`: idealisation, a line that is absent is read in zero time.
  // `write_latency`: cycles until it hears of a write to a texture; 0: it does not.
  texture_l1(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
             const config::texture_l1_config& config, unsigned tpc, bool perfect = false,
             unsigned write_latency = 0);

  tlm_bus::pipe_in<texture_access_token> from_address;
  tlm_bus::memory_initiator<gpu_memory_protocol> fills;
  tlm_bus::pipe_out<texture_access_token> to_filter;
  std::unique_ptr<tlm_bus::pipe_in<texture_write_token>> texture_writes;  // null without `write_latency`
  std::deque<tlm_bus::transaction_out<texture_cache_access>>
      to_cache;                      // to_cache_0 ..: as many as there are instances
  std::deque<texture_cache> caches;  // cache_0 ..

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "texture_l1"; }
  // Takes effect after the current instant: present lines and lines in flight serve no later look-up.
  void invalidate();
  // True if no fill is in flight and every payload has been released.
  bool idle() const { return line_fill_.outstanding() == 0; }

  tlm_bus::counter hits{"hits", "look-ups", "look-ups of lines present or on their way"};
  tlm_bus::counter misses{"misses", "look-ups", "look-ups that caused a fill"};
  tlm_bus::counter faults{"faults", "transactions", "fills with an error status"};

 private:
  struct waiting_access {
    texture_access* access = nullptr;
    tlm_bus::cycle_t ready_at = 0;
  };
  // The place of a line that is being fetched.
  struct place {
    unsigned cache = 0;
    line_index line = 0;
  };

  unsigned cache_of(const texture_access& access) const { return access.operation->sm % config_.instances; }
  void invalidate_caches();
  void receive_fill();
  void deliver();
  void look_up();
  // Reads the texels of the oldest instruction from filled lines, then releases the lines.
  void read_texels(texture_access& oldest);
  void report_failure(const texture_access& access, const texture_access::line_use& use);
  // Records that the youngest instruction needs the line for one or more further texels.
  void use_line(texture_access& access, line_index line, std::uint64_t address);
  // The first tap for which a lane has no line yet; max_taps if there is none.
  unsigned tap_left(const texture_access& access) const;
  // The line that holds or expects `address`; no_line if it can be neither found nor fetched now.
  line_index find_line(std::uint64_t address, const texture_access& access);
  line_index fill_at_once(unsigned cache, std::uint64_t address);
  memory_extension extension_of_fill(const warp_instruction& operation) const;

  const config::texture_l1_config& config_;
  unsigned tpc_;
  bool perfect_;
  std::vector<waiting_access> queue_;  // ring
  tlm_bus::queue_counter fifo_;
  mshr_file mshrs_;
  tlm_bus::queue_counter mshrs_busy_;
  std::vector<place> places_;  // by MSHR
  line_fill<gpu_memory_protocol> line_fill_;
  unsigned head_ = 0;
  unsigned used_ = 0;
  bool lines_may_have_come_ = false;                    // for the oldest entry, since its texels were last read
  bool looking_up_ = false;                             // the youngest entry of the queue is incomplete
  isa::lane_mask lanes_left_[sampling::max_taps] = {};  // its lanes without a line, by tap
  pending_command invalidation_;
};

}  // namespace gt200::model
