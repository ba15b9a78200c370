// Barriers order accesses: what is behind one comes after everything that its threads did before it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sc_models/sm/volta/sm.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

constexpr std::uint32_t threads = 256;
constexpr std::uint32_t warps = threads / isa::warp_size;

// Every thread stores its number four times to shared memory, 32 lanes to one bank, so that stores of all warps
// wait in front of the memory. Behind the barrier it reads what the thread of the next warp has stored last.
std::string exchange(const std::string& barrier) {
  std::string body =
      "  [B------:R-:W2:-:S02] S2R R5, SR_TID.X\n"
      "  [B--2---:R-:W-:-:S08] LOP3.LUT R6, R5, 0x1f, RZ, 0xc0, !PT\n"
      "  [B------:R-:W-:-:S08] SHF.R.U32.HI R7, RZ, 0x5, R5\n"
      "  [B------:R-:W-:-:S08] SHF.L.U32 R6, R6, 0x7, RZ\n"
      "  [B------:R-:W-:-:S08] IADD3 R8, R7, 0x1, RZ\n"
      "  [B------:R-:W-:-:S08] LOP3.LUT R8, R8, 0x7, RZ, 0xc0, !PT\n"
      "  [B------:R-:W-:-:S08] LEA R7, R7, R6, 0x2\n"
      "  [B------:R-:W-:-:S08] LEA R8, R8, R6, 0x2\n";
  for (unsigned k = 0; k < 4; ++k)
    body += fmt::format("  [B------:R-:W-:-:S02] STS [R7+cells+{:#x}], R5\n", 32 * k);
  body += barrier;
  body += "  [B------:R-:W3:-:S02] LDS R4, [R8+cells+0x60]\n";
  return volta_program(body + store_r4, ".shared cells 4096\n");
}

constexpr const char* sync = "  [B------:R-:W-:-:S05] BAR.SYNC 0x0\n";
const volta_grid one_block = {{1}, {threads, 1, 1}, threads};

TEST(volta_barrier, opens_when_stores_before_it_are_in_order) {
  const volta_figures o = figures_of(run_volta_apart(exchange(sync), one_block));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < threads; ++t) EXPECT_EQ(o.out[t], (t + 32) % threads) << t;
}

// Half of the block stores and exits; the barrier of the others waits for these stores too.
TEST(volta_barrier, waits_for_stores_of_threads_that_exited) {
  const std::string program = exchange(
      "  [B------:R-:W-:Y:S15] SHF.R.U32.HI R9, RZ, 0x5, R5\n"
      "  [B------:R-:W-:-:S08] LOP3.LUT R9, R9, 0x1, RZ, 0xc0, !PT\n"
      "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R9, RZ, PT\n"
      "  [B------:R-:W-:-:S05] @P0 EXIT\n" +
      std::string(sync));
  const volta_figures o = figures_of(run_volta_apart(program, one_block));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < threads; ++t)
    if (t / 32 % 2 == 0) EXPECT_EQ(o.out[t], t + 32) << t;
}

// Takes from every barrier what it knows of older accesses.
class forgetful final : public tlm_bus::pipe_observer<model::collected_token> {
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token& token) override {
    token.operation->memory_sent = 0;
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token&) override {}
};

TEST(volta_barrier, that_opens_too_early_is_found_by_the_checker) {
  const std::string error = in_own_process([] {
    forgetful damage;
    return run_on_volta(exchange(sync), one_block, {}, {},
                        [&](model::volta_sm& sm) {
                          for (auto& in : sm.barrier.in) in.observers().attach(damage);
                        })
        .error;
  });
  EXPECT_NE(error.find("model fault: order of accesses to shared memory"), std::string::npos) << error;
}

}  // namespace
}  // namespace gt200::support
