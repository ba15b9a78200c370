// Textures, constants, requirements and loop conditions: their meaning, and how mistakes are reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/toolchain/launch/fake_device.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::launch {
namespace {

using sampling::texture_addressing;
using sampling::texture_filter;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* head = R"(schema = 1
source = "p.s"
seed = 0
[parameters]
W = 8
[[buffer]]
name = "image"
type = "u8"
count = 240
init = "iota"
[[buffer]]
name = "sums"
type = "s32"
values = [1, -2, 3]
)";
constexpr const char* step_text = "[[step]]\nlaunch = \"k\"\ngrid = [1]\nblock = [1]\n";

// A description with these lines, from line 15 on.
description read(const std::string& lines) { return parse(head + lines + step_text, "launch.toml"); }

class resources : public testing::Test {
 protected:
  resources()
      : module_(
            assembler::assemble(".const table u32 1 2 3 4\n.const scale f32 1\n.sampler picture 7\n.sampler other "
                                "9\n.entry k\nexit nop\n.end\n",
                                "p.s")) {}
  const prepared& prepare_with(const std::string& lines, const host_table& hosts = {}) {
    description_ = read(lines);
    device_allocator allocator;
    return prepared_ = prepare(description_, module_, hosts, allocator);
  }
  cubin::module module_;
  description description_;
  prepared prepared_;
};

std::string texture_text(const std::string& keys) { return "[[texture]]\nbuffer = \"image\"\n" + keys + "\n"; }

TEST_F(resources, a_texture_without_a_width_reads_its_buffer_as_linear_memory) {
  const bound_texture t = prepare_with(texture_text("unit = 3\nchannels = 4")).textures.at(0);
  EXPECT_EQ(t.unit, 3u);
  EXPECT_EQ(t.address, first_device_address);
  EXPECT_EQ(t.shape.dimensions, 0u);
  EXPECT_EQ(t.shape.extent[0], 60u);
  EXPECT_EQ(t.shape.texel.bytes(), 4u);
}

TEST_F(resources, an_array_has_extents_pitch_addressing_and_filter) {
  const bound_texture t =
      prepare_with(texture_text("name = \"picture\"\nwidth = \"W\"\nheight = 5\ndepth = 3\npitch = 16\nfilter = "
                                "\"linear\"\nnormalised_coordinates = true\nnormalised_values = true\n"
                                "addressing = [\"wrap\", \"clamp\", \"wrap\"]"))
          .textures.at(0);
  EXPECT_EQ(t.unit, 7u) << "that of the sampler";
  EXPECT_EQ(t.shape.dimensions, 3u);
  EXPECT_THAT(t.shape.extent, ElementsAre(8u, 5u, 3u));
  EXPECT_EQ(t.shape.bytes_in_rows(), 14 * 16 + 8u);
  EXPECT_EQ(t.shape.bytes(), 2048u) << "one block of 2 gobs and 4 slices";
  EXPECT_EQ(t.address, first_device_address + array_alignment) << "pages of its own behind the buffers";
  EXPECT_THAT(t.shape.addressing,
              ElementsAre(texture_addressing::wrap, texture_addressing::clamp, texture_addressing::wrap));
  EXPECT_EQ(t.shape.filter, texture_filter::linear);
  EXPECT_TRUE(t.shape.texel.normalised);
}

TEST_F(resources, a_border_needs_no_normalised_coordinates_but_a_mirror_does) {
  const bound_texture border =
      prepare_with(texture_text("unit = 0\nwidth = 8\naddressing = \"border\"")).textures.at(0);
  EXPECT_EQ(border.shape.addressing[0], texture_addressing::border);
  const bound_texture mirror =
      prepare_with(texture_text("unit = 0\nwidth = 8\nnormalised_coordinates = true\naddressing = \"mirror\""))
          .textures.at(0);
  EXPECT_EQ(mirror.shape.addressing[0], texture_addressing::mirror);
}

