// ELF cubins: what is written reads back unchanged; malformed files are refused with the offset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <sstream>

#include "testbenches/toolchain/module_difference.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// A module with everything it can contain.
module complete_module() {
  module m;
  m.name = "complete";
  m.source_file = "complete.s";
  m.capability = 12;
  m.constants = {{"table", 0, 8, 6, {0x11, 0x22, 0x33, 0x44, 0x55, 0x66}}, {"zeros", 0, 16, 40, {}}};
  m.globals = {{"counter", 8, 4, {}}, {"primes", 12, 4, {2, 0, 0, 0, 3, 0, 0, 0, 5}}, {"wide", 16, 8, {}}};
  m.samplers = {{"picture", 3}, {"volume", 0}};
  m.relocations = {{"primes", 14, 0}, {"counter", 14, 4}, {"wide", 14, 12}};
  kernel first;
  first.name = "_Z6kernelPf";
  first.code = {0x861ffe03, 0, 0x1100e804, 0x1100ec00, 0xd00e0201, 0xa0c00781};
  first.registers = 128;
  first.shared_bytes = 1036;
  first.local_bytes = 24;
  first.barriers = 15;
  first.parameters = {{0, 8}, {8, 4}, {12, 1}};
  first.constants = {{"mask", 1, 0, 4, {0xff, 0x03, 0, 0}}, {"", 1, 8, 4, {1, 2, 3, 4}}};
  kernel second;
  second.name = "second";
  second.code = {0xf0000001, 0xe0000781};
  second.registers = 1;
  second.shared_bytes = 16;
  m.kernels = {first, second};
  return m;
}

std::string image_of(const module& m) {
  std::ostringstream out;
  write_elf_cubin(m, out);
  return out.str();
}

std::string refusal_of(const std::string& bytes, const architecture& generation = tesla) {
  try {
    read_elf_cubin(bytes, "file.cubin", generation);
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

template <class value_type>
value_type at(const std::string& bytes, std::size_t offset) {
  value_type value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}
template <class value_type>
void put(std::string& bytes, std::size_t offset, value_type value) {
  std::memcpy(&bytes[offset], &value, sizeof value);
}

// The offset of a section's header, found with the independent definitions of <elf.h>.
std::size_t header_of(const std::string& bytes, const std::string& name) {
  const auto header = at<Elf32_Ehdr>(bytes, 0);
  const auto names = at<Elf32_Shdr>(bytes, header.e_shoff + header.e_shstrndx * sizeof(Elf32_Shdr));
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const std::size_t offset = header.e_shoff + i * sizeof(Elf32_Shdr);
    if (bytes.c_str() + names.sh_offset + at<Elf32_Shdr>(bytes, offset).sh_name == name) return offset;
  }
  ADD_FAILURE() << "no section " << name;
  return 0;
}

std::string with_section(std::string bytes, const std::string& name,
                         const std::function<void(Elf32_Shdr&)>& change) {
  const std::size_t offset = header_of(bytes, name);
  auto header = at<Elf32_Shdr>(bytes, offset);
  change(header);
  put(bytes, offset, header);
  return bytes;
}

// The same file as a 64-bit toolkit would write it.
std::string as_64_bit(const std::string& narrow) {
  const auto header = at<Elf32_Ehdr>(narrow, 0);
  Elf64_Ehdr wide_header = {};
  std::memcpy(wide_header.e_ident, header.e_ident, EI_NIDENT);
  wide_header.e_ident[EI_CLASS] = ELFCLASS64;
  wide_header.e_type = header.e_type;
  wide_header.e_machine = header.e_machine;
  wide_header.e_version = header.e_version;
  wide_header.e_flags = header.e_flags;
  wide_header.e_ehsize = sizeof(Elf64_Ehdr);
  wide_header.e_shentsize = sizeof(Elf64_Shdr);
  wide_header.e_shnum = header.e_shnum;
  wide_header.e_shstrndx = header.e_shstrndx;
  std::string contents;
  std::vector<Elf64_Shdr> sections;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = at<Elf32_Shdr>(narrow, header.e_shoff + i * sizeof(Elf32_Shdr));
    std::string content =
        section.sh_type == SHT_NOBITS ? std::string() : narrow.substr(section.sh_offset, section.sh_size);
    if (section.sh_type == SHT_SYMTAB) {
      std::string wide;
      for (std::size_t k = 0; k < content.size(); k += sizeof(Elf32_Sym)) {
        const auto symbol = at<Elf32_Sym>(content, k);
        const Elf64_Sym wide_symbol = {symbol.st_name,  symbol.st_info,  symbol.st_other,
                                       symbol.st_shndx, symbol.st_value, symbol.st_size};
        wide.append(reinterpret_cast<const char*>(&wide_symbol), sizeof wide_symbol);
      }
      content = wide;
    }
    if (section.sh_type == SHT_REL) {
      std::string wide;
      for (std::size_t k = 0; k < content.size(); k += sizeof(Elf32_Rel)) {
        const auto entry = at<Elf32_Rel>(content, k);
        const Elf64_Rel wide_entry = {entry.r_offset, ELF64_R_INFO(Elf64_Xword{ELF32_R_SYM(entry.r_info)}, 2)};
        wide.append(reinterpret_cast<const char*>(&wide_entry), sizeof wide_entry);
      }
      content = wide;
    }
    const bool in_memory_only = section.sh_type == SHT_NOBITS;
    sections.push_back({section.sh_name, section.sh_type, section.sh_flags, 0, sizeof(Elf64_Ehdr) + contents.size(),
                        in_memory_only ? section.sh_size : content.size(), section.sh_link, section.sh_info,
                        section.sh_addralign, 0});
    contents += content;
  }
  wide_header.e_shoff = sizeof(Elf64_Ehdr) + contents.size();
  std::string bytes(reinterpret_cast<const char*>(&wide_header), sizeof wide_header);
  bytes += contents;
  for (const Elf64_Shdr& section : sections) bytes.append(reinterpret_cast<const char*>(&section), sizeof section);
  return bytes;
}

