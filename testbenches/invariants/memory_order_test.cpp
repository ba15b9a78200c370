// What the checker accepts as an access to device memory: one warp instruction, and the transactions that perform
// it.
#include "observe/checker/memory_order.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "observe/checker/kept_accesses.h"
#include "sc_models/memory_transaction.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/emulator/code_image.h"

namespace gt200::observe {
namespace {

using model::memory_kind;
constexpr std::uint64_t page = 65536;
constexpr std::uint64_t distance = 0x300000;  // from virtual to physical address

class memory_order_test : public testing::Test {
 protected:
  memory_order_test()
      : shadow(std::uint64_t{16} << 20,
               [](std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
                 for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(address + i);
               }),
        pages(page),
        order(shadow, pages) {
    pages.map(0x100000, 16 * page, 0x100000 + distance);
    shadow.begin({});
  }
  // An executed instruction whose lane n accesses `address(n)`, with value n + 0x50, and 1 as the new value of a
  // compare-and-swap.
  in_flight instruction(const std::string& text, const std::function<std::uint32_t(unsigned)>& address,
                        isa::lane_mask executed = ~0u) {
    const cubin::module module = assembler::assemble(".entry e\n" + text + "\nexit nop\n.end\n", "e.s");
    codes.push_back(std::make_unique<emulator::code_image>(module.kernels[0]));
    in_flight f;
    f.instruction = &codes.back()->at(0)->instruction;
    f.record.instruction = f.instruction;
    f.record.access = f.instruction->access;
    f.record.executed = executed;
    for (unsigned lane = 0; lane < 32; ++lane) {
      f.record.values.address.lane[lane] = address(lane);
      f.record.values.source[1][0].lane[lane] = lane + 0x50;
      f.record.values.source[2][0].lane[lane] = 1;
    }
    find_memories(f, values);
    order.place(f, grid, 0);
    return f;
  }
  // The transaction of an instruction for `lanes`, with the data it should have.
  model::memory_payload& transaction(memory_kind kind, std::uint32_t address, unsigned bytes,
                                     isa::lane_mask lanes) {
    model::memory_payload& p = pool.get();
    p.prepare(kind == memory_kind::load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address + distance,
              bytes);
    p.extension().kind = kind;
    p.extension().lanes = lanes;
    p.extension().wide = false;
    p.extension().atomic_signed = false;
    if (kind == memory_kind::store)
      for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes >> lane & 1) != 0)
          std::memset(p.bytes() + lane % 16 * 4, 0, 4), p.bytes()[lane % 16 * 4] = lane + 0x50;
    return p;
  }
  std::string refusal(in_flight& f, const model::memory_payload& p) {
    try {
      order.perform(f, p);
    } catch (const difference_found& found) {
      return found.what + ": " + found.expected + " / " + found.got;
    }
    return "none";
  }

  shadow_memory shadow;
  model::page_table pages;
  memory_order order;
  model::grid_descriptor grid;
  arch_state::generation_values values;
  model::payload_pool pool;
  std::vector<std::unique_ptr<emulator::code_image>> codes;
};

constexpr isa::lane_mask lower = 0xffff, upper = 0xffff0000u;
std::uint32_t in_sequence(unsigned lane) { return 0x100000 + 4 * lane; }

TEST_F(memory_order_test, a_load_gets_what_memory_holds_at_its_turn) {
  in_flight f = instruction("ld b32 $r1 g14[$r0]", in_sequence);
  EXPECT_EQ(refusal(f, transaction(memory_kind::load, 0x100000, 64, lower)), "none");
  EXPECT_FALSE(f.all_performed());
  EXPECT_EQ(f.record.values.destination[0].lane[2], 0x0b0a0908u);
  in_flight s = instruction("st b32 g14[$r0] $r1", in_sequence);
  EXPECT_EQ(refusal(s, transaction(memory_kind::store, 0x100040, 64, upper)), "none");
  EXPECT_EQ(refusal(f, transaction(memory_kind::load, 0x100040, 64, upper)), "none");
  EXPECT_TRUE(f.all_performed());
  EXPECT_EQ(f.record.values.destination[0].lane[18], 0x62u) << "the store came first";
}

