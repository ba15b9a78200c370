// idealisations.infinite_queues: queue depths for a chip whose memory path never fills up.
//
// Every queue from the memory port of an SM to the DRAM gets as many entries as can ever be needed:
// - memory and texture instructions of an SM: twice the number of warp-wide registers in its register file. An
//   outstanding load needs at least one register; the other half is for stores.
// - the load/store queue of a TPC: as many loads and as many stores as its keys allow.
// - transactions behind it: all that the chip can have outstanding. That is the sum of the load/store queue
//   entries, texture L1 MSHRs and page walk of every TPC, the fills of the L3 cache and the accesses of the
//   command processor.
// The rest is as configured: MSHRs, the requests a DRAM scheduler chooses from, latencies, widths and rates.
// Plain C++.
#pragma once

#include <cstdint>

#include "sc_models/config/chip_config.h"

namespace gt200::config {

// The maximum number of transactions that can be between the TPCs, L3 and command processor on one side and the
// DRAM on the other.
std::uint32_t max_outstanding_transactions(const gpu_config& config);

// The configuration as it is or, if it asks for infinite queues, with their depths.
gpu_config with_queue_depths(const gpu_config& config);

}  // namespace gt200::config
