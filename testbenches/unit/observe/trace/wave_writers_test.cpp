// Every type of signal in both file formats, read back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <limits>

#include "observe/trace/wave_writer.h"
#include "testbenches/support/fst_file.h"
#include "testbenches/support/vcd_file.h"

namespace gt200::observe {
namespace {

class wave_writers : public testing::TestWithParam<bool> {
 protected:
  ~wave_writers() override { std::remove(path_.c_str()); }
  bool fst() const { return GetParam(); }
  std::unique_ptr<wave_writer> writer() const { return fst() ? make_fst_writer(path_) : make_vcd_writer(path_); }
  support::vcd_file file() const { return fst() ? support::read_fst(path_) : support::read_vcd(path_); }

 private:
  std::string path_ = testing::TempDir() + "gt200_writers_" + std::to_string(::getpid());
};

TEST_P(wave_writers, keep_types_widths_and_values) {
  if (fst() && !(can_write_fst() && support::can_read_fst())) GTEST_SKIP() << "this build has no code for FST";
  const auto to = writer();
  to->begin({{"a.flag", 1},
             {"a.mask", 32},
             {"a.r3.lane_7", 32, wave_type::reg},
             {"a.r3.float_7", 32, wave_type::real},
             {"a.name", 0, wave_type::text}});
  to->time(1000);
  to->number(0, 1);
  to->number(1, 0xf0);
  to->number(2, 0xc2280000);
  to->real(3, -42);
  to->text(4, "two words");
  to->time(2000);
  to->number(2, 0x3dcccccd);
  to->real(3, static_cast<double>(0.1f));
  to->time(3000);
  to->real(3, std::numeric_limits<double>::infinity());
  to->close();

  const support::vcd_file back = file();
  EXPECT_EQ(back.timescale, "1 fs");
  const auto expect = [&](const std::string& name, const std::string& type, std::uint64_t at,
                          const std::string& value) {
    ASSERT_TRUE(back.signals.count(name)) << name;
    EXPECT_EQ(back.signals.at(name).type, type) << name;
    EXPECT_EQ(back.signals.at(name).at(at), value) << name << " at " << at;
  };
  expect("a.flag", "wire", 1000, "1");
  expect("a.mask", "wire", 1500, "11110000");
  expect("a.r3.lane_7", "reg", 1999, "11000010001010000000000000000000");
  expect("a.r3.lane_7", "reg", 2000, "111101110011001100110011001101");
  expect("a.r3.float_7", "real", 1000, "-42");
  expect("a.r3.float_7", "real", 2500, "0.1000000014901161");
  expect("a.r3.float_7", "real", 3000, "inf");
  expect("a.name", "string", 1000, "two words");
}

INSTANTIATE_TEST_SUITE_P(to, wave_writers, testing::Bool(),
                         [](const auto& which) { return std::string(which.param ? "fst" : "vcd"); });

}  // namespace
}  // namespace gt200::observe
