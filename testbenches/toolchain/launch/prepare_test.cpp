// Initial content, placement in device memory, and packing of arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"
#include "toolchain/launch/crc32.h"
#include "toolchain/launch/initial_content.h"
#include "toolchain/launch/prepare.h"

namespace gt200::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

description read(const std::string& buffers, const std::string& steps = "[[step]]\nfill = \"a\"\nvalue = 0\n") {
  return parse("schema = 1\nsource = \"p.s\"\nseed = 12345\n" + buffers + steps,
               testing::TempDir() + "launch.toml");
}
std::string buffer_text(const std::string& name, const std::string& type, int count, const std::string& init) {
  return "[[buffer]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\ncount = " + std::to_string(count) + "\n" +
         init + "\n";
}

template <class T>
std::vector<T> as(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(crc32, is_that_of_zlib) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0xcbf43926u);
  EXPECT_EQ(crc32(nullptr, 0), 0u);
}

TEST(random_sequence, first_draws_of_the_usual_seed) {
  random_sequence random(12345);
  EXPECT_EQ(random.draw(), 0x5391cu);
  EXPECT_EQ(random.draw(), 0x43c7au);
  EXPECT_EQ(random.draw(), 0x8b0c42u);
  EXPECT_EQ(random.draw(), 0xa28912u);
  EXPECT_EQ(random_sequence(12345).draw_float(), 14620.0f / 65536.0f);
}

