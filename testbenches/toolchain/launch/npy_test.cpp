// Files of NumPy: what is written reads back, and what no buffer can hold is refused by name.
#include "toolchain/launch/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "toolchain/error.h"

namespace gt200::launch {
namespace {

std::string file_with(const std::string& header, const std::string& elements, char version = 1) {
  std::string text = "\x93NUMPY";
  text += {version, '\0', static_cast<char>(header.size()), '\0'};
  if (version != 1) text += {'\0', '\0'};
  return text + header + elements;
}

std::string reason_of(const std::string& content) {
  try {
    read_npy(content, "a.npy");
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(npy, every_type_reads_back) {
  const std::uint8_t bytes[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const element_type type :
       {element_type::u8, element_type::s8, element_type::u16, element_type::s16, element_type::u32,
        element_type::s32, element_type::u64, element_type::s64, element_type::f32, element_type::f64}) {
    const std::string file = to_npy(type, bytes, 3);
    EXPECT_TRUE(is_npy(file));
    const npy_array array = read_npy(file, "a.npy");
    EXPECT_EQ(array.type, type);
    EXPECT_EQ(array.shape, std::vector<std::uint64_t>{3});
    EXPECT_EQ(array.bytes, std::string_view(reinterpret_cast<const char*>(bytes), 3 * size_of(type)));
    // The elements begin at a multiple of 64 bytes, as NumPy writes them, for programs that map the file.
    EXPECT_EQ((file.size() - array.bytes.size()) % 64, 0u);
  }
}

// As numpy.save wrote it: numpy.array([[1, 2], [3, 4]], "<u2"), numpy 1.24.
TEST(npy, reads_what_numpy_writes) {
  const std::string header =
      "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }" + std::string(10, ' ') + "\n";
  const std::string file = file_with(header, std::string("\1\0\2\0\3\0\4\0", 8));
  const npy_array array = read_npy(file, "a.npy");
  EXPECT_EQ(array.type, element_type::u16);
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(array.count(), 4u);
  EXPECT_EQ(read_npy(file_with(header, std::string(8, 'x'), 2), "a.npy").count(), 4u);
  EXPECT_EQ(read_npy(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "abcd"), "a.npy").count(),
            1u);
}

TEST(npy, each_defect_has_its_reason) {
  const auto header = [](const std::string& descr, const std::string& shape, const char* order = "False") {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  const std::string good = header("'<f4'", "(1,)");
  EXPECT_EQ(reason_of(file_with(good, "abcd")), "");
  EXPECT_EQ(reason_of("PK"), "a.npy: not a NumPy file for a buffer: it does not begin as one");
  EXPECT_NE(reason_of(file_with(good, "abc")).find("has 3 bytes of elements, its header says 4"),
            std::string::npos);
  EXPECT_NE(reason_of(file_with(good, "abcd").substr(0, 9)).find("ends within its header"), std::string::npos);
  EXPECT_NE(reason_of(file_with(good, "abcd").substr(0, 30)).find("ends within its header"), std::string::npos);
  EXPECT_NE(reason_of(file_with(good, "abcd", 9)).find("format version is 9"), std::string::npos);
  EXPECT_NE(reason_of(file_with(header("'>f4'", "(1,)"), "abcd")).find("its elements are '>f4'"),
            std::string::npos);
  EXPECT_NE(reason_of(file_with(header("'<c8'", "(1,)"), "abcdefgh")).find("its elements are '<c8'"),
            std::string::npos);
  EXPECT_NE(reason_of(file_with(header("[('x', '<f4')]", "(1,)"), "abcd")).find("are records"), std::string::npos);
  EXPECT_NE(reason_of(file_with(header("'<u1'", "(2, 2)", "True"), "abcd")).find("fortran_order"),
            std::string::npos);
  EXPECT_EQ(reason_of(file_with(header("'<u1'", "(4,)", "True"), "abcd")), "");
  EXPECT_NE(reason_of(file_with(header("'<f4'", "(x,)"), "abcd")).find("shape is unreadable"), std::string::npos);
  EXPECT_NE(reason_of(file_with(header("'<f4'", "1"), "abcd")).find("shape is unreadable"), std::string::npos);
  EXPECT_NE(reason_of(file_with(header("'<f4'", "(65536, 65536, 65536)"), "abcd")).find("more elements"),
            std::string::npos);
  EXPECT_NE(reason_of(file_with("{'descr': '<f4'}", "abcd")).find("has no 'shape'"), std::string::npos);
  EXPECT_NE(reason_of(file_with("", "")).find("has no 'descr'"), std::string::npos);
}

}  // namespace
}  // namespace gt200::launch
