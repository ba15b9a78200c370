#include "sc_models/partition/dram/timing_table.h"

#include <algorithm>

namespace gt200::model {

std::vector<timing_constraint> timing_table(const config::dram_timing_config& t) {
  using command = dram_command;
  using scope = constraint_scope;
  return {
      {scope::bank, command::activate, command::read, t.t_rcd_read},
      {scope::bank, command::activate, command::write, t.t_rcd_write},
      {scope::bank, command::activate, command::precharge, t.t_ras},
      {scope::bank, command::activate, command::activate, t.t_rc},
      {scope::bank, command::precharge, command::activate, t.t_rp},
      {scope::bank, command::read, command::precharge, t.t_ccd},  // the array is read for one burst
      {scope::bank, command::write, command::precharge, t.wl + t.t_ccd + t.t_wr},
      {scope::device, command::activate, command::activate, t.t_rrd},
      {scope::window, command::activate, command::activate, t.t_faw},
      {scope::device, command::read, command::read, t.t_ccd},
      {scope::device, command::write, command::write, t.t_ccd},
      {scope::device, command::read, command::write, std::max(t.t_ccd, t.t_rtw)},
      {scope::device, command::write, command::read, t.wl + t.t_ccd + t.t_wtr},
      {scope::device, command::activate, command::refresh, t.t_rc},
      {scope::device, command::precharge, command::refresh, t.t_rp},
      {scope::device, command::refresh, command::activate, t.t_rfc},
      {scope::device, command::refresh, command::refresh, t.t_rfc},
  };
}

}  // namespace gt200::model
