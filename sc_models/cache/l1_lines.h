// The lines of a read-only L1 cache that other modules of the SM query within a cycle: instruction cache and
// constant cache.
//
// A line that arrives in a cycle can be read from the next cycle on, and an invalidation takes effect in the next
// cycle, in whatever order the modules run: the owner calls settle() before every look-up, miss and arrival. Per
// cycle one line arrives and one miss goes to the next level.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/cache/fill_latencies.h"
#include "sc_models/cache/line_fill.h"
#include "sc_models/cache/line_storage.h"
#include "sc_models/cache/mshr_file.h"
#include "sc_models/cache/tag_array.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class l1_lines {
 public:
  enum class miss : std::uint8_t { reserved, merged, no_mshr };

  // `origin`: extension of the fills. `perfect`: idealisation, a line that is absent is read in zero time.
  l1_lines(tlm_bus::memory_initiator<tlm_bus::base_protocol>& fill, fill_latencies& latencies,
           const config::cache_config& config, const memory_extension& origin, bool perfect = false)
      : tags_(config),
        data_(tags_.lines(), config.line_bytes),
        fills_(tags_.lines(), 0),
        latencies_(latencies),
        origin_(origin),
        mshrs_(config.mshrs),
        perfect_(perfect),
        port_(fill),
        fill_(fill, {config.mshrs, config.line_bytes}) {}

  // Carries out an invalidation from before cycle `now`, and installs a line that arrived before it. Returns the
  // number of cycles its MSHR was busy; 0 if there is no such line.
  tlm_bus::cycle_t settle(tlm_bus::cycle_t now) { return settles_from_ <= now ? settle_due(now) : 0; }
  // The cycle in which the last line arrived.
  tlm_bus::cycle_t arrived_at() const { return arrived_at_; }

  // The line that holds `address`, or no_line.
  line_index find(std::uint64_t address) {
    const line_index line = tags_.find(address);
    return line == no_line && perfect_ ? fill_at_once(address) : line;
  }
  // The byte at `address`, which is in `line`, and the bytes after it in the line.
  const std::uint8_t* data(line_index line, std::uint64_t address) const {
    return data_.data(line) + tags_.offset_in_line(address);
  }
  void used(line_index line) { tags_.used(line); }
  // Counts up when the line gets other bytes.
  std::uint32_t fills(line_index line) const { return fills_[line]; }
  // Another value whenever a line gets or loses its bytes.
  std::uint32_t version() const { return version_; }
  line_index lines() const { return tags_.lines(); }

  // Handles a miss of `address`: its line will be fetched if an MSHR is free, unless it is already in flight.
  miss start_miss(std::uint64_t address, tlm_bus::cycle_t now);
  // No line is on its way: take_fill() and send_request() have nothing to do.
  bool is_idle() const { return mshrs_.empty(); }
  // Receives the line that arrives in cycle `now`. Returns false if there is none.
  bool take_fill(tlm_bus::cycle_t now);
  // Sends the request for one line that was missed before cycle `missed_before`. Returns false if nothing was sent.
  bool send_request(tlm_bus::cycle_t missed_before) { return fill_.send(missed_before); }
  // From the next cycle on, no line that is present or in flight in cycle `now` serves a look-up.
  void invalidate(tlm_bus::cycle_t now);

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(origin_, perfect_, version_, fills_);
    state(settles_from_, tags_, data_, arrived_, readable_from_, invalid_from_, arrived_at_, mshrs_, fill_);
  }

  const mshr_file& mshrs() const { return mshrs_; }

 private:
  tlm_bus::cycle_t settle_due(tlm_bus::cycle_t now);
  tlm_bus::cycle_t place_line();
  line_index fill_at_once(std::uint64_t address);
  void fill(line_index line, const std::uint8_t* bytes) {
    data_.fill(line, bytes);
    ++fills_[line];
    ++version_;
  }

  // What a look-up needs comes first, for the host's cache.
  alignas(64) tlm_bus::cycle_t settles_from_ = tlm_bus::no_cycle;  // the earlier of the next two
  tag_array tags_;
  line_storage data_;
  std::uint32_t version_ = 0;
  std::vector<std::uint32_t> fills_;  // by line
  line_fill<tlm_bus::base_protocol>::filled_line arrived_;
  tlm_bus::cycle_t readable_from_ = tlm_bus::no_cycle;  // of the line that has arrived, if there is one
  tlm_bus::cycle_t invalid_from_ = tlm_bus::no_cycle;
  tlm_bus::cycle_t arrived_at_ = 0;
  fill_latencies& latencies_;
  memory_extension origin_;
  mshr_file mshrs_;
  bool perfect_;
  tlm_bus::memory_initiator<tlm_bus::base_protocol>& port_;
  line_fill<tlm_bus::base_protocol> fill_;
};

}  // namespace gt200::model
