// Expected results: each kind of comparison accepts the right content and reports what is wrong with other content.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "testbenches/toolchain/launch/fake_device.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::launch {
namespace {

using testing::HasSubstr;

// Expects x[i] = i + 0.1, rounded to the type; scale 10.
reference_result tenth(const host_context& context, const std::string& buffer) {
  reference_result expected;
  for (std::size_t i = 0; i < context.initial<float>(buffer).size(); ++i) {
    expected.value.push_back(static_cast<double>(i) + 0.1);
    expected.scale.push_back(10);
  }
  return expected;
}
reference_result not_a_number(const host_context&, const std::string&) {
  return {std::vector<double>(10, std::nan("")), {}};
}
reference_result nothing(const host_context&, const std::string&) { return {}; }
reference_result sum_of_results(const host_context& context, const std::string&) {
  return {{static_cast<double>(context.result<float>("x")[1])}, {}};
}

class check_test : public testing::Test {
 protected:
  check_test() : module_(assembler::assemble(".entry f\nexit nop\n.end\n", "p.s")) {}

  // The device holds x[i] = i + 0.1f after the run, unless a test changes it.
  void start(const std::string& expectations) {
    description_ = parse(
        "schema = 1\nsource = \"p.s\"\n[[buffer]]\nname = \"x\"\ntype = \"f32\"\ncount = 10\n"
        "init = \"zeros\"\n[[step]]\nlaunch = \"f\"\ngrid = [1]\nblock = [1]\n" +
            expectations,
        testing::TempDir() + "launch.toml");
    device_allocator allocator;
    prepared_ = prepare(description_, module_, hosts_, allocator);
    upload(prepared_, device_.connection());
    for (std::size_t i = 0; i < 10; ++i) set(i, static_cast<float>(static_cast<double>(i) + 0.1));
  }
  void set(std::size_t index, float value) {
    device_.store(prepared_.buffers[0].address + static_cast<std::uint32_t>(4 * index), value);
  }
  check_result result() { return check(prepared_, hosts_, device_.connection()); }