TEST(elf_cubin, written_and_read_again_is_the_same_module) {
  const module m = complete_module();
  const module again = read_elf_cubin(image_of(m), "file.cubin");
  EXPECT_EQ(difference(m, again), "");
  EXPECT_EQ(again.name, "complete");
  EXPECT_EQ(again.source_file, "file.cubin");
  ASSERT_EQ(again.constants.size(), 2u);
  EXPECT_EQ(again.constants[1].name, "zeros");
  EXPECT_EQ(again.constants[1].offset, 16u);
  EXPECT_EQ(again.kernels[0].constants[0].name, "mask");
  EXPECT_EQ(image_of(m), image_of(m));
}

TEST(elf_cubin, keeps_a_variable_without_bytes) {
  module m = complete_module();
  m.relocations.clear();
  m.globals.clear();
  m.globals.push_back({"nothing", 0, 4, {}});
  const module again = read_elf_cubin(image_of(m), "file.cubin");
  ASSERT_EQ(again.globals.size(), 1u);
  EXPECT_EQ(again.globals[0].name, "nothing");
  EXPECT_EQ(again.globals[0].size, 0u);
}

TEST(elf_cubin, has_the_header_of_a_cuda_program) {
  const std::string bytes = image_of(complete_module());
  const auto header = at<Elf32_Ehdr>(bytes, 0);
  EXPECT_EQ(std::memcmp(header.e_ident,
                        "\x7f"
                        "ELF\x01\x01\x01\x33",
                        8),
            0);
  EXPECT_EQ(header.e_machine, EM_CUDA);
  EXPECT_EQ(header.e_type, ET_EXEC);
  EXPECT_EQ(header.e_flags, 12u | 12u << 16);
}

