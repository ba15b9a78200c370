// Configurations of small DRAMs for tests: the distances are primes, so that no two of them are mistaken.
#pragma once

#include "sc_models/config/dram_config.h"

namespace gt200::model::test {

inline config::dram_config dram_config() {
  config::dram_config c;
  c.model = "timing";
  c.fixed_latency_cycles = 47;
  c.capacity_mib = 1;
  c.banks = 4;
  c.row_bytes = 1024;
  c.burst_bytes = 32;
  c.scheduler = "fr_fcfs";
  c.page_policy = "open";
  c.idle_close_cycles = 0;
  c.bank_hash = config::bank_hash::none;
  c.queue_entries = 8;
  c.refresh = false;
  c.timing.cl = 14;
  c.timing.wl = 7;
  c.timing.t_ccd = 2;
  c.timing.t_rcd_read = 17;
  c.timing.t_rcd_write = 9;
  c.timing.t_ras = 37;
  c.timing.t_rp = 13;
  c.timing.t_rc = 53;
  c.timing.t_rrd = 11;
  c.timing.t_faw = 61;
  c.timing.t_wtr = 8;
  c.timing.t_wr = 15;
  c.timing.t_rtw = 19;
  c.timing.t_rfc = 59;
  c.timing.t_refi = 4000;
  return c;
}

}  // namespace gt200::model::test
