// Puts signals of a chip into a team's own sc_trace_file, beside the team's signals.
//
//   observe::traced_signals signals(gpu.chip(), {"gt200.tpc_0.sm_0.issue.*"},
//                                   {"*.sm_0.register_file.warp_5.r3.lane_7"});
//   sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file("ours");
//   sc_trace(file, signals, "gt200_");  // all of them, under prefix and path
//   sc_trace(file, signals.at("gt200.tpc_0.sm_0.issue.at_barrier"), "barrier");  // one, under its own name
//
// Numbers, masks and words are vectors, reals are reals. An sc_trace_file has no texts, so a text or identifier is
// a vector of `text_characters` characters, the first one in the highest bits, which viewers show as ASCII. Values
// are those after the edge. The chosen signals are read once per instant; values/values.h says which values on
// request there are. A self-timed value changes with the next instant at which the chip acts.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/chip.h"

namespace gt200::observe {

// One signal in the form in which SystemC can trace it.
struct traced_signal {
  std::string path;
  unsigned bits = 0;  // of `number`; 0 if it is a text or a real
  sc_dt::uint64 number = 0;
  bool is_real = false;
  double real = 0;
  static constexpr unsigned text_characters = 64;
  static constexpr unsigned character_bits = 8;
  sc_dt::sc_bv<text_characters * character_bits> text;
};

class traced_signals {
 public:
  // The chip must have been elaborated, and must outlive this object, which must outlive its last sc_start().
  // Throws input_error if a list of patterns is not empty and none of it matches.
  traced_signals(model::chip& chip, const std::vector<std::string>& signals,
                 const std::vector<std::string>& values = {});
  ~traced_signals();
  traced_signals(const traced_signals&) = delete;
  traced_signals& operator=(const traced_signals&) = delete;

  const std::deque<traced_signal>& all() const;
  // Throws input_error if no chosen signal has this path.
  const traced_signal& at(const std::string& path) const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

void sc_trace(sc_core::sc_trace_file* file, const traced_signal& signal, const std::string& name);
// All of them; the names are `prefix` and the path.
void sc_trace(sc_core::sc_trace_file* file, const traced_signals& signals, const std::string& prefix);

}  // namespace gt200::observe
