// Registers of an SM: $r as rows of 32 lanes, allocated per warp, and the $c and $a registers of every warp.
//
// 64 KB on GT200: `limits.registers` / 32 rows. A warp reads and writes only its own rows. As in hardware,
// registers that are not allocated read as zero, and writes to them are ignored.
#pragma once

#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/interfaces.h"

namespace gt200::model {

class register_file : public sc_core::sc_module,
                      public register_file_read_if,
                      public register_file_write_if,
                      public register_file_allocate_if {
 public:
  register_file(const sc_core::sc_module_name& name, const config::sm_config& config);

  const arch_state::register_rows& rows(warp_slot warp) const override { return warps_[warp.index()]; }
  arch_state::register_rows& rows_for_write(warp_slot warp) override { return warps_[warp.index()]; }
  arch_state::register_rows& allocate(warp_slot warp, unsigned first_row, unsigned registers) override;

  const char* kind() const override { return "register_file"; }

 private:
  std::vector<isa::lane_words> storage_;
  std::vector<arch_state::register_rows> warps_;  // by slot
};

}  // namespace gt200::model
