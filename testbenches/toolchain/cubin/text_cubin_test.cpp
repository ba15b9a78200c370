// Text cubins: what must be read, what must be refused and where, and lossless writing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "toolchain/cubin/text_reader.h"
#include "toolchain/cubin/text_writer.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* complete_cubin = R"(architecture {sm_11}
abiversion {0}
modname {cubin}
consts  {
	name = table
	segname = const
	segnum = 0
	offset = 8
	bytes = 6
	mem  {
		0x44332211 0x00006655 
	}
}
sampler  {
	name = picture
	texunit = 3
}
reloc  {
	name = counter
	segname = reloc
	segnum = 14
	offset = 4
	bytes = 8
}
code  {
	name = _Z6kernelPf
	lmem = 16
	smem = 36
	reg = 2
	bar = 5
	bincode  {
		0x861ffe03 0000000000 0x1100e804 0x1100ec00 
		0xd00e0201 0xa0c00781 
	}
	const  {
		segname = const
		segnum = 1
		offset = 0
		bytes = 4
		mem  {
			0x000003ff 
		}
	}
}
)";

std::string refusal_of(const std::string& text) {
  try {
    read_text_cubin(text, "file.cubin");
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(std::string text, const std::string& old_part, const std::string& new_part) {
  const auto position = text.find(old_part);
  EXPECT_NE(position, std::string::npos) << old_part;
  return text.replace(position, old_part.size(), new_part);
}

TEST(text_cubin, reads_every_kind_of_block) {
  const module m = read_text_cubin(complete_cubin, "file.cubin");
  EXPECT_EQ(m.capability, 11u);
  EXPECT_EQ(m.source_file, "file.cubin");
  ASSERT_EQ(m.kernels.size(), 1u);
  const kernel& k = m.kernels[0];
  EXPECT_EQ(k.name, "_Z6kernelPf") << "mangled names are kept";
  EXPECT_EQ(k.local_bytes, 16u);
  EXPECT_EQ(k.shared_bytes, 36u);
  EXPECT_EQ(k.registers, 2u);
  EXPECT_EQ(k.barriers, 5u);
  EXPECT_TRUE(k.parameters.empty()) << "a text cubin has no parameter list";
  EXPECT_THAT(k.code, ElementsAre(0x861ffe03u, 0u, 0x1100e804u, 0x1100ec00u, 0xd00e0201u, 0xa0c00781u));
  ASSERT_EQ(k.constants.size(), 1u);
  EXPECT_EQ(k.constants[0].space, 1);
  EXPECT_THAT(k.constants[0].data, ElementsAre(0xff, 0x03, 0, 0));
  ASSERT_EQ(m.constants.size(), 1u);
  EXPECT_EQ(m.constants[0].name, "table");
  EXPECT_EQ(m.constants[0].offset, 8u);
  EXPECT_THAT(m.constants[0].data, ElementsAre(0x11, 0x22, 0x33, 0x44, 0x55, 0x66)) << "cut to 'bytes'";
  ASSERT_EQ(m.samplers.size(), 1u);
  EXPECT_EQ(m.samplers[0].texture_unit, 3u);
  ASSERT_EQ(m.relocations.size(), 1u);
  EXPECT_EQ(m.relocations[0].offset, 4u);
  ASSERT_EQ(m.globals.size(), 1u);
  EXPECT_EQ(m.globals[0].name, "counter");
  EXPECT_EQ(m.globals[0].size, 8u);
}

TEST(text_cubin, layout_does_not_matter) {
  const std::string one_line =
      "architecture {sm_10} abiversion   {1} modname      {cubin} code { name = f lmem=0 smem =28 reg  = 4 bar= 0 "
      "bincode{ 0xa0004c05 0x04200780 0000000000 }}";
  const module m = read_text_cubin(one_line, "f");
  EXPECT_EQ(m.kernels.at(0).shared_bytes, 28u);
  EXPECT_THAT(m.kernels.at(0).code, ElementsAre(0xa0004c05u, 0x04200780u, 0u));
}

TEST(text_cubin, may_keep_the_c_string_syntax_it_was_cut_from) {
  const module m = read_text_cubin(
      "\"architecture {sm_10} \\\n code { \\\r\n name = f lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0x1 } } "
      "\\\n\"",
      "f");
  EXPECT_EQ(m.kernels.at(0).name, "f");
}

TEST(text_cubin, holds_several_kernels) {
  const std::string first = complete_cubin;
  const std::string second = with(first.substr(first.find("code  {")), "_Z6kernelPf", "other");
  const module m = read_text_cubin(first + second, "f");
  ASSERT_EQ(m.kernels.size(), 2u);
  EXPECT_NE(m.find("other"), nullptr);
  EXPECT_THAT(refusal_of(first + first.substr(first.find("code  {"))), HasSubstr("'_Z6kernelPf' is defined twice"));
}

TEST(text_cubin, skips_blocks_and_keys_of_later_compilers) {
  const std::string text = with(complete_cubin, "\tbar = 5\n", "\tbar = 5\n\tfuture = 7\n\tfuture_block { a b }\n");
  EXPECT_EQ(read_text_cubin(text, "f").kernels[0].code.size(), 6u);
}

TEST(text_cubin, is_refused_with_file_line_and_reason) {
  const std::string good = complete_cubin;
  EXPECT_EQ(refusal_of(""), "file.cubin: not a text cubin: no 'architecture {sm_1x}'");
  EXPECT_EQ(refusal_of("architecture {sm_10}"), "file.cubin: no kernel (no 'code' block)");
  EXPECT_EQ(refusal_of(with(good, "sm_11", "sm_20")),
            "file.cubin:1: architecture 'sm_20' is not supported, only sm_10 to sm_13");
  EXPECT_EQ(refusal_of(with(good, "reg = 2", "reg = 129")), "file.cubin:29: 'reg' is '129', allowed are 0 to 128");
  EXPECT_EQ(refusal_of(with(good, "reg = 2", "reg = two")), "file.cubin:29: 'reg' is 'two', allowed are 0 to 128");
  EXPECT_EQ(refusal_of(with(good, "\treg = 2\n", "")), "file.cubin:25: 'code' has no 'reg'");
  EXPECT_EQ(refusal_of(with(good, "reg = 2", "reg =")), "file.cubin:30: '=' without a key");
  EXPECT_EQ(refusal_of(with(good, "0x1100ec00", "0x1100ec0g")), "file.cubin:32: '0x1100ec0g' is not a 32-bit word");
  EXPECT_EQ(refusal_of(with(good, "0x1100ec00", "0x11100ec00")),
            "file.cubin:32: '0x11100ec00' is not a 32-bit word");
  EXPECT_EQ(refusal_of(with(good, "0x00006655", "0x00006655 0x0")),
            "file.cubin:10: 'mem' holds 12 bytes, but 'bytes' is 6");
  EXPECT_EQ(refusal_of(with(good, "offset = 8", "offset = 65532")),
            "file.cubin:4: the segment ends beyond the 65536 bytes of a constant space");
  EXPECT_EQ(refusal_of(good + "}"), "file.cubin:45: '}' without a matching '{'");
  EXPECT_EQ(refusal_of(good + "code {"), "file.cubin:45: 'code {' is never closed");
  EXPECT_EQ(refusal_of(good + "\x01"), "file.cubin:45: not a text cubin: unprintable character");
  EXPECT_EQ(refusal_of(with(good, "offset = 4", "offset = 5")),
            "file.cubin:18: the offset of a relocation must be a multiple of 4");
}

TEST(text_cubin, every_prefix_of_a_cubin_is_read_or_refused) {
  const std::string text = complete_cubin;
  for (std::size_t length = 0; length + 3 < text.size(); ++length)
    EXPECT_THAT(refusal_of(text.substr(0, length)), HasSubstr("file.cubin")) << "length " << length;
}

TEST(text_cubin, deep_nesting_is_refused_not_followed) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "a {";
  EXPECT_THAT(refusal_of(text), HasSubstr("nested too deeply"));
}

TEST(text_cubin, writer_reproduces_the_compilers_layout) {
  module m;
  m.capability = 10;
  kernel k;
  k.name = "my_kernel";
  k.shared_bytes = 36;
  k.registers = 2;
  k.code = {0x1100e804, 0x1100ec00, 0xd00e0001, 0x80c00780, 0xd00e0201, 0xa0c00781};
  m.kernels.push_back(k);
  std::ostringstream out;
  write_text_cubin(m, out);
  EXPECT_EQ(out.str(),
            "architecture {sm_10}\nabiversion {0}\nmodname {cubin}\ncode  {\n\tname = my_kernel\n\tlmem = 0\n"
            "\tsmem = 36\n\treg = 2\n\tbar = 0\n\tbincode  {\n"
            "\t\t0x1100e804 0x1100ec00 0xd00e0001 0x80c00780 \n\t\t0xd00e0201 0xa0c00781 \n\t}\n}\n");
}

TEST(text_cubin, written_and_read_again_is_the_same_module) {
  module m = read_text_cubin(complete_cubin, "f");
  m.kernels[0].parameters = {{0, 8}, {8, 4}};
  m.globals[0].data = {1, 2, 3, 4, 5, 6, 7, 8};
  std::ostringstream out;
  write_text_cubin(m, out);
  const module again = read_text_cubin(out.str(), "f");
  EXPECT_EQ(again.capability, m.capability);
  ASSERT_EQ(again.kernels.size(), 1u);
  EXPECT_EQ(again.kernels[0].code, m.kernels[0].code);
  ASSERT_EQ(again.kernels[0].parameters.size(), 2u);
  EXPECT_EQ(again.kernels[0].parameters[1].offset, 8u);
  EXPECT_EQ(again.kernels[0].parameters[1].size, 4u);
  EXPECT_EQ(again.kernels[0].constants.at(0).data, m.kernels[0].constants[0].data);
  EXPECT_EQ(again.constants.at(0).data, m.constants[0].data);
  EXPECT_EQ(again.globals.at(0).data, m.globals[0].data);
  EXPECT_EQ(again.samplers.at(0).name, "picture");
  std::ostringstream out_again;
  write_text_cubin(again, out_again);
  EXPECT_EQ(out_again.str(), out.str());
}

}  // namespace
}  // namespace gt200::cubin
