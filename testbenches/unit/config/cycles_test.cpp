// Times of the two clocks of an SM do not mix with each other or with integers; points and counts of one clock
// combine as times do.
#include "sc_models/config/cycles.h"

#include <gtest/gtest.h>

#include <functional>
#include <type_traits>

#include "sc_models/config/clock_ratio.h"

namespace gt200::timed {
namespace {

template <class... Operands>
constexpr bool addable = std::is_invocable_v<std::plus<>, Operands...>;
template <class... Operands>
constexpr bool subtractable = std::is_invocable_v<std::minus<>, Operands...>;
template <class... Operands>
constexpr bool comparable = std::is_invocable_v<std::less<>, Operands...>;

static_assert(!std::is_convertible_v<unsigned, core_cycles> && !std::is_convertible_v<core_cycles, unsigned>);
static_assert(!std::is_convertible_v<unsigned, core_cycle> && !std::is_convertible_v<core_cycle, unsigned>);
static_assert(!std::is_constructible_v<shader_cycles, core_cycles>);
static_assert(!std::is_constructible_v<shader_cycle, core_cycle>);
static_assert(!std::is_constructible_v<core_cycle, core_cycles> &&
              !std::is_constructible_v<core_cycles, core_cycle>);

static_assert(addable<core_cycles, core_cycles> && addable<core_cycle, core_cycles>);
static_assert(!addable<core_cycles, shader_cycles> && !addable<core_cycle, shader_cycles>);
static_assert(!addable<core_cycle, core_cycle> && !addable<core_cycle, unsigned> &&
              !addable<core_cycles, unsigned>);

static_assert(std::is_same_v<decltype(core_cycle() - core_cycle()), core_cycles>);
static_assert(!subtractable<core_cycle, shader_cycle> && !subtractable<core_cycles, shader_cycles>);

static_assert(comparable<core_cycle, core_cycle> && comparable<shader_cycles, shader_cycles>);
static_assert(!comparable<core_cycle, shader_cycle> && !comparable<core_cycles, shader_cycles>);
static_assert(!comparable<core_cycle, core_cycles> && !comparable<core_cycle, unsigned>);

template <class Time>
constexpr bool becomes_core =
    std::is_invocable_v<decltype(&config::clock_ratio::to_core), const config::clock_ratio&, Time>;
static_assert(becomes_core<shader_cycles> && !becomes_core<core_cycles> && !becomes_core<unsigned>);

static_assert(sizeof(core_cycle) == sizeof(tlm_bus::cycle_t) && std::is_trivially_copyable_v<core_cycle>);

TEST(cycles, of_one_clock_add_up) {
  EXPECT_EQ(core_cycles(3) + core_cycles(4) - core_cycles(1), core_cycles(6));
  EXPECT_EQ(core_cycles(3) * 4, core_cycles(12));
  EXPECT_EQ(shader_cycles(25) / shader_cycles(8), 3u);
  EXPECT_EQ((core_cycle(10) + core_cycles(5)).number(), 15u);
  EXPECT_EQ(core_cycle(10) - core_cycles(5), core_cycle(5));
  EXPECT_EQ((core_cycle(10) - core_cycle(4)).count(), 6u);
}

TEST(cycles, never_comes_after_every_edge) {
  EXPECT_LT(core_cycle(1'000'000'000'000), core_cycle::never());
  EXPECT_EQ(shader_cycle::never().number(), tlm_bus::no_cycle);
}

}  // namespace
}  // namespace gt200::timed
