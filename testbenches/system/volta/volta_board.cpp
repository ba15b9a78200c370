#include "testbenches/system/volta/volta_board.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>

#include "observe/checker/checker.h"
#include "sc_models/sm/volta/sm.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/checked/test_textures.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

const std::uint8_t* bytes_of(const std::vector<std::uint32_t>& words) {
  return reinterpret_cast<const std::uint8_t*>(words.data());
}

std::string results_of(const std::string& text) {
  // Behind the line of figures.
  return text.substr(text.find('\n', text.find('\n') + 1));
}

}  // namespace

std::uint32_t volta_input(std::uint32_t i) { return arch_state::mix_bits(i + 1); }

std::string volta_program(const std::string& body, const std::string& directives) {
  return ".target sm_70\n.entry test\n.param b64 out\n.param b64 in\n" + directives +
         "  [B------:R-:W0:-:S02] S2R R0, SR_TID.X\n"
         "  [B------:R-:W1:-:S02] S2R R1, SR_CTAID.X\n"
         "  [B01----:R-:W-:-:S08] IMAD R0, R1, c[0x0][%ntid.x], R0\n"
         "  [B------:R-:W-:-:S08] MOV R1, 0x4\n"
         "  [B------:R-:W-:-:S08] IMAD.WIDE R2, R0, R1, c[0x0][out]\n"
         "  [B------:R-:W-:Y:S15] ISETP.NE.AND P6, PT, RZ, RZ, PT\n" +
         body + "  [B------:R-:W-:-:S05] EXIT\n.end\n";
}

const char* const store_r4 =
    "  [B------:R-:W-:Y:S15] NOP\n"
    "  [B012345:R-:W-:-:S02] STG.E.SYS [R2], R4\n";

const char* const block_sums = R"(.target sm_70
.entry block_sums
.param b64 out
.param b64 in
.shared sums 1024
  [B------:R-:W0:-:S02] S2R R0, SR_TID.X
  [B------:R-:W1:-:S02] S2R R2, SR_CTAID.X
  [B01----:R-:W-:-:S05] IMAD R3, R2, c[0x0][%ntid.x], R0
  [B------:R-:W-:-:S05] MOV R8, 0x4
  [B------:R-:W-:-:S08] IMAD.WIDE R6, R3, R8, c[0x0][in]
  [B------:R-:W0:-:S02] LDG.E.SYS R5, [R6]
  [B------:R-:W-:-:S08] SHF.L.U32 R4, R0, 0x2, RZ
  [B0-----:R0:W-:-:S02] STS [R4+sums], R5
  [B------:R-:W-:-:S04] MOV R6, 0x80
  [B0-----:R-:W-:-:S05] BAR.SYNC 0x0
next:
  [B------:R-:W-:Y:S13] ISETP.GE.U32.AND P1, PT, R0, R6, PT
  [B------:R-:W-:-:S05] BSSY B0, added
  [B------:R-:W-:-:S05] @P1 BRA added
  [B------:R-:W-:-:S08] LEA R7, R6, R4, 0x2
  [B------:R-:W0:-:S02] LDS R9, [R7+sums]
  [B------:R-:W1:-:S02] LDS R5, [R4+sums]
  [B01----:R-:W-:-:S08] IADD3 R5, R5, R9, RZ
  [B------:R0:W-:-:S02] STS [R4+sums], R5
added:
  [B0-----:R-:W-:-:S05] BSYNC B0
  [B------:R-:W-:-:S05] BAR.SYNC 0x0
  [B------:R-:W-:-:S04] SHF.R.U32.HI R6, RZ, 0x1, R6
  [B------:R-:W-:Y:S13] ISETP.NE.AND P2, PT, R6, RZ, PT
  [B------:R-:W-:-:S05] @P2 BRA next
  [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R0, RZ, PT
  [B------:R-:W-:-:S05] @P0 EXIT
  [B------:R-:W0:-:S02] LDS R5, [sums]
  [B------:R-:W-:-:S08] LOP3.LUT R2, R2, 0x3, RZ, 0xc0, !PT
  [B------:R-:W-:-:S08] IMAD.WIDE R2, R2, R8, c[0x0][out]
  [B0-----:R-:W-:-:S02] RED.E.ADD.STRONG.GPU [R2], R5
  [B------:R-:W-:-:S05] EXIT
.end
)";

std::string volta_outcome::text() const {
  std::string text = fmt::format("{}\n{} {} {} {} {}\n", error, cycles, issued, hazards, held, reuse_hits);
  for (const std::uint32_t word : out) text += fmt::format("{:08x}\n", word);
  return text;
}

