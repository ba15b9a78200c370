// The execution units of an SM as data: the classes that each executes, its timing, and its connections to other
// stages.
//
// The list is built once per chip from the configuration; its SMs share it. Issue, operand collector, shared
// memory, execution units and write-back make their pipes from it, and everything that depends on the unit of an
// instruction looks it up here. A new unit is an entry in unit_list.cpp; a new class of instructions is a row of
// the table of classes there as well.
//
// Latencies in the configuration are what a programmer measures: from issue until a dependent instruction issues.
// `core_overhead` core cycles of that are the path through collector and write-back; the rest is the unit's
// pipeline. With units.latency_measured = "unit" they are the time in the unit, and the path comes on top. Sources:
// intervals CUDA guide 4.2; latencies Wong 2010; s[] operand interval Volkov and Demmel; DP beside SP: Kanter;
// lanes per SFU: Lindholm 2008.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"

namespace gt200::model {

inline constexpr unsigned max_results_per_unit = 3;
inline constexpr unsigned max_result_ports = max_results_per_unit * max_units;
inline constexpr unsigned no_unit = ~0u;
// Inputs of write-back besides the units' result ports: shared memory, memory port, branch, barrier, and the TPC.
inline constexpr unsigned other_completion_sources = 5;

// How a unit executes the instructions of one unit class.
struct unit_timing {
  shader_cycles interval;                 // until the unit takes its next instruction; 0: it never takes one
  shader_cycles shared_operand_interval;  // the same for an instruction with an s[] operand
  std::uint8_t lanes_per_step = 0;        // lanes of the warp that the unit works on at once
  std::uint8_t result = 0;                // index of the result port
};

// A pipe from a unit to write-back. Results with different latencies need separate ports.
struct unit_result_port {
  std::string name;        // of the unit's pipe
  std::string source;      // write-back's pipe is from_<source>
  shader_cycles latency;   // from issue until a dependent instruction issues
  shader_cycles interval;  // between two results
  shader_cycles in_unit;   // from the start in the unit until the last result leaves it; 0: as `latency` allows
  // A functional unit's pipeline for this port (config/lane_beats.h). Set by the list.
  shader_cycles pipeline{1};
};

// A group of functional units that execute one warp instruction together.
struct unit_descriptor {
  std::string name;                // of the module execution_units.<name> and of the pipes to_<name>, from_<name>
  unsigned functional_units = 1;   // modules <name>_0, <name>_1, ...
  unsigned lanes_per_unit = 1;     // neighbouring lanes that each of them takes
  unsigned collector_units = 1;    // instructions that can collect their operands
  std::uint32_t issue_weight = 0;  // of its instructions, for the weighted scheduler
  unsigned data_path = 0;          // units with the same number exclude each other
  bool takes_shared_operands = true;        // has a pipe from shared memory
  bool passes_by_lane = false;              // lane by lane where that is selected (detail.h)
  shader_cycles shared_operand_latency{1};  // of that pipe
  std::array<unit_timing, isa::unit_classes> timing;
  std::vector<unit_result_port> results;
};

// A result port with its place: port `number` of unit `unit`.
struct unit_result {
  unsigned unit = 0;
  unsigned number = 0;
  unit_result_port port;
};

// Instructions of a class that issue to another unit if their own is reserved or has no room.
struct alternative_unit {
  isa::unit_class unit_class = isa::unit_class::none;
  unsigned own = 0;          // index of their own unit
  unsigned instead = 0;      // index of the other unit
  const char* counter = "";  // name of the counter of instructions that issued to it
  const char* description = "";
  bool enabled = true;
};

// A class of collector units: one per execution unit, then shared memory, memory port, and control.
struct collector_descriptor {
  std::string name;
  unsigned collector_units = 1;
  std::uint32_t issue_weight = 0;
};

// What the composition of an SM decides about its units.
struct unit_options {
  // Groups of SPs; each takes instructions of its own. Operations at half rate are those of the first group alone.
  unsigned sp_groups = 1;
  // Accesses to shared memory go through the collector units of the memory port, in one order with all others.
  bool one_memory_class = false;
  // Arithmetic instructions may have an s[] operand: there are pipes from shared memory to the units.
  bool shared_operands = true;
  // Between two accesses to shared memory without conflicts, and between collector and shared memory.
  shader_cycles shared_memory_interval{4};
  core_cycles way_to_shared_memory{0};
};

class unit_list {
 public:
  explicit unit_list(const config::sm_config& config, const unit_options& options = {});

