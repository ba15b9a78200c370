// Chooses the reader by the content of the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/cubin/load.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

std::string refusal_of(const std::string& content) {
  try {
    read_module(content, "file");
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_to_read(const std::string& path) {
  try {
    read_file(path);
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(container, is_recognised_by_its_first_bytes) {
  EXPECT_EQ(recognise("architecture {sm_10}"), container::text_cubin);
  EXPECT_EQ(recognise("\n\t \"architecture{sm_10}"), container::text_cubin);
  EXPECT_EQ(recognise(std::string("\x7f") + "ELF\x01"), container::elf_cubin);
  EXPECT_EQ(recognise(""), container::unknown);
  EXPECT_EQ(recognise(".entry f"), container::unknown);
}

TEST(read_module, chooses_the_reader_by_content) {
  const module m = read_module(
      "architecture {sm_13} code {name=f lmem=0 smem=16 reg=1 bar=0 bincode {0xf0000001 0xe0000781}}", "any.name");
  EXPECT_EQ(m.capability, 13u);
  EXPECT_EQ(m.source_file, "any.name");
  EXPECT_THAT(refusal_of("\x7f"
                         "ELF\x02"),
              testing::StartsWith("file: offset 0x5: the file ends here"));
  EXPECT_THAT(refusal_of(""), testing::HasSubstr("neither a text cubin"));
}

TEST(read_file, reports_why_a_file_cannot_be_read) {
  EXPECT_EQ(refusal_to_read("/no/such/file.cubin"), "/no/such/file.cubin: cannot open the file");
  EXPECT_THAT(refusal_to_read(testing::TempDir()), testing::EndsWith(": is a folder, not a file"));
}

}  // namespace
}  // namespace gt200::cubin