volta_figures figures_of(const std::string& text) {
  volta_figures f;
  // An error may have several lines; the figures stand in the last line with five numbers.
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    std::string rest;
    if (numbers >> f.cycles >> f.issued >> f.hazards >> f.held >> f.reuse_hits && !(numbers >> rest)) break;
    f.error += line;
  }
  while (std::getline(lines, line)) f.out.push_back(static_cast<std::uint32_t>(std::stoul(line, nullptr, 16)));
  return f;
}

volta_outcome run_on_volta(const std::string& program, const volta_grid& grid, const device_options& options,
                           const std::vector<std::string>& overrides,
                           const std::function<void(model::volta_sm&)>& prepare) {
  return run_on_volta(assembler::assemble(program, "test.s"), grid, options, overrides, prepare);
}

volta_outcome run_on_volta(const cubin::module& module, const volta_grid& grid, const device_options& options,
                           const std::vector<std::string>& overrides,
                           const std::function<void(model::volta_sm&)>& prepare) {
  device board(configuration("v100_small", overrides), explaining(options));
  board.load(module, {});
  const std::uint32_t out = board.allocate(4 * std::uint64_t{grid.out_words + 1});
  const std::uint32_t in = board.allocate(4 * std::uint64_t{volta_input_words});
  observe::checker checker(board);
  if (prepare)
    for (model::sm_if* sm : board.chip().sms()) prepare(dynamic_cast<model::volta_sm&>(*sm));
  volta_outcome outcome;
  outcome.out.resize(grid.out_words);
  board.poke(out, bytes_of(outcome.out), 4 * outcome.out.size());
  std::vector<std::uint32_t> words(volta_input_words);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = volta_input(i);
  board.poke(in, bytes_of(words), 4 * words.size());
  std::optional<test_textures> textures;
  if (grid.has_textures) textures.emplace(board, in);

  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels.front();
  parameters.grid = grid.blocks;
  parameters.block = grid.threads;
  parameters.parameter_bytes = launch::pack_parameters(std::uint64_t{out}, std::uint64_t{in});
  const launch_result result = board.launch(parameters);
  checker.launch_ended(result);
  outcome.cycles = result.cycles;
  for (model::sm_if* sm : board.chip().sms()) {
    outcome.issued += sm->probe().instructions_issued();
    for (const model::processing_block& block : dynamic_cast<model::volta_sm&>(*sm).blocks) {
      outcome.held += block.issue.held.value();
      outcome.reuse_hits += block.issue.reuse_hits.value();
    }
  }
  if (result.reason != end_reason::done && result.reason != end_reason::stopped)
    outcome.error =
        std::string(name_of(result.reason)) + ": " + arch_state::describe(result.fault) + result.explanation;
  if (checker.difference()) outcome.error += observe::describe(*checker.difference());
  const observe::check_counts counts = checker.counts();
  outcome.hazards = counts.hazards;
  if (outcome.error.empty() && counts.instructions + counts.reconvergences != outcome.issued)
    outcome.error = "not every instruction was checked";
  if (result.reason == end_reason::done)
    board.peek(out, reinterpret_cast<std::uint8_t*>(outcome.out.data()), 4 * outcome.out.size());
  return outcome;
}

std::string run_volta_apart(const std::string& program, const volta_grid& grid, const device_options& options,
                            const std::vector<std::string>& overrides) {
  return in_own_process([&] { return run_on_volta(program, grid, options, overrides).text(); });
}

std::string expect_alike_in_every_order(const std::string& program, const volta_grid& grid,
                                        const std::vector<std::string>& overrides) {
  const std::string plain = run_volta_apart(program, grid, {}, overrides);
  EXPECT_EQ(plain.front(), '\n') << plain;  // no error
  EXPECT_EQ(figures_of(plain).hazards, 0u);
  device_options options;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    options.clocking.shuffle_seed = seed;
    EXPECT_EQ(run_volta_apart(program, grid, options, overrides), plain) << "shuffled with " << seed;
  }
  options = {};
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  EXPECT_EQ(run_volta_apart(program, grid, options, overrides), plain) << "reference clocking";
  options = {};
  options.clocking.audit = true;
  EXPECT_EQ(run_volta_apart(program, grid, options, overrides), plain) << "audit";
  return plain;
}

void expect_alike_in_every_way(const std::string& program, const volta_grid& grid,
                               const std::vector<std::string>& overrides) {
  const std::string plain = expect_alike_in_every_order(program, grid, overrides);
  device_options options;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    options.clocking.stalls = {seed, 200};
    const std::string stalled = run_volta_apart(program, grid, options, overrides);
    EXPECT_EQ(stalled.front(), '\n') << stalled;
    EXPECT_EQ(results_of(stalled), results_of(plain)) << "stalls " << seed;
  }
}

}  // namespace gt200::support