TEST_F(resources, arrays_are_copies_of_what_the_host_writes_to_their_buffer) {
  prepare_with(texture_text("unit = 0\nwidth = 20\nheight = 12") +
               "[[step]]\nset = \"image\"\nfirst = 43\nvalues = [99]\n");
  fake_device device;
  upload(prepared_, device.connection());
  const bound_texture& t = prepared_.textures.at(0);
  const auto texel = [&](std::uint32_t x, std::uint32_t y) {
    return device.load<std::uint8_t>(t.address + static_cast<std::uint32_t>(t.shape.offset(x, y, 0)));
  };
  EXPECT_EQ(t.shape.offset(3, 2, 0), 2 * 64 + 3u);
  EXPECT_EQ(texel(3, 2), 43u);
  EXPECT_EQ(texel(19, 11), 239u);
  device.store<std::uint8_t>(prepared_.buffer_at("image").address + 44, 7);  // as a kernel would
  EXPECT_EQ(texel(4, 2), 44u);
  execute(prepared_, device.connection());
  EXPECT_EQ(texel(3, 2), 99u);
  EXPECT_EQ(texel(4, 2), 7u);
}

TEST_F(resources, pitch_linear_images_are_read_where_their_buffer_lies) {
  const prepared& p =
      prepare_with(texture_text("unit = 0\nwidth = 30\nheight = 7\npitch = 32\nlayout = \"pitch_linear\""));
  EXPECT_TRUE(p.arrays.empty());
  EXPECT_EQ(p.textures.at(0).address, first_device_address);
  EXPECT_EQ(p.textures.at(0).shape.offset(1, 2, 0), 65u);
}

TEST_F(resources, constants_replace_what_the_program_says) {
  const prepared& p = prepare_with(
      "[[constant]]\nsymbol = \"table\"\noffset = 4\ntype = \"u16\"\nvalues = [5, 6, 7]\n"
      "[[constant]]\nbank = 3\noffset = 8\ntype = \"u32\"\ncount = 2\ninit = \"iota\"\n");
  EXPECT_NE(p.module, &module_) << "the caller's program stays as it is";
  ASSERT_EQ(p.module->constants.size(), module_.constants.size() + 2);
  const auto& table = p.module->constants[2];
  EXPECT_EQ(table.space, 0);
  EXPECT_EQ(table.offset, 4u);
  EXPECT_THAT(table.data, ElementsAre(5, 0, 6, 0, 7, 0));
  EXPECT_EQ(p.module->constants[3].space, 3);
  EXPECT_THAT(p.module->constants[3].data, ElementsAre(0, 0, 0, 0, 1, 0, 0, 0));
  EXPECT_EQ(pack(p, std::get<launch_step>(description_.steps[0].action), 1, 0).kernel, &p.module->kernels[0]);
}

// The data that a check function of a kernel uses.
reference_result table_as_numbers(const host_context& context, const std::string&) {
  const auto table = context.constant<std::uint32_t>("table");
  return {{table.begin(), table.end()}, {}};
}

TEST_F(resources, host_code_sees_the_constants) {
  const host_table hosts = {{"table", nullptr, &table_as_numbers}};
  prepare_with(
      "[[constant]]\nsymbol = \"table\"\ntype = \"u32\"\nvalues = [1, 0, 3]\n"
      "[[expect]]\nbuffer = \"sums\"\nreference = \"table\"\n",
      hosts);
  fake_device device;
  upload(prepared_, device.connection());
  EXPECT_THAT(check(prepared_, hosts, device.connection()).message, HasSubstr("sums[1] is -2, expected 0"));
}

TEST_F(resources, set_writes_some_elements) {
  prepare_with("[[step]]\nset = \"sums\"\nfirst = 1\nvalues = [\"W\", 9]\n");
  fake_device device;
  upload(prepared_, device.connection());
  execute(prepared_, device.connection());
  const std::uint32_t at = prepared_.buffer_at("sums").address;
  EXPECT_EQ(device.load<std::int32_t>(at), 1);
  EXPECT_EQ(device.load<std::int32_t>(at + 4), 8);
  EXPECT_EQ(device.load<std::int32_t>(at + 8), 9);
}

