// A TPC whose blocks only take a given time, and a chip of such TPCs behind the work distributor.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "sc_models/distribution/work_distributor.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model::testing {

inline config::gpu_config chip_config(const std::vector<std::string>& overrides = {}) {
  return config::load(GT200_SOURCE_DIR "/configs/gt200_small.toml", overrides).values;
}

// The cycle in which a block reached an SM.
struct start {
  tlm_bus::cycle_t cycle = 0;  // of the arrival at the TPC
  std::uint32_t block = 0;
  unsigned tpc = 0;
  unsigned sm = 0;
  friend bool operator==(const start& a, const start& b) {
    return a.cycle == b.cycle && a.block == b.block && a.tpc == b.tpc && a.sm == b.sm;
  }
  friend std::ostream& operator<<(std::ostream& out, const start& s) {
    return out << "{cycle " << s.cycle << ": block " << s.block << " to SM " << s.sm << " of TPC " << s.tpc << '}';
  }
};

struct script {
  // Uncore cycles a block runs, and whether it faults at its end.
  std::function<unsigned(std::uint32_t)> cycles = [](std::uint32_t) { return 100u; };
  std::function<bool(std::uint32_t)> faults = [](std::uint32_t) { return false; };
  // Uncore cycles from its end until its stores are acknowledged; 0: they are before.
  std::function<unsigned(std::uint32_t)> stores = [](std::uint32_t) { return 0u; };
  std::vector<start> starts;
  std::vector<launch_token> tokens;
  unsigned max_resident = 0;  // blocks in one SM at once
};

class scripted_tpc : public tlm_bus::stage {
 public:
  scripted_tpc(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::gpu_config& config,
               unsigned index, script& what)
      : stage(name, uncore),
        launch("launch", *this, config.distribution.launch_latency_cycles + 1,
               config.distribution.launch_latency_cycles),
        retire("retire", *this),
        index_(index),
        what_(what),
        resident_(config.chip.sms_per_tpc, 0) {}

  tlm_bus::pipe_in<launch_token> launch;
  tlm_bus::pipe_out<retire_token> retire;

 private:
  void tick() override {
    if (const launch_token* token = launch.front()) {
      what_.starts.push_back({cycle(), token->block_id, index_, token->sm});
      what_.tokens.push_back(*token);
      what_.max_resident = std::max(what_.max_resident, ++resident_[token->sm]);
      const tlm_bus::cycle_t end = cycle() + what_.cycles(token->block_id);
      using stores = retire_token::stores;
      retire_token ended = {token->grid, token->block_id, token->sm, what_.faults(token->block_id)};
      if (const unsigned longer = what_.stores(token->block_id); longer != 0) {
        ended.its_stores = stores::settled;
        running_.insert({end + longer, ended});
        ended.its_stores = stores::under_way;
      }
      running_.insert({end, ended});
      launch.pop();
    }
    if (running_.empty()) return;
    const auto first = running_.begin();
    if (first->first <= cycle() && retire.can_send()) {
      retire.send(first->second);
      if (first->second.its_stores != retire_token::stores::settled) --resident_[first->second.sm];
      running_.erase(first);
    }
    if (!running_.empty()) wake_at(std::max(running_.begin()->first, cycle() + 1));
  }

  unsigned index_;
  script& what_;
  std::vector<unsigned> resident_;
  std::multimap<tlm_bus::cycle_t, retire_token> running_;
};

// Distributor and TPCs, between a source of grids and a sink of their ends.
struct scripted_chip {
  scripted_chip(const std::string& name, support::clocks& clocks, const config::gpu_config& config)
      : grids((name + "_grids").c_str(), clocks.uncore),
        ends((name + "_ends").c_str(), clocks.uncore, 2),
        distributor((name + "_distributor").c_str(), clocks.uncore, config) {
    grids.out.bind(distributor.grids);
    distributor.ended.bind(ends.in);
    for (unsigned i = 0; i < config.chip.tpcs; ++i) {
      tpcs.push_back(std::make_unique<scripted_tpc>((name + "_tpc_" + std::to_string(i)).c_str(), clocks.uncore,
                                                    config, i, blocks));
      distributor.launch[i].bind(tpcs[i]->launch);
      tpcs[i]->retire.bind(distributor.retire[i]);
    }
  }

  script blocks;
  support::token_source<grid_token> grids;
  support::token_sink<grid_end_token> ends;
  work_distributor distributor;
  std::vector<std::unique_ptr<scripted_tpc>> tpcs;
};

// `blocks` blocks of 256 threads with 16 registers: four fit into an SM of the GT200.
inline grid_descriptor grid_of(std::uint32_t x, std::uint32_t y = 1) {
  grid_descriptor grid;
  grid.grid = {x, y};
  grid.block = {256, 1, 1};
  grid.registers = 16;
  grid.shared_bytes = 64;
  return grid;
}

}  // namespace gt200::model::testing
