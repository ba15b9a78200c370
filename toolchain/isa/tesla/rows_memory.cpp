// Dedicated loads, stores and atomic operations.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {
namespace {

constexpr auto L = encoding_format::long_;

// One bit selects between a register half and a whole register.
element half_or_word(element e, std::uint8_t select_bit) {
  e.size = width::half_or_word;
  e.select_bit = select_bit;
  return e;
}

struct access {
  const char* name;
  data_type type;
};

void append_shared_rows(std::vector<row>& rows) {
  const element memory = simple(element_kind::shared_memory);
  const element value = half_or_word(from(1, field_3), 53);
  const element result = half_or_word(to(width::word), 58);
  const auto unit = unit_class::shared;
  const element locked = fixed<&instruction::lock>(true);

  rows.push_back({"st",
                  opcode::st_shared,
                  L,
                  {0, 0xe0400000},
                  {0xf0000000, 0xe0400000},
                  unit,
                  10,
                  {memory_type<0>(data_type::u8, "b8"), memory, value}});
  rows.push_back({"st",
                  opcode::st_shared,
                  L,
                  {0, 0xe0000000},
                  {0xf0000000, 0xe4400000},
                  unit,
                  10,
                  {memory_type<0>(data_type::u16, "b16"), memory, value}});
  rows.push_back({"st",
                  opcode::st_shared,
                  L,
                  {0, 0xe4000000},
                  {0xf0000000, 0xe4c00000},
                  unit,
                  10,
                  {memory_type<0>(data_type::b32, "b32"), memory, value}});
  rows.push_back({"st",
                  opcode::st_shared,
                  L,
                  {0, 0xe4800000},
                  {0xf0000000, 0xe4c00000},
                  unit,
                  12,
                  {locked, word("unlock"), memory_type<0>(data_type::b32, "b32"), memory, value}});

  constexpr std::array<access, 4> types = {
      {{"u8", data_type::u8}, {"u16", data_type::u16}, {"s16", data_type::s16}, {"b32", data_type::b32}}};
  for (std::uint32_t k = 0; k < types.size(); ++k) {
    rows.push_back({"ld",
                    opcode::ld_shared,
                    L,
                    {0x10000000, 0x40000000 | k << 14},
                    {0xf0000000, 0xe080c000},
                    unit,
                    11,
                    {result, memory_type<0>(types[k].type, types[k].name), memory}});
  }
  // The locking load from shared memory. The $c register that it writes tells whether it has taken the lock.
  rows.push_back(
      {"ld",
       opcode::ld_shared,
       L,
       {0x10000000, 0x4080c000},
       {0xf0000000, 0xe080c000},
       unit,
       12,
       {locked, word("lock"), forced_condition_to(), result, memory_type<0>(data_type::b32, "b32"), memory}});

  const element constant = simple(element_kind::constant_memory);
  for (std::uint32_t k = 0; k < types.size(); ++k) {
    rows.push_back({"ld",
                    opcode::ld_const,
                    L,
                    {0x10000000, 0x20000000 | k << 14},
                    {0xf0000000, 0xe000c000},
                    unit_class::constant,
                    10,
                    {result, memory_type<0>(types[k].type, types[k].name), constant}});
  }
}

void append_local_and_global_rows(std::vector<row>& rows) {
  constexpr std::array<access, 7> types = {{{"u8", data_type::u8},
                                            {"s8", data_type::s8},
                                            {"u16", data_type::u16},
                                            {"s16", data_type::s16},
                                            {"b64", data_type::b64},
                                            {"b128", data_type::b128},
                                            {"b32", data_type::b32}}};
  const element local = simple(element_kind::local_memory);
  const element global = operand_element(element_kind::global_memory, 0, width::word, {16, 4}, true);
  const element result = register_to(width::by_memory);
  const element value = from(1, field_destination, width::by_memory);
  const auto add = [&rows](const char* name, opcode op, std::uint32_t second_word, element_list elements) {
    rows.push_back({name,
                    op,
                    L,
                    {0xd0000000, second_word},
                    {0xf0000000, 0xe0e00000},
                    unit_class::memory,
                    10,
                    std::move(elements)});
  };
  for (std::uint32_t k = 0; k < types.size(); ++k) {
    const element type = memory_type<0>(types[k].type, types[k].name);
    add("ld", opcode::ld_local, 0x40000000 | k << 21, {type, result, local});
    add("st", opcode::st_local, 0x60000000 | k << 21, {type, local, value});
    add("ld", opcode::ld_global, 0x80000000 | k << 21, {type, result, global});
    add("st", opcode::st_global, 0xa0000000 | k << 21, {type, global, value});
  }
}

void append_atomic_rows(std::vector<row>& rows) {
  struct operation {
    const char* name;
    atomic_op op;
    std::uint32_t code;
    const char* unsigned_type;  // name of the 32-bit type
    bool has_signed;
    const char* long_type;  // name of the 64-bit type, null if there is none
    bool reduces;           // also exists without result
  };
  constexpr std::array<operation, 10> operations = {{
      {"add", atomic_op::add, 0x0, "u32", true, "u64", true},
      {"exch", atomic_op::exch, 0x1, "b32", false, "b64", false},
      {"cas", atomic_op::cas, 0x2, "b32", false, "b64", false},
      {"inc", atomic_op::inc, 0x4, "u32", false, nullptr, true},
      {"dec", atomic_op::dec, 0x5, "u32", false, nullptr, true},
      {"max", atomic_op::max, 0x6, "u32", true, nullptr, true},
      {"min", atomic_op::min, 0x7, "u32", true, nullptr, true},
      {"and", atomic_op::and_, 0xa, "b32", false, nullptr, true},
      {"or", atomic_op::or_, 0xb, "b32", false, nullptr, true},
      {"xor", atomic_op::xor_, 0xc, "b32", false, nullptr, true},
  }};
  constexpr std::uint32_t long_bits = 0x00800000;
  constexpr std::uint32_t word_bits = 0x00c00000;
  constexpr std::uint32_t signed_bits = 0x00e00000;
  const element red_memory = operand_element(element_kind::global_memory, 0, width::word, {16, 4}, true);
  const element atom_memory = operand_element(element_kind::global_memory, 0, width::word, {23, 4}, true);
  const element red_value = from(1, field_destination, width::by_memory);
  const element result = register_to(width::by_memory);
  const element value = from(1, field_2, width::by_memory);
  const element swap = from(2, field_3, width::by_memory);

  for (const operation& o : operations) {
    const auto add = [&](const char* type_name, data_type type, bool is_signed, std::uint32_t type_bits,
                         std::uint8_t capability) {
      const element_list kind = {fixed<&instruction::atomic>(o.op), fixed<&instruction::is_signed>(is_signed)};
      const element access_type = memory_type<0>(type, type_name);
      const std::uint32_t bits = o.code << 2 | type_bits;
      if (o.reduces) {
        element_list e = kind;
        e.insert(e.end(), {word(o.name), access_type, red_memory, red_value});
        rows.push_back({"red",
                        opcode::red_global,
                        L,
                        {0xd0000000, 0xc0000000 | bits},
                        {0xf0000000, 0xe0e0003c},
                        unit_class::memory,
                        capability,
                        std::move(e)});
      }
      // exch and cas have their own mnemonic; the others are written "ld add", "ld max" ...
      element_list e = kind;
      if (o.reduces) e.push_back(word(o.name));
      e.insert(e.end(), {access_type, result, atom_memory, value});
      if (o.op == atomic_op::cas) e.push_back(swap);
      rows.push_back({o.reduces ? "ld" : o.name,
                      opcode::atom_global,
                      L,
                      {0xd0000000, 0xe0000000 | bits},
                      {0xf0000000, 0xe0e0003c},
                      unit_class::memory,
                      capability,
                      std::move(e)});
    };
    add(o.unsigned_type, data_type::b32, false, word_bits, 11);
    if (o.has_signed) add("s32", data_type::b32, true, signed_bits, 11);
    if (o.long_type != nullptr) add(o.long_type, data_type::b64, false, long_bits, 12);
  }
}

}  // namespace

void append_memory_rows(std::vector<row>& rows) {
  append_shared_rows(rows);
  append_local_and_global_rows(rows);
  append_atomic_rows(rows);
}

}  // namespace gt200::isa::tesla
