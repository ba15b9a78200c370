#include "toolchain/isa/volta/opcode_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gt200::isa::volta {
namespace {

// Bits 0..8 select the rows to try.
constexpr std::size_t bucket_count = 512;
using bucket_list = std::array<std::vector<const row*>, bucket_count>;

constexpr std::size_t bucket_of(uint128 words) { return static_cast<std::size_t>(words & opcode_mask); }

std::vector<row> build_table() {
  std::vector<row> rows;
  append_float_rows(rows);
  append_half_rows(rows);
  append_integer_rows(rows);
  append_convert_rows(rows);
  append_move_rows(rows);
  append_memory_rows(rows);
  append_atomic_rows(rows);
  append_texture_rows(rows);
  append_control_rows(rows);
  return rows;
}

bucket_list build_buckets() {
  bucket_list buckets;
  for (const row& r : opcode_table()) buckets[bucket_of(r.value)].push_back(&r);
  return buckets;
}

using name_map = std::map<std::string_view, std::vector<const row*>>;

name_map build_names() {
  name_map names;
  for (const row& r : opcode_table()) names[r.name].push_back(&r);
  return names;
}

// Instructions that exist on sm_70 and have no rows, or not for all their forms. Sources: NAK, samples of
// CuAssembler.
constexpr std::array<std::pair<std::uint16_t, const char*>, 24> refused = {{
    {0x022, "FSWZADD"}, {0x036, "HMMA"},  {0x120, "AL2P"}, {0x121, "ALD"},    {0x122, "AST"},  {0x123, "ISBERD"},
    {0x124, "OUT"},     {0x125, "PIXLD"}, {0x126, "IPA"},  {0x15b, "KILL"},   {0x160, "TEX"},  {0x161, "TEX"},
    {0x163, "TLD4"},    {0x164, "TLD4"},  {0x166, "TLD"},  {0x167, "TLD"},    {0x16a, "TMML"}, {0x16c, "TXD"},
    {0x16d, "TXD"},     {0x16f, "TXQ"},   {0x170, "TXQ"},  {0x194, "SUATOM"}, {0x199, "SULD"}, {0x19d, "SUST"},
}};
constexpr std::array<std::pair<std::uint16_t, const char*>, 6> more_refused = {{
    {0x169, "TMML"},
    {0x196, "SUATOM"},
    {0x198, "SULD"},
    {0x19a, "SULD"},
    {0x19c, "SUST"},
    {0x19e, "SUST"},
}};

}  // namespace

const std::vector<row>& opcode_table() {
  static const std::vector<row> table = build_table();
  return table;
}

const row* find_row(uint128 words) {
  static const bucket_list buckets = build_buckets();
  for (const row* r : buckets[bucket_of(words)])
    if (((words ^ r->value) & r->mask) == 0) return r;
  return nullptr;
}

const std::vector<const row*>& rows_named(std::string_view mnemonic) {
  static const name_map names = build_names();
  static const std::vector<const row*> none;
  const auto found = names.find(mnemonic);
  return found == names.end() ? none : found->second;
}

const char* refused_name(uint128 words) {
  const auto code = static_cast<std::uint16_t>(words & opcode_mask);
  for (const auto& [known, name] : refused)
    if (known == code) return name;
  for (const auto& [known, name] : more_refused)
    if (known == code) return name;
  return nullptr;
}

bool is_refused(std::string_view mnemonic) {
  return std::any_of(refused.begin(), refused.end(), [&](const auto& entry) { return mnemonic == entry.second; });
}

}  // namespace gt200::isa::volta
