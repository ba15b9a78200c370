// An L1 texture cache alone: a generator brings lines in and reads texels, and a monitor in between sees the same
// texels.
#include "sc_models/texture/cache.h"

#include <numeric>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_generator.h"
#include "testbenches/support/transaction_monitor.h"
#include "testbenches/unit/cache/cache_configs.h"

namespace gt200::model {
namespace {

using command = texture_cache_access::command;

constexpr unsigned line_bytes = 32;

class texture_cache_test : public support::systemc_test {
 protected:
  texture_cache_test() {
    generator.out.bind(monitor.in);
    monitor.out.bind(cache.accesses);
    monitor.record = [this](const texture_cache_access& a) {
      monitor.seen.push_back(a);
      if (a.what == command::read && !a.expected)
        for (unsigned lane = 0; lane < isa::warp_size; ++lane)
          if ((a.lanes >> lane & 1) != 0) texels_seen.push_back(a.texels[lane][0]);
    };
    std::iota(std::begin(bytes), std::end(bytes), std::uint8_t{0});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  texture_cache_access look_up(std::uint64_t address) {
    texture_cache_access a;
    a.address = address;
    return generator.send(a);
  }
  line_index expect(std::uint64_t address) {
    texture_cache_access a;
    a.what = command::expect;
    a.address = address;
    return generator.send(a).line;
  }
  texture_cache_access to_line(command what, line_index line) {
    texture_cache_access a;
    a.what = what;
    a.line = line;
    a.uses = 1;
    a.data = bytes;
    a.caches_missed = 2;
    a.lanes = 0b101;
    a.addresses = addresses;
    a.texels = texels;
    return generator.send(a);
  }

  texture_cache cache{"cache", testing::geometry(2 * line_bytes, 2, line_bytes)};  // one set of two ways
  support::transaction_generator<texture_cache_access> generator{"generator"};
  support::transaction_monitor<texture_cache_access> monitor{"monitor"};
  std::uint8_t bytes[line_bytes];
  std::uint64_t addresses[isa::warp_size] = {0x44, 0x48, 0x4c};
  std::uint32_t texels[isa::warp_size][4] = {};
  std::vector<std::uint32_t> texels_seen;
};

TEST_F(texture_cache_test, a_line_is_looked_up_expected_filled_and_read) {
  const texture_cache_access missing = look_up(0x40);
  EXPECT_EQ(missing.line, no_line);
  EXPECT_TRUE(missing.room);
  const line_index line = expect(0x40);
  EXPECT_EQ(look_up(0x40).line, line);
  EXPECT_TRUE(to_line(command::pin, line).expected);
  EXPECT_TRUE(to_line(command::read, line).expected);
  EXPECT_EQ(texels[0][0], 0u) << "nothing was read";
  to_line(command::fill, line);
  const texture_cache_access read = to_line(command::read, line);
  EXPECT_FALSE(read.expected);
  EXPECT_FALSE(read.failed);
  EXPECT_EQ(read.caches_missed, 2u);
  EXPECT_EQ(texels[0][0], 0x07060504u);
  EXPECT_EQ(texels[1][0], 0u) << "lane 1 does not read";
  EXPECT_EQ(texels[2][0], 0x0f0e0d0cu);
  EXPECT_EQ(texels_seen, (std::vector<std::uint32_t>{0x07060504, 0x0f0e0d0c}));
  EXPECT_EQ(monitor.seen.size(), 7u);
}

TEST_F(texture_cache_test, a_line_that_must_be_read_or_filled_keeps_its_place) {
  const line_index first = expect(0x40);
  to_line(command::pin, first);
  to_line(command::fill, first);
  expect(0x80);
  EXPECT_FALSE(look_up(0xc0).room);
  to_line(command::read, first);
  EXPECT_TRUE(look_up(0xc0).room);
}

TEST_F(texture_cache_test, a_refused_fill_fails_its_readers_and_is_forgotten) {
  const line_index line = expect(0x40);
  to_line(command::pin, line);
  to_line(command::fail, line);
  EXPECT_TRUE(to_line(command::read, line).failed);
  EXPECT_EQ(look_up(0x40).line, no_line);
}

TEST_F(texture_cache_test, an_invalidated_line_is_not_found_but_still_read) {
  const line_index line = expect(0x40);
  to_line(command::pin, line);
  to_line(command::fill, line);
  to_line(command::invalidate, no_line);
  EXPECT_EQ(look_up(0x40).line, no_line);
  EXPECT_FALSE(to_line(command::read, line).failed);
  EXPECT_EQ(texels[0][0], 0x07060504u);
}

}  // namespace
}  // namespace gt200::model
