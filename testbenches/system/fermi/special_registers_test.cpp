// What special registers of sm_20 say of the chip: numbers of SMs and warp slots.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "testbenches/support/own_process.h"
#include "testbenches/system/fermi/fermi_board.h"

namespace gt200::support {
namespace {

// out[block] = a special register.
std::string program_of(const std::string& special) {
  return ".target sm_20\n.entry k\n.param u32 out\n.param u32 in\n  mov b32 $r0 $ctaidx\n"
         "  add b32 $r2 (shl $r0 0x2) c0[out]\n  mov b32 $r1 " +
         special + "\n  st b32 wb g[$r2] $r1\n  exit\n.end\n";
}

// The register as blocks on all SMs of a chip read it, as text; each block fills an SM.
std::string values_of(const std::string& special, std::uint32_t blocks, const std::vector<std::string>& overrides) {
  return in_own_process([&] {
    const fermi_outcome o = run_on_fermi(program_of(special), {{blocks}, {1024, 1, 1}, blocks}, {}, overrides);
    if (!o.error.empty()) return o.error;
    std::set<std::uint32_t> numbers;
    for (const std::uint32_t word : o.out) numbers.insert(word >> 20);
    std::string text;
    for (const std::uint32_t number : numbers) text += std::to_string(number) + " ";
    return text + "| " + std::to_string(o.out[0] >> 8 & 0xff);
  });
}

TEST(fermi_special_registers, every_sm_has_a_number_of_its_own) {
  EXPECT_THAT(values_of("$physid", 6, {"chip.tpcs=2", "chip.sms_per_tpc=3"}), testing::StartsWith("0 1 2 3 4 5 |"));
}

TEST(fermi_special_registers, the_numbers_of_sms_and_warps_are_those_of_the_chip) {
  EXPECT_EQ(values_of("$nphysid", 1, {"chip.tpcs=2", "chip.sms_per_tpc=3"}), "6 | 48");
  EXPECT_EQ(values_of("$nphysid", 1, {"tpc.sm.limits.warps=40", "tpc.sm.limits.threads=1280"}), "2 | 40");
}

}  // namespace
}  // namespace gt200::support
