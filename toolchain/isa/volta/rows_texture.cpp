// Texture fetches.
//
//   TEX.SCR.LZ R6, R4, R8, R9, 0x2, 0x0, 2D        third and fourth component, first two, arguments, handle, shape
//   TEX.SCR.B.LZ RZ, R4, R8, R10, 2D, 0x1          the handle among the arguments; the components that are written
//
// A handle in constant memory is named by its bank and its word there.
#include <utility>

#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {

void append_texture_rows(std::vector<row>& rows) {
  constexpr auto unit = unit_class::texture;
  constexpr std::uint32_t priority = 1;  // ordinary
  const element scalars = flag<&instruction::scalar_arguments>(60, "SCR");
  const element offset = flag<&instruction::texel_offset>(76, "AOFFI");
  const element in_register = fixed<&instruction::handle_in_register>(1, "B");
  const element in_constant = fixed<&instruction::handle_in_register>(0);
  const auto level = [](std::vector<choice_entry> known) {
    return choice<&instruction::level>({87, 3}, std::move(known));
  };
  const element any_level = level({{0, 0, ""}, {1, 1, "LZ"}, {2, 2, "LB"}, {3, 3, "LL"}});
  const element level_of_texel = level({{1, 1, "LZ"}, {3, 3, "LL"}});

  const auto add = [&](const char* name, opcode op, std::uint32_t code, bool by_register, element_list modifiers) {
    element_list all = {scalars, by_register ? in_register : in_constant};
    all.insert(all.end(), modifiers.begin(), modifiers.end());
    for (const element& e : {texture_destination(64), texture_destination(16), gpr(0, 24), second_arguments()})
      all.push_back(e);
    if (!by_register) all.push_back(texture_handle());
    for (const element& e : {texture_shape_operand(), written_components(), texture_registers()}) all.push_back(e);
    row r = with_bits(whole(name, op, code, unit, std::move(all)),
                      {{59, 1, by_register ? 1u : 0u}, {81, 3, true_predicate}, {84, 3, priority}});
    rows.push_back(by_register ? with_bits(std::move(r), {{40, 19, 0}}) : std::move(r));
  };
  const element_list modifiers_of_tex = {any_level, offset, flag<&instruction::depth_compare>(78, "DC"),
                                         flag<&instruction::no_divergence>(77, "NDV")};
  add("TEX", opcode::tex, 0x361, true, modifiers_of_tex);
  add("TEX", opcode::tex, 0xb60, false, modifiers_of_tex);
  add("TLD", opcode::tld, 0x367, true, {level_of_texel, offset});
  add("TLD", opcode::tld, 0xb66, false, {level_of_texel, offset});
}

}  // namespace gt200::isa::volta
