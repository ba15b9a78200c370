// Converts the log of a traced run to a pipeline view: the Kanata log format (version 4) of the viewer Konata.
//
// There is one line per fetched warp instruction, on the core clock. Lane 0 shows its stages. Lane 1 shows why its
// warp waits while the instruction is the oldest in the buffer, with the keys of stall causes from the statistics.
// Stages:
//   F fetch and instruction cache   D decode   B instruction buffer   Rd operand collector
//   SP SFU DP functional units   Sh shared memory   Br branch unit   Ba barrier   St stack memory
//   MP memory port   SC SM controller   AG address generation   TL TLB   CO coalescer   LQ load/store queue
//   TA TC TF texture address, cache, filter   Rp reply to the SM   Wb write-back
// If warps are formed anew, the detail names the threads of the warp: for each warp of the block in which some
// of them started, its number in the block and their lanes.
// An arrow goes from an instruction to those whose look-up found one of its scoreboard entries pending (only for
// Coon's scoreboard with entries taken at look-up). Instructions that were fetched and dropped are flushed.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "observe/trace/log_reader.h"

namespace gt200::observe {

// The signals that the view needs in the log.
std::vector<std::string> signals_of_pipeline_view();
// Writes the instructions of the SMs that have a signal matching one of `scope`, such as gt200.tpc_0.sm_1.*
void write_pipeline_view(log_reader& log, std::ostream& to, const std::vector<std::string>& scope);

}  // namespace gt200::observe
