// The checker must be able to fail: each test damages one thing in the running chip from outside, and the checker
// names it.

#include <algorithm>
#include <functional>

#include "observe/statistics.h"
#include "sc_models/memory_path/coalescer.h"
#include "testbenches/system/checked/checked_board.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200 {
namespace {

using isa::tesla::opcode;
using model::collected_token;
using model::executed_token;
using model::memory_access_token;
using model::memory_completion_token;

model::warp_instruction& operation_of(const memory_access_token& token) { return *token.access->operation; }
template <class T>
model::warp_instruction& operation_of(const T& token) {
  return *token.operation;
}

// Acts on the first instruction with this operation that enters a pipe.
template <class T>
class damage final : public tlm_bus::pipe_observer<T> {
 public:
  damage(tlm_bus::pipe_in<T>& pipe, opcode op, std::function<void(const T&)> act) : op_(op), act_(std::move(act)) {
    pipe.observers().attach(*this);
  }
  ~damage() override { EXPECT_TRUE(done_) << "the damage was not done"; }

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const T& token) override {
    if (done_ || isa::tesla::as_tesla(*operation_of(token).instruction).op != op_) return;
    done_ = true;
    act_(token);
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const T&) override {}

  opcode op_;
  std::function<void(const T&)> act_;
  bool done_ = false;
};

// A little of everything, after the prologue of support::checked_program(). Offsets count from the start of the
// kernel.
constexpr const char* body = R"(
  ld b32 $r5 g14[$r3]             // 0x30
  add b32 $r6 $r5 $r0             // 0x38
  shl $a1 $r1 0x2
  st b32 s[$a1+tile] $r6
  bar inc wait 0x0 0xfff
  add b32 $r7 b32 s[$a1+tile] $r6
  set $c0 # l u32 $r1 c1[sixteen]
  joinat meet
  (lg $c0) bra meet
  add b32 $r7 $r7 $r7
meet:
  join nop
  mov $r8 $clock
  add b32 $r9 $r8 $r7
  st b32 g14[$r4] $r7
  exit nop
)";
constexpr unsigned tile_offset = 24;  // after header and two parameters

class the_checker : public support::checked_board {
 protected:
  void build_sound_chip() { build(support::checked_program(body, ".shared tile 2048\n.literal sixteen u32 16\n")); }
  // Expects the run to stop with this difference.
  void finds(const std::string& what, int lane = -1, unsigned blocks = 2, unsigned threads = 64) {
    const launch_result result = run(blocks, threads);
    ASSERT_TRUE(checker->difference()) << "nothing found, the launch ended with " << name_of(result.reason);
    const observe::mismatch& found = *checker->difference();
    EXPECT_NE(found.what.find(what), std::string::npos) << difference();
    if (lane >= 0) {
      EXPECT_EQ(found.lane, lane) << difference();
    }
    EXPECT_NE(found.expected, found.got);
  }
  tlm_bus::pipe_in<collected_token>& to_sp() {
    return sm().execution_units.groups[sm().units.index_of("sp")].from_collector;
  }
  tlm_bus::pipe_in<executed_token>& from_sp() { return sm().write_back.from_units[sm().units.result_index("sp")]; }
  tlm_bus::pipe_in<memory_access_token>& into_coalescer() {
    return dynamic_cast<model::coalescer&>(*sc_core::sc_find_object("gt200.tpc_0.memory.coalescer")).from_tlb;
  }
};

TEST_F(the_checker, finds_nothing_in_a_sound_chip) {
  build_sound_chip();
  run_alike(2, 64);
  EXPECT_EQ(checker->counts().instructions, 2 * (22u + 21u)) << "the first warp of a block meets on two paths";
  EXPECT_EQ(checker->counts().blocks, 2u);
  EXPECT_EQ(checker->counts().special_reads, 4u);
}

TEST_F(the_checker, reports_place_instruction_and_both_values_and_stops_the_launch) {
  build_sound_chip();
  damage<collected_token> hook(to_sp(), opcode::add,
                               [](const collected_token& t) { t.operation->values.source[0][0].lane[3] ^= 0x10; });
  observe::statistics accounting(*board);
  accounting.launch_begins();
  const launch_result result = run(1, 32);
  EXPECT_EQ(result.reason, end_reason::stopped);
  // At the edge that ended the launch, one SM has already done its part, the others have not.
  EXPECT_NO_THROW(accounting.launch_ended(board->parameters(), result));
  ASSERT_TRUE(checker->difference());
  const observe::mismatch& found = *checker->difference();
  EXPECT_EQ(found.place, "gt200.tpc_0.sm_0");
  EXPECT_EQ(found.kernel, "test");
  EXPECT_EQ(found.pc, 0x38u);
  EXPECT_EQ(found.disassembly, "add b32 $r6 $r5 $r0");
  EXPECT_EQ(found.lane, 3);
  EXPECT_EQ(found.what, "source 0, word 0");
  EXPECT_EQ(std::stoul(found.expected, nullptr, 16) ^ std::stoul(found.got, nullptr, 16), 0x10u);
  EXPECT_NE(found.line, 0u);
  EXPECT_NE(found.cycle, 0u);
}

