// Instruction cache of an SM (L1).
//
// Delivers the words of one or two instructions per core cycle. A miss reserves an MSHR and the warp waits; misses
// of several warps to one line merge, other warps go on. Fetches of one warp are delivered in order. Lines hold the
// bytes that came from memory, and a predecode bit per word pair tells fetch the length of instructions that are
// present. 4 KB, 4-way, 256-byte lines: Wong 2010. Misses go over a base-protocol port to the TPC's L2, one line
// per request.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/sm/front_end/fill_latencies.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class icache : public tlm_bus::stage,
               public tlm_bus::signal_source,
               public icache_predecode_if,
               public icache_cause_if,
               public cache_control_if {
 public:
  tlm_bus::pipe_in<fetch_token> requests;                  // from fetch
  tlm_bus::pipe_out<fetched_token> out;                    // to decode
  tlm_bus::memory_initiator<tlm_bus::base_protocol> fill;  // to the TPC's instruction and constant L2

  tlm_bus::counter hits{"hits", "fetches", "fetches whose line was present"};
  tlm_bus::counter misses{"misses", "fetches", "fetches that reserved an MSHR, or found none free"};
  tlm_bus::counter merged{"merged", "fetches",
                          "fetches that waited for a line on its way, or behind an older one of their warp"};
  tlm_bus::counter fills{"fills", "lines", "lines read from the L2"};
  tlm_bus::counter mshr_cycles{"mshr_cycles", "MSHR cycles", "busy MSHRs summed over the core cycles"};
  tlm_bus::counter mshr_full{"mshr_full", "fetches", "fetches that found no MSHR free"};

  fill_latencies latencies;

  icache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
         const memory_extension& origin);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  unsigned length_at(const grid_descriptor& grid, isa::code_address pc) override;
  const warp_signal& missing() const override { return missing_; }

  // All lines become absent, also those on their way.
  void invalidate() override;

  const char* kind() const override { return "icache"; }

 private:
  struct line {
    std::uint64_t tag = ~std::uint64_t{0};  // device address of the first byte
    std::uint64_t used_at = 0;
  };
  struct mshr {
    bool busy = false;
    bool requested = false;
    bool void_on_arrival = false;  // invalidated on the way
    std::uint64_t address = 0;
    tlm_bus::cycle_t since = 0;
  };
  enum class miss : std::uint8_t { reserved, merged, no_mshr };
  // A line that arrived in an earlier cycle takes its place, whoever looks first.
  void settle() {
    if (arrived_ != nullptr && arrived_at_ < cycle()) place_line();
  }
  void place_line();
  std::uint64_t tag_of(std::uint64_t address) const { return address & ~std::uint64_t{config_.line_bytes - 1}; }
  unsigned word_in_line(std::uint64_t address) const {
    return static_cast<unsigned>(address & (config_.line_bytes - 1)) / 4;
  }
  std::size_t first_way(std::uint64_t address) const { return (address >> line_shift_) % sets_ * config_.ways; }
  // The line of a device address if it was present at the last edge, else -1.
  int find(std::uint64_t address);
  const std::uint32_t* words_of(int index) const { return &data_[static_cast<std::size_t>(index) * line_words_]; }
  bool read(const fetch_token& token, fetched_token& fetched, std::uint64_t& missing_address);
  void deliver(const fetched_token& fetched);
  miss start_miss(std::uint64_t address);
  void take_fill();
  void send_request();
  void set_missing(unsigned warp, bool value);

  config::cache_config config_;
  unsigned line_words_;
  unsigned line_shift_;
  std::size_t sets_;
  memory_extension origin_;
  payload_pool payloads_;
  std::vector<line> lines_;  // sets x ways
  std::vector<std::uint32_t> data_;
  std::vector<mshr> mshrs_;
  unsigned unrequested_ = 0;          // MSHRs whose line has not been asked for yet
  std::size_t found_ = 0;             // where find() found a line last
  std::vector<fetch_token> waiting_;  // in order of arrival; at most one fetch queue's worth per warp
  tlm::tlm_generic_payload* arrived_ = nullptr;
  tlm_bus::cycle_t arrived_at_ = 0;
  std::uint64_t uses_ = 0;
  std::uint64_t transactions_ = 0;
  warp_signal missing_;
  warp_mask waiting_warps_ = 0;
};

}  // namespace gt200::model
