// Measures the published figures of the memory system for scripts/validate memory, bandwidth, reduction and
// kernels_published. The first argument names the set.
#include <iostream>
#include <string>
#include <systemc>

#include "testbenches/timing/memory_figures.h"
#include "testbenches/timing/published_kernels.h"
#include "testbenches/validation/records/measure_set.h"

int sc_main(int argc, char* argv[]) {
  using namespace gt200;
  for (const auto& set : {timing::memory_figures(), timing::bandwidth_figures(), timing::reduction_figures(),
                          timing::published_kernels()})
    if (argc > 1 && set.name == argv[1]) return validation::measure_set(set, argc - 1, argv + 1);
  std::cerr << "usage: memory_figures memory|bandwidth|reduction|kernels_published [--again] [ID ...]\n";
  return 2;
}
