// Writes the commands that the DRAM of each partition gets, in cycles of the memory clock, for checkers and power
// models of others. The ending of the file chooses the form:
//
//   .cmdtrace  cycle,ACT|PRE|RD|WR|REF[,bank]              Ramulator 1 (record_cmd_trace), DRAMPower to 4, VAMPIRE
//   .csv       cycle,command,rank,group,bank,row,column    DRAMPower 5, at the end a line END
//   .dramsim   cycle: activate (rank,bank,row); ...        DRAMSim2 (cmd_verify.out), for Micron's Verilog models
//
// A group of column commands is written burst by burst, one every t_ccd cycles; the column counts bursts. What the
// controller does in idle time, when it has no requests, is written when it does something again. Rank and bank
// group are 0. Sources: Controller.h of Ramulator, README and tests of DRAMPower 5, BusPacket.cpp of DRAMSim2.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"

namespace gt200::observe {

// Empty if a file of this name can be written; else why not.
std::string refusal_of_dram_trace(const std::string& file);
// The file of a partition: a.csv becomes a.partition_3.csv.
std::string file_of_partition(const std::string& file, unsigned partition);

class dram_commands {
 public:
  // Create it before the first launch; the device must outlive it. Throws input_error if a file cannot be written,
  // or if the DRAM of this configuration has no commands.
  dram_commands(device& target, const std::string& file);
  ~dram_commands();
  dram_commands(const dram_commands&) = delete;
  dram_commands& operator=(const dram_commands&) = delete;

  // Completes the files.
  void close();

  class writer;

 private:
  std::vector<std::unique_ptr<writer>> writers_;  // by partition
};

}  // namespace gt200::observe