// Lane 0 reaches the window of shared memory, lane 1 that of local memory.
TEST_F(memory_order_test, lanes_of_a_generic_access_are_divided_by_memory) {
  values.shared_window = 0xfe000000;
  values.local_window = 0xff000000;
  values.window_bytes = 0x1000000;
  in_flight f;
  f.record.access.kind = isa::access_kind::load;
  f.record.access.generic = true;
  f.record.executed = ~0u;
  for (unsigned lane = 0; lane < 32; ++lane)
    f.record.values.address.lane[lane] = lane == 0 ? 0xfe000008 : lane == 1 ? 0xff000004 : in_sequence(lane);
  find_memories(f, values);
  EXPECT_EQ(f.shared_lanes, 1u);
  EXPECT_EQ(f.local_lanes, 2u);
  EXPECT_EQ(f.global_lanes, ~3u);
  EXPECT_EQ(f.record.values.address.lane[0], 8u);
  EXPECT_EQ(f.record.values.address.lane[1], 4u);
  EXPECT_EQ(f.record.values.address.lane[2], in_sequence(2));
  f.words = 1;
  for (unsigned lane = 0; lane < 32; ++lane) f.physical[lane] = in_sequence(lane) + distance;
  EXPECT_EQ(refusal(f, transaction(memory_kind::load, 0x100000, 64, 1)),
            "access to memory: none, the lane reaches shared memory / a transaction at 0x400000..0x40003f");
}

TEST_F(memory_order_test, a_lane_is_performed_once) {
  in_flight f = instruction("ld b32 $r1 g14[$r0]", in_sequence);
  const auto& t = transaction(memory_kind::load, 0x100000, 64, lower);
  EXPECT_EQ(refusal(f, t), "none");
  EXPECT_EQ(refusal(f, t), "access to memory: performed once / performed twice");
}

TEST_F(memory_order_test, lanes_that_do_not_execute_access_nothing) {
  in_flight f = instruction("ld b32 $r1 g14[$r0]", in_sequence, ~1u);
  EXPECT_NE(refusal(f, transaction(memory_kind::load, 0x100000, 64, lower)), "none");
  EXPECT_EQ(refusal(f, transaction(memory_kind::load, 0x100000, 64, lower & ~1u)), "none");
}

TEST_F(memory_order_test, a_transaction_must_contain_the_lanes_it_names) {
  in_flight f = instruction("ld b32 $r1 g14[$r0]", in_sequence);
  EXPECT_EQ(refusal(f, transaction(memory_kind::load, 0x100040, 64, lower)).substr(0, 16), "physical address");
}

TEST_F(memory_order_test, bytes_that_are_not_stored_must_be_disabled) {
  in_flight f = instruction("st b32 g14[$r0] $r1", in_sequence, 0xff);
  EXPECT_EQ(refusal(f, transaction(memory_kind::store, 0x100000, 64, 0xff)),
            "byte stored to 0x400020: not written / 0x00");
}

TEST_F(memory_order_test, of_several_lanes_the_highest_wins) {
  const auto same = [](unsigned) { return 0x100000u; };
  in_flight f = instruction("st b32 g14[$r0] $r1", same, 3);
  auto& t = transaction(memory_kind::store, 0x100000, 4, 3);
  t.bytes()[0] = 0x50;
  EXPECT_EQ(refusal(f, t), "byte stored to 0x400000: 0x51 / 0x50");
  in_flight g = instruction("st b32 g14[$r0] $r1", same, 3);
  t.bytes()[0] = 0x51;
  EXPECT_EQ(refusal(g, t), "none");
}

TEST_F(memory_order_test, of_several_transactions_the_one_of_the_highest_lane_comes_last) {
  const auto same = [](unsigned) { return 0x100000u; };
  in_flight f = instruction("st b32 g14[$r0] $r1", same, 0x20001);
  EXPECT_EQ(refusal(f, transaction(memory_kind::store, 0x100000, 4, 0x20000)).substr(0, 4), "byte") << "lane 17";
  in_flight g = instruction("st b32 g14[$r0] $r1", same, 0x20001);
  auto& high = transaction(memory_kind::store, 0x100000, 4, 0x20000);
  high.bytes()[0] = 0x61;
  EXPECT_EQ(refusal(g, high), "none");
  EXPECT_EQ(refusal(g, transaction(memory_kind::store, 0x100000, 4, 1)),
            "order of lanes that store to one address: before lane 17 / after it");
}