TEST(elf_cubin, keeps_registers_and_barriers_in_the_section_of_the_code) {
  const std::string bytes = image_of(complete_module());
  const auto code = at<Elf32_Shdr>(bytes, header_of(bytes, ".text._Z6kernelPf"));
  EXPECT_EQ(code.sh_info >> 24, 128u);
  EXPECT_EQ(code.sh_flags, (15u << 20 | SHF_ALLOC | SHF_EXECINSTR));
  const auto symbols = at<Elf32_Shdr>(bytes, header_of(bytes, ".symtab"));
  const auto symbol = at<Elf32_Sym>(bytes, symbols.sh_offset + (code.sh_info & 0xffffff) * sizeof(Elf32_Sym));
  EXPECT_EQ(ELF32_ST_TYPE(symbol.st_info), STT_FUNC);
  EXPECT_EQ(symbol.st_size, 24u);
}

// From sm_20 on their count: 16 do not fit into four bits.
TEST(elf_cubin, of_fermi_keeps_a_count_of_barriers) {
  module m;
  m.capability = 20;
  kernel k;
  k.name = "k";
  k.code = {0x00001de7, 0x80000000};
  k.registers = 2;
  k.parameter_base = fermi_parameter_base;
  for (const std::uint32_t count : {0u, 1u, 15u, 16u}) {
    k.barriers = count;
    m.kernels = {k};
    const std::string bytes = image_of(m);
    EXPECT_EQ(at<Elf32_Shdr>(bytes, header_of(bytes, ".text.k")).sh_flags >> 20, count);
    EXPECT_EQ(read_elf_cubin(bytes, "file.cubin", fermi).kernels[0].barriers, count);
  }
  std::string bytes = image_of(m);
  const std::size_t flags = header_of(bytes, ".text.k") + offsetof(Elf32_Shdr, sh_flags);
  put<std::uint32_t>(bytes, flags, 17u << 20 | SHF_ALLOC | SHF_EXECINSTR);
  EXPECT_THAT(refusal_of(bytes, fermi), HasSubstr("kernel 'k' uses 17 barriers, at most 16 are possible"));
}

TEST(elf_cubin, names_of_a_damaged_file_are_printed_as_text) {
  std::string bytes = image_of(complete_module());
  const auto header = at<Elf32_Ehdr>(bytes, 0);
  const auto names = at<Elf32_Shdr>(bytes, header.e_shoff + header.e_shstrndx * sizeof(Elf32_Shdr));
  const std::size_t symbols = header_of(bytes, ".symtab");
  const std::size_t name = names.sh_offset + at<Elf32_Shdr>(bytes, symbols).sh_name;
  bytes[name + 1] = '\x1b';
  bytes[name + 2] = '\xff';
  put<std::uint32_t>(bytes, symbols + offsetof(Elf32_Shdr, sh_size), 17);
  EXPECT_THAT(refusal_of(bytes), HasSubstr("section '.\\x1b\\xffmtab' has 17 bytes"));
}

TEST(elf_cubin, of_a_64_bit_toolkit_is_read_too) {
  const std::string bytes = as_64_bit(image_of(complete_module()));
  EXPECT_EQ(difference(complete_module(), read_elf_cubin(bytes, "f")), "");
}

TEST(elf_cubin, without_names_for_its_constants_has_one_segment) {
  module m = complete_module();
  m.kernels[0].constants[0].name.clear();
  const module again = read_elf_cubin(image_of(m), "f");
  ASSERT_EQ(again.kernels[0].constants.size(), 1u);
  EXPECT_EQ(again.kernels[0].constants[0].size, 12u);
  EXPECT_THAT(again.kernels[0].constants[0].data, ElementsAre(0xff, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4));
}

TEST(elf_cubin, counts_the_parameters_when_there_is_no_shared_section) {
  const std::string bytes =
      with_section(image_of(complete_module()), ".nv.shared._Z6kernelPf", [](auto& s) { s.sh_size = 0; });
  EXPECT_EQ(read_elf_cubin(bytes, "f").kernels[0].shared_bytes, 16u + 13);
}

