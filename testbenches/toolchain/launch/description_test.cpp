// Reads launch.toml: its meaning, and how mistakes in it are reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/error.h"
#include "toolchain/launch/description.h"

namespace gt200::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* complete = R"(schema = 1
source = "prog.s"
seed = 7

[parameters]
N = 300
LEVELS = 3

[[buffer]]
name = "a"
type = "f32"
count = "N"
init = "random"
random_group = "in"

[[buffer]]
name = "b"
type = "s8"
count = "N"
init = "random"
random_group = "in"
modulo = 100

[[buffer]]
name = "flags"
type = "u16"
values = [1, -1, "N"]

[[buffer]]
name = "graph"
type = "s32"
count = "10 * N"
generator = "bfs"

[[buffer]]
name = "image"
type = "u8"
count = 16
file = "data/image.bin"

[[step]]
fill = "a"
value = 1.5

[[step]]
repeat_while = "flags"
repeat = "LEVELS"
  [[step.step]]
  launch = "kernel1"
  grid = ["(N + 255) / 256", 2]
  block = [16, 16]
  dynamic_shared = 128
  arguments = ["a", { buffer = "b", offset = 8, type = "u32" }, { type = "f32", value = 0.5 }, { type = "s32", value = "-N" }]

[[expect]]
buffer = "flags"
values = [0]

[[expect]]
buffer = "a"
reference = "bfs"
scaled = 5e-6
when = { N = 300, seed = 7 }

[[expect]]
buffer = "b"
crc32 = "00c0FFEE"
when = { N = 301 }

[[expect]]
buffer = "image"
file = "data/expected.bin"
absolute = 1
)";

description read(const std::string& text, const overrides& changes = {}) {
  return parse(text, "dir/launch.toml", changes);
}

