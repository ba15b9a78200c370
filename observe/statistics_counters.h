// All counters and histograms of a part of the chip. They are found by walking the SystemC hierarchy, so no module
// needs to know about it. Their paths begin with the name of that part: those of a chip that a module of a platform
// contains are those of a chip alone.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "tlm_bus/counter.h"
#include "tlm_bus/histogram.h"

namespace gt200::observe {

template <class Figure>
struct figure_entry {
  std::string path;  // path of the module plus the name of the figure: gt200.tpc_3.memory.coalescer.half_warps
  const tlm_bus::figure_attribute<Figure>* counter = nullptr;
};
using counter_entry = figure_entry<tlm_bus::counter>;
using histogram_entry = figure_entry<tlm_bus::histogram>;

// The full name of `root` or of something below it, without the modules that contain `root`: gpu.tpc_0 of
// board_1.gpu.tpc_0 for board_1.gpu.
std::string path_below(const sc_core::sc_object& root, const std::string& name);

// The figures of `root` and everything below it, in construction order. The result refers to the modules.
std::vector<counter_entry> counters_below(const sc_core::sc_object& root);
std::vector<histogram_entry> histograms_below(const sc_core::sc_object& root);

// The histograms of all instances of one kind, added up.
struct distribution {
  std::string kind;  // kind_path()
  const tlm_bus::figure_attribute<tlm_bus::histogram>* about = nullptr;
  tlm_bus::histogram::values values;
};
// By name, without kinds that counted nothing. `values` are those of the entries, in their order.
std::vector<distribution> distributions_of(const std::vector<histogram_entry>& entries,
                                           const std::vector<tlm_bus::histogram::values>& values);

// The path without the name of the chip and the numbers of instances: tpc.memory.coalescer.half_warps.
std::string kind_path(const std::string& path);

}  // namespace gt200::observe