TEST(elf_cubin, skips_sections_and_attributes_it_does_not_know) {
  std::string bytes = image_of(complete_module());
  const auto info = at<Elf32_Shdr>(bytes, header_of(bytes, ".nv.info._Z6kernelPf"));
  bytes[info.sh_offset + 1] = 0x1b;  // in place of the size of all parameters: a limit of registers
  EXPECT_EQ(difference(complete_module(), read_elf_cubin(bytes, "f")), "");
  bytes = with_section(bytes, ".nv.local._Z6kernelPf", [](auto& s) { ++s.sh_name; });  // "nv.local..."
  EXPECT_EQ(read_elf_cubin(bytes, "f").kernels[0].local_bytes, 0u);
}

TEST(elf_cubin, of_another_kind_is_refused) {
  const std::string good = image_of(complete_module());
  const auto changed = [&](std::size_t offset, char value) {
    std::string bytes = good;
    bytes[offset] = value;
    return refusal_of(bytes);
  };
  EXPECT_EQ(refusal_of(""), "file.cubin: offset 0x0: not an ELF file");
  EXPECT_EQ(changed(0, 'E'), "file.cubin: offset 0x0: not an ELF file");
  EXPECT_EQ(changed(4, 3), "file.cubin: offset 0x4: ELF class 3, known are 1 (32 bits) and 2 (64 bits)");
  EXPECT_EQ(changed(5, 2), "file.cubin: offset 0x5: not a little-endian ELF file");
  EXPECT_EQ(changed(18, 62), "file.cubin: offset 0x12: machine 62 is not CUDA (190)");
  EXPECT_EQ(changed(20, 9),
            "file.cubin: offset 0x14: ELF version 9, known are 1 and those of toolkits, from 50 on");
  EXPECT_EQ(changed(36, 20), "file.cubin: offset 0x0: code for sm_20 is not supported, only sm_10 to sm_13");
  EXPECT_EQ(changed(46, 41), "file.cubin: offset 0x2e: section headers of 41 bytes, expected are 40");
  EXPECT_EQ(changed(48, 0), "file.cubin: offset 0x30: the file has no section headers");
  EXPECT_THAT(changed(50, 99), StartsWith("file.cubin: offset 0x32: the section of names is 99 of "));
  EXPECT_THAT(changed(35, 0x7f), HasSubstr("the file ends here"));
}

TEST(elf_cubin, with_sections_out_of_range_is_refused) {
  const std::string good = image_of(complete_module());
  const std::string code = ".text._Z6kernelPf";
  const auto refusal = [&](const std::string& name, const std::function<void(Elf32_Shdr&)>& change) {
    return refusal_of(with_section(good, name, change));
  };
  EXPECT_THAT(refusal(code, [](auto& s) { s.sh_size = 0x7fffffff; }), HasSubstr("the file ends at"));
  EXPECT_THAT(refusal(code, [](auto& s) { s.sh_offset = 0xffffffff; }), HasSubstr("the file ends at"));
  EXPECT_THAT(refusal(code, [](auto& s) { s.sh_size = 22; }), HasSubstr("has 22 bytes, not a multiple of 4"));
  EXPECT_THAT(refusal(code, [](auto& s) { s.sh_size = 0; }), HasSubstr("has no instructions"));
  EXPECT_THAT(refusal(code, [](auto& s) { s.sh_info |= 129u << 24; }), HasSubstr("uses 129 registers"));
  EXPECT_THAT(refusal(code, [](auto& s) { s.sh_name = 0xffffff; }), HasSubstr("outside of the string table"));
  EXPECT_THAT(refusal(code, [&](auto& s) { s.sh_size = static_cast<Elf32_Word>(good.size()) - s.sh_offset; }),
              HasSubstr("overlaps others"));
  EXPECT_THAT(refusal(".nv.shared.second", [](auto& s) { s.sh_size = 16385; }),
              HasSubstr("'.nv.shared.second' has 16385 bytes, at most 16384 are possible"));
  EXPECT_THAT(refusal(".nv.local._Z6kernelPf", [](auto& s) { s.sh_size = 16385; }), HasSubstr("at most 16384"));
  EXPECT_THAT(refusal(".symtab", [](auto& s) { s.sh_size -= 1; }), HasSubstr("not a multiple of 16"));
  EXPECT_THAT(refusal(".symtab", [](auto& s) { s.sh_link = 99; }), HasSubstr("has no string table"));
  EXPECT_THAT(refusal(".rel.nv.constant14", [](auto& s) { s.sh_info = 99; }), HasSubstr("applies to section 99"));
  EXPECT_THAT(refusal(".rel.nv.constant14", [](auto& s) { s.sh_info = 4; }), HasSubstr("are not supported"));
  EXPECT_THAT(refusal(".nv.constant14", [](auto& s) { s.sh_size = 12; }), HasSubstr("relocation of word 12"));
  EXPECT_THAT(refusal(".nv.constant0", [](auto& s) { s.sh_size = 50; }),
              HasSubstr("'zeros' takes 40 bytes from 16"));
}

