// Illegal programs: model and emulator find the same fault.
#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

struct illegal_program {
  const char* name;
  const char* body;
  arch_state::fault_kind fault;
  const char* directives = "";
};

void PrintTo(const illegal_program& p, std::ostream* out) { *out << p.name; }

class illegal : public support::checked_board, public ::testing::WithParamInterface<illegal_program> {};

TEST_P(illegal, is_found_alike) {
  build(support::checked_program(GetParam().body, GetParam().directives));
  const launch_result result = run(2, 64);
  EXPECT_EQ(difference(), "no difference");
  EXPECT_EQ(result.reason, end_reason::fault);
  EXPECT_STREQ(arch_state::name_of(result.fault.kind), arch_state::name_of(GetParam().fault));
}

using arch_state::fault_kind;
const illegal_program programs[] = {
    {"misaligned_load", "  add b32 $r3 $r3 0x2\n  ld b32 $r5 g14[$r3]\n  exit nop\n",
     fault_kind::misaligned_address},
    {"one_misaligned_lane",
     "  shl b32 $r5 $r1 0x1e\n  shr u32 $r5 $r5 0x1e\n  add b32 $r3 $r3 $r5\n"
     "  st u16 g14[$r3] $r1\n  exit nop\n",
     fault_kind::misaligned_address},
    {"unmapped_global_address", "  mov b32 $r3 0x10\n  st b32 g14[$r3] $r1\n  exit nop\n",
     fault_kind::unmapped_address},
    {"lanes_beyond_the_buffers",
     "  shl b32 $r5 $r1 0x18\n  add b32 $r3 $r3 $r5\n  ld b32 $r5 g14[$r3]\n  exit nop\n",
     fault_kind::unmapped_address},
    {"atomic_at_an_odd_address", "  add b32 $r4 $r4 0x1\n  red add u32 g14[$r4] $r1\n  exit nop\n",
     fault_kind::misaligned_address},
    {"shared_memory_behind_its_end", "  st b32 s[0x18] $r1\n  exit nop\n", fault_kind::unmapped_address},
    {"shared_operand_behind_its_end", "  add b32 $r5 b32 s[0x40] $r1\n  exit nop\n", fault_kind::unmapped_address},
    {"misaligned_shared_memory", "  shl $a1 $r1 0x1\n  mov b32 $r5 b32 s[$a1+tile]\n  exit nop\n",
     fault_kind::misaligned_address, ".shared tile 256\n"},
    {"local_memory_behind_its_end", "  st b32 l[0x10] $r1\n  exit nop\n", fault_kind::unmapped_address,
     ".local 16\n"},
    {"no_local_memory", "  ld b32 $r5 l[0x0]\n  exit nop\n", fault_kind::unmapped_address},
    {"constants_behind_their_end", "  add b32 $r5 $r1 c1[0x10]\n  exit nop\n", fault_kind::unmapped_address,
     ".literal one u32 1\n"},
    {"indexed_constants_behind_their_end", "  shl $a1 $r1 0x2\n  ld $r5 b32 c1[$a1+table]\n  exit nop\n",
     fault_kind::unmapped_address, ".literal table u32 1 2 3 4\n"},
    {"no_constants", "  add b32 $r5 $r1 c3[0x0]\n  exit nop\n", fault_kind::unmapped_address},
    {"no_texture", "  texfetch all $r8:#:#:# $t5 $s0 $r8 0x0 0x0 0x0\n  exit nop\n", fault_kind::texture_not_bound},
    {"trap", "  trap\n  exit nop\n", fault_kind::trap},
    {"join_without_joinat", "  join nop\n  exit nop\n", fault_kind::stack_underflow},
    {"break_without_loop", "  break\n  exit nop\n", fault_kind::stack_underflow},
    {"endless_recursion", "again:\n  call again\n  exit nop\n", fault_kind::stack_overflow},
    {"divergent_barrier",
     "  set $c0 # l u32 $r1 c1[five]\n  joinat meet\n  (lg $c0) bra meet\n  bar inc wait 0x0 0xfff\nmeet:\n"
     "  join nop\n  exit nop\n",
     fault_kind::divergent_barrier, ".literal five u32 5\n"},
    {"words_that_are_no_instruction", "  bra there\nthere:\n  .word 0xf0000001 0xffffffff\n  exit nop\n",
     fault_kind::illegal_instruction},
    {"code_that_ends_within_an_instruction", "  bra there\n  exit nop\nthere:\n  .word 0xf0000001\n",
     fault_kind::invalid_pc},
    {"code_outside_the_kernel", "  .word 0x11000003 0x00000780  // bra 0x8000\n  exit nop\n",
     fault_kind::invalid_pc},
};

INSTANTIATE_TEST_SUITE_P(because_of, illegal, ::testing::ValuesIn(programs),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200
