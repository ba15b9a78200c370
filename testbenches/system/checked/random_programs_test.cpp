// Random programs that use everything at once, like the emulator in every instruction. What they compute makes no
// sense; races between warps are welcome.

#include <cstdio>
#include <random>
#include <sstream>

#include "testbenches/support/assembly_run.h"
#include "testbenches/system/checked/checked_board.h"
#include "testbenches/toolchain/module_difference.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"

namespace gt200 {
namespace {

// Registers 8..23 hold data, 24..31 addresses and counters.
class program_writer {
 public:
  explicit program_writer(std::uint64_t seed) : random_(seed) {}

  std::string write(unsigned statements) {
    text_.clear();
    emit("shl b32 $r24 $r0 0x4");
    emit("add b32 $r3 b32 s[in] $r24");
    for (unsigned r = 8; r < 24; r += 4) {
      emit("ld b128 $r" + std::to_string(r) + "q g14[$r3]");
      emit("add b32 $r3 $r3 0x100");
    }
    for (unsigned n = 0; n < statements; ++n) statement(0);
    return support::checked_program(text_ + "  exit nop\n" + functions_,
                                    ".local 64\n.shared tile 2048\n.literal table u32 0x3f800000 0xffff8001 3 "
                                    "0x80000000 5 0x7fc00001 0xc0490fdb 8\n.literal cell_mask u32 0xffc\n");
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void emit(const std::string& line) { text_ += "  " + line + "\n"; }
  static std::string r(unsigned index) { return "$r" + std::to_string(index); }
  std::string data() { return r(8 + pick(16)); }
  std::string pair() { return r(8 + 2 * pick(8)) + "d"; }
  std::string predicate() {
    constexpr const char* conditions[] = {"lg", "e", "l", "ge", "o", "ns"};
    return pick(4) != 0 ? "" : "(" + std::string(conditions[pick(6)]) + " $c" + std::to_string(pick(4)) + ") ";
  }
  std::string condition() { return "$c" + std::to_string(pick(4)); }

  void arithmetic() {
    constexpr const char* two[] = {"add b32",    "sub b32",    "xor b32", "and b32", "or b32",
                                   "min s32",    "max u32",    "shl b32", "shr u32", "shr s32",
                                   "add rn f32", "mul rn f32", "max f32", "min f32"};
    // Operation, and the type of the source where it is written.
    constexpr const char* one[][2] = {{"rcp f32", ""},         {"rsqrt f32", ""},       {"lg2 f32", ""},
                                      {"sin f32", ""},         {"cos f32", ""},         {"ex2 f32", ""},
                                      {"presin f32", ""},      {"preex2 f32", ""},      {"cvt rn f32", "s32 "},
                                      {"cvt rzi s32", "f32 "}, {"cvt neg s32", "s32 "}, {"mov b32", ""}};
    switch (pick(12)) {
      case 0:
      case 1:
      case 2: return emit(predicate() + two[pick(14)] + " " + data() + " " + data() + " " + data());
      case 3: {
        const auto& op = one[pick(12)];
        return emit(predicate() + op[0] + " " + data() + " " + op[1] + data());
      }
      case 4: return emit(predicate() + "add " + data() + " (mul u24 " + data() + " " + data() + ") " + data());
      case 5: return emit(predicate() + "add f32 " + data() + " (mul " + data() + " " + data() + ") " + data());
      case 6:
        return emit(predicate() + "mul " + data() + " u16 $r" + std::to_string(8 + pick(16)) + "l u16 $r" +
                    std::to_string(8 + pick(16)) + "h");
      case 7:
        return emit(predicate() + "set " + condition() + " # " + (pick(2) != 0 ? "l s32 " : "ge u32 ") + data() +
                    " " + data());
      case 8: return emit(predicate() + "add b32 " + condition() + " " + data() + " " + data() + " " + data());
      case 9: return emit("addc b32 " + data() + " " + data() + " " + data() + " " + condition());
      case 10: return emit(predicate() + "add rn f64 " + pair() + " " + pair() + " " + pair());
      default: return emit(predicate() + "fma rn f64 " + pair() + " " + pair() + " " + pair() + " " + pair());
    }
  }
  void moves() {
    switch (pick(5)) {
      case 0: return emit("mov " + data() + " " + condition());
      case 1: return emit("mov " + condition() + " " + data());
      case 2: return emit(predicate() + "mov " + data() + " $clock");
      case 3: return emit("vote any " + condition());
      default: return emit(predicate() + "ld " + data() + " b32 c1[table+" + std::to_string(4 * pick(8)) + "]");
    }
  }
  // $r24 = a multiple of `align` below 4096.
  void offset(unsigned align, unsigned limit = 4096) {
    char mask[32];
    std::snprintf(mask, sizeof mask, "0x%x", (limit - 1) & ~(align - 1));
    emit("and b32 $r24 " + data() + " " + mask);
  }
  void global() {
    struct width {
      const char* name;
      unsigned bytes;
    };
    constexpr width widths[] = {{"u8", 1},  {"s8", 1},  {"u16", 2}, {"s16", 2},
                                {"b32", 4}, {"b32", 4}, {"b64", 8}, {"b128", 16}};
    const width w = widths[pick(8)];
    if (pick(2) != 0) {
      offset(w.bytes);
    } else {  // in sequence
      emit("and b32 $r24 $r0 0x3f");
      emit("shl b32 $r24 $r24 " + std::to_string(__builtin_ctz(w.bytes)));
    }
    emit("add b32 $r25 b32 s[" + std::string(pick(3) != 0 ? "out" : "in") + "] $r24");
    const std::string value = w.bytes == 16 ? r(8 + 4 * pick(4)) + "q" : w.bytes == 8 ? pair() : data();
    if (pick(2) != 0)
      emit(predicate() + "ld " + w.name + " " + value + " g14[$r25]");
    else
      emit(predicate() + "st " + w.name + " g14[$r25] " + value);
  }
  void atomic() {
    constexpr const char* ops[] = {"add u32", "max s32", "min u32", "inc u32",
                                   "dec u32", "and b32", "or b32",  "xor b32"};
    offset(4, 64);
    emit("add b32 $r25 b32 s[out] $r24");
    switch (pick(4)) {
      case 0: return emit(predicate() + "red " + ops[pick(8)] + " g14[$r25] " + data());
      case 1: return emit(predicate() + "exch b32 " + data() + " g14[$r25] " + data());
      case 2: return emit(predicate() + "cas b32 " + data() + " g14[$r25] " + data() + " " + data());
      default: return emit(predicate() + "ld " + ops[pick(8)] + " " + data() + " g14[$r25] " + data());
    }
  }
  void shared() {
    offset(4, 1024);
    emit("shl $a1 $r24 0x0");
    switch (pick(6)) {
      case 0: return emit(predicate() + "st b32 s[$a1+tile] " + data());
      case 1: return emit(predicate() + "ld " + data() + " b32 s[$a1+tile]");
      case 2: return emit(predicate() + "ld " + data() + (pick(2) != 0 ? " u8" : " s16") + " s[$a1+tile]");
      case 3: return emit(predicate() + "add b32 " + data() + " b32 s[$a1+tile] " + data());
      case 4: return emit(predicate() + "mul rn f32 " + data() + " b32 s[$a1+tile] " + data());
      default: return emit(predicate() + "mov b32 " + data() + " b32 s[$a1++0x4]");
    }
  }
  void local_and_constant() {
    offset(4, 32);
    emit("shl $a2 $r24 0x0");
    switch (pick(6)) {
      case 0: return emit(predicate() + "st b32 l[$a2+0x10] " + data());
      case 1: return emit(predicate() + "ld b32 " + data() + " l[$a2+0x10]");
      case 2: return emit(predicate() + "st b64 l[0x18] " + pair());
      case 3: return emit(predicate() + "ld b128 " + r(8 + 4 * pick(4)) + "q l[0x10]");
      case 4: return emit(predicate() + "ld " + data() + " b32 c1[$a2+table]");
      default: return emit(predicate() + "add b32 " + data() + " " + data() + " c1[$a2+table]");
    }
  }
  void texture() {
    offset(1, 2048);
    emit("mov b32 $r28 $r24");
    emit(predicate() + "texfetch all $r28:$r29:#:# $t0 $s0 $r28 0x0 0x0 0x0");
    emit("xor b32 " + data() + " $r28 $r29");
  }
  std::string label() { return "label" + std::to_string(++labels_); }
  void branch(unsigned depth) {
    const std::string otherwise = label(), meet = label();
    emit("joinat " + meet);
    emit("(lg " + condition() + ") bra " + otherwise);
    block(depth + 1);
    emit("bra " + meet);
    text_ += otherwise + ":\n";
    block(depth + 1);
    text_ += meet + ":\n";
    emit("join nop");
  }
  // Every lane a few times of its own.
  void loop(unsigned depth) {
    const std::string counter = r(26 + depth), again = label(), behind = label();
    emit("and b32 " + counter + " " + data() + " 0x3");
    emit("breakaddr " + behind);
    text_ += again + ":\n";
    block(depth + 1);
    emit("sub b32 " + counter + " " + counter + " 0x1");
    emit("set $c0 # l s32 " + counter + " $r124");
    emit("(lg $c0) break");
    emit("bra " + again);
    text_ += behind + ":\n";
  }
  void call() {
    const std::string function = label();
    emit("call " + function);
    const std::string caller = std::move(text_);
    text_ = function + ":\n";
    arithmetic();
    emit(predicate() + "ret");
    moves();
    emit("ret");
    functions_ += text_;
    text_ = caller;
  }
  void block(unsigned depth) {
    for (unsigned n = 1 + pick(3); n != 0; --n) statement(depth);
  }
  void statement(unsigned depth) {
    switch (pick(16)) {
      case 0:
      case 1:
      case 2:
      case 3: return arithmetic();
      case 4: return moves();
      case 5:
      case 6:
      case 7: return global();
      case 8: return atomic();
      case 9:
      case 10: return shared();
      case 11: return local_and_constant();
      case 12: return texture();
      case 13: return depth < 2 ? branch(depth) : arithmetic();
      case 14: return depth < 2 ? loop(depth) : arithmetic();
      default: return depth == 0 && pick(2) != 0 ? emit("bar inc wait 0x0 0xfff") : call();
    }
  }

  std::mt19937_64 random_;
  std::string text_, functions_;
  unsigned labels_ = 0;
};

struct variant {
  const char* name;
  std::uint64_t seed;
  std::vector<std::string> overrides;
  std::uint64_t shuffle = 0;
};

void PrintTo(const variant& v, std::ostream* out) { *out << v.name; }

class random_programs : public support::checked_board, public ::testing::WithParamInterface<variant> {};

std::string listing_of(const cubin::module& m) {
  std::ostringstream listing;
  assembler::disassemble_module(m, listing);
  return listing.str();
}

TEST(random_program_texts, assemble_to_the_same_from_their_own_listing) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const cubin::module first = assembler::assemble(program_writer(seed).write(60), "random.s");
    const std::string listing = listing_of(first);
    EXPECT_EQ(listing.find(".word"), std::string::npos) << "seed " << seed;
    const cubin::module again = assembler::assemble(listing, "random.s");
    ASSERT_EQ(cubin::difference(first, again), "") << "seed " << seed;
    ASSERT_EQ(listing_of(again), listing) << "seed " << seed;
  }
}

TEST_P(random_programs, run_like_the_emulator) {
  constexpr unsigned programs = 12;
  std::mt19937_64 random(GetParam().seed);
  device_options options;
  options.clocking = clocking_of(support::configuration("gt200_small", GetParam().overrides).simulation);
  options.clocking.shuffle_seed = GetParam().shuffle;
  build(program_writer(random()).write(60), GetParam().overrides, options);
  model::texture_binding texture;
  texture.address = out;
  texture.texels = 1024;
  texture.components = 2;
  texture.format = model::texel_format::u16;
  board->bind_texture(0, texture);
  std::vector<cubin::module> more(programs);  // must outlive the board's launches
  for (cubin::module& m : more) {
    const std::string text = program_writer(random()).write(60);
    m = assembler::assemble(text, "random.s");
    board->load(m, {});
    const auto threads = static_cast<unsigned>(1 + random() % 200);
    kernel = &m.kernels[0];
    const launch_result result = run(static_cast<unsigned>(1 + random() % 12), threads);
    ASSERT_EQ(difference(), "no difference") << text;
    ASSERT_EQ(result.reason, end_reason::done) << result.explanation << emulator::describe(result.fault) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    with, random_programs,
    ::testing::Values(
        variant{"the_preset", 1, {}}, variant{"stalls", 2, {"simulation.stalls_per_1024=150"}},
        variant{"another_order_of_modules", 3, {}, 5},
        variant{"greedy_oldest_and_little_room",
                4,
                {"tpc.sm.scheduler.policy=gto", "tpc.sm.scoreboard.entries_per_warp=1",
                 "tpc.sm.operand_collector.sp_units=1", "tpc.sm.operand_collector.memory_units=1",
                 "tpc.memory.load_store_queue.load_entries=4", "tpc.memory.load_store_queue.store_entries=2"}},
        variant{"refetches",
                5,
                {"tpc.sm.scoreboard.when_full=discard", "tpc.sm.scoreboard.entries_per_warp=2",
                 "tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=3",
                 "tpc.sm.scheduler.policy=gto"}},
        variant{"stall_of_all_warps",
                6,
                {"tpc.sm.scoreboard.when_full=stall_all", "tpc.sm.scoreboard.entries_per_warp=2",
                 "tpc.sm.simt_stack.first_path=taken", "tpc.memory.coalescer.rule=1.0", "partition.hash=fold"}},
        variant{
            "a_small_stack_and_small_caches",
            7,
            {"tpc.sm.simt_stack.entries=4", "tpc.sm.simt_stack.first_path=fall_through", "tpc.sm.icache.bytes=1024",
             "tpc.sm.constant_cache.bytes=256", "tpc.texture.l1.mshrs=2", "partition.dram.scheduler=fifo"}},
        variant{"fixed_latency_and_fast_units",
                8,
                {"partition.dram.model=fixed_latency", "tpc.sm.sp.latency_cycles=6", "tpc.sm.sfu.lanes=8",
                 "tpc.sm.sfu.latency_cycles=4", "tpc.sm.shared_memory.latency_cycles=8", "tpc.sm.sp.lanes=32"}},
        variant{"join_before", 21, {"tpc.sm.simt_stack.join=before"}},
        variant{"join_before_the_taken_path_first_and_stalls",
                22,
                {"tpc.sm.simt_stack.join=before", "tpc.sm.simt_stack.first_path=taken",
                 "tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.scoreboard.when_full=discard",
                 "tpc.sm.scoreboard.entries_per_warp=2", "simulation.stalls_per_1024=100"}},
        variant{"join_before_the_fall_through_path_first_and_a_small_stack",
                23,
                {"tpc.sm.simt_stack.join=before", "tpc.sm.simt_stack.first_path=fall_through",
                 "tpc.sm.simt_stack.entries=4"},
                9},
        variant{"one_collector_unit_each_and_one_port",
                24,
                {"tpc.sm.operand_collector.sp_units=1", "tpc.sm.operand_collector.sfu_units=1",
                 "tpc.sm.operand_collector.dp_units=1", "tpc.sm.operand_collector.memory_units=1",
                 "tpc.sm.register_file.read_ports=1", "tpc.sm.register_file.memory_read_ports=1",
                 "tpc.sm.register_file.write_ports=1"}},
        variant{"sixteen_banks", 25, {"tpc.sm.register_file.banks=16", "simulation.stalls_per_1024=60"}},
        variant{"twenty_four_banks", 26, {"tpc.sm.register_file.banks=24"}, 11},
        variant{"one_bank", 27, {"tpc.sm.register_file.banks=1"}},
        variant{"a_dp_unit_of_its_own_and_fast_multiplications",
                28,
                {"tpc.sm.dp.shares_sp=false", "tpc.sm.sfu.multiply_interval_cycles=4"}},
        variant{"a_single_loop", 9, {"tpc.sm.scoreboard.mechanism=single_loop"}},
        variant{"a_register_bitmap",
                10,
                {"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.instruction_buffer.entries_per_warp=4",
                 "tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.scheduler.policy=gto"}},
        variant{"few_probes_and_stalls",
                11,
                {"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.scoreboard.probes_per_cycle=3",
                 "simulation.stalls_per_1024=100"}},
        variant{"entries_taken_at_issue",
                12,
                {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.instruction_buffer.entries_per_warp=4",
                 "tpc.sm.fetch.instructions_per_fetch=2"},
                6},
        variant{"one_entry_taken_at_issue",
                13,
                {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.entries_per_warp=1",
                 "tpc.sm.scoreboard.when_full=stall_all", "simulation.stalls_per_1024=100"}}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200
