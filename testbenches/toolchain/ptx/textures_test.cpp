// Texture fetches in PTX for sm_70: one instruction each, with the handle of the texture among the literals.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/texture.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

cubin::module compiled(const std::string& body, bool optimise = true) {
  compile_options options;
  options.capability = 70;
  options.optimise = optimise;
  return compile(
      ".version 6.0\n.target sm_70\n.address_size 64\n.global .texref first;\n.global .texref second;\n"
      ".entry k (.param .u64 at, .param .f32 x, .param .u32 n)\n{\n.reg .u64 %at;\n.reg .f32 %x, %f<4>;\n"
      ".reg .u32 %n, %r<4>;\nld.param.u64 %at, [at];\nld.param.f32 %x, [x];\nld.param.u32 %n, [n];\n" +
          body + "\nexit;\n}\n",
      "k.ptx", options);
}

std::vector<isa::volta::instruction> fetches_of(const cubin::module& module) {
  const std::vector<std::uint32_t>& code = module.kernels.at(0).code;
  std::vector<isa::volta::instruction> found;
  for (std::size_t k = 0; k + 3 < code.size(); k += 4) {
    isa::volta::decode_error error;
    const auto i =
        isa::volta::decode(isa::volta::words_of({code[k], code[k + 1], code[k + 2], code[k + 3]}), error);
    if (i && isa::volta::is_texture_fetch(*i)) found.push_back(*i);
  }
  return found;
}

const std::string store = "st.global.v4.f32 [%at], {%f0, %f1, %f2, %f3};";
const std::string store_words = "st.global.v4.u32 [%at], {%r0, %r1, %r2, %r3};";

// What stands behind the registers: "TEX.SCR.LZ ... 0x2, 0x0, 2D".
std::string form_of(const isa::volta::instruction& i) {
  const std::string text = isa::volta::disassemble(i);
  return text.substr(0, text.find(' ')) + " " + text.substr(text.find("0x"));
}

TEST(textures, a_fetch_by_floats_is_tex_of_its_dimensions) {
  const std::string results = "{%f0, %f1, %f2, %f3}";
  for (const bool optimise : {false, true}) {
    const auto form = [&](const std::string& fetch) {
      const auto found = fetches_of(compiled(fetch + store, optimise));
      EXPECT_EQ(found.size(), 1u);
      return found.empty() ? "" : form_of(found[0]);
    };
    EXPECT_EQ(form("tex.1d.v4.f32.f32 " + results + ", [first, {%x}];\n"), "TEX.SCR.LZ 0x2, 0x0, 1D");
    EXPECT_EQ(form("tex.2d.v4.f32.f32 " + results + ", [first, {%x, %x}];\n"), "TEX.SCR.LZ 0x2, 0x0, 2D");
    EXPECT_EQ(form("tex.3d.v4.f32.f32 " + results + ", [first, {%x, %x, %x, %x}];\n"), "TEX.SCR.LZ 0x2, 0x0, 3D");
  }
}

TEST(textures, a_fetch_by_numbers_is_tld) {
  const auto found = fetches_of(compiled("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [first, {%n}];\n" + store_words));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(form_of(found[0]), "TLD.SCR.LZ 0x2, 0x0, 1D");
}

TEST(textures, components_behind_the_last_one_that_is_used_are_not_written) {
  const std::string fetch = "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [first, {%x, %x}];\n";
  const auto form = [&](const std::string& use) { return form_of(fetches_of(compiled(fetch + use)).at(0)); };
  EXPECT_EQ(form("st.global.f32 [%at], %f0;"), "TEX.SCR.LZ 0x2, 0x0, 2D, 0x1");
  EXPECT_EQ(form("st.global.f32 [%at], %f1;"), "TEX.SCR.LZ 0x2, 0x0, 2D, 0x3");
  EXPECT_EQ(form("st.global.f32 [%at], %f2;"), "TEX.SCR.LZ 0x2, 0x0, 2D");
  EXPECT_EQ(form("st.global.v2.f32 [%at], {%f0, %f3};"), "TEX.SCR.LZ 0x2, 0x0, 2D");
  // A component may be a coordinate of the same fetch when the loop comes round.
  EXPECT_EQ(form_of(fetches_of(compiled("mov.f32 %f1, %x;\nAGAIN:\n"
                                        "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [first, {%f1, %f1}];\n"
                                        ".reg .pred %p;\nsetp.gt.f32 %p, %f0, 0f00000000;\n@%p bra AGAIN;"))
                        .at(0)),
            "TEX.SCR.LZ 0x2, 0x0, 2D, 0x3");
}

TEST(textures, each_texture_has_a_literal_with_its_unit) {
  const cubin::module module = compiled("tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [second, {%x}];\n" + store +
                                        "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [first, {%x}];\n" + store +
                                        "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [second, {%f0}];\n" + store);
  ASSERT_EQ(module.samplers.size(), 2u);
  EXPECT_EQ(module.samplers[1].name, "second");
  const auto found = fetches_of(module);
  ASSERT_EQ(found.size(), 3u);
  const cubin::constant_segment* literals = nullptr;
  for (const cubin::constant_segment& c : module.kernels[0].constants)
    if (c.space == cubin::volta.literal_space) literals = &c;
  ASSERT_NE(literals, nullptr);
  const auto unit_of = [&](const isa::volta::instruction& i) {
    return literals->data.at(static_cast<std::size_t>(i.source[2].value));
  };
  EXPECT_EQ(unit_of(found[0]), module.samplers[1].texture_unit);
  EXPECT_EQ(unit_of(found[1]), module.samplers[0].texture_unit);
  EXPECT_EQ(unit_of(found[2]), module.samplers[1].texture_unit);
}

TEST(textures, a_fetch_nobody_uses_is_not_made) {
  EXPECT_TRUE(fetches_of(compiled("tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [first, {%x}];\n")).empty());
}

std::string refusal_of(const std::string& body) {
  try {
    compiled(body);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(textures, what_there_is_not_is_refused_by_name) {
  EXPECT_NE(refusal_of("suld.b.1d.b32.trap %r0, [first, {%n}];").find("surfaces are not supported"),
            std::string::npos);
  EXPECT_NE(refusal_of("txq.width.b32 %r0, [first];").find("of texture instructions there is tex"),
            std::string::npos);
  EXPECT_NE(refusal_of("tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [first, {%x, %x}];").find("there is tex"),
            std::string::npos);
  EXPECT_NE(refusal_of("tex.a1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [first, {%n, %x}];").find("only .1d, .2d and .3d"),
            std::string::npos);
}

}  // namespace
}  // namespace gt200::ptx
