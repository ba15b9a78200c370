// Moves between register files, and instructions that do nothing.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {

void append_move_rows(std::vector<row>& rows) {
  using f = encoding_format;
  constexpr auto w = width::word;
  constexpr auto h = width::half;
  const auto sp = unit_class::sp;
  const element lanes = simple(element_kind::lanes);
  const element b16 = fixed<&instruction::is_16bit>(true, "b16");
  const element b32 = fixed<&instruction::is_16bit>(false, "b32");
  const element sfu = flag<&instruction::sfu_path>(57, "sfu");
  const element short_sfu = flag<&instruction::sfu_path>(17, "sfu");
  const element constant = immediate(0, field_immediate_32);

  const auto add = [&rows](row r) { rows.push_back(std::move(r)); };
  add({"mov",
       opcode::mov,
       f::short_,
       {0x10000000, 0},
       {0xf0008000, 0},
       sp,
       10,
       {short_sfu, b16, short_to(h), short_first(h)}});
  add({"mov",
       opcode::mov,
       f::short_,
       {0x10008000, 0},
       {0xf0008000, 0},
       sp,
       10,
       {short_sfu, b32, short_to(w), short_first(w)}});
  add({"mov",
       opcode::mov,
       f::long_,
       {0x10000000, 0x00000000},
       {0xf0000000, 0xe4000000},
       sp,
       10,
       {sfu, b16, to(h), first(h)}});
  add({"mov",
       opcode::mov,
       f::long_,
       {0x10000000, 0x04000000},
       {0xf0000000, 0xe4000000},
       sp,
       10,
       {sfu, b32, to(w), first(w)}});
  for (row& r : rows) {
    if (r.format == f::long_) r.elements.insert(r.elements.begin(), lanes);
  }
  add({"mov",
       opcode::mov,
       f::immediate,
       {0x10000000, 0},
       {0xf0008000, 0},
       sp,
       10,
       {b16, short_to(h, 7), constant}});
  add({"mov",
       opcode::mov,
       f::immediate,
       {0x10008000, 0},
       {0xf0008000, 0},
       sp,
       10,
       {b32, short_to(w, 7), constant}});

  add({"mov",
       opcode::mov_from_c,
       f::long_,
       {0, 0x20000000},
       {0xf0000000, 0xe0000000},
       sp,
       10,
       {register_to(w), simple(element_kind::condition_input)}});
  add({"mov",
       opcode::mov_from_a,
       f::long_,
       {0, 0x40000000},
       {0xf0000000, 0xe0000000},
       sp,
       10,
       {register_to(w), simple(element_kind::address_source)}});
  add({"mov",
       opcode::mov_from_sr,
       f::long_,
       {0, 0x60000000},
       {0xf0000000, 0xe0000000},
       sp,
       10,
       {register_to(w), simple(element_kind::special_source)}});
  add({"mov",
       opcode::mov_to_c,
       f::long_,
       {0, 0xa0000000},
       {0xf0000000, 0xe0000000},
       sp,
       10,
       {forced_condition_to(), from(0, field_1)}});
  add({"shl",
       opcode::shl_to_a,
       f::long_,
       {0, 0xc0000000},
       {0xf0000000, 0xe0000000},
       sp,
       10,
       {simple(element_kind::address_destination, destination_slot), first(w), immediate(1, {16, 4})}});
  add({"add",
       opcode::add_to_a,
       f::long_,
       {0xd0000000, 0x20000000},
       {0xf0000000, 0xe0000000},
       sp,
       10,
       {simple(element_kind::address_destination, destination_slot), simple(element_kind::address_source),
        immediate(1, {9, 16})}});

  add({"nop", opcode::nop, f::long_, {0xf0000000, 0xe0000000}, {0xf0000000, 0xe0000004}, unit_class::none, 10, {}});
  add({"pmevent",
       opcode::pmevent,
       f::long_,
       {0xf0000000, 0xe0000004},
       {0xf0000000, 0xe0000004},
       unit_class::none,
       10,
       {immediate(0, {10, 4})}});

  // The input of a vote is the predicate field itself.
  add({"vote",
       opcode::vote_any,
       f::long_,
       {0x10000200, 0x60000000},
       {0xf0000600, 0xe0000000},
       sp,
       12,
       {word("any"), forced_condition_to()}});
  add({"vote",
       opcode::vote_all,
       f::long_,
       {0x10000400, 0x60000000},
       {0xf0000600, 0xe0000000},
       sp,
       12,
       {word("all"), forced_condition_to()}});
}

}  // namespace gt200::isa::tesla
