// Random traffic of the base protocol over the memory boundaries of the model, with a foreign component at one end
// or at both, and the protocol checker at every port of the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gt200::support {

struct traffic_result {
  std::string trouble;             // empty when everything is right
  std::uint64_t transactions = 0;  // that have ended at a watched port, all ports together
};

struct boundary {
  const char* name;
  traffic_result (*run)(std::uint64_t transactions, std::uint64_t seed);  // one simulation per process
};
const std::vector<boundary>& boundaries();

}  // namespace gt200::support
