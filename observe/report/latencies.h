// How long instructions and memory transactions took, from the log of a traced run.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace gt200::observe::report {

using histogram = std::map<std::uint64_t, std::uint64_t>;  // core cycles, rounded down: how many took them

struct latencies {
  // From the issue of an instruction to the end of its write-back, by the class of collector it goes through.
  std::map<std::string, histogram> instructions;
  // From the request to its answer, by kind of transaction: as a TPC sees it at the crossbar, and in a partition.
  std::map<std::string, histogram> from_tpcs;
  std::map<std::string, histogram> in_partitions;
};

// Only what both began and ended in the log counts. Throws input_error.
latencies read_latencies(const std::string& log);

}  // namespace gt200::observe::report
