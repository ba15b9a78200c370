// After a reset every signal, every bit of storage and every counter of the chip is what it was before the first
// launch. This looks at the chip through its observers' interfaces: what visit_state() forgets shows here.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "testbenches/support/assembly_run.h"
#include "testbenches/system/reset/reset_run.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

using values = std::map<std::string, std::vector<std::uint64_t>>;

void add_bits(const tlm_bus::injectable& storage, std::vector<std::uint64_t>& to) {
  to.assign((storage.bits() + 63) / 64, 0);
  for (std::uint64_t bit = 0; bit < storage.bits(); ++bit)
    to[bit / 64] |= std::uint64_t{storage.bit(bit)} << bit % 64;
}

// Memory keeps its contents: DRAM is not looked at.
void look_at(sc_core::sc_object& object, values& seen) {
  const std::string name = object.name();
  if (auto* source = dynamic_cast<tlm_bus::signal_source*>(&object)) {
    std::vector<tlm_bus::signal_description> names;
    tlm_bus::signal_writer describe(names);
    source->publish(describe);
    std::vector<std::uint64_t>& now = seen[name + " signals"];
    now.assign(names.size(), 0);
    tlm_bus::signal_writer write(now.data());
    source->publish(write);
  }
  if (const auto* storage = dynamic_cast<tlm_bus::injectable*>(&object))
    if (std::strcmp(storage->structure(), "dram") != 0) add_bits(*storage, seen[name + " bits"]);
  if (const auto* pipe = dynamic_cast<tlm_bus::pipe_state*>(&object))
    seen[name + " pipe"] = {pipe->occupancy(), pipe->oldest_visible_at(), pipe->credits_missing()};
  seen[name + " counters"] = {tlm_bus::counter::sum_of(object)};
  for (sc_core::sc_object* child : object.get_child_objects()) look_at(*child, seen);
}

struct generation_case {
  const char* preset;
  std::vector<std::string> overrides;
};
void PrintTo(const generation_case& c, std::ostream* out) { *out << c.preset; }
class state_after_reset : public ::testing::TestWithParam<generation_case> {};

TEST_P(state_after_reset, is_that_of_a_new_chip) {
  device_options options;
  options.max_cycles = 3000;
  device board(configuration(GetParam().preset, GetParam().overrides), options);
  const config::chip_config& chip = board.chip().config.chip;
  const std::string program =
      chip.is_volta() ? volta_program_of(
                            "again:\n  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R12]\n"
                            "  [B0-----:R-:W-:-:S02] STG.E.SYS [R2], R4\n"
                            "  [B------:R-:W-:-:S05] BRA again\n  [B------:R-:W-:-:S05] EXIT\n")
      : chip.is_fermi()
          ? fermi_program_of("again:\n  ld b32 $r3 ca g[$r2]\n  st b32 wb g[$r4] $r3\n  bra again\n  exit\n")
          : tesla_program(
                "again:\n  ld b32 $r5 g14[$r3]\n  st b32 g14[$r4] $r5\n  st b32 s[tile] $r5\n  bra again\n  exit "
                "nop\n",
                ".shared tile 256\n");
  const cubin::module module = assembler::assemble(program, "test.s");
  board.load(module, {});
  const std::uint32_t out = board.allocate(65536);
  board.start();
  EXPECT_TRUE(board.chip().reset_refusals().empty()) << board.chip().reset_refusals().front();
  values before, running, after;
  look_at(board.chip(), before);
  launch::launch_parameters grid;
  grid.kernel = &module.kernels.front();
  grid.grid = {12, 1};
  grid.block = {64, 1, 1};
  grid.parameter_bytes = chip.is_volta() ? launch::pack_parameters(std::uint64_t{out}, std::uint64_t{out})
                                         : launch::pack_parameters(out, out);
  ASSERT_EQ(board.launch(grid).reason, end_reason::max_cycles);
  look_at(board.chip(), running);
  unsigned changed = 0;
  for (const auto& [name, now] : running) changed += now != before[name] ? 1 : 0;
  EXPECT_GT(changed, 60u) << "the run has left nothing to bring back";
  board.reset();
  look_at(board.chip(), after);
  for (const auto& [name, now] : after) EXPECT_EQ(now, before[name]) << name;
}

INSTANTIATE_TEST_SUITE_P(of, state_after_reset,
                         ::testing::Values(generation_case{"gt200_small", {}},
                                           generation_case{"gtx480", {"chip.tpcs=2", "chip.partitions=2"}},
                                           generation_case{"v100_small", {}}),
                         [](const auto& test) { return std::string(test.param.preset); });

}  // namespace
}  // namespace gt200::support
