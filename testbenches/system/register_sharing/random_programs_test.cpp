// Random programs whose warps share registers, checked in every instruction, with each way of sharing, and with
// stalls and another order of the modules; they leave in memory what they leave without sharing.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "testbenches/system/register_sharing/shared_series.h"

namespace gt200::support {
namespace {

struct way {
  const char* name;
  series_settings series;
};
void PrintTo(const way& w, std::ostream* out) { *out << w.name; }

class programs_with_sections : public ::testing::TestWithParam<way> {};

TEST_P(programs_with_sections, leave_what_they_leave_without) {
  const series_outcome o = run_shared_programs(GetParam().series);
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.programs, GetParam().series.count);
  EXPECT_GT(o.events, o.programs) << "hardly a warp has acquired a section";
}

const std::string regmutex = "tpc.sm.register_file.sharing=regmutex";
const std::string pairs = "tpc.sm.register_file.sharing=paired_warps";
// Few registers, so that warps wait for sections.
const std::string few = "tpc.sm.limits.registers=5120";
const std::string stalls = "simulation.stalls_per_1024=100";

INSTANTIATE_TEST_SUITE_P(
    with, programs_with_sections,
    ::testing::Values(way{"regmutex", {1000, 120, {regmutex, few}}},
                      way{"regmutex_stalls_and_shuffled_order", {1000, 120, {regmutex, few, stalls}, 7}},
                      way{"regmutex_pdom", {1000, 120, {regmutex, few, "tpc.sm.simt_stack.mechanism=pdom"}}},
                      way{"paired_warps", {1000, 120, {pairs}}},
                      way{"paired_warps_stalls_and_shuffled_order", {1000, 120, {pairs, stalls}, 9}}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200::support
