// Choosing the reader by the content of the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "toolchain/cubin/load.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

std::string refusal_of(const std::string& path) {
  try {
    load_module(path);
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string file_with(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(container, is_recognised_by_its_first_bytes) {
  EXPECT_EQ(recognise("architecture {sm_10}"), container::text_cubin);
  EXPECT_EQ(recognise("\n\t \"architecture{sm_10}"), container::text_cubin);
  EXPECT_EQ(recognise(std::string("\x7f") + "ELF\x01"), container::elf_cubin);
  EXPECT_EQ(recognise(""), container::unknown);
  EXPECT_EQ(recognise(".entry f"), container::unknown);
}

TEST(load_module, reads_a_text_cubin_from_a_file_of_any_name) {
  const std::string path =
      file_with("program.dat",
                "architecture {sm_13} code {name=f lmem=0 smem=16 reg=1 bar=0 bincode {0xf0000001 0xe0000781}}");
  const module m = load_module(path);
  EXPECT_EQ(m.capability, 13u);
  EXPECT_EQ(m.source_file, path);
}

TEST(load_module, says_what_is_wrong_with_other_files) {
  EXPECT_EQ(refusal_of("/no/such/file.cubin"), "/no/such/file.cubin: cannot open the file");
  EXPECT_THAT(refusal_of(testing::TempDir()), testing::EndsWith(": is a folder, not a file"));
  EXPECT_THAT(refusal_of(file_with("empty.cubin", "")), testing::HasSubstr("neither a text cubin"));
  EXPECT_THAT(refusal_of(file_with("elf.cubin",
                                   "\x7f"
                                   "ELF\x02")),
              testing::HasSubstr("an ELF cubin"));
}

}  // namespace
}  // namespace gt200::cubin
