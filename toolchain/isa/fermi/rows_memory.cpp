// Loads, stores, cache control, texture fetches.
#include "toolchain/isa/fermi/opcode_table.h"
#include "toolchain/isa/fermi/operand_text.h"

namespace gt200::isa::fermi {
namespace {

constexpr bit_field global_offset = {26, 32};
constexpr bit_field window_offset = {26, 24};
constexpr bit_field line_offset = {28, 30};
constexpr auto value = 1;  // source

element load_cache() {
  return choice<&instruction::cache>({8, 2}, {{0, 0, "ca"}, {1, 1, "cg"}, {2, 2, "cs"}, {3, 3, "cv"}});
}
element store_cache() {
  return choice<&instruction::cache>({8, 2}, {{0, 0, "wb"}, {1, 1, "cg"}, {2, 2, "cs"}, {3, 3, "wt"}});
}

void append_global_rows(std::vector<row>& rows) {
  constexpr auto unit = unit_class::memory;
  const element place = global_operand(global_offset);
  rows.push_back(ordinary("ld", opcode::ld, operation_bits(0x80, 5), mask_5, unit,
                          {memory_type(), data(destination_slot), load_cache(), place}));
  rows.push_back(ordinary("ldu", opcode::ldu, operation_bits(0x88, 5), mask_5, unit,
                          {memory_type(), data(destination_slot), place}));
  rows.push_back(ordinary("st", opcode::st, operation_bits(0x90, 5), mask_5, unit,
                          {memory_type(), store_cache(), place, data(value)}));
}

void append_window_rows(std::vector<row>& rows) {
  constexpr std::uint64_t space_mask = operation_bits(0xfd, 7);
  const element local = memory_operand("l", window_offset);
  const element shared = memory_operand("s", window_offset);
  const element to_data = data(destination_slot);
  rows.push_back(ordinary("ld", opcode::ldl, operation_bits(0xc0, 5), space_mask, unit_class::memory,
                          {memory_type(), to_data, load_cache(), local}));
  rows.push_back(ordinary("ld", opcode::lds, operation_bits(0xc1, 5), space_mask, unit_class::shared,
                          {memory_type(), to_data, shared}));
  rows.push_back(ordinary("ld", opcode::ldslk, operation_bits(0xc4, 5), mask_6, unit_class::shared,
                          {word("lock"), memory_type(), predicate_to(0, {50, 3}), to_data, shared}));
  rows.push_back(ordinary("st", opcode::stl, operation_bits(0xc8, 5), space_mask, unit_class::memory,
                          {memory_type(), store_cache(), local, data(value)}));
  rows.push_back(ordinary("st", opcode::sts, operation_bits(0xc9, 5), space_mask, unit_class::shared,
                          {memory_type(), shared, data(value)}));
  rows.push_back(ordinary("st", opcode::stsul, operation_bits(0xcc, 5), mask_6, unit_class::shared,
                          {word("unlock"), memory_type(), shared, data(value)}));
  rows.push_back(ordinary("ld", opcode::ldc, operation_bits(0x14, 6), mask_6, unit_class::constant,
                          {memory_type(), to_data, indexed_constant()}));
}

void append_cache_rows(std::vector<row>& rows) {
  const element operation = choice<&instruction::cache_control>({5, 5}, {{0, 0, "query1"},
                                                                         {1, 1, "pf1"},
                                                                         {2, 2, "pf15"},
                                                                         {3, 3, "pf2"},
                                                                         {4, 4, "wb"},
                                                                         {5, 5, "iv"},
                                                                         {6, 6, "ivall"},
                                                                         {7, 7, "rs"}});
  const element kind =
      choice<&instruction::cache_control_kind>({26, 2}, {{1, 1, "u"}, {2, 2, "c"}, {3, 3, "i"}, {0, 0, ""}});
  rows.push_back(ordinary("cctl", opcode::cctl, operation_bits(0x98, 5), mask_5, unit_class::memory,
                          {operation, kind, to(), global_operand(line_offset, 2)}));
  rows.push_back(ordinary("cctl", opcode::cctll, operation_bits(0xd0, 5), mask_6, unit_class::memory,
                          {operation, to(), memory_operand("l", window_offset)}));
  rows.push_back(ordinary("membar", opcode::membar, operation_bits(0xe0, 5), mask_6, unit_class::barrier,
                          {choice<&instruction::level>({5, 2}, {{0, 0, "cta"}, {1, 1, "gl"}, {2, 2, "sys"}})}));
}

// Without an offset, comparison, samples, a level in a register or an index of the texture in a register.
void append_texture_rows(std::vector<row>& rows) {
  constexpr std::uint64_t absent = std::uint64_t{0xf} << 54 | std::uint64_t{1} << 50;
  const element mode = choice<&instruction::texture_mode>({7, 2}, {{1, 1, "t"}, {2, 2, "p"}, {0, 0, ""}});
  const element unit = numbered(
      "$t", {32, 8}, [](const instruction& i) -> std::uint32_t { return i.texture_unit; },
      [](instruction& i, std::uint32_t v) { i.texture_unit = static_cast<std::uint8_t>(v); });
  const element sampler = numbered(
      "$s", {40, 5}, [](const instruction& i) -> std::uint32_t { return i.sampler_unit; },
      [](instruction& i, std::uint32_t v) { i.sampler_unit = static_cast<std::uint8_t>(v); });
  element no_second = gpr(1, 26);
  // The field of the second source has no meaning here; compilers put the zero register into it.
  no_second.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    operand& o = i.source[1];
    const bool is_register = s.printing() ? o.index != zero_register : s.peek() != "(";
    if (is_register) return transfer_register_text(o, 1, s);
    s.literal("(");
    if (s.ok()) s.literal(")");
    o = {operand_kind::gpr};
  };
  constexpr std::uint64_t other_levels = std::uint64_t{3} << 58;
  constexpr std::uint64_t no_extras = std::uint64_t{7} << 54 | std::uint64_t{1} << 50;
  rows.push_back(ordinary("tex", opcode::tex, operation_bits(0x80, 6),
                          operation_bits(0xf0, 7) | no_extras | other_levels, unit_class::texture,
                          {mode, choice<&instruction::texture_level>({57, 1}, {{0, 0, "lauto"}, {1, 1, "lzero"}}),
                           flag<&instruction::texture_live>(9, "live", "all"),
                           flag<&instruction::texture_all_derivatives>(45, "dall", "dfp"), texture_destination(),
                           texture_shape(), unit, sampler, texture_coordinates(), no_second}));
  rows.push_back(ordinary(
      "texfetch", opcode::tld, operation_bits(0x90, 6), operation_bits(0xf0, 7) | absent, unit_class::texture,
      {mode, word("lzero"), flag<&instruction::texture_live>(9, "live", "all"), texture_destination(),
       texture_shape(), unit, sampler, texture_coordinates(), no_second}));
}

}  // namespace

void append_memory_rows(std::vector<row>& rows) {
  append_global_rows(rows);
  append_window_rows(rows);
  append_cache_rows(rows);
  append_texture_rows(rows);
}

}  // namespace gt200::isa::fermi
