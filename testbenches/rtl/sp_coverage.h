// Functional coverage of an SP: which operations with which modifiers, which kinds of operands, and which results.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rtl_ref/sp/pins.h"

namespace gt200::support {

class sp_coverage {
 public:
  sp_coverage();

  void cover_instruction(const rtl::sp_control& control);
  void cover_lane(const rtl::sp_control& control, const rtl::sp_results& results,
                  const rtl::lane_operands& operands, const rtl::lane_result& result);

  // How often each situation occurred. Contains every situation that should occur.
  std::map<std::string, std::uint64_t> bins() const;

 private:
  std::size_t add_bin(const std::string& name);

  std::vector<std::string> names_;
  std::vector<std::uint64_t> counts_;
  // Indices of bins; 0 is a bin that is not shown.
  struct modifier_bins {
    std::size_t field;  // number of the field
    std::vector<std::size_t> of_value;
  };
  std::array<std::vector<modifier_bins>, rtl::sp_operations> modifiers_;
  std::array<std::array<std::size_t, 4>, rtl::sp_operations> flags_{};
  std::array<std::size_t, rtl::sp_operations> pairs_{};  // first of 100
  std::array<std::array<std::size_t, 10>, rtl::sp_operations> float_results_{};
};

}  // namespace gt200::support
