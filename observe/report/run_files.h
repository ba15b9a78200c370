// Reads the files that `gt200 run --out DIR` wrote.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "observe/report/latencies.h"
#include "sc_models/config/chip_config.h"
#include "tlm_bus/histogram.h"

namespace gt200::observe::report {

using json = nlohmann::ordered_json;

struct cause_slots {
  std::string cause;  // as in stats.json
  std::uint64_t slots = 0;
};

struct instruction_figures {
  std::string kernel;
  std::uint32_t pc = 0;
  std::string text;
  std::uint32_t line = 0;  // of the source; 0 = unknown
  unsigned live_registers = 0;
  std::uint64_t slots = 0, issued = 0, lanes = 0, flops = 0;
  cause_slots most;  // the cause with the most slots
};

// All instructions of one source line.
struct line_figures {
  std::uint32_t line = 0;
  std::uint64_t slots = 0, issued = 0;
  std::vector<cause_slots> causes;
};

// Figures of one interval of the run.
struct interval_figures {
  std::uint64_t begin = 0, end = 0;  // core cycles
  std::vector<cause_slots> slots;    // of all SMs
  std::uint64_t resident_warp_cycles = 0;
  std::uint64_t read_bytes = 0, written_bytes = 0;  // DRAM
  // Slots outside of launches: the start-up of the chip, and gaps. `slots` has only those of
  // launches.
  std::uint64_t outside = 0;
};

struct sm_figures {
  std::string path;
  std::vector<cause_slots> slots;
  std::uint64_t resident_warp_cycles = 0;
};

// Sums over all launches.
struct run_files {
  std::string folder;
  json stats;
  std::string config_text;  // config.toml
  config::gpu_config config;

  std::uint64_t cycles = 0;        // within launches
  double seconds = 0;              // simulated time
  std::vector<cause_slots> slots;  // of all SMs
  std::vector<sm_figures> sms;
  std::vector<instruction_figures> instructions;   // most slots first
  std::vector<line_figures> lines;                 // most slots first
  std::map<std::string, std::uint32_t> registers;  // per thread, by kernel
  std::vector<interval_figures> intervals;         // of the whole run
  std::optional<latencies> traced;                 // if the folder has a trace.log that can be read
  std::string log_error;                           // why it cannot be read
  // Latencies and queues that counted something, all instances together, by kind such as
  // tpc.sm.write_back.latency.global_load.
  std::map<std::string, tlm_bus::histogram::values> distributions;
  std::map<std::string, std::uint64_t> counters;   // by kind: tpc.memory.tlb.l1_hits
  std::map<std::string, std::string> units;        // of these counters, and of distributions
  std::map<std::string, std::uint64_t> instances;  // individual counters by path

  std::uint64_t all_slots() const;
  // Core cycles of the whole run outside of launches; 0 without intervals.
  std::uint64_t cycles_outside() const;
  // Issue slots of the chip per core cycle.
  std::uint64_t slots_per_cycle() const;
  std::uint64_t counter(const std::string& kind) const;
  // The text of a source line; empty if unknown.
  std::string text_of_line(std::uint32_t line) const;
  std::uint64_t dram_bytes() const;
  std::uint64_t flops() const;
};

// The first core cycle of a launch of stats.json, counted from the beginning of the run.
std::uint64_t first_cycle_of(const run_files& run, const json& launch);

// The same for a run that has not ended, from what stats.json would be now. Its launches are those that have ended;
// the slots of the running one are in the intervals, where nothing is taken to be outside of launches.
run_files running(json stats, const config::gpu_config& config);

// Throws input_error if a file is missing or was not written by `gt200 run`.
run_files read_run(const std::string& folder);

}  // namespace gt200::observe::report