  cubin::module module_;
  host_table hosts_ = {{"tenth", nullptr, &tenth},
                       {"nothing", nullptr, &nothing},
                       {"not_a_number", nullptr, &not_a_number},
                       {"sum", nullptr, &sum_of_results}};
  description description_;
  prepared prepared_;
  fake_device device_;
};

TEST_F(check_test, without_an_expectation_nothing_was_checked) {
  start("");
  EXPECT_TRUE(result().passed);
  EXPECT_EQ(result().checks, 0u);
}

TEST_F(check_test, a_reference_is_rounded_to_the_type_and_compared_bit_by_bit) {
  start("[[expect]]\nbuffer = \"x\"\nreference = \"tenth\"\n");
  EXPECT_TRUE(result().passed) << result().message;
  EXPECT_EQ(result().checks, 1u);
  set(3, std::nextafter(3.1f, 4.0f));
  EXPECT_FALSE(result().passed);
  EXPECT_THAT(result().message, HasSubstr("launch.toml:12: 1 of 10 elements of 'x' differ; x[3] is 3.1000001"));
  EXPECT_THAT(result().message, HasSubstr("expected 3.1 (0x40466666)"));
}

TEST_F(check_test, of_the_first_elements_alone_the_message_says_how_many_are_compared) {
  start("[[expect]]\nbuffer = \"x\"\nvalues = [0.1, 1.1, 7, 3.1]\n");
  EXPECT_THAT(result().message,
              HasSubstr("launch.toml:12: 1 of the first 4 elements of 'x', which has 10, differ; x[2] is 2.1 "));
}

TEST_F(check_test, only_the_first_differences_are_shown) {
  start("[[expect]]\nbuffer = \"x\"\nreference = \"tenth\"\n");
  for (std::size_t i = 1; i < 10; ++i) set(i, 0);
  EXPECT_THAT(result().message, HasSubstr("9 of 10"));
  EXPECT_THAT(result().message, HasSubstr("x[4]"));
  EXPECT_THAT(result().message, testing::Not(HasSubstr("x[5]")));
}

TEST_F(check_test, tolerances_are_tight) {
  for (const auto& [metric, limit] : {std::pair{"absolute", 0.5}, {"relative", 0.5 / 4.1}, {"scaled", 0.05}}) {
    start(std::string("[[expect]]\nbuffer = \"x\"\nreference = \"tenth\"\n") + metric + " = " +
          std::to_string(limit) + "\n");
    EXPECT_TRUE(result().passed);
    set(4, 4.1f + 0.499f);
    EXPECT_TRUE(result().passed) << metric << result().message;
    EXPECT_NEAR(result().worst_error, limit, 0.01 * limit);
    set(4, 4.1f + 0.501f);
    EXPECT_FALSE(result().passed) << metric;
  }
}

TEST_F(check_test, a_nan_is_never_within_tolerance) {
  start("[[expect]]\nbuffer = \"x\"\nreference = \"tenth\"\nabsolute = 1000\n");
  set(0, std::nanf(""));
  EXPECT_FALSE(result().passed);
}

// What PTX leaves open: sign, payload, quiet or not.
float nan_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST_F(check_test, a_nan_of_other_bits_is_equal_unless_bits_are_asked_for) {
  for (const char* tolerance : {"", "absolute = 0.1\n", "relative = 0.1\n"})
    for (const std::uint32_t bits : {0x7fc00000u, 0x7fffffffu, 0xffc00000u, 0x7f800001u}) {
      start(std::string("[[expect]]\nbuffer = \"x\"\nvalues = [nan, 1.1]\n") + tolerance);
      set(0, nan_of(bits));
      EXPECT_TRUE(result().passed) << result().message;
      set(1, nan_of(bits));
      EXPECT_THAT(result().message, HasSubstr("1 of the first 2 elements of 'x', which has 10, differ; x[1] is "));
      start(std::string("[[expect]]\nbuffer = \"x\"\nvalues = [nan]\nnan = \"same_bits\"\n") + tolerance);
      set(0, nan_of(bits));
      EXPECT_EQ(result().passed, bits == 0x7fc00000u) << result().message;
      set(0, 0.5f);
      EXPECT_THAT(result().message, HasSubstr("x[0] is 0.5"));
    }
}

TEST_F(check_test, a_nan_of_a_reference_is_equal_too) {
  start("[[expect]]\nbuffer = \"x\"\nreference = \"not_a_number\"\n");
  for (std::size_t i = 0; i < 10; ++i) set(i, nan_of(0x7fffffffu));
  EXPECT_TRUE(result().passed) << result().message;
  set(7, 1);
  EXPECT_THAT(result().message, HasSubstr("1 of 10 elements of 'x' differ; x[7] is 1 "));
}

TEST_F(check_test, bits_of_nan_are_of_floating_point_numbers_that_are_compared) {
  const auto refusal = [&](const std::string& expectation) -> std::string {
    try {
      start("[[expect]]\nbuffer = \"x\"\n" + expectation);
    } catch (const input_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("values = [1]\nnan = \"same\"\n"), HasSubstr("must be \"equal\" or \"same_bits\""));
  EXPECT_THAT(refusal("crc32 = \"d794e0d2\"\nnan = \"equal\"\n"), HasSubstr("does not go with 'crc32'"));
}

TEST_F(check_test, equal_infinities_are_within_any_tolerance) {
  start("[[expect]]\nbuffer = \"x\"\nvalues = [inf, -inf]\nabsolute = 1\n");
  set(0, HUGE_VALF);
  set(1, -HUGE_VALF);
  EXPECT_TRUE(result().passed) << result().message;
  set(1, HUGE_VALF);
  EXPECT_FALSE(result().passed);
}

TEST_F(check_test, checksum) {
  start("[[expect]]\nbuffer = \"x\"\ncrc32 = \"d794e0d2\"\n");
  for (std::size_t i = 0; i < 10; ++i) set(i, 0);
  EXPECT_THAT(result().message, HasSubstr("crc32 of 'x' is e9ec3db1, expected d794e0d2"));
  start("[[expect]]\nbuffer = \"x\"\ncrc32 = \"e9ec3db1\"\n");
  for (std::size_t i = 0; i < 10; ++i) set(i, 0);
  EXPECT_TRUE(result().passed) << result().message;
}

TEST_F(check_test, listed_values_cover_the_start_of_the_buffer) {
  start("[[expect]]\nbuffer = \"x\"\nvalues = [0.1, 1.1]\n");
  EXPECT_TRUE(result().passed) << result().message;
  set(1, 1);
  EXPECT_FALSE(result().passed);
}

TEST_F(check_test, contents_of_a_file) {
  std::vector<float> values;
  for (std::size_t i = 0; i < 10; ++i) values.push_back(static_cast<float>(static_cast<double>(i) + 0.1));
  std::ofstream(testing::TempDir() + "x.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), 40);
  start("[[expect]]\nbuffer = \"x\"\nfile = \"x.bin\"\n");
  EXPECT_TRUE(result().passed) << result().message;
  set(9, 0);
  EXPECT_THAT(result().message, HasSubstr("x[9] is 0 (0x00000000), expected 9.1"));
}

TEST_F(check_test, references_may_use_the_results_of_other_buffers) {
  start("[[expect]]\nbuffer = \"x\"\nreference = \"sum\"\n");
  EXPECT_THAT(result().message, HasSubstr("x[0] is 0.1"));
  EXPECT_THAT(result().message, HasSubstr("expected 1.1 "));
}

TEST_F(check_test, unusable_references_are_errors_not_passes) {
  start("[[expect]]\nbuffer = \"x\"\nreference = \"nothing\"\n");
  EXPECT_THROW(result(), input_error);
  start("[[expect]]\nbuffer = \"x\"\nreference = \"sum\"\nscaled = 1\n");
  EXPECT_THROW(result(), input_error);
}

TEST_F(check_test, what_an_expectation_names_must_be_there_before_anything_runs) {
  const auto refusal = [&](const std::string& expectation) -> std::string {
    try {
      start("[[expect]]\nbuffer = \"x\"\n" + expectation);
    } catch (const input_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("reference = \"tent\"\n"),
              HasSubstr("launch.toml:12: there is no reference 'tent'; did you mean 'tenth'?"));
  EXPECT_THAT(refusal("file = \"nowhere\"\n"), HasSubstr("nowhere: cannot open the file"));
  std::ofstream(testing::TempDir() + "three", std::ios::binary) << "abc";
  EXPECT_THAT(refusal("file = \"three\"\n"), HasSubstr("launch.toml:12: buffer 'x' has 40 bytes"));
}

TEST_F(check_test, every_failed_expectation_gets_its_line) {
  start("[[expect]]\nbuffer = \"x\"\nvalues = [5]\n[[expect]]\nbuffer = \"x\"\nvalues = [6]\n");
  const check_result r = result();
  EXPECT_EQ(r.checks, 2u);
  EXPECT_THAT(r.message, HasSubstr("launch.toml:12: "));
  EXPECT_THAT(r.message, HasSubstr("\n" + testing::TempDir() + "launch.toml:15: "));
}

}  // namespace
}  // namespace gt200::launch
