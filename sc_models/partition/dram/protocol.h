// Judges the commands that a GDDR3 device gets by rules of its own: each distance is taken from the keys of
// partition.dram.timing once more, in the form of a data sheet, and never from the table that controller and device
// share (timing_table.h). So a wrong entry of that table is found at the first command that it lets through. Plain
// C++.
//
// Sources: JESD212 (GDDR5) and the data sheet of config/dram_config.h for which distances there are. Times are
// cycles of the memory clock. Two devices in lock-step are judged as one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/commands.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class dram_protocol {
 public:
  explicit dram_protocol(const config::dram_config& config) : t_(config.timing), banks_(config.banks) {}

  // Notes a command at `c.at`, unless it breaks a rule. Returns that rule, with bank, both commands and their
  // cycles; else an empty text. `c.row` is not looked at.
  std::string judge(const dram_transaction& c);

 private:
  // When something happened last; never: no distance has to be kept.
  using moment = tlm_bus::cycle_t;
  static constexpr moment never = ~moment{0};
  struct bank_history {
    bool open = false;
    moment activated = never, precharged = never;
    moment read = never, written = never;  // last command of the last group
  };
  class verdict;

  void judge_activate(verdict& is, const dram_transaction& c);
  void judge_precharge(verdict& is, const dram_transaction& c) const;
  void judge_columns(verdict& is, const dram_transaction& c) const;
  void judge_refresh(verdict& is, const dram_transaction& c) const;
  void note(const dram_transaction& c);
  void note_idle_refresh(moment at);

  config::dram_timing_config t_;
  std::vector<bank_history> banks_;
  std::array<moment, 4> activates_{never, never, never, never};  // the most recent ones, in a ring
  unsigned next_activate_ = 0;
  moment precharged_ = never, read_ = never, written_ = never, refreshed_ = never;  // of any bank
  moment row_command_ = never;                                                      // on the bus
  moment columns_begin_ = never, columns_end_ = never;                              // the last group on the bus
};

}  // namespace gt200::model
