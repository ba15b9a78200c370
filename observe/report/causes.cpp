#include "observe/report/causes.h"

#include <array>

#include "sc_models/sm/stall_cause.h"

namespace gt200::observe::report {
namespace {

struct presentation {
  const char* colour;
  const char* definition;
};

// In the order of model::stall_cause_names.
constexpr std::array<presentation, model::stall_causes> presentations = {{
    {"#2b8a3e", "A warp instruction was issued in the slot."},
    {"#dee2e6",
     "The SM had no warp: it had no block yet, or no block was left for it. A larger grid, or blocks that divide "
     "evenly "
     "over the SMs, fill such slots."},
    {"#fcc2d7",
     "The instruction buffers of the warps were empty: fetch had not come round to them, or they waited for the "
     "target "
     "of a branch."},
    {"#f783ac",
     "The buffers were empty because the fetches waited for the instruction cache: a cold start, or a loop that "
     "does "
     "not fit."},
    {"#a5d8ff",
     "The oldest instruction of the warp waits for a result of the SP units. More warps, or independent "
     "instructions "
     "between the two, hide it."},
    {"#66d9e8", "The oldest instruction of the warp waits for a result of the special function units."},
    {"#3bc9db", "The oldest instruction of the warp waits for a result of the double precision unit."},
    {"#ffd43b", "The oldest instruction of the warp waits for shared memory; bank conflicts make it longer."},
    {"#e8590c",
     "The oldest instruction of the warp waits for global or local memory: latency, or bandwidth that is used up. "
     "See the "
     "DRAM chart and the latencies of the paths. A warp that has exited waits here for its stores and atomics."},
    {"#fd7e14", "The oldest instruction of the warp waits for a texture fetch."},
    {"#ffa94d", "The oldest instruction of the warp waits for a constant that missed the constant cache."},
    {"#b197fc",
     "The oldest instruction of the warp waits for the result of a branch or another change of control flow."},
    {"#845ef7",
     "The scoreboard had no free entry for the next instruction of the warp. The key "
     "tpc.sm.scoreboard.entries_per_warp "
     "sets their number."},
    {"#5f3dc4", "A warp was ready, but the look-ups of this cycle did not reach it."},
    {"#c2255c", "The warp waits at a barrier for the other warps of its block."},
    {"#1971c2",
     "The instruction was ready, but the collector units of its class were full: the execution units are the "
     "bound."},
    {"#1864ab",
     "The instruction was ready, but the last one still held the dispatch port, or the other scheduler took it."},
    {"#862e9c",
     "The instruction was ready, but the collector units of the memory port were full: the memory path takes no "
     "more."},
    {"#868e96",
     "The warps have exited and have nothing under way; their block has not ended yet, or other warps of it run."},
    {"#e599f7", "The warp waits for a section of the shared registers, which another warp holds."},
    {"#f08c00", "There were no threads for a warp, or threads that wait to form one."},
}};

}  // namespace

std::size_t number_of_cause(const std::string& cause) {
  std::size_t number = 0;
  while (number < model::stall_causes && cause != model::stall_cause_names[number].key) ++number;
  return number;
}

std::string text_of_cause(const std::string& cause) {
  const std::size_t number = number_of_cause(cause);
  return number < model::stall_causes ? model::stall_cause_names[number].text : cause;
}

std::string colour_of(std::size_t number) {
  return number < model::stall_causes ? presentations[number].colour : "#343a40";
}

std::string definition_of(std::size_t number) {
  return number < model::stall_causes ? presentations[number].definition : "";
}

}  // namespace gt200::observe::report