TEST(initial_content, zeros_iota_and_values) {
  auto content = make_initial_content(
      read(buffer_text("a", "u16", 3, "init = \"zeros\"") + buffer_text("i", "f32", 3, "init = \"iota\"") +
           buffer_text("v", "s8", 4, "values = [-1, 2]")),
      {});
  EXPECT_THAT(content["a"], ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(as<float>(content["i"]), ElementsAre(0.0f, 1.0f, 2.0f));
  EXPECT_THAT(as<std::int8_t>(content["v"]), ElementsAre(-1, 2, 0, 0)) << "zeros behind the values";
}

TEST(initial_content, random_buffers_draw_one_after_the_other) {
  auto content = make_initial_content(read(buffer_text("a", "u32", 2, "init = \"random\"") +
                                           buffer_text("b", "u32", 2, "init = \"random\"\nmodulo = 256")),
                                      {});
  EXPECT_THAT(as<std::uint32_t>(content["a"]), ElementsAre(0x5391cu, 0x43c7au));
  EXPECT_THAT(as<std::uint32_t>(content["b"]), ElementsAre(0x42u, 0x12u));
}

TEST(initial_content, buffers_of_a_group_draw_in_turn) {
  const std::string group = "init = \"random\"\nrandom_group = \"g\"";
  auto content =
      make_initial_content(read(buffer_text("a", "f32", 2, group) + buffer_text("z", "u8", 1, "init = \"random\"") +
                                buffer_text("b", "f32", 2, group)),
                           {});
  EXPECT_THAT(as<float>(content["a"]), ElementsAre(14620.0f / 65536, 3138.0f / 65536));
  EXPECT_THAT(as<float>(content["b"]), ElementsAre(15482.0f / 65536, 35090.0f / 65536));
  random_sequence random(12345);
  for (int i = 0; i < 4; ++i) random.draw();
  EXPECT_EQ(content["z"][0], random.draw() & 0xffu) << "the group drew at the place of its first member";
}

TEST(initial_content, from_a_file_of_exactly_the_size) {
  std::ofstream(testing::TempDir() + "three.bin", std::ios::binary) << "abc";
  auto content = make_initial_content(read(buffer_text("a", "u8", 3, "file = \"three.bin\"")), {});
  EXPECT_THAT(content["a"], ElementsAre('a', 'b', 'c'));
  EXPECT_THROW(make_initial_content(read(buffer_text("a", "u8", 4, "file = \"three.bin\"")), {}), input_error);
  EXPECT_THROW(make_initial_content(read(buffer_text("a", "u8", 4, "file = \"missing.bin\"")), {}), input_error);
}

void fill_two(host_context& context) {
  context.set(
      "a", std::vector<std::uint16_t>{context.random().draw() == 0x5391cu ? std::uint16_t{1} : std::uint16_t{0}});
  context.set("b", std::vector<std::int32_t>{-1, static_cast<std::int32_t>(context.parameter("N"))});
}

TEST(initial_content, a_host_generator_fills_all_its_buffers_at_once) {
  const host_table hosts = {{"two", &fill_two, nullptr}};
  const std::string buffers = "[parameters]\nN = 5\n" + buffer_text("a", "u16", 2, "generator = \"two\"") +
                              buffer_text("b", "s32", 2, "generator = \"two\"");
  auto content = make_initial_content(read(buffers), hosts);
  EXPECT_THAT(as<std::uint16_t>(content["a"]), ElementsAre(1, 0));
  EXPECT_THAT(as<std::int32_t>(content["b"]), ElementsAre(-1, 5));
}

TEST(initial_content, host_generators_are_held_to_their_buffers) {
  const host_table hosts = {{"two", &fill_two, nullptr}};
  const auto refusal_of = [&](const std::string& buffers) -> std::string {
    try {
      make_initial_content(read(buffers), hosts);
    } catch (const input_error& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string a = buffer_text("a", "u16", 2, "generator = \"two\"");
  EXPECT_THAT(refusal_of("[parameters]\nN = 5\n" + a), HasSubstr("host code needs a buffer 'b'"));
  EXPECT_THAT(refusal_of(a), HasSubstr("host code needs a parameter 'N'"));
  EXPECT_THAT(refusal_of("[parameters]\nN = 5\n" + a + buffer_text("b", "s32", 1, "init = \"zeros\"")),
              HasSubstr("too much data for buffer 'b'"));
  EXPECT_THAT(refusal_of(buffer_text("a", "u16", 2, "generator = \"three\"")),
              HasSubstr("there is no generator 'three'"));
}

TEST(initial_content, iota_that_does_not_fit_is_refused) {
  EXPECT_THROW(make_initial_content(read(buffer_text("a", "u8", 257, "init = \"iota\"")), {}), input_error);
}

class prepare_test : public testing::Test {
 protected:
  prepare_test()
      : module_(assembler::assemble(".global v u32 7\n.global w at 8 300\n"
                                    ".entry f\n.param u8 c\n.param u64 p\n.param f32 x\nexit nop\n.end\n",
                                    "p.s")) {}
  launch_parameters packed(const std::string& arguments, const std::string& more = "") {
    description_ =
        read(buffer_text("a", "u32", 100, "init = \"iota\"") + buffer_text("b", "u8", 1, "init = \"zeros\""),
             "[[step]]\nlaunch = \"f\"\ngrid = [2]\nblock = [3]\narguments = [" + arguments + "]\n" + more);
    device_allocator allocator;
    prepared_ = prepare(description_, module_, {}, allocator);
    return pack(prepared_, std::get<launch_step>(description_.steps[0].action), 1, 9);
  }
  std::string refusal_of(const std::string& arguments, const std::string& more = "") {
    try {
      packed(arguments, more);
    } catch (const input_error& error) {
      return error.what();
    }
    return "accepted";
  }
  cubin::module module_;
  description description_;
  prepared prepared_;
  const std::string good_ = "{ type = \"u8\", value = 5 }, \"a\", { type = \"f32\", value = 1 }";
};

TEST_F(prepare_test, globals_then_buffers_lie_on_256_byte_boundaries) {
  packed(good_);
  ASSERT_EQ(prepared_.globals.size(), 2u);
  EXPECT_EQ(prepared_.globals[0].address, first_device_address);
  EXPECT_THAT(prepared_.globals[0].initial, ElementsAre(7, 0, 0, 0));
  EXPECT_EQ(prepared_.globals[1].address, first_device_address + 256);
  EXPECT_EQ(prepared_.globals[1].initial.size(), 300u);
  EXPECT_EQ(prepared_.buffer_at("a").address, first_device_address + 256 + 512);
  EXPECT_EQ(prepared_.buffer_at("b").address, first_device_address + 256 + 512 + 512);
  EXPECT_EQ(prepared_.buffer_at("a").initial.size(), 400u);
}

TEST_F(prepare_test, c14_holds_the_addresses_of_globals) {
  packed(good_);
  EXPECT_THAT(as<std::uint32_t>(prepared_.relocations),
              ElementsAre(first_device_address, 0u, first_device_address + 256));
}

TEST_F(prepare_test, arguments_are_packed_at_the_offsets_of_the_parameters) {
  const launch_parameters p = packed(good_);
  EXPECT_THAT(p.parameter_bytes,
              ElementsAre(5, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x03, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f));
  EXPECT_EQ(p.kernel, &module_.kernels[0]);
  EXPECT_EQ(p.grid[0], 2u);
  EXPECT_EQ(p.block[0], 3u);
  EXPECT_EQ(p.grid_id, 9);
}

TEST_F(prepare_test, without_a_parameter_list_natural_alignment_is_used) {
  module_.kernels[0].parameters.clear();
  EXPECT_EQ(packed(good_).parameter_bytes.size(), 20u);
  EXPECT_EQ(packed("{ type = \"u8\", value = 5 }, { buffer = \"a\", type = \"u32\", offset = 4 }").parameter_bytes,
            (std::vector<std::uint8_t>{5, 0, 0, 0, 0x04, 0x03, 0x10, 0}));
  EXPECT_THAT(refusal_of("\"a\", \"a\", \"a\""),
              HasSubstr("the arguments take 24 bytes, kernel 'f' has room for 20"));
}

TEST_F(prepare_test, arguments_that_do_not_fit_the_parameters_are_refused) {
  EXPECT_THAT(refusal_of("\"a\""), HasSubstr("kernel 'f' has 3 parameters, 1 arguments are given"));
  EXPECT_THAT(refusal_of("\"a\", \"a\", { type = \"f32\", value = 1 }"),
              HasSubstr("argument 1 has 8 bytes, but parameter 1 of kernel 'f' has 1"));
}

TEST_F(prepare_test, all_steps_are_checked_before_anything_runs) {
  EXPECT_THAT(refusal_of(good_, "[[step]]\nlaunch = \"ff\"\ngrid = [1]\nblock = [1]\n"),
              HasSubstr("p.s has no kernel 'ff'; did you mean 'f'?"));
  EXPECT_THAT(refusal_of(good_,
                         "[[step]]\nrepeat = 2\n[[step.step]]\nlaunch = \"f\"\ngrid = [1]\nblock = [512, 2]\n"
                         "arguments = [" +
                             good_ + "]\n"),
              HasSubstr("1024 threads"));
}

TEST_F(prepare_test, memory_that_is_full_is_an_error) {
  packed(good_);
  device_allocator small(first_device_address, first_device_address + 1000);
  EXPECT_THROW(prepare(description_, module_, {}, small), input_error);
}

}  // namespace
}  // namespace gt200::launch