std::string refusal_of(const std::string& text, const overrides& changes = {}) {
  try {
    read(text, changes);
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(const std::string& old_part, const std::string& new_part) {
  std::string text = complete;
  const auto position = text.find(old_part);
  EXPECT_NE(position, std::string::npos) << old_part;
  return text.replace(position, old_part.size(), new_part);
}
std::string refusal_with(const std::string& old_part, const std::string& new_part) {
  return refusal_of(with(old_part, new_part));
}

TEST(description, buffers) {
  const description d = read(complete);
  EXPECT_EQ(d.source, "dir/prog.s") << "relative to the folder of the file";
  EXPECT_EQ(d.seed, 7u);
  ASSERT_EQ(d.buffers.size(), 5u);
  EXPECT_EQ(d.buffers[0].name, "a");
  EXPECT_EQ(d.buffers[0].count, 300u);
  EXPECT_EQ(d.buffers[0].bytes(), 1200u);
  EXPECT_EQ(d.buffers[0].init, initial_content::random);
  EXPECT_EQ(d.buffers[1].modulo, 100u);
  EXPECT_EQ(d.buffers[1].random_group, "in");
  EXPECT_EQ(d.buffers[2].count, 3u) << "as many as there are values";
  EXPECT_THAT(d.buffers[2].values, ElementsAre(1, 0, 0xff, 0xff, 300 & 255, 1));
  EXPECT_EQ(d.buffers[3].count, 3000u);
  EXPECT_EQ(d.buffers[3].generator, "bfs");
  EXPECT_EQ(d.buffers[4].path, "dir/data/image.bin");
}

TEST(description, steps) {
  const description d = read(complete);
  ASSERT_EQ(d.steps.size(), 2u);
  const auto& fill = std::get<fill_step>(d.steps[0].action);
  EXPECT_EQ(fill.buffer, "a");
  EXPECT_THAT(fill.value, ElementsAre(0, 0, 0xc0, 0x3f));
  const auto& repeat = std::get<repeat_step>(d.steps[1].action);
  EXPECT_EQ(repeat.count, 3u);
  ASSERT_TRUE(repeat.repeat_while);
  EXPECT_EQ(repeat.repeat_while->buffer, "flags");
  EXPECT_EQ(repeat.repeat_while->index, 0u);
  EXPECT_EQ(repeat.repeat_while->relation, comparison::not_equal);
  const auto& launch = std::get<launch_step>(repeat.body.at(0).action);
  EXPECT_EQ(launch.kernel, "kernel1");
  EXPECT_THAT(launch.grid, ElementsAre(2u, 2u, 1u));
  EXPECT_THAT(launch.block, ElementsAre(16u, 16u, 1u));
  EXPECT_EQ(launch.dynamic_shared, 128u);
  ASSERT_EQ(launch.arguments.size(), 4u);
  EXPECT_EQ(launch.arguments[0].buffer, "a");
  EXPECT_FALSE(launch.arguments[0].type_given);
  EXPECT_EQ(launch.arguments[1].offset, 8u);
  EXPECT_EQ(launch.arguments[1].type, element_type::u32);
  EXPECT_THAT(launch.arguments[2].bytes, ElementsAre(0, 0, 0, 0x3f));
  EXPECT_THAT(launch.arguments[3].bytes, ElementsAre(0xd4, 0xfe, 0xff, 0xff));
}

TEST(description, expectations) {
  const description d = read(complete);
  ASSERT_EQ(d.expectations.size(), 4u);
  EXPECT_EQ(d.expectations[0].metric, error_metric::exact);
  EXPECT_EQ(d.expectations[1].metric, error_metric::scaled);
  EXPECT_DOUBLE_EQ(d.expectations[1].tolerance, 5e-6);
  EXPECT_TRUE(d.expectations[1].applies);
  EXPECT_EQ(d.expectations[2].crc32, 0x00c0ffeeu);
  EXPECT_FALSE(d.expectations[2].applies) << "N is not 301";
  EXPECT_EQ(d.expectations[3].path, "dir/data/expected.bin");
}

TEST(description, callers_may_override_source_seed_and_parameters) {
  overrides changes;
  changes.source = "other/prog.cubin";
  changes.seed = 9;
  changes.parameters = {{"N", 301}};
  const description d = read(complete, changes);
  EXPECT_EQ(d.source, "other/prog.cubin");
  EXPECT_EQ(d.seed, 9u);
  EXPECT_EQ(d.buffers[0].count, 301u);
  EXPECT_FALSE(d.expectations[1].applies);
  EXPECT_TRUE(d.expectations[2].applies);
  changes.parameters = {{"LEVEL", 1}};
  EXPECT_EQ(refusal_of(complete, changes),
            "dir/launch.toml: there is no parameter 'LEVEL' to set; did you mean 'LEVELS'?");
}

TEST(description, unknown_keys_are_refused_with_the_nearest_valid_one) {
  EXPECT_EQ(refusal_with("seed = 7", "sed = 7"),
            "dir/launch.toml:3: unknown key 'sed' in the launch description; did you mean 'seed'?");
  EXPECT_EQ(refusal_with("count = \"N\"\ninit", "cuont = \"N\"\ninit"),
            "dir/launch.toml:12: unknown key 'cuont' in [[buffer]]; did you mean 'count'?");
  EXPECT_EQ(refusal_with("dynamic_shared", "dynamic_share"),
            "dir/launch.toml:52: unknown key 'dynamic_share' in [[step]]; did you mean 'dynamic_shared'?");
  EXPECT_EQ(refusal_with("offset = 8", "ofset = 8"),
            "dir/launch.toml:53: unknown key 'ofset' in an argument; did you mean 'offset'?");
  EXPECT_EQ(refusal_with("crc32 =", "xyzzyxyzzy ="), "dir/launch.toml:67: unknown key 'xyzzyxyzzy' in [[expect]]");
  EXPECT_EQ(refusal_with("fill = \"a\"", "fill = \"a\"\nblock = [1]"),
            "dir/launch.toml:43: unknown key 'block' in a fill step");
}

TEST(description, unknown_names_are_refused_with_the_nearest_valid_one) {
  EXPECT_EQ(refusal_with("arguments = [\"a\"", "arguments = [\"flag\""),
            "dir/launch.toml:53: 'arguments' names the unknown buffer 'flag'; did you mean 'flags'?");
  EXPECT_EQ(refusal_with("buffer = \"image\"", "buffer = \"imag\""),
            "dir/launch.toml:71: 'buffer' names the unknown buffer 'imag'; did you mean 'image'?");
  EXPECT_EQ(refusal_with("when = { N = 301 }", "when = { M = 301 }"),
            "dir/launch.toml:68: 'when' names the unknown parameter 'M'; did you mean 'N'?");
  EXPECT_THAT(refusal_with("count = \"N\"", "count = \"M\""), HasSubstr("there is no parameter 'M'"));
}

TEST(description, parameters_must_satisfy_every_assertion) {
  const auto with = [](const char* that) {
    return refusal_with(
        "[[buffer]]\nname = \"a\"",
        "[[assert]]\nthat = \"" + std::string(that) + "\"\nmessage = \"N must suit\"\n\n[[buffer]]\nname = \"a\"");
  };
  EXPECT_EQ(with("N % 128 == 0"),
            "dir/launch.toml:9: N must suit; N % 128 == 0 does not hold with LEVELS = 3, N = 300");
  EXPECT_THAT(with("N > 2 * 150"), HasSubstr("N must suit"));
  EXPECT_THAT(with("N <= 299"), HasSubstr("N must suit"));
  EXPECT_THAT(with("N != 300"), HasSubstr("N must suit"));
  for (const char* holds : {"N == 300", "N - 1 >= LEVELS", "N % 128 < 45"})
    EXPECT_EQ(with(holds), "accepted") << holds;
  EXPECT_EQ(with("N + 1"),
            "dir/launch.toml:10: 'that' \"N + 1\" is not of the form VALUE == VALUE (or != < <= > >=)");
  EXPECT_THAT(with("M == 1"), HasSubstr("there is no parameter 'M'"));
  EXPECT_THAT(with("N == 1 == 1"), HasSubstr("unexpected '='"));
}

TEST(description, wrong_values_are_refused_with_the_allowed_ones) {
  EXPECT_EQ(refusal_with("schema = 1", "schema = 2"), "dir/launch.toml:1: 'schema' is 2, allowed are 1 to 1");
  EXPECT_EQ(refusal_with("source = \"prog.s\"\n", ""), "dir/launch.toml:1: the launch description has no 'source'");
  EXPECT_EQ(refusal_with("type = \"f32\"\ncount", "type = \"float\"\ncount"),
            "dir/launch.toml:11: 'type' is 'float', allowed are u8 s8 u16 s16 u32 s32 u64 s64 f32 f64");
  EXPECT_EQ(refusal_with("init = \"random\"", "init = \"noise\""),
            "dir/launch.toml:13: 'init' is 'noise', allowed are zeros, iota, random");
  EXPECT_EQ(refusal_with("block = [16, 16]", "block = [16, 1025]"),
            "dir/launch.toml:51: 'block' has 1025, allowed are 1 to 1024");
  EXPECT_EQ(refusal_with("block = [16, 16]", "block = [1, 1, 1, 1]"),
            "dir/launch.toml:51: 'block' must have 1 to 3 elements");
  EXPECT_EQ(refusal_with("N = 300", "N = 3.5"), "dir/launch.toml:6: parameter 'N' must be an integer");
  EXPECT_EQ(refusal_with("N = 300", "N = 0"), "dir/launch.toml:12: 'count' is 0, allowed are 1 to 1073741823");
  EXPECT_EQ(refusal_with("values = [1, -1, \"N\"]", "values = [65536]"),
            "dir/launch.toml:27: 'values': 65536 does not fit the type u16");
  EXPECT_EQ(refusal_with("values = [1, -1, \"N\"]", "values = [0.5]"),
            "dir/launch.toml:27: 'values' has a fraction, but its type is u16");
  const std::string u16 = "type = \"u16\"\nvalues = [1, -1, \"N\"]";
  EXPECT_EQ(refusal_with(u16, "type = \"f32\"\nvalues = [1e39]"),
            "dir/launch.toml:27: 'values': 1e+39 does not fit the type f32");
  EXPECT_EQ(refusal_with("modulo = 100", "modulo = 0"),
            "dir/launch.toml:22: 'modulo' is 0, allowed are 1 to 16777216");
  EXPECT_EQ(refusal_with("\"00c0FFEE\"", "\"c0FFEE\""),
            "dir/launch.toml:67: 'crc32' must be a string of 8 hexadecimal digits");
  EXPECT_EQ(refusal_with("scaled = 5e-6", "scaled = -1"), "dir/launch.toml:62: 'scaled' must not be negative");
  for (const char* endless : {"inf", "-inf", "nan"})
    EXPECT_EQ(refusal_with("scaled = 5e-6", std::string("scaled = ") + endless),
              "dir/launch.toml:62: 'scaled' must be a finite number");
}

TEST(description, contradictions_are_refused) {
  EXPECT_EQ(refusal_with("init = \"random\"", "init = \"random\"\nfile = \"f\""),
            "dir/launch.toml:9: buffer 'a' needs exactly one of init, values, file, generator");
  EXPECT_EQ(refusal_with("name = \"b\"", "name = \"a\""), "dir/launch.toml:17: 'name' 'a' is given twice");
  EXPECT_THAT(refusal_with("type = \"s8\"\ncount = \"N\"", "type = \"s8\"\ncount = 5"),
              HasSubstr("buffers 'a' and 'b' draw in turn (random_group 'in'), but have 300 and 5 elements"));
  EXPECT_EQ(refusal_with("crc32 = \"00c0FFEE\"", "crc32 = \"00c0FFEE\"\nrelative = 1e-3"),
            "dir/launch.toml:68: 'relative' does not go with 'crc32'");
  EXPECT_EQ(refusal_with("values = [0]", "values = [0]\nscaled = 1"),
            "dir/launch.toml:58: 'scaled' needs a 'reference', which supplies the scale");
  EXPECT_EQ(refusal_with("buffer = \"b\"\ncrc32 = \"00c0FFEE\"", "buffer = \"b\""),
            "dir/launch.toml:65: an [[expect]] needs exactly one of values, file, crc32, reference");
  EXPECT_THAT(refusal_of("schema = 1\nsource = \"x\""), HasSubstr("there is no [[step]]"));
  EXPECT_EQ(refusal_with("fill = \"a\"\n", ""),
            "dir/launch.toml:41: a [[step]] needs one of launch, fill, set, repeat, repeat_while");
}

TEST(description, malformed_toml_is_reported_with_its_line) {
  EXPECT_THAT(refusal_with("N = 300", "N = "), testing::StartsWith("dir/launch.toml:6: "));
  EXPECT_THAT(refusal_with("[parameters]", "[=]"), testing::StartsWith("dir/launch.toml:5: malformed TOML"));
  EXPECT_THAT(refusal_with("[parameters]", "\u00a1"), testing::StartsWith("dir/launch.toml:5: "));
  EXPECT_THAT(refusal_with("[parameters]", "\ufedf("), testing::StartsWith("dir/launch.toml:5: "));
  EXPECT_THAT(refusal_with("[parameters]", "parameters = 3\n[x]"), HasSubstr("unknown key 'x'"));
  EXPECT_THAT(refusal_with("seed = 7", "seed = 7\nstep = 3"), testing::StartsWith("dir/launch.toml:"));
}

TEST(description, every_prefix_is_read_or_refused) {
  const std::string text = complete;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string reason = refusal_of(text.substr(0, length));
    if (reason != "accepted") {
      EXPECT_THAT(reason, testing::StartsWith("dir/launch.toml")) << "length " << length;
    }
  }
}

}  // namespace
}  // namespace gt200::launch
