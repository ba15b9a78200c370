// What the models ask of the generation, on Tesla: which part of an instruction they see, its operands and
// addresses, and where its results go.
#include "toolchain/arch_state/tesla/generation.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "toolchain/arch_state/register_rows.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::arch_state::tesla {
namespace {

using isa::access_kind;
using isa::flow_kind;
using isa::memory_space;

isa::instruction_words words_of(const std::string& line) {
  std::string label;
  isa::tesla::decode_error error;
  const auto i = isa::tesla::parse(line, label, error);
  EXPECT_TRUE(i) << line << ": " << error.reason;
  return i ? i->words : isa::instruction_words{};
}

// Reads the operands of an instruction from rows, as a register file does.
void read_operands(const isa::instruction& i, const register_rows& rows, isa::lane_bundle& values) {
  const register_reads reads = operands_of(i, values);
  for (const isa::register_transfer& r : reads) switch (r.file) {
      case isa::register_file_kind::gpr:
        for (unsigned k = 0; k < r.count; ++k)
          std::memcpy(reads.row<isa::lane_words>(r) + k, rows.gpr(r.first + k), sizeof(isa::lane_words));
        break;
      case isa::register_file_kind::condition:
        std::memcpy(reads.row<std::uint8_t>(r), rows.condition(r.first), isa::warp_size);
        break;
      case isa::register_file_kind::address:
        std::memcpy(reads.row<std::uint16_t>(r), rows.address(r.first), 2 * isa::warp_size);
        break;
    }
}

// The registers of this file that are operands of the instruction.
std::vector<unsigned> registers_read(const isa::instruction& i, isa::register_file_kind file) {
  std::vector<unsigned> all;
  for (unsigned n = 0; n < i.operand_count; ++n)
    for (unsigned k = 0; i.operands[n].file == file && k < i.operands[n].count; ++k)
      all.push_back(i.operands[n].first + k);
  return all;
}

class tesla_generation : public ::testing::Test {
 protected:
  tesla_generation() {
    for (unsigned r = 0; r < storage_.size(); ++r)
      for (unsigned lane = 0; lane < isa::warp_size; ++lane) storage_[r].lane[lane] = 1000 * r + lane;
    registers_.bind(storage_.data(), static_cast<unsigned>(storage_.size()));
    registers_.clear_conditions_and_addresses();
  }
  std::shared_ptr<const isa::instruction> decoded(const std::string& line) {
    return generation_.decode(words_of(line)).instruction;
  }
  isa::lane_mask collect(const isa::instruction& i, isa::lane_mask active = 0xffffffff) {
    read_operands(i, registers_, *values_);
    return i.needs_collect ? generation_.collect(i, {}, active, *values_) : active;
  }
  void fill_address(unsigned index, std::uint16_t value) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) registers_.address_for_write(index)[lane] = value;
  }

  generation generation_{13, {}};
  std::vector<isa::lane_words> storage_ = std::vector<isa::lane_words>(16);
  register_rows registers_;
  std::unique_ptr<isa::lane_bundle> values_ = std::make_unique<isa::lane_bundle>();
};

TEST_F(tesla_generation, the_first_word_tells_the_length) {
  const instruction_lengths& lengths = generation_.values().lengths;
  EXPECT_EQ(lengths.of(words_of("add b32 $r1 $r2 $r3")[0]), 8u);
  EXPECT_EQ(lengths.of(words_of("short add b32 $r1 $r2 $r3")[0]), 4u);
}

