// Parameters of the execution units of an SM, including the keys that other stages have for each unit. The keys of
// a unit are only here; sc_models/sm/units/unit_list.h makes the units from them.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/rtl_config.h"

namespace gt200::config {

// Parameters that every unit has. A warp passes through in 32 / lanes groups.
struct execution_unit_config {
  std::uint32_t lanes{};
  timed::shader_cycles cycles_per_group{};
  timed::shader_cycles latency_cycles{};

  // For how long an instruction occupies the unit. `lanes` is a power of two, so a shift replaces the
  // division, which would cost time at every instruction.
  timed::shader_cycles interval_cycles() const { return cycles_per_group * (32u >> __builtin_ctz(lanes)); }

  void describe(visitor& v, source from, source latency_from) {
    v.number("lanes", lanes, unit::none, power_of_two(1, 32),
             "lanes executed at once; a warp passes in 32 / lanes groups", from);
    v.cycles("cycles_per_group", cycles_per_group, between(1, 64),
             "interval between groups of lanes; times 32 / lanes it is the initiation interval of a warp", from);
    v.cycles("latency_cycles", latency_cycles, whole_core_cycles(2, 1000),
             "issue until a dependent instruction issues; with units.latency_measured = unit: time in the unit",
             latency_from);
  }
};

// tpc.sm.sp
struct sp_config : execution_unit_config {
  timed::shader_cycles shared_operand_interval_cycles{};
  timed::shader_cycles shared_move_interval_cycles{};
  model_kind model{};
  std::string rtl;
  std::uint32_t rtl_units{};

  void describe(visitor& v) {
    v.choice("model", model, "SystemC model, reference RTL, or both compared in every lane",
             assumption("the fastest of the three"));
    v.file("rtl", rtl, "description of RTL of your own in place of the reference (docs/cosimulation.md)",
           assumption("the reference RTL"));
    v.number("rtl_units", rtl_units, unit::none, between(0, 0xffffffff),
             "bit n: SP n of an SM has the model named rtl or lockstep, the others systemc; 0: every SP",
             assumption("all alike"));
    execution_unit_config::describe(v, documented("CUDA C Programming Guide 4.2: 8 lanes, a warp in 4 cycles"),
                                    measured("Wong 2010, table of units: 24"));
    v.cycles("shared_operand_interval_cycles", shared_operand_interval_cycles, between(1, 1000),
             "initiation interval with an s[] operand", measured("Volkov and Demmel 2008: 66 % of the MAD rate"));
    v.cycles("shared_move_interval_cycles", shared_move_interval_cycles, between(1, 1000),
             "initiation interval of a move from s[], which reads no registers",
             assumption("as of other instructions with an s[] operand"));
  }
};

// tpc.sm.sfu
struct sfu_config : execution_unit_config {
  // Of all SFUs together. Source: Lindholm 2008, 4 per SFU.
  static constexpr std::uint32_t multipliers = 8;

  timed::shader_cycles reduced_saves_cycles{};
  bool multiply_enabled{};
  timed::shader_cycles multiply_interval_cycles{};
  timed::shader_cycles multiply_latency_cycles{};

  // latency_cycles of an instruction whose operand a pre-operation has reduced: sin, cos, ex2.
  timed::shader_cycles reduced_latency_cycles() const { return latency_cycles - reduced_saves_cycles; }

  void describe(visitor& v) {
    execution_unit_config::describe(v,
                                    documented("CUDA C Programming Guide 4.2: 2 results per cycle, a warp in 16"),
                                    measured("Wong 2010, table of units: 28"));
    v.cycles("reduced_saves_cycles", reduced_saves_cycles, whole_core_cycles(0, 1000),
             "what sin, cos and ex2 take less than latency_cycles, since a pre-operation has reduced their operand",
             measured("Wong 2010: sin, cos and ex2 take 48 in all, the pre-operation on the SPs 24 of these"));
    v.flag("multiply_enabled", multiply_enabled, "fp32 multiplications may go to the SFUs when the SPs are busy",
           documented("CUDA C Programming Guide 4.2; Lindholm: 4 multipliers per SFU"));
    v.cycles("multiply_interval_cycles", multiply_interval_cycles, between(1, 1000),
             "initiation interval of such a multiplication",
             measured("Wong 2010: 11.2 multiplications per cycle over SP and SFU; Kanter implies 4"));
    v.cycles("multiply_latency_cycles", multiply_latency_cycles, whole_core_cycles(2, 1000),
             "the same as latency_cycles for such a multiplication",
             measured("Wong 2010: fp32 mul 24 on either pipe"));
  }
};

// tpc.sm.dp
struct dp_config : execution_unit_config {
  bool shares_sp{};

  void describe(visitor& v) {
    execution_unit_config::describe(v, documented("CUDA C Programming Guide 4.2: 1 result per cycle, a warp in 32"),
                                    measured("Wong 2010, table of units: 48"));
    v.flag("shares_sp", shares_sp, "SP and DP instructions exclude each other",
           documented("Kanter: DP and SP share data paths and are not usable at once"));
  }
};

// The groups of tpc.sm that are execution units.
struct execution_units_config {
  sp_config sp;
  sfu_config sfu;
  dp_config dp;

  void describe(visitor& v) {
    v.group("sp", sp, "streaming processors: integer, logic, fp32, conversions, moves");
    v.group("sfu", sfu, "special functions, and the second fp32 multiplier");
    v.group("dp", dp, "double precision");
  }
  // Calls act with the parameters of each unit.
  template <class action>
  void for_each_unit(action act) const {
    act(sp);
    act(sfu);
    act(dp);
  }
};

// Part of tpc.sm.operand_collector: collector units per execution unit.
struct collector_units_config {
  std::uint32_t sp_units{};
  std::uint32_t sfu_units{};
  std::uint32_t dp_units{};

  void describe(visitor& v) {
    v.number("sp_units", sp_units, unit::none, between(1, 64), "instructions collecting for the SPs",
             documented("GPGPU-Sim, configuration QuadroFX5800"));
    v.number("sfu_units", sfu_units, unit::none, between(1, 64), "instructions collecting for the SFUs",
             documented("GPGPU-Sim, configuration QuadroFX5800"));
    v.number("dp_units", dp_units, unit::none, between(1, 64), "instructions collecting for the DP unit",
             assumption("two cover its interval"));
  }
};

// Part of tpc.sm.scheduler.weights: the weights of instructions for each execution unit.
struct unit_weights_config {
  std::uint32_t sp{};
  std::uint32_t sfu{};
  std::uint32_t dp{};

  void describe(visitor& v, source from) {
    v.number("sp", sp, unit::none, between(0, 100000), "next instruction for the SPs", from);
    v.number("sfu", sfu, unit::none, between(0, 100000), "the same for the SFUs", from);
    v.number("dp", dp, unit::none, between(0, 100000), "the same for the DP unit", from);
  }
};

}  // namespace gt200::config