TEST(conditions, compare_an_element_with_a_number) {
  const named_values names = {{"N", 3}};
  const auto holds = [&](const std::string& text, std::int32_t element) {
    std::string reason;
    const auto parsed = parse_condition(text, names, reason);
    EXPECT_TRUE(parsed) << reason;
    std::uint8_t bytes[4];
    std::memcpy(bytes, &element, 4);
    return parsed && parsed->holds(element_type::s32, bytes);
  };
  EXPECT_TRUE(holds("over", 5));
  EXPECT_FALSE(holds("over", 0));
  EXPECT_TRUE(holds("over[0] != 0", -1));
  EXPECT_TRUE(holds("over[N] == -N", -3));
  EXPECT_TRUE(holds("over[1]<2", 1));
  EXPECT_FALSE(holds("over[1] < 2", 2));
  EXPECT_TRUE(holds("over[1] <= 2", 2));
  EXPECT_TRUE(holds("over[1] > 2 * N", 7));
  EXPECT_TRUE(holds("over [1] >= 7", 7));
}

TEST_F(resources, a_loop_goes_on_while_its_condition_holds) {
  prepare_with(
      "[[step]]\nrepeat_while = \"sums[2] < 6\"\nrepeat = 10\n[[step.step]]\nlaunch = \"k\"\ngrid = [1]\n"
      "block = [1]\n");
  fake_device device;
  upload(prepared_, device.connection());
  const std::uint32_t at = prepared_.buffer_at("sums").address + 8;
  device.on_launch = [&](const launch_parameters&) { device.store(at, device.load<std::int32_t>(at) + 1); };
  execute(prepared_, device.connection());
  EXPECT_EQ(device.launches.size(), 4u) << "3 of the loop, and the step behind it";
}

TEST(requirements, are_compared_with_the_device) {
  const auto refusal_of = [](const std::string& names, unsigned capability) {
    return refusal(parse("schema = 1\nsource = \"p.s\"\nrequires = " + names + "\n" + step_text, "l").required,
                   capability);
  };
  EXPECT_EQ(refusal_of("[\"double_precision\", \"texture_sampling\"]", 13), "");
  EXPECT_EQ(refusal_of("\"shared_atomics\"", 12), "");
  EXPECT_EQ(refusal_of("[\"global_atomics\", \"shared_atomics\"]", 11),
            "the launch requires shared_atomics (compute capability 1.2), the chip has 1.1");
}

struct mistake {
  const char* lines;  // from line 15 on
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const mistake& m) { return out << m.message; }
class mistakes : public resources, public testing::WithParamInterface<mistake> {};

TEST_P(mistakes, have_one_clear_line) {
  std::string message = "accepted";
  try {
    prepare_with(GetParam().lines);
  } catch (const input_error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, GetParam().message);
}