TEST_F(tesla_generation, accesses_are_seen_with_space_kind_and_type) {
  const auto access = [&](const std::string& line) { return decoded(line)->access; };
  EXPECT_EQ(access("ld u16 $r1 g14[$r2]").space, memory_space::global);
  EXPECT_EQ(access("ld u16 $r1 g14[$r2]").kind, access_kind::load);
  EXPECT_EQ(access("ld u16 $r1 g14[$r2]").type, isa::data_type::u16);
  EXPECT_EQ(access("st b32 l[0x8] $r1").space, memory_space::local);
  EXPECT_TRUE(access("st b32 l[0x8] $r1").stores());
  EXPECT_EQ(access("add b32 $r1 $r2 $r3").kind, access_kind::none);
  const auto operand = decoded("add b32 $r1 b32 s[0x10] $r3");
  EXPECT_EQ(operand->access.kind, access_kind::operand);
  EXPECT_EQ(operand->access.slot, 0);
  EXPECT_TRUE(operand->access.same_address);
  EXPECT_TRUE(operand->reads_shared);
}

TEST_F(tesla_generation, a_constant_operand_names_its_bank_and_source) {
  const auto i = decoded("add b32 $r1 $r2 c1[0x20]");
  ASSERT_EQ(i->constant_count, 1);
  EXPECT_EQ(i->constants[0].slot, 1);
  EXPECT_EQ(i->constants[0].bank, 1);
  EXPECT_EQ(i->constants[0].offset, 0x20u);
  EXPECT_FALSE(i->constants[0].indexed);
}

TEST_F(tesla_generation, global_addresses_are_those_of_the_register) {
  collect(*decoded("ld b32 $r1 g14[$r2]"));
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) EXPECT_EQ(values_->address.lane[lane], 2000 + lane);
}

TEST_F(tesla_generation, local_addresses_have_16_bits_so_that_negative_indices_work) {
  fill_address(1, 0xfffc);
  collect(*decoded("ld b32 $r1 l[$a1+0x8]"));
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) EXPECT_EQ(values_->address.lane[lane], 4u);
}

TEST_F(tesla_generation, the_predicate_decides_which_active_lanes_execute) {
  const auto i = decoded("(e $c1) mov b32 $r1 $r2");
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) registers_.condition_for_write(1)[lane] = lane % 2;  // Z
  EXPECT_EQ(collect(*i, 0x0000ffff), 0x0000aaaau);
}

using registers = std::vector<unsigned>;

TEST_F(tesla_generation, registers_and_predicates_are_operands) {
  const auto i = decoded("(e $c1) add b32 $r1 $r2 $r3");
  EXPECT_EQ(registers_read(*i, isa::register_file_kind::gpr), (registers{2, 3}));
  EXPECT_EQ(registers_read(*i, isa::register_file_kind::condition), (registers{1}));
  EXPECT_EQ(registers_read(*i, isa::register_file_kind::address), registers{});
}
TEST_F(tesla_generation, an_instruction_without_registers_reads_none) {
  const auto i = decoded("mov b32 $r1 0x5");
  collect(*i);
  EXPECT_EQ(i->operand_count, 0);
  EXPECT_EQ(values_->source[0][0].lane[31], 5u);
}
TEST_F(tesla_generation, a_half_of_a_register_is_cut_out_of_the_whole) {
  storage_[2].lane[9] = 0x1234fedc;
  const auto i = decoded("add b16 $r1l $r2h $r3l");
  collect(*i);
  EXPECT_EQ(registers_read(*i, isa::register_file_kind::gpr).size(), 2u);
  EXPECT_EQ(values_->source[0][0].lane[9] & 0xffff, 0x1234u);
}
TEST_F(tesla_generation, wide_operands_read_neighbouring_registers) {
  const auto i = decoded("add rn f64 $r2d $r4d $r6d");
  collect(*i);
  EXPECT_EQ(registers_read(*i, isa::register_file_kind::gpr), (registers{4, 5, 6, 7}));
  EXPECT_EQ(values_->source[1][1].lane[3], 7003u);
}
TEST_F(tesla_generation, registers_and_constants_alone_are_complete_when_they_arrive) {
  EXPECT_FALSE(decoded("add b32 $r1 $r2 $r3")->needs_collect);
  EXPECT_FALSE(decoded("add b32 $r1 $r2 c1[0x20]")->needs_collect);
  for (const char* more : {"(e $c1) add b32 $r1 $r2 $r3", "add b16 $r1l $r2h $r3l", "mov b32 $r1 0x5",
                           "mov $r1 $clock", "add b32 $r1 b32 s[0x10] $r3", "st b32 l[0x8] $r1"})
    EXPECT_TRUE(decoded(more)->needs_collect) << more;
}

