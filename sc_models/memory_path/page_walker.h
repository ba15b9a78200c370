// Finds pages that the TLBs do not have: reads the entries of the two-level page table (page_entries.h) from device
// memory.
//
// Its reads are normal loads of 32 bytes through the TPC's crossbar port and the partitions. There is one walk at a
// time: first the directory entry, unless it is cached from an earlier walk, then the page entry. Directory entries
// without a table are not cached. Only the TLBs cache page entries.
#pragma once

#include <vector>

#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/memory_path/page_entries.h"
#include "sc_models/memory_path/translation_cache.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/histogram.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class page_walker : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  // `directory`: physical address of the page directory. The walker caches `kept_entries` of its entries. `tpc`:
  // number of the TPC in the chip. `memory_bytes`: of the device. A directory entry that names a table outside, and
  // a page entry that names a page outside, are damaged and map nothing.
  page_walker(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, std::uint64_t directory,
              unsigned kept_entries, unsigned tpc, std::uint64_t memory_bytes = ~std::uint64_t{0});

  tlm_bus::pipe_in<walk_request_token> requests;
  tlm_bus::pipe_out<walk_result_token> results;
  tlm_bus::pipe_out<payload_token> to_crossbar_port;
  tlm_bus::pipe_in<payload_token> from_crossbar_port;

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "page_walker"; }
  bool idle() const { return pool_.outstanding() == 0; }

  tlm_bus::counter walks{"walks", "walks", "pages looked for"};
  tlm_bus::counter directory_reads{"directory_reads", "transactions", "reads of the page directory"};
  tlm_bus::counter table_reads{"table_reads", "transactions", "reads of page tables"};
  tlm_bus::histogram latency{"latency", "uncore cycles", "walk of the page table, from a request to its result"};

 private:
  enum class state : std::uint8_t { idle, read_directory, read_table, waiting, found };
  struct kept_entry {
    std::uint64_t index;
    page_entries::directory_entry entry;
  };

  void begin(const walk_request_token& request);
  void found_nothing();
  void take_entry(std::uint64_t word);
  void take_directory_entry(std::uint64_t word);
  void take_page_entry(std::uint64_t word);
  void send_read();
  std::uint64_t entry_address() const;
  bool in_memory(std::uint64_t address, std::uint64_t bytes) const;
  std::uint64_t directory_index() const { return request_.address >> page_entries::directory_shift; }

  std::uint64_t directory_address_;
  std::size_t max_kept_;
  unsigned tpc_;
  std::uint64_t memory_bytes_;
  std::vector<kept_entry> kept_;  // most recently used first
  state state_ = state::idle;
  bool reading_directory_ = false;
  walk_request_token request_;
  walk_result_token result_;
  page_entries::directory_entry directory_;  // of the current walk
  tlm_bus::cycle_t began_at_ = 0;
  std::uint64_t transactions_ = 0;
  payload_pool pool_;
};

}  // namespace gt200::model