TEST_F(memory_order_test, atomics_carry_operation_and_operand_and_return_the_old_value) {
  in_flight f = instruction("ld add u32 $r1 g14[$r0] $r2", in_sequence, 1);
  auto& t = transaction(memory_kind::atomic, 0x100000, 4, 1);
  t.extension().atomic = model::atomic_operation::add;
  const std::uint32_t wrong = 0x51, right = 0x50;
  std::memcpy(t.bytes(), &wrong, 4);
  EXPECT_EQ(refusal(f, t), "operand of an atomic: 0x00000050 / 0x00000051");
  in_flight g = instruction("ld add u32 $r1 g14[$r0] $r2", in_sequence, 1);
  std::memcpy(t.bytes(), &right, 4);
  t.extension().atomic = model::atomic_operation::max;
  EXPECT_EQ(refusal(g, t).substr(0, 12), "operation of");
  in_flight h = instruction("ld add u32 $r1 g14[$r0] $r2", in_sequence, 1);
  t.extension().atomic = model::atomic_operation::add;
  EXPECT_EQ(refusal(h, t), "none");
  EXPECT_EQ(h.record.values.destination[0].lane[0], 0x03020100u);
  std::uint32_t now = 0;
  std::memcpy(&now, shadow.look(0x100000 + distance), 4);
  EXPECT_EQ(now, 0x03020150u);
}

TEST_F(memory_order_test, accesses_to_one_address_keep_their_order) {
  const in_flight older = instruction("st b32 g14[$r0] $r1", in_sequence);
  const in_flight load = instruction("ld b32 $r1 g14[$r0]", [](unsigned lane) { return 0x100004 + 4 * lane; });
  const in_flight elsewhere = instruction("ld b32 $r1 g14[$r0]", [](unsigned lane) { return 0x100100 + 4 * lane; });
  const in_flight another = instruction("ld b32 $r1 g14[$r0]", in_sequence);
  const auto& t = transaction(memory_kind::load, 0x100000, 64, lower & 0x7fff);
  EXPECT_THROW(memory_order::check_order(older, load, t), difference_found);
  EXPECT_NO_THROW(memory_order::check_order(older, elsewhere, transaction(memory_kind::load, 0x100100, 64, lower)));
  EXPECT_NO_THROW(memory_order::check_order(another, load, t)) << "loads may pass each other";
  in_flight done = older;
  done.performed[0] = ~0u;
  EXPECT_NO_THROW(memory_order::check_order(done, load, t));
}