TEST_F(the_checker, finds_an_altered_result) {
  build_sound_chip();
  damage<executed_token> hook(from_sp(), opcode::add, [](const executed_token& t) {
    t.operation->values.destination[0].lane[31] ^= 0x80000000u;
  });
  finds("result $r", 31);
}

TEST_F(the_checker, finds_an_altered_condition) {
  build_sound_chip();
  damage<executed_token> hook(from_sp(), opcode::set,
                              [](const executed_token& t) { t.operation->values.flags_out[9] ^= 1; });
  finds("result $c0", 9);
}

TEST_F(the_checker, finds_lanes_that_should_not_execute) {
  build_sound_chip();
  damage<collected_token> hook(to_sp(), opcode::set,
                               [](const collected_token& t) { t.operation->executed = 0xffff; });
  finds("executed lanes");
}

TEST_F(the_checker, finds_a_dependency_released_too_early) {
  build_sound_chip();
  damage<collected_token> hook(sm().memory_port.in, opcode::ld_global, [this](const collected_token& t) {
    model::dependency_update all{model::dependency_update::command::clear, t.operation->warp, 0, ~std::uint64_t{0}};
    sm().instruction_buffer.transport(all);
  });
  finds("missed hazard");
  EXPECT_EQ(checker->difference()->expected, "$r5 written back before this instruction issues");
}

TEST_F(the_checker, finds_a_flipped_bit_of_a_load) {
  build_sound_chip();
  damage<memory_completion_token> hook(
      sm().write_back.from_memory, opcode::ld_global,
      [](const memory_completion_token& t) { t.operation->values.destination[0].lane[7] ^= 0x100; });
  finds("result $r5", 7);
}

TEST_F(the_checker, finds_a_lane_that_gets_its_neighbours_bytes) {
  build_sound_chip();
  damage<memory_access_token> hook(into_coalescer(), opcode::ld_global, [](const memory_access_token& t) {
    std::swap(t.access->operation->values.address.lane[2], t.access->operation->values.address.lane[3]);
  });
  finds("result $r5", 2);
}

TEST_F(the_checker, finds_a_store_to_another_place) {
  build_sound_chip();
  damage<memory_access_token> hook(into_coalescer(), opcode::st_global,
                                   [](const memory_access_token& t) { t.access->physical_offset += 4096; });
  finds("physical address", 0);
}

TEST_F(the_checker, finds_altered_store_data) {
  build_sound_chip();
  damage<memory_access_token> hook(into_coalescer(), opcode::st_global, [](const memory_access_token& t) {
    t.access->operation->values.source[1][0].lane[8] ^= 0x10000;
  });
  finds("byte stored to", 8);
}

TEST_F(the_checker, finds_a_lost_lane_of_a_store) {
  build_sound_chip();
  damage<memory_access_token> hook(into_coalescer(), opcode::st_global,
                                   [](const memory_access_token& t) { t.access->lanes &= ~isa::lane_mask{2}; });
  finds("access to memory", 1);
  EXPECT_EQ(checker->difference()->got, "never performed for lanes 0x00000002");
}

TEST_F(the_checker, finds_a_flipped_bit_of_shared_memory) {
  build_sound_chip();
  damage<executed_token> hook(
      sm().write_back.from_shared_memory, opcode::st_shared, [this](const executed_token& t) {
        const unsigned thread = 32u * t.operation->warp_in_block + 5;
        const_cast<std::uint8_t*>(sm().shared_memory.bytes_of(t.operation->block_slot))[tile_offset + 4 * thread] ^=
            1;
      });
  finds("s[] operand", 5);
}

TEST_F(the_checker, finds_a_byte_of_shared_memory_that_is_never_read) {
  build_sound_chip();
  damage<executed_token> hook(
      sm().write_back.from_shared_memory, opcode::st_shared, [this](const executed_token& t) {
        const_cast<std::uint8_t*>(sm().shared_memory.bytes_of(t.operation->block_slot))[tile_offset + 2000] ^= 1;
      });
  finds("s[0x7e8] at the end of block");
}

