// Ids of warp instructions and memory transactions: unique in a run, the same in every log, wave, view and report.
//
// An id has a kind, the issuing unit, and a sequence number within this unit. As text it is a letter, the number of
// the SM or TPC in the chip, and the sequence number: i12.345 is the 345th instruction that SM 12 decoded. 0 means
// no id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gt200::model {

enum class id_kind : std::uint8_t {
  instruction,       // i, by SM
  load_store,        // m, by TPC: transactions of the load/store queue
  texture,           // t, by TPC: fills of the texture L1
  page_walk,         // p, by TPC: reads of the page walker
  instruction_fill,  // f, by SM: fills of the L1 instruction cache
  constant_fill,     // c, by SM: fills of the L1 constant cache
  data_cache,        // d, by TPC: fills and write-backs of the L1 data cache
  host               // h, always 0: accesses of the host's copies
};

inline constexpr unsigned id_count_bits = 40;
inline constexpr unsigned id_unit_bits = 16;

// The id before the first one of this unit: its n-th id is this plus n.
constexpr std::uint64_t id_base(id_kind kind, unsigned unit) {
  return static_cast<std::uint64_t>(kind) << (id_count_bits + id_unit_bits) | std::uint64_t{unit} << id_count_bits;
}
constexpr id_kind kind_of_id(std::uint64_t id) {
  return static_cast<id_kind>(id >> (id_count_bits + id_unit_bits));
}
constexpr unsigned unit_of_id(std::uint64_t id) {
  return static_cast<unsigned>(id >> id_count_bits & ((1u << id_unit_bits) - 1));
}
constexpr std::uint64_t count_of_id(std::uint64_t id) { return id & ((std::uint64_t{1} << id_count_bits) - 1); }

// Empty for 0.
std::string text_of_id(std::uint64_t id);
// Empty if the text is not an id.
std::optional<std::uint64_t> id_of_text(std::string_view text);

}  // namespace gt200::model