TEST_F(memory_order_test, faults_are_those_of_the_emulator) {
  EXPECT_EQ(instruction("ld b64 $r2d g14[$r0]", in_sequence).fault, arch_state::fault_kind::misaligned_address);
  EXPECT_EQ(instruction("ld b32 $r1 g14[$r0]", [](unsigned lane) { return lane == 5 ? 0x10u : 0x100000u; }).fault,
            arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(instruction("ld b32 $r1 l[0x10]", [](unsigned) { return 0x10u; }).fault,
            arch_state::fault_kind::unmapped_address)
      << "the kernel has no local memory";
}

TEST(shadow_memory, remembers_what_a_watched_word_has_held) {
  shadow_memory shadow(8192, [](std::uint64_t, std::uint8_t* to, std::size_t bytes) { std::memset(to, 7, bytes); });
  shadow.begin({{0x100, 0x1ff}});
  const std::uint32_t values[] = {1, 2};
  shadow.write(0x104, reinterpret_cast<const std::uint8_t*>(&values[0]), 4);
  shadow.write(0x104, reinterpret_cast<const std::uint8_t*>(&values[1]), 4);
  shadow.write(0x204, reinterpret_cast<const std::uint8_t*>(&values[1]), 4);
  shadow.write(0x104, reinterpret_cast<const std::uint8_t*>(&values[0]), 4);
  ASSERT_NE(shadow.history(0x106), nullptr);
  EXPECT_EQ(*shadow.history(0x104), (std::unordered_set<std::uint32_t>{0x07070707, 1, 2})) << "each once";
  EXPECT_EQ(shadow.history(0x108), nullptr);
  const std::uint32_t three[] = {5, 6, 8};
  shadow.write(0x120, reinterpret_cast<const std::uint8_t*>(&three[0]), 4);
  shadow.write(0x128, reinterpret_cast<const std::uint8_t*>(&three[2]), 4);
  shadow.write(0x120, reinterpret_cast<const std::uint8_t*>(three), 12);
  EXPECT_EQ(*shadow.history(0x124), (std::unordered_set<std::uint32_t>{0x07070707, 6}))
      << "between words written before";
  EXPECT_EQ(shadow.history(0x204), nullptr) << "not watched";
}

TEST(shadow_memory, finds_a_page_that_has_been_copied_in_this_launch) {
  shadow_memory shadow(8192, [](std::uint64_t, std::uint8_t* to, std::size_t bytes) { std::memset(to, 7, bytes); });
  shadow.begin({});
  EXPECT_EQ(shadow.find(4097), nullptr);
  EXPECT_EQ(*shadow.look(4100), 7);
  ASSERT_NE(shadow.find(4097), nullptr);
  EXPECT_EQ(*shadow.find(4097), 7);
  EXPECT_EQ(shadow.find(4095), nullptr) << "another page";
  shadow.begin({});
  EXPECT_EQ(shadow.find(4097), nullptr) << "the host may have changed it";
}

TEST(kept_accesses, are_copies_in_the_order_in_which_they_came) {
  model::payload_pool pool;
  model::memory_payload& store = pool.get();
  store.prepare(tlm::TLM_WRITE_COMMAND, 0x1000, 4);
  store.extension().lanes = 3;
  store.bytes()[2] = 9;
  store.use_byte_enables();
  store.enables()[2] = 0xff;
  kept_accesses kept;
  kept.keep(store, 10);
  store.prepare(tlm::TLM_READ_COMMAND, 0x2000, 32);
  store.extension().lanes = 5;
  kept.keep(store, 20);
  store.prepare(tlm::TLM_READ_COMMAND, 0x3000, 64);
  store.extension().lanes = 0;

  std::vector<tlm_bus::femtoseconds> times;
  kept.take([&](const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at) {
    times.push_back(at);
    const bool first = at == 10;
    EXPECT_EQ(access.is_write(), first);
    EXPECT_EQ(access.get_address(), first ? 0x1000u : 0x2000u);
    EXPECT_EQ(access.get_data_length(), first ? 4u : 32u);
    EXPECT_EQ(access.get_extension<model::memory_extension>()->lanes, first ? 3u : 5u);
    EXPECT_EQ(access.get_byte_enable_ptr() != nullptr, first);
    if (!first) return;
    EXPECT_EQ(access.get_data_ptr()[2], 9);
    EXPECT_EQ(access.get_byte_enable_ptr()[2], 0xff);
    EXPECT_EQ(access.get_byte_enable_ptr()[1], 0);
  });
  EXPECT_EQ(times, (std::vector<tlm_bus::femtoseconds>{10, 20}));
  EXPECT_TRUE(kept.empty());
  kept.take([](const tlm::tlm_generic_payload&, tlm_bus::femtoseconds) { ADD_FAILURE() << "they are forgotten"; });
}

TEST(shadow_memory, finds_bytes_in_which_the_device_differs) {
  std::vector<std::uint8_t> device(8192);
  shadow_memory shadow(8192, [&](std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
    std::memcpy(to, &device[address], bytes);
  });
  shadow.begin({});
  const std::uint8_t byte = 9;
  shadow.write(0x1005, &byte, 1);
  ASSERT_TRUE(shadow.compare());
  EXPECT_EQ(shadow.compare()->address, 0x1005u);
  EXPECT_EQ(shadow.compare()->got, 0);
  device[0x1005] = 9;
  EXPECT_FALSE(shadow.compare());
  device[5] = 1;
  EXPECT_FALSE(shadow.compare()) << "not written by the launch, so not the launch's fault";
}

}  // namespace
}  // namespace gt200::observe