TEST_F(the_checker, finds_a_register_that_is_never_read) {
  build_sound_chip();
  damage<collected_token> hook(sm().memory_port.in, opcode::st_global, [this](const collected_token& t) {
    isa::lane_words row;
    isa::register_transfer transfer;
    transfer.first = 1;
    model::register_read_request read{0, t.operation->warp, ~isa::lane_mask{0}, {&transfer, 1, &row}};
    sm().register_file.transport(read);
    row.lane[4] ^= 1;
    model::register_write_request write{0, t.operation->warp, isa::lane_mask{1} << 4, {&transfer, 1, &row}};
    sm().register_file.transport(write);
  });
  finds("$r1 of lane 4 at the end of block", 4);
}

TEST_F(the_checker, finds_lanes_lost_by_the_divergence_stack) {
  build_sound_chip();
  damage<executed_token> hook(from_sp(), opcode::set, [this](const executed_token& t) {
    sm().simt_stack.start(t.operation->warp, t.operation->pc, 0x7fffffff);
  });
  finds("active lanes");
}

TEST_F(the_checker, finds_damaged_code) {
  build_sound_chip();
  std::uint32_t word = module.kernels[0].code[0x38 / 4] ^ 4;  // another destination register
  board->chip().host.poke(board->chip().config.memory_map.code_base + 0x38,
                          reinterpret_cast<const std::uint8_t*>(&word), 4);
  finds("instruction words");
}

TEST_F(the_checker, finds_a_branch_to_another_place) {
  build_sound_chip();
  // The short branch lands after `join`: its target is 8 bytes farther.
  std::uint32_t word = module.kernels[0].code[0x70 / 4];
  ASSERT_EQ(word & 0xf0000003u, 0x10000003u) << "bra";
  word += 2u << 11;
  board->chip().host.poke(board->chip().config.memory_map.code_base + 0x70,
                          reinterpret_cast<const std::uint8_t*>(&word), 4);
  finds("instruction words");
}

TEST_F(the_checker, finds_a_warp_that_does_not_wait_at_a_barrier) {
  build_sound_chip();
  damage<collected_token> hook(sm().barrier.in, opcode::bar,
                               [this](const collected_token&) { sm().issue.release(~model::warp_mask{0}); });
  finds("issue", -1, 1, 512);
  EXPECT_EQ(checker->difference()->expected, "none, the warp waits at barrier 0");
}

TEST_F(the_checker, finds_a_clock_that_stands_still) {
  build_sound_chip();
  damage<collected_token> hook(to_sp(), opcode::mov_from_sr, [](const collected_token& t) {
    std::fill(std::begin(t.operation->values.source[0][0].lane), std::end(t.operation->values.source[0][0].lane),
              1u);
  });
  finds("$clock");
}

TEST_F(the_checker, finds_a_byte_lost_on_the_way_to_the_dram) {
  build_sound_chip();
  run(2, 64, [this] {
    std::uint8_t byte = 0;
    board->peek(out + 9, &byte, 1);
    byte ^= 0x40;
    board->poke(out + 9, &byte, 1);
  });
  ASSERT_TRUE(checker->difference());
  EXPECT_NE(checker->difference()->what.find("byte of device memory"), std::string::npos) << difference();
  EXPECT_EQ(std::stoul(checker->difference()->expected, nullptr, 16) ^
                std::stoul(checker->difference()->got, nullptr, 16),
            0x40u);
}

constexpr const char* misaligned = R"(
  add b32 $r4 $r4 0x2
  st b32 g14[$r4] $r1
  exit nop
)";

TEST_F(the_checker, agrees_with_a_fault_of_the_program) {
  build(support::checked_program(misaligned));
  EXPECT_EQ(run(1, 32).reason, end_reason::fault);
  EXPECT_EQ(difference(), "no difference");
}

TEST_F(the_checker, finds_a_fault_that_the_model_forgets) {
  build(support::checked_program(misaligned));
  damage<memory_completion_token> hook(
      sm().write_back.from_memory, opcode::st_global,
      [](const memory_completion_token& t) { t.operation->fault = arch_state::fault_kind::none; });
  finds("fault");
}

TEST_F(the_checker, finds_a_fault_that_the_model_makes_up) {
  build_sound_chip();
  damage<executed_token> hook(from_sp(), opcode::set, [](const executed_token& t) {
    t.operation->fault = arch_state::fault_kind::unmapped_address;
  });
  finds("fault");
}

}  // namespace
}  // namespace gt200
