// Hazards are real: an instruction that issues as late as the latency table says reads the new value, one that
// issues a cycle earlier reads the old one, and the checker says whose fault that is. Lint says the same of the
// code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "testbenches/system/volta/volta_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/isa/volta/latency.h"
#include "toolchain/isa/volta/lint.h"

namespace gt200::support {
namespace {

using isa::volta::reader_class;
using isa::volta::result_class;

// A pair R8, R9 is written; before, it holds 3 and 5.
struct writer {
  result_class of;
  unsigned word;  // that is read
  const char* text;
};
// Reads R<n>, or the pair from R8 on, and leaves something of it in R4.
struct reader {
  reader_class of;
  const char* text;  // {} is the register
  bool pair = false;
  unsigned word = 0;    // of a pair: which it looks at
  bool varies = false;  // needs a barrier of its own
};

const std::vector<writer> writers = {
    {result_class::alu, 0, "IADD3 R8, R10, R10, RZ"},
    {result_class::alu, 0, "LOP3.LUT R8, R10, R11, RZ, 0x3c, !PT"},
    {result_class::fma, 0, "IMAD R8, R10, R11, RZ"},
    {result_class::fma, 0, "FADD R8, R10, R11"},
    {result_class::wide_low, 0, "IMAD.WIDE.U32 R8, R10, R11, RZ"},
    {result_class::wide_high, 1, "IMAD.WIDE.U32 R8, R10, R11, RZ"},
    {result_class::clock64, 0, "CS2R R8, SR_CLOCKLO"},
    {result_class::clock64, 1, "CS2R R8, SR_CLOCKLO"},
    {result_class::fp64, 0, "DADD R8, R12, R12"},
    {result_class::fp64, 1, "DADD R8, R12, R12"},
    {result_class::fp16, 0, "HADD2 R8, R10, R11"},
};

const std::vector<reader> readers = {
    {reader_class::alu, "IADD3 R4, R{}, RZ, RZ"},
    {reader_class::fma, "IMAD R4, R{}, R6, RZ"},
    {reader_class::wide_factor, "IMAD.WIDE.U32 R4, R{}, R6, RZ"},
    {reader_class::wide_sum_low, "IMAD.WIDE.U32 R4, RZ, RZ, R8", true, 0},
    {reader_class::wide_sum_high, "IMAD.WIDE.U32 R4, RZ, RZ, R8", true, 1},
    {reader_class::fp64, "DADD R4, R8, -RZ", true, 0},
    {reader_class::fp16, "HADD2 R4, R{}, -RZ"},
    {reader_class::varies, "POPC R4, R{}", false, 0, true},
    {reader_class::memory, "STS [RZ], R{}", false, 0, true},
};

std::string stall(unsigned cycles, const char* barriers = "R-:W-") {
  return fmt::format("  [B------:{}:{}:S{:02}] ", barriers, cycles > 11 ? "Y" : "-", cycles);
}

// The pair runs twice: the second time its code is in the cache, and the buffer holds both instructions when the
// first one issues.
std::string twice(const std::string& body) {
  return volta_program(
      "  [B------:R-:W-:Y:S15] MOV R7, 0x0\n"
      "again:\n" +
          body +
          "  [B------:R-:W-:Y:S15] IADD3 R7, R7, 0x1, RZ\n"
          "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R7, 0x2, PT\n"
          "  [B------:R-:W-:-:S05] @P0 BRA again\n" +
          std::string(store_r4),
      ".shared cell 64\n");
}

std::string prepared() {
  std::string text;
  const auto move = [&](unsigned n, const char* value) {
    text += stall(15) + fmt::format("MOV R{}, {}\n", n, value);
  };
  move(4, "0x0");
  move(5, "0x0");
  move(6, "0x1");
  move(8, "0x3");
  move(9, "0x5");
  move(10, "0x70000001");
  move(11, "0x123");
  move(12, "0x12345678");
  move(13, "0x40000001");
  return text + stall(15) + "NOP\n" + stall(15) + "NOP\n";
}

const volta_grid one_warp = {{1}, {32, 1, 1}, 32};

volta_figures run(const std::string& program, const std::vector<std::string>& overrides = {}) {
  return figures_of(run_volta_apart(program, one_warp, {}, overrides));
}

// What lint says of a program, one finding a line; empty if nothing.
std::string lint_of(const std::string& program) {
  std::string text;
  for (const isa::volta::lint_finding& f :
       isa::volta::lint(assembler::assemble(program, "test.s").kernels.front().code))
    text += fmt::format("{:#x}: {}\n", f.at, f.reason);
  return text;
}

// The words of a result have classes of their own.
result_class class_of_word(const writer& w, unsigned word) {
  if (w.of != result_class::wide_low && w.of != result_class::wide_high) return w.of;
  return word == 0 ? result_class::wide_low : result_class::wide_high;
}
bool writes_a_pair(const writer& w) {
  return w.of != result_class::alu && w.of != result_class::fma && w.of != result_class::fp16;
}

// Cycles from the one to the other; of a pair that is read the other word counts as well.
unsigned cycles_needed(const writer& w, const reader& r) {
  unsigned needed = isa::volta::register_latency(w.of, r.of);
  if (!r.pair || !writes_a_pair(w)) return needed;
  for (unsigned word = 0; word < 2; ++word) {
    const reader_class by = r.of == reader_class::fp64 ? r.of
                            : word == 0                ? reader_class::wide_sum_low
                                                       : reader_class::wide_sum_high;
    needed = std::max(needed, isa::volta::register_latency(class_of_word(w, word), by));
  }
  return needed;
}

std::string pair_of(const writer& w, const reader& r, unsigned cycles) {
  std::string text = prepared() + stall(cycles) + w.text + "\n";
  const std::string line = fmt::format(fmt::runtime(r.text), 8 + w.word);
  if (r.of == reader_class::memory)
    text += stall(2, "R0:W-") + line + "\n  [B0-----:R-:W1:-:S02] LDS R4, [RZ]\n  [B-1----:R-:W-:Y:S15] NOP\n";
  else if (r.varies)
    text += stall(2, "R-:W0") + line + "\n  [B0-----:R-:W-:Y:S15] NOP\n";
  else
    text += stall(15) + line + "\n";
  return twice(text);
}

TEST(volta_hazard, a_register_is_there_when_the_table_says_and_not_a_cycle_earlier) {
  for (const writer& w : writers) {
    for (const reader& r : readers) {
      if (r.pair && r.of != reader_class::fp64 && r.word != w.word) continue;
      const unsigned needed = cycles_needed(w, r);
      SCOPED_TRACE(fmt::format("{} then {}: {}", w.text, r.text, needed));
      EXPECT_EQ(lint_of(pair_of(w, r, needed)), "");
      EXPECT_NE(lint_of(pair_of(w, r, needed - 1)).find("1 cycle too early"), std::string::npos);
      const volta_figures kept = run(pair_of(w, r, needed));
      EXPECT_EQ(kept.error, "");
      EXPECT_EQ(kept.hazards, 0u);
      // Two instructions for one unit of 16 lanes are two cycles apart, whatever the codes say.
      if (needed <= 2) continue;
      const volta_figures broken = run(pair_of(w, r, needed - 1));
      EXPECT_NE(broken.error.find("program hazard"), std::string::npos) << broken.error;
      EXPECT_NE(broken.error.find("1 cycle too early"), std::string::npos) << broken.error;
    }
  }
}

TEST(volta_hazard, a_predicate_is_there_when_the_table_says_and_not_a_cycle_earlier) {
  struct user {
    const char* text;
    std::array<unsigned, 3> cycles;  // by writer
  };
  const std::vector<user> users = {{"SEL R4, R6, R8, P1", {4, 9, 8}},
                                   {"DSETP.GT.AND P2, PT, R12, RZ, P1", {5, 9, 8}},
                                   {"HSETP2.GT.AND P2, PT, R12, RZ, P1", {5, 9, 8}},
                                   {"VOTE.ALL R4, PT, P1", {12, 15, 14}},
                                   {"@P1 MOV R4, 0x77", {12, 15, 14}}};
  constexpr const char* comparisons[] = {"ISETP.NE.AND P1, PT, R6, RZ, PT\n", "DSETP.GT.AND P1, PT, R12, RZ, PT\n",
                                         "HSETP2.GT.AND P1, PT, R6, RZ, PT\n"};
  for (const user& u : users) {
    for (unsigned kind = 0; kind < u.cycles.size(); ++kind) {
      const unsigned needed = u.cycles[kind];
      const auto program = [&](unsigned cycles) {
        return twice(prepared() + stall(15) + "ISETP.NE.AND P1, PT, RZ, RZ, PT\n" + stall(15) + "NOP\n" +
                     stall(15) + "NOP\n" + stall(cycles) + comparisons[kind] + stall(15) + u.text + "\n");
      };
      SCOPED_TRACE(std::string(u.text) + " behind " + comparisons[kind]);
      EXPECT_EQ(lint_of(program(needed)), "");
      EXPECT_NE(lint_of(program(needed - 1)).find("reads P1 1 cycle too early"), std::string::npos);
      const volta_figures kept = run(program(needed));
      EXPECT_EQ(kept.error, "");
      EXPECT_EQ(kept.hazards, 0u);
      const volta_figures broken = run(program(needed - 1));
      EXPECT_NE(broken.error.find("program hazard, P1"), std::string::npos) << broken.error;
    }
  }
}

const char* const load_word =
    "  [B------:R-:W-:-:S08] MOV R1, 0x4\n"
    "  [B------:R-:W-:-:S08] IMAD.WIDE R10, R0, R1, c[0x0][in]\n"
    "  [B------:R-:W-:-:S08] MOV R8, 0x11\n";

TEST(volta_hazard, a_load_that_is_not_awaited_is_read_too_early) {
  const auto program = [](const char* wait) {
    return volta_program(std::string(load_word) + "  [B------:R-:W0:-:S02] LDG.E.SYS R8, [R10]\n" + "  [" + wait +
                         ":R-:W-:-:S08] IADD3 R4, R8, 0x1, RZ\n" + store_r4);
  };
  const volta_figures kept = run(program("B0-----"));
  EXPECT_EQ(kept.error, "");
  EXPECT_EQ(kept.hazards, 0u);
  for (std::uint32_t i = 0; i < 32; ++i) ASSERT_EQ(kept.out[i], volta_input(i) + 1);
  const volta_figures broken = run(program("B------"));
  EXPECT_NE(broken.error.find("program hazard, R8"), std::string::npos) << broken.error;
  EXPECT_NE(broken.error.find("without waiting"), std::string::npos) << broken.error;
}

TEST(volta_hazard, a_later_write_overtakes_the_data_of_a_store_without_a_read_barrier) {
  const auto program = [](const char* sets, const char* wait) {
    return volta_program(std::string("  [B------:R-:W-:-:S08] MOV R4, 0x11\n") + "  [B------:" + sets +
                         ":W-:-:S02] STG.E.SYS [R2], R4\n" + "  [" + wait + ":R-:W-:-:S08] MOV R4, 0x22\n");
  };
  const volta_figures kept = run(program("R0", "B0-----"));
  EXPECT_EQ(kept.error, "");
  EXPECT_EQ(kept.hazards, 0u);
  for (const std::uint32_t word : kept.out) ASSERT_EQ(word, 0x11u);
  // Stores before it fill the queue, so that the last one waits for its turn to read. In the second pass the code
  // is in the cache.
  std::string stores;
  for (unsigned n = 0; n < 10; ++n) stores += "  [B------:R-:W-:-:S01] STG.E.SYS [R2], R4\n";
  const volta_figures broken = run(twice("  [B------:R-:W-:-:S08] MOV R4, 0x11\n" + stores +
                                         "  [B------:R-:W-:-:S01] MOV R4, 0x22\n  [B------:R-:W-:Y:S15] NOP\n"));
  EXPECT_NE(broken.error.find("program hazard, R4, read at"), std::string::npos) << broken.error;
}

TEST(volta_hazard, a_barrier_is_not_seen_in_the_cycle_behind_the_instruction_that_sets_it) {
  const auto program = [](const char* codes) {
    return twice(std::string(load_word) + "  [B------:R-:W-:Y:S15] NOP\n  [B------:R-:W-:Y:S15] NOP\n" +
                 "  [B------:R-:W0:" + codes + "] LDG.E.SYS R8, [R10]\n" +
                 "  [B0-----:R-:W-:-:S08] IADD3 R4, R8, 0x1, RZ\n  [B0-----:R-:W-:Y:S15] NOP\n");
  };
  EXPECT_EQ(run(program("-:S02")).error, "");
  EXPECT_EQ(run(program("Y:S01")).error, "");
  const volta_figures broken = run(program("-:S01"));
  EXPECT_NE(broken.error.find("program hazard"), std::string::npos) << broken.error;
}

TEST(volta_hazard, the_reuse_cache_returns_what_the_register_held) {
  // R8 is read with reuse, then written, then read in the same slot: the cache still has the old value.
  const auto program = [](const char* reuse) {
    return twice(prepared() + stall(4) + fmt::format("FADD R14, R8{}, R9\n", reuse) + stall(8) + "MOV R8, 0x77\n" +
                 stall(8) + "FADD R4, R8, RZ\n");
  };
  EXPECT_EQ(run(program("")).error, "");
  const volta_figures stale = run(program(".reuse"));
  EXPECT_NE(stale.error.find("program hazard, R8, kept for reuse"), std::string::npos) << stale.error;
}

// The checker blames the pipeline for wrong values of a right program.
TEST(volta_hazard, a_pipeline_that_is_a_cycle_too_slow_is_a_fault_of_the_model) {
  const std::vector<std::string> slow = {"tpc.sm.processing_block.late_result_cycles=1"};
  for (const writer& w : writers) {
    SCOPED_TRACE(w.text);
    const reader& by = readers.front();
    const volta_figures f = run(pair_of(w, by, isa::volta::register_latency(w.of, by.of)), slow);
    EXPECT_NE(f.error.find("model fault"), std::string::npos) << f.error;
    EXPECT_EQ(f.error.find("program hazard"), std::string::npos) << f.error;
  }
}

// The wrong code may do no harm: the new value is the old one.
TEST(volta_hazard, a_broken_contract_without_harm_is_counted) {
  const volta_figures f = run(twice(prepared() + stall(15) + "MOV R8, 0x9\n" + stall(15) + "NOP\n" + stall(1) +
                                    "MOV R8, 0x9\n" + stall(15) + "IADD3 R4, R8, RZ, RZ\n"));
  EXPECT_EQ(f.error, "");
  EXPECT_GE(f.hazards, 1u);
}

}  // namespace
}  // namespace gt200::support
