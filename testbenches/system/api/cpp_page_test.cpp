// docs/cpp.md shows the example as it is compiled here.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string content_of(const std::string& name) {
  std::ifstream file(std::string(GT200_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(cpp_page, shows_the_example_of_the_cpp_interface) {
  const std::string example = content_of("testbenches/system/api/example.cpp");
  EXPECT_NE(content_of("docs/cpp.md").find("```cpp\n" + example + "```\n"), std::string::npos);
}

TEST(cpp_page, links_the_example_as_it_is_built) {
  const std::string libraries = " gt200_driver gt200_assembler gt200_config)\n";
  EXPECT_NE(content_of("testbenches/system/api/CMakeLists.txt").find(libraries), std::string::npos);
  EXPECT_NE(content_of("docs/cpp.md").find("target_link_libraries(example PRIVATE" + libraries), std::string::npos);
}

}  // namespace
