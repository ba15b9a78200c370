// Parameters of a cache of data: tpc.memory.l1, partition.l2
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// Which set a line belongs to.
enum class set_index : std::uint8_t {
  modulo,  // the number of the line, modulo the number of sets
  folded   // bits 7 to 11 of the address, combined by exclusive or with bits 13, 14, 15, 17 and 19; bit 12 is the
           // highest of 64 sets
};
template <>
inline constexpr std::array<const char*, 2> choice_names<set_index> = {"modulo", "folded"};

// Which line of a full set gives way.
enum class line_replacement : std::uint8_t {
  lru,  // the one that has not been used for the longest time
  nru   // the lowest one without a mark; a use marks its line, and when all are marked, only this one stays marked
};
template <>
inline constexpr std::array<const char*, 2> choice_names<line_replacement> = {"lru", "nru"};

struct data_cache_config : cache_config {
  bool enabled{};
  set_index index{};
  line_replacement replaces{};
  std::uint32_t miss_queue_entries{};
  // Requests in the port, at least; no key: infinite_queues.h sets it.
  std::uint32_t request_port_entries = 2;

  void describe(visitor& v, source geometry, source latency, source outstanding) {
    v.flag("enabled", enabled, "the cache exists; without it accesses go to the next level",
           documented("CUDA C Programming Guide 4.2, appendix F: from compute capability 2.0 on"));
    cache_config::describe(v, unit::uncore_cycles, geometry, latency, {128, 256}, outstanding);
    v.choice("set_index", index,
             "set of a line. modulo: its number modulo the number of sets; folded: bits 7 to 11 of the address, "
             "combined by exclusive or with bits 13, 14, 15, 17 and 19, with bit 12 as the highest of 64 sets",
             documented("folded: Nugteren et al., HPCA 2014, measured on a Fermi"));
    v.choice(
        "replacement", replaces,
        "line of a full set that gives way. lru: the one unused for the longest time; nru: the lowest one without "
        "a mark, where a use marks its line, and when all are marked only the last one stays so",
        assumption("nru: chooses one way in 1/2 and the others in 1/6 of the misses when a loop reads one line too "
                   "many, as Mei and Chu (arXiv 1509.02308) measured on a Fermi"));
    v.number(
        "miss_queue_entries", miss_queue_entries, unit::none, between(1, 1024),
        "fills, write-backs and passing transactions that wait for the way to memory; a fill and its write-back "
        "enter together",
        documented("GPGPU-Sim, configuration SM2_GTX480: 8"));
  }
};

}  // namespace gt200::config