  const std::vector<unit_descriptor>& units() const { return units_; }
  const std::vector<alternative_unit>& alternatives() const { return alternatives_; }
  const std::vector<collector_descriptor>& collectors() const { return collectors_; }

  const unit_options& options() const { return options_; }

  // The units with a pipe from shared memory.
  const std::vector<unsigned>& shared_operand_units() const { return shared_operand_units_; }

  // All result ports, unit by unit.
  const std::vector<unit_result>& results() const { return results_; }

  // Instructions that can complete in one core cycle.
  unsigned completion_sources() const { return static_cast<unsigned>(results_.size()) + other_completion_sources; }

  // The unit with this name, and the result port with this source; they throw std::out_of_range.
  unsigned index_of(std::string_view name) const;
  unsigned result_index(std::string_view source) const;

  // The unit that executes the class; no_unit for classes of shared memory, memory port, branch and barrier.
  unsigned unit_of(isa::unit_class c) const { return unit_of_[static_cast<unsigned>(c)]; }
  // Position in shared_operand_units() of the unit that executes instructions of the class with an s[] operand;
  // no_unit if it takes none.
  unsigned shared_operand_pipe(isa::unit_class c) const { return shared_operand_pipe_[static_cast<unsigned>(c)]; }
  // What issue needs of a unit that executes the class: small, so that few lines of the host's cache have all.
  struct occupancy {
    std::uint8_t data_path = 0;
    std::uint8_t lanes_per_step = 0;
    std::uint32_t interval = 0;                 // shader cycles
    std::uint32_t shared_operand_interval = 0;  // the same
  };
  const occupancy& occupancy_of(unsigned unit, isa::unit_class c) const {
    return occupancy_[unit][static_cast<unsigned>(c)];
  }
  const unit_timing& timing(unsigned unit, isa::unit_class c) const {
    return units_[unit].timing[static_cast<unsigned>(c)];
  }
  // For how long the instruction occupies a unit that executes its class.
  shader_cycles interval(unsigned unit, const isa::instruction& instruction) const {
    const unit_timing& t = timing(unit, instruction.unit);
    return instruction.reads_shared ? t.shared_operand_interval : t.interval;
  }
  // Bit a is set if the instruction may issue to alternatives()[a]. An s[] operand can only reach the instruction's
  // own unit.
  unsigned alternatives_of(const isa::instruction& instruction) const {
    return instruction.reads_shared ? 0 : alternatives_of_[static_cast<unsigned>(instruction.unit)];
  }

  // The class of collector units the instruction goes through. Everything that touches s[] goes through shared
  // memory, so the accesses of a warp are performed in program order.
  collector_class collector_of(const isa::instruction& instruction) const {
    return instruction.reads_shared ? of_shared_accesses_ : collector_of_[static_cast<unsigned>(instruction.unit)];
  }
  collector_class shared() const { return static_cast<collector_class>(units_.size()); }
  collector_class memory() const { return static_cast<collector_class>(units_.size() + 1); }
  collector_class control() const { return static_cast<collector_class>(units_.size() + 2); }

 private:
  void add_alternative(const char* unit, isa::unit_class c, const char* counter, const char* description,
                       bool enabled = true);
  void add_collectors(const config::sm_config& config);
  void index_results();
  void set_pipelines(const config::sm_config& config);
  void index_classes();
  void index_shared_operand_units();

  unit_options options_;
  std::vector<unit_descriptor> units_;
  collector_class of_shared_accesses_;
  std::vector<alternative_unit> alternatives_;
  std::vector<collector_descriptor> collectors_;
  std::vector<unit_result> results_;
  std::vector<unsigned> shared_operand_units_;
  std::array<std::array<occupancy, isa::unit_classes>, max_units> occupancy_{};
  std::array<unsigned, isa::unit_classes> unit_of_{};
  std::array<unsigned, isa::unit_classes> shared_operand_pipe_{};
  std::array<unsigned, isa::unit_classes> alternatives_of_{};
  std::array<collector_class, isa::unit_classes> collector_of_{};
};

// The stall cause of a warp that waits for a result of this instruction.
stall_cause cause_of_result(const isa::instruction& instruction);

// The time between issue and dependent issue outside the unit's pipeline: issue to collector, collector to unit,
// write-back to the next issue.
inline constexpr core_cycles core_overhead{2};

// Latency of the pipe from a unit to write-back for a result latency of `latency`.
// `issue_latency`: of the pipe from issue to the collector.
core_cycles result_pipe_latency(const config::clock_ratio& clocks, shader_cycles latency,
                                core_cycles issue_latency);

}  // namespace gt200::model
