// Parameters of the GDDR3 controller and devices of a partition: partition.dram.*
#pragma once

#include <cstdint>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

enum class bank_hash : std::uint8_t { none, xor_row };
template <>
inline constexpr std::array<const char*, 2> choice_names<bank_hash> = {"none", "xor_row"};

// Minimum distances between commands, in periods of the memory clock. partition.dram.timing
// Source of the preset: K4J52324QH-HC12 at 800 MHz (GPGPU-Sim, QuadroFX5800), scaled in nanoseconds to 1107 MHz.
struct dram_timing_config {
  std::uint32_t cl{};
  std::uint32_t wl{};
  std::uint32_t t_ccd{};
  std::uint32_t t_rcd_read{};
  std::uint32_t t_rcd_write{};
  std::uint32_t t_ras{};
  std::uint32_t t_rp{};
  std::uint32_t t_rc{};
  std::uint32_t t_rrd{};
  std::uint32_t t_faw{};
  std::uint32_t t_wtr{};
  std::uint32_t t_wr{};
  std::uint32_t t_rtw{};
  std::uint32_t t_rfc{};
  std::uint32_t t_refi{};

  void describe(visitor& v) {
    const source scaled = documented("GPGPU-Sim QuadroFX5800 (K4J52324QH-HC12 at 800 MHz), scaled in ns");
    const source data_sheet = documented("Qimonda HYB18H512321 data sheet");
    const unit cycles = unit::memory_cycles;
    v.number("cl", cl, cycles, between(1, 100), "read command to data", scaled);
    v.number("wl", wl, cycles, between(1, 100), "write command to data", scaled);
    v.number("t_ccd", t_ccd, cycles, between(1, 100), "column command to column command", scaled);
    v.number("t_rcd_read", t_rcd_read, cycles, between(1, 1000), "activate to read", scaled);
    v.number("t_rcd_write", t_rcd_write, cycles, between(1, 1000), "activate to write", data_sheet);
    v.number("t_ras", t_ras, cycles, between(1, 1000), "activate to precharge", scaled);
    v.number("t_rp", t_rp, cycles, between(1, 1000), "precharge to activate", scaled);
    v.number("t_rc", t_rc, cycles, between(1, 1000), "activate to activate of a bank", scaled);
    v.number("t_rrd", t_rrd, cycles, between(1, 1000), "activate to activate of another bank", scaled);
    v.number("t_faw", t_faw, cycles, between(1, 1000), "window of four activates",
             assumption("4 x t_rrd: no limit beyond it"));
    v.number("t_wtr", t_wtr, cycles, between(1, 1000), "end of write data to read", data_sheet);
    v.number("t_wr", t_wr, cycles, between(1, 1000), "end of write data to precharge", scaled);
    v.number("t_rtw", t_rtw, cycles, between(1, 1000), "read to write: CL + BL/2 + 2 - WL", data_sheet);
    v.number("t_rfc", t_rfc, cycles, between(1, 10000), "refresh to activate: 52 ns", data_sheet);
    v.number("t_refi", t_refi, cycles, between(100, 1000000), "between refreshes: 3.9 us", data_sheet);
  }
};

// partition.dram
struct dram_config {
  dram_model model;
  std::uint32_t fixed_latency_cycles{};
  std::uint32_t capacity_mib{};
  std::uint32_t banks{};
  std::uint32_t row_bytes{};
  std::uint32_t burst_bytes{};
  dram_scheduler scheduler;
  config::page_policy page_policy;
  std::uint32_t idle_close_cycles{};
  config::bank_hash bank_hash{};
  std::uint32_t queue_entries{};
  bool refresh{};
  dram_timing_config timing;
  added_keys<dram_models> added_models;
  added_keys<dram_schedulers> added_schedulers;
  added_keys<page_policies> added_page_policies;

  std::uint64_t capacity_bytes() const { return std::uint64_t{capacity_mib} << 20; }

  void describe(visitor& v) {
    const source device =
        documented("Samsung K4J52324Q: 512 Mb x 32, 8 banks of 4096 rows x 512 columns; 2 in lock-step");
    v.choice("model", model, "command timing, or the same latency for every access at full data rate",
             assumption("the detailed one"));
    v.number("fixed_latency_cycles", fixed_latency_cycles, unit::memory_cycles, between(1, 10000),
             "fixed_latency: request until data", assumption("t_rp + t_rcd + CL + BL/2 of the preset"));
    v.number("capacity_mib", capacity_mib, unit::mebibytes, power_of_two(1, 1024), "capacity per partition",
             documented("reviews: 16 devices of 512 Mb on 8 partitions"));
    v.number("banks", banks, unit::none, power_of_two(1, 64), "banks per partition", device);
    v.number("row_bytes", row_bytes, unit::bytes, power_of_two(256, 65536),
             "bytes of a row over the devices in lock-step", device);
    v.number("burst_bytes", burst_bytes, unit::bytes, power_of_two(16, 128), "bytes per column command",
             documented("envytools: 32 B, 4n prefetch of 64 bits"));
    v.choice("scheduler", scheduler, "order of requests: arrival, or row hits first and then arrival",
             documented("GPGPU-Sim, configuration QuadroFX5800"));
    v.choice("page_policy", page_policy, "whether a row stays open after its last queued access",
             assumption("streams profit from open rows"));
    v.number("idle_close_cycles", idle_close_cycles, unit::memory_cycles, between(0, 1000000),
             "open: a row that no queued request needs is closed this long after its last use; 0 = never",
             assumption("a lone access finds its bank closed: equal latency at any stride (Wong 2010)"));
    v.choice("bank_hash", bank_hash, "bank bits of the address as they are, or xored with low row bits",
             documented("GPGPU-Sim, configuration QuadroFX5800; the hardware's map is not public"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 1024), "requests the scheduler chooses from",
             documented("GPGPU-Sim, configuration QuadroFX5800: 16"));
    v.flag("refresh", refresh, "whether rows are refreshed",
           documented("Qimonda HYB18H512321: 8192 refreshes in 32 ms"));
    v.group("timing", timing, "minimum distances between commands");
    added_models.describe(v);
    added_schedulers.describe(v);
    added_page_policies.describe(v);
  }
};

}  // namespace gt200::config