const mistake texture_mistakes[] = {
    {"[[texture]]\nbuffer = \"imag\"\nunit = 1\n",
     "launch.toml:16: 'buffer' names the unknown buffer 'imag'; did you mean 'image'?"},
    {"[[texture]]\nbuffer = \"image\"\n", "launch.toml:15: a [[texture]] needs exactly one of name, unit"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 128\n", "launch.toml:17: 'unit' is 128, allowed are 0 to 127"},
    {"[[texture]]\nbuffer = \"image\"\nname = \"pictur\"\n",
     "launch.toml:15: p.s has no texture 'pictur'; did you mean 'picture'?"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 7\n[[texture]]\nbuffer = \"image\"\nname = \"picture\"\n",
     "launch.toml:18: textures 'unit 7' and 'picture' are both at unit 7"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\n[[texture]]\nbuffer = \"image\"\nunit = 1\n",
     "launch.toml:18: texture unit 1 is given twice"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nheight = 3\n",
     "launch.toml:18: 'height' is for arrays, which have a 'width'; without it linear memory is read"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 16\nheight = 16\n",
     "launch.toml:15: the texture takes 256 bytes, buffer 'image' has 240"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 8193\n",
     "launch.toml:18: 'width' is 8193, allowed are 1 to 8192"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 2\ndepth = 2\n",
     "launch.toml:19: 'depth' needs a 'height'"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\npitch = 3\n",
     "launch.toml:19: 'pitch' is 3, allowed are 4 to 16777216"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 2\nchannels = 2\npitch = 5\n",
     "launch.toml:20: 'pitch' is 5, which is no multiple of the 2 bytes of a texel"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nchannels = 3\n",
     "launch.toml:18: 'channels' is 3, allowed are 1, 2 and 4"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nformat = \"f64\"\n",
     "launch.toml:18: 'format' has the type f64; texels have u8 s8 u16 s16 u32 s32 f32"},
    {"[[texture]]\nbuffer = \"sums\"\nunit = 1\nnormalised_values = true\n",
     "launch.toml:18: 'normalised_values' is for formats of 8 and 16 bits"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\nfilter = \"linear\"\n",
     "launch.toml:19: 'filter' linear needs texels that read as floats: f32, or normalised_values = true"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\nfilter = \"cubic\"\n",
     "launch.toml:19: 'filter' is 'cubic', allowed are point, linear"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\naddressing = \"wrap\"\n",
     "launch.toml:19: 'addressing' wrap needs normalised_coordinates = true"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\naddressing = \"mirror\"\n",
     "launch.toml:19: 'addressing' mirror needs normalised_coordinates = true"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\naddressing = [\"clamp\", \"clamp\"]\n",
     "launch.toml:19: 'addressing' has 2 words for 1 dimensions"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\naddressing = \"repeat\"\n",
     "launch.toml:19: 'addressing' is 'repeat', allowed are clamp, wrap, mirror, border"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\nnormalised_coordinates = 1\n",
     "launch.toml:19: 'normalised_coordinates' must be true or false"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\nlayout = \"tiled\"\n",
     "launch.toml:19: 'layout' is 'tiled', allowed are block_linear, pitch_linear"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\nlayout = \"pitch_linear\"\n",
     "launch.toml:19: 'layout' pitch_linear is for images of two dimensions"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nwidth = 4\nheight = 4\nlayout = \"pitch_linear\"\n",
     "launch.toml:20: 'layout' pitch_linear needs rows a multiple of 32 bytes apart, not 4"},
    {"[[texture]]\nbuffer = \"image\"\nunit = 1\nheigth = 4\n",
     "launch.toml:18: unknown key 'heigth' in [[texture]]; did you mean 'height'?"},
};
INSTANTIATE_TEST_SUITE_P(of_textures, mistakes, testing::ValuesIn(texture_mistakes));

const mistake constant_mistakes[] = {
    {"[[constant]]\ntype = \"u8\"\nvalues = [1]\n",
     "launch.toml:15: a [[constant]] needs exactly one of symbol, bank"},
    {"[[constant]]\nsymbol = \"tabel\"\ntype = \"u8\"\nvalues = [1]\n",
     "launch.toml:15: p.s has no constant 'tabel'; did you mean 'table'?"},
    {"[[constant]]\nsymbol = \"table\"\noffset = 8\ntype = \"f64\"\nvalues = [1, 2]\n",
     "launch.toml:15: constant table[0x8] takes 16 bytes, 'table' has room for 8"},
    {"[[constant]]\nbank = 1\ntype = \"u8\"\nvalues = [1]\n",
     "launch.toml:16: 'bank' is for user constants: 1 holds the literals of kernels, 14 addresses of variables"},
    {"[[constant]]\nbank = 16\ntype = \"u8\"\nvalues = [1]\n", "launch.toml:16: 'bank' is 16, allowed are 0 to 15"},
    {"[[constant]]\nbank = 0\noffset = 65532\ntype = \"f64\"\nvalues = [1]\n",
     "launch.toml:15: constant c0[0xfffc] takes 8 bytes, which end behind the 65536 of a bank"},
    {"[[constant]]\nbank = 0\ntype = \"u8\"\ncount = 3\n",
     "launch.toml:15: constant c0[0x0] needs exactly one of init, values, file"},
    {"[[constant]]\nbank = 0\ntype = \"u8\"\nvalues = [1]\n[[constant]]\nbank = 0\ntype = \"u8\"\nvalues = [1]\n",
     "launch.toml:19: constant c0[0x0] is given twice"},
    {"[[constant]]\nbank = 0\ntype = \"u8\"\ncount = 2\nfile = \"none.bin\"\n",
     "launch.toml:15: none.bin: cannot open the file"},
};
INSTANTIATE_TEST_SUITE_P(of_constants, mistakes, testing::ValuesIn(constant_mistakes));

const mistake other_mistakes[] = {
    {"[[step]]\nset = \"sums\"\nfirst = 2\nvalues = [1, 2]\n",
     "launch.toml:18: 'values' has 2 elements from 2 on, but buffer 'sums' has 3"},
    {"[[step]]\nset = \"sums\"\nfirst = 3\nvalues = [1]\n", "launch.toml:17: 'first' is 3, allowed are 0 to 2"},
    {"[[step]]\nrepeat_while = \"sums[3] != 0\"\n",
     "launch.toml:16: 'repeat_while' names element 3 of buffer 'sums', which has 3"},
    {"[[step]]\nrepeat_while = \"sums[-1] != 0\"\n", "launch.toml:16: 'repeat_while' has the negative index -1"},
    {"[[step]]\nrepeat_while = \"sums[0] = 0\"\n",
     "launch.toml:16: 'repeat_while' \"sums[0] = 0\" is not of the form BUFFER[INDEX] == VALUE (or != < <= > >=)"},
    {"[[step]]\nrepeat_while = \"sums[0] != M\"\n",
     "launch.toml:16: 'repeat_while' in \" M\": there is no parameter 'M'"},
    {"[[step]]\nrepeat_while = \"sum[0] != 0\"\n",
     "launch.toml:16: 'repeat_while' names the unknown buffer 'sum'; did you mean 'sums'?"},
    {"[[buffer]]\nname = \"f\"\ntype = \"u8\"\ncount = 2\nfile = \"none.bin\"\n",
     "launch.toml:15: none.bin: cannot open the file"},
    {"[[buffer]]\nname = \"f\"\ntype = \"u8\"\ncount = 2\ngenerator = \"nobody\"\n",
     "launch.toml:15: there is no generator 'nobody'"},
    {"[[buffer]]\nname = \"f\"\ntype = \"u8\"\ncount = \"-W\"\ninit = \"zeros\"\n",
     "launch.toml:18: 'count' is -8, allowed are 1 to 4294967295"},
    {"[[buffer]]\nname = \"f\"\ntype = \"u8\"\ncount = \"W * W * W * W * W * W * W * W * W * W * W * W * W * W * W "
     "* W * W * W * W * W * W * W\"\ninit = \"zeros\"\n",
     "launch.toml:18: 'count' in \"W * W * W * W * W * W * W * W * W * W * W * W * W * W * W * W * W * W * W * W * "
     "W * W\": the value does not fit 64 bits"},
    {"[[buffer]]\nname = \"f\"\ntype = \"u8\"\ncount = 0x40000000\ninit = \"zeros\"\n",
     "launch.toml:15: no room in device memory for 'f' (1073741824 bytes)"},
};
INSTANTIATE_TEST_SUITE_P(of_all_kinds, mistakes, testing::ValuesIn(other_mistakes));

TEST(requirement_mistakes, name_the_nearest_feature) {
  try {
    parse("schema = 1\nsource = \"p.s\"\nrequires = [\"double_precison\"]\n", "launch.toml");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_STREQ(error.what(),
                 "launch.toml:3: 'requires' has 'double_precison', known are "
                 "global_atomics, global_atomics_64, shared_atomics, warp_vote, double_precision, "
                 "texture_sampling; did you mean "
                 "'double_precision'?");
  }
}

}  // namespace
}  // namespace gt200::launch
