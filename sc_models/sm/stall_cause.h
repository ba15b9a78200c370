// The causes to which an issue slot can be charged, and their names for output and files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gt200::model {

// The reason why a warp cannot issue, from the state of its oldest buffered instruction.
enum class stall_cause : std::uint8_t {
  none,
  no_warp,       // no warp resident
  buffer_empty,  // the warp's instruction buffer is empty: fetch latency, or unresolved branch
  icache_miss,   // empty because the warp's fetch waits for the instruction cache
  dependency_sp,
  dependency_sfu,
  dependency_dp,
  dependency_shared,
  dependency_global,
  dependency_texture,
  dependency_constant,
  dependency_control,
  scoreboard_full,       // the buffer is empty, or its oldest instruction waits, because no entry is free
  not_probed,            // a warp was ready, but this cycle's look-ups did not reach it
  barrier,               // waits at a barrier
  unit_busy,             // ready, but the collector units of its class are full
  dispatch_port,         // ready, but the port is held by the last instruction, or the other scheduler took it
  memory_back_pressure,  // ready, but the collector units of the memory port are full
  draining,              // the warp has exited, has nothing under way, and its block has not ended
  register_section,      // waits for a section of the shared registers
  warp_formation,        // no threads, or threads that wait to form a warp
  count_
};

inline constexpr std::size_t stall_causes = static_cast<std::size_t>(stall_cause::count_);

struct stall_cause_name {
  stall_cause cause;
  const char* key;   // in files
  const char* text;  // for readers
};

// In the order of the enumeration; `none` means that an instruction issued in the slot.
inline constexpr std::array<stall_cause_name, stall_causes> stall_cause_names = {{
    {stall_cause::none, "issued", "issued"},
    {stall_cause::no_warp, "no_warp", "no warp resident"},
    {stall_cause::buffer_empty, "buffer_empty", "instruction buffer empty"},
    {stall_cause::icache_miss, "icache_miss", "instruction cache miss"},
    {stall_cause::dependency_sp, "dependency_sp", "waits for SP result"},
    {stall_cause::dependency_sfu, "dependency_sfu", "waits for SFU result"},
    {stall_cause::dependency_dp, "dependency_dp", "waits for DP result"},
    {stall_cause::dependency_shared, "dependency_shared", "waits for shared memory"},
    {stall_cause::dependency_global, "dependency_global", "waits for global memory"},
    {stall_cause::dependency_texture, "dependency_texture", "waits for texture"},
    {stall_cause::dependency_constant, "dependency_constant", "waits for constant"},
    {stall_cause::dependency_control, "dependency_control", "waits for control flow"},
    {stall_cause::scoreboard_full, "scoreboard_full", "scoreboard full"},
    {stall_cause::not_probed, "not_probed", "ready warp not probed"},
    {stall_cause::barrier, "barrier", "waits at a barrier"},
    {stall_cause::unit_busy, "unit_busy", "unit busy"},
    {stall_cause::dispatch_port, "dispatch_port", "dispatch port taken"},
    {stall_cause::memory_back_pressure, "memory_back_pressure", "memory port full"},
    {stall_cause::draining, "draining", "exited warps drain"},
    {stall_cause::register_section, "register_section", "waits for a register section"},
    {stall_cause::warp_formation, "warp_formation", "waits for warp formation"},
}};

constexpr bool in_order_of_the_enumeration() {
  for (std::size_t i = 0; i < stall_causes; ++i)
    if (stall_cause_names[i].cause != static_cast<stall_cause>(i)) return false;
  return true;
}
static_assert(in_order_of_the_enumeration());

// Results list the other causes also without slots. These exist only where warps share registers, or are formed
// anew.
constexpr bool is_listed(stall_cause cause, std::uint64_t slots) {
  return slots != 0 || cause < stall_cause::register_section;
}

constexpr const stall_cause_name& name_of(stall_cause cause) {
  return stall_cause_names[static_cast<std::size_t>(cause)];
}

}  // namespace gt200::model
