// Programs of sm_70 from the command line: what the figures of a run say about their arithmetic.
#include <nlohmann/json.hpp>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

using json = nlohmann::json;

class volta_arithmetic : public cli_test {
 protected:
  // Two blocks of `threads` execute `instruction` once.
  outcome run(const std::string& instruction, const arguments& more = {}, const std::string& threads = "32") const {
    const std::string program = file("k.s",
                                     ".target sm_70\n.entry k\n.param b64 out\n"
                                     "  [B------:R-:W0:-:S02] S2R R0, SR_TID.X\n"
                                     "  [B------:R-:W-:-:S08] MOV R1, 0x4\n"
                                     "  [B0-----:R-:W-:-:S08] IMAD.WIDE R2, R0, R1, c[0x0][out]\n"
                                     "  [B------:R-:W-:Y:S15] MOV R4, 0x3f800000\n"
                                     "  [B------:R-:W-:Y:S15] MOV R5, 0x3f800000\n"
                                     "  [B------:R-:W1:Y:S15] " +
                                         instruction +
                                         "\n"
                                         "  [B-1----:R-:W-:Y:S15] NOP\n"
                                         "  [B------:R-:W-:-:S02] STG.E.SYS [R2], R4\n"
                                         "  [B------:R-:W-:-:S05] EXIT\n.end\n");
    arguments all = {"run", program, "--config=v100_small", "--grid=2", "--block=" + threads, "--arg=out:u32[64]"};
    all.insert(all.end(), more.begin(), more.end());
    return gt200_run(all);
  }
  // Of all threads, as stats.json has them.
  std::uint64_t operations(const std::string& instruction) const {
    const outcome o = run(instruction, {"--out", path("out")});
    EXPECT_EQ(o.code, 0) << instruction << ": " << o.err;
    std::uint64_t sum = 0;
    const json stats = json::parse(content_of(path("out/stats.json")));
    for (const json& i : stats.at("launches").at(0).at("cycle_accounting").at("instructions"))
      sum += i.at("flops").get<std::uint64_t>() * i.at("active_lanes").get<std::uint64_t>();
    return sum;
  }
};

TEST_F(volta_arithmetic, counts_the_operations_of_every_precision) {
  EXPECT_EQ(operations("MOV R4, R5"), 0u);
  EXPECT_EQ(operations("FADD R4, R4, R5"), 64u);
  EXPECT_EQ(operations("FFMA R4, R4, R5, R5"), 128u);
  EXPECT_EQ(operations("DFMA R4, R4, R4, R4"), 128u);
  EXPECT_EQ(operations("MUFU.RCP R4, R5"), 64u);
  EXPECT_EQ(operations("HADD2 R4, R4, R5"), 128u) << "both halves";
  EXPECT_EQ(operations("HFMA2 R4, R4, R5, R5"), 256u);
  EXPECT_EQ(operations("FMNMX R4, R4, R5, PT"), 0u) << "a comparison";
}

// Warp 1 belongs to the second of the four blocks of its SM.
TEST_F(volta_arithmetic, of_every_processing_block_is_in_traces) {
  ASSERT_EQ(run("FFMA R4, R4, R5, R5", {"--out", path("out"), "--trace"}, "64").code, 0);
  const outcome found = gt200_run({"trace", "find", path("out"), "--warp", "1"});
  EXPECT_NE(found.out.find("FFMA R4, R4, R5, R5"), std::string::npos) << found.out;
  const std::string first = found.out.substr(0, found.out.find(' '));
  const outcome life = gt200_run({"trace", "find", first, path("out")});
  EXPECT_NE(life.out.find("block_1.operand_path"), std::string::npos) << life.out;
  EXPECT_EQ(life.out.find("block_0"), std::string::npos) << life.out;
}
TEST_F(volta_arithmetic, fires_triggers_and_shows_registers_of_its_block) {
  const arguments trigger = {"--waves", path("t.vcd"), "--wave-trigger", "pc=0x50", "--wave-after", "100"};
  const outcome fired = run("FFMA R4, R4, R5, R5", trigger, "64");
  EXPECT_EQ(fired.code, 0) << fired.err;
  EXPECT_NE(fired.out.find("\ntraced "), std::string::npos) << fired.out;
  EXPECT_EQ(fired.out.find("did not fire"), std::string::npos) << fired.out;
  const arguments values = {"--waves", path("v.vcd"), "--wave-values",
                            "*.sm_0.block_1.register_file.warp_1.r4.lane_*"};
  EXPECT_EQ(run("FFMA R4, R4, R5, R5", values, "64").code, 0);
  EXPECT_NE(content_of(path("v.vcd")).find("lane_31"), std::string::npos);
  const outcome none =
      run("FFMA R4, R4, R5, R5", {"--waves", path("n.vcd"), "--wave-values", "*.sm_0.scoreboard.*"});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(is_one_clear_line(none.err)) << none.err;
}

// Two SMs of four processing blocks with 16 lanes, 1.38 GHz.
TEST_F(volta_arithmetic, has_a_line_in_the_summary_with_the_peak_of_the_chip) {
  const outcome o = run("FFMA R4, R4, R5, R5");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("arithmetic    128 floating-point operations, "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find(" of 353.3 (MAD, single precision)"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace gt200::cli
