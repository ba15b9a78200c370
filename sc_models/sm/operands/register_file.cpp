#include "sc_models/sm/operands/register_file.h"

#include <stdexcept>
#include <string>

namespace gt200::model {

register_file::register_file(const sc_core::sc_module_name& name, const config::sm_config& config)
    : sc_core::sc_module(name), storage_(config.limits.registers / isa::warp_size), warps_(config.limits.warps) {}

arch_state::register_rows& register_file::allocate(warp_slot warp, unsigned first_row, unsigned registers) {
  if (first_row + registers > storage_.size())
    throw std::logic_error(std::string(name()) + ": allocation beyond the register file");
  arch_state::register_rows& rows = warps_[warp.index()];
  rows.bind(&storage_[first_row], registers);
  rows.clear_conditions_and_addresses();
  return rows;
}

}  // namespace gt200::model
