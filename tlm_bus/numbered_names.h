// The names of equal signals that differ by a number: word_0, word_1 and so on.
//
// A signal_writer takes names that exist already, so that a value costs no text. A module with many equal signals
// makes their names once.
#pragma once

#include <string>
#include <vector>

namespace gt200::tlm_bus {

class numbered_names {
 public:
  numbered_names(const std::string& stem, unsigned count) {
    for (unsigned i = 0; i < count; ++i) names_.push_back(stem + std::to_string(i));
  }
  const char* operator[](unsigned i) const { return names_[i].c_str(); }

 private:
  std::vector<std::string> names_;
};

}  // namespace gt200::tlm_bus