TEST(elf_cubin, with_two_things_of_one_name_is_refused) {
  module m = complete_module();
  m.kernels[1].name = m.kernels[0].name;
  EXPECT_THAT(refusal_of(image_of(m)), HasSubstr("kernel '_Z6kernelPf' is defined twice"));
  m = complete_module();
  m.globals[1].name = m.globals[0].name;
  EXPECT_THAT(refusal_of(image_of(m)), HasSubstr("variable 'counter' is defined twice"));
  m = complete_module();
  m.relocations[1].offset = m.relocations[0].offset;
  EXPECT_THAT(refusal_of(image_of(m)), HasSubstr("word 0 of '.nv.constant14' is relocated twice"));
}

TEST(elf_cubin, with_two_sections_of_relocations_for_one_word_is_refused) {
  const std::string good = image_of(complete_module());
  const auto relocations = at<Elf32_Shdr>(good, header_of(good, ".rel.nv.constant14"));
  const std::string twice = with_section(good, ".nv.global.init", [&](auto& s) { s = relocations; });
  EXPECT_THAT(refusal_of(twice), HasSubstr("word 0 of '.nv.constant14' is relocated twice"));
}

TEST(elf_cubin, with_a_relocation_to_nothing_is_refused) {
  module m = complete_module();
  m.relocations[0].name = "unknown";
  EXPECT_THAT(refusal_of(image_of(m)), HasSubstr("relocation of the unknown variable 'unknown'"));
}

TEST(elf_cubin, with_malformed_attributes_is_refused) {
  const std::string good = image_of(complete_module());
  const auto info = at<Elf32_Shdr>(good, header_of(good, ".nv.info._Z6kernelPf"));
  const auto changed = [&](std::size_t offset, std::uint16_t value) {
    std::string bytes = good;
    put(bytes, info.sh_offset + offset, value);
    return refusal_of(bytes);
  };
  EXPECT_THAT(changed(0, 0x1809), HasSubstr("record of unknown format 9"));
  EXPECT_THAT(changed(2, 257), HasSubstr("257 bytes of parameters, at most 256"));
  EXPECT_THAT(changed(6, 60), HasSubstr("a record of 60 bytes leaves '.nv.info._Z6kernelPf'"));
  EXPECT_THAT(changed(12, 7), HasSubstr("parameter 7 follows after 2 others"));
  EXPECT_THAT(changed(14, 256), HasSubstr("parameter 2 has 1 bytes from 256"));
}

TEST(elf_cubin, every_prefix_of_one_is_refused) {
  const std::string bytes = image_of(complete_module());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_THAT(refusal_of(bytes.substr(0, length)), StartsWith("file.cubin: offset 0x")) << "length " << length;
}

}  // namespace
}  // namespace gt200::cubin
