// Latencies of instructions and memory transactions, from the log of a traced run.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace gt200::observe::report {

using histogram = std::map<std::uint64_t, std::uint64_t>;  // number of values by core cycles, rounded down

struct latencies {
  // From the issue of an instruction to the end of its write-back, by the collector class of the instruction.
  std::map<std::string, histogram> instructions;
  // From request to response, by kind of transaction: measured at a TPC's crossbar port, and in a partition.
  std::map<std::string, histogram> from_tpcs;
  std::map<std::string, histogram> in_partitions;
  std::string loss;  // what the log lacks (log_reader::loss); empty: nothing
};

// Counts only what both began and ended in the log. Throws input_error.
latencies read_latencies(const std::string& log);

}  // namespace gt200::observe::report