TEST_F(tesla_generation, results_name_their_registers_and_rows) {
  const auto i = decoded("set $c0 $r1 le s32 $r2 $r3");
  const isa::lane_mask executed = collect(*i);
  i->execute(*i, *values_, executed);
  const register_writes writes = results_of(*i, *values_);
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0].file, isa::register_file_kind::gpr);
  EXPECT_EQ(writes[0].first, 1);
  EXPECT_EQ(writes[0].count, 1);
  EXPECT_EQ(writes.row<const isa::lane_words>(writes[0])->lane[7], 0xffffffffu);
  EXPECT_EQ(writes[1].file, isa::register_file_kind::condition);
  EXPECT_EQ(writes[1].first, 0);
  EXPECT_EQ(writes.row<const std::uint8_t>(writes[1])[7], values_->flags_out[7]);
}
TEST_F(tesla_generation, an_incremented_address_register_is_a_result) {
  fill_address(1, 0x20);
  const auto i = decoded("add b32 $r1 b32 s[$a1++0x8] $r3");
  collect(*i);
  EXPECT_EQ(values_->address.lane[0], 0x20u);
  const register_writes writes = results_of(*i, *values_);
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[1].file, isa::register_file_kind::address);
  EXPECT_EQ(writes.row<const std::uint16_t>(writes[1])[5], 0x28u);
}
TEST_F(tesla_generation, a_store_has_no_result) { EXPECT_EQ(decoded("st b32 g14[$r2] $r1")->result_count, 0); }
TEST_F(tesla_generation, only_votes_and_quads_look_at_other_lanes) {
  EXPECT_TRUE(decoded("(e $c1) vote any $c0")->crosses_lanes);
  EXPECT_FALSE(decoded("add b32 $r1 $r2 $r3")->crosses_lanes);
}

TEST_F(tesla_generation, special_registers_name_the_place_and_the_cycle) {
  const auto physid = decoded("mov $r1 $physid");
  generation_.collect(*physid, {77, 3, 2, 5}, 0xffffffff, *values_);
  EXPECT_EQ(values_->source[0][0].lane[9], 3u << 20 | 2u << 16 | 5u << 8 | 9u);
  const auto clock = decoded("mov $r1 $clock");
  generation_.collect(*clock, {77, 3, 2, 5}, 0xffffffff, *values_);
  EXPECT_EQ(values_->source[0][0].lane[9], 77u);
}

TEST_F(tesla_generation, words_beyond_the_chip_are_no_instruction_and_say_why) {
  EXPECT_EQ(generation_.decode({0xffffffff, 0xffffffff}).fault, fault_kind::illegal_instruction);
  const generation g80(10, {});
  const generation::decoded vote = g80.decode(words_of("(e $c1) vote any $c0"));
  EXPECT_EQ(vote.instruction, nullptr);
  EXPECT_EQ(vote.fault, fault_kind::unsupported);
  EXPECT_EQ(generation_.trap({1, 2})->flow, flow_kind::redirects);
}

TEST_F(tesla_generation, where_join_acts_first_a_path_arrives_before_the_instruction) {
  divergence_options before;
  before.join = join_moment::before;
  const isa::instruction_words join = words_of("join nop");
  EXPECT_EQ(generation_.decode(join).arrival, nullptr);
  const auto arrival = generation(13, before).decode(join).arrival;
  ASSERT_NE(arrival, nullptr);
  EXPECT_TRUE(arrival->join);
  EXPECT_EQ(arrival->unit, isa::unit_class::control);
  EXPECT_EQ(arrival->flow, flow_kind::none);
}

}  // namespace
}  // namespace gt200::arch_state::tesla
