// The brackets of launches that are written apart.
#include "cuda/nvcc/launch_brackets.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace gt200::cuda {
namespace {

struct example {
  const char* source;
  const char* joined;
};

class brackets_of_a_launch : public testing::TestWithParam<example> {};

TEST_P(brackets_of_a_launch, are_joined) { EXPECT_EQ(join_launch_brackets(GetParam().source), GetParam().joined); }

INSTANTIATE_TEST_SUITE_P(
    nvcc, brackets_of_a_launch,
    testing::Values(
        example{"k<<<1, 2>>>(p);", "k<<<1, 2>>>(p);"}, example{"k< < <1, 2> > >(p);", "k<<<1, 2>>>(p);"},
        example{"k << < 1, 2 >> > (p);", "k <<< 1, 2 >>> (p);"}, example{"k<<<1, 2> >>(p);", "k<<<1, 2>>>(p);"},
        // Lines keep their numbers.
        example{"k<\n< <1,\n2> >\n>\n(p);", "k<<<\n1,\n2>>>\n\n(p);"},
        // Brackets of templates stay apart, within a configuration and elsewhere.
        example{"a<b<c<int> > > x(y);", "a<b<c<int> > > x(y);"},
        example{"k< < <f(g<h<i<int> > >(3)), 2> > >(p);", "k<<<f(g<h<i<int> > >(3)), 2>>>(p);"},
        // What is no code stays as it is.
        example{"// k< < <1\nx", "// k< < <1\nx"},
        example{"/* < < < */ \"< < <\" '\"' < < <", "/* < < < */ \"< < <\" '\"' <<<"},
        // Names of registers in the text of an asm statement, and nowhere else.
        example{R"(asm volatile("mov.u32 %0, %laneid;" "add %1, %%tid.x;" : "=r"(x) : "r"(f("%d %ld")));)",
                R"(asm volatile("mov.u32 %0, %%laneid;" "add %1, %%tid.x;" : "=r"(x) : "r"(f("%d %ld")));)"},
        example{R"(__asm__("%b0 %[name] %%eax" : : ); printf("%lu");)",
                R"(__asm__("%b0 %[name] %%eax" : : ); printf("%lu");)"},
        // Shifts are no brackets.
        example{"a = b << 2 < c >> 1;", "a = b << 2 < c >> 1;"}));

TEST(joined_files, are_the_source_and_what_it_includes_with_quotes) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "joined_files";
  fs::create_directories(folder / "include");
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  write("a.cu", "#include \"b.h\"\n# include \"c.h\"\n#include \"gone.h\"\nk<<<1, 1>>>();\n");
  write("b.h", "#include \"a.cu\"\nk< < <1, 1> > >();\n");
  write("include/c.h", "k << < 1, 1 >> > ();\n");
  const auto changed = joined_files((folder / "a.cu").string(), {(folder / "include").string()});
  ASSERT_EQ(changed.size(), 2u);
  EXPECT_EQ(changed.at((folder / "b.h").string()), "#include \"a.cu\"\nk<<<1, 1>>>();\n");
  EXPECT_EQ(changed.at((folder / "include/c.h").string()), "k <<< 1, 1 >>> ();\n");
  fs::remove_all(folder);
}

TEST(an_overlay, names_every_pair_of_files) {
  EXPECT_EQ(overlay_of({{"/a \"b\".cu", "/tmp/1"}, {"/c.h", "/tmp/2"}}),
            "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n"
            "  {\"type\": \"file\", \"name\": \"/a \\\"b\\\".cu\", \"external-contents\": \"/tmp/1\"},\n"
            "  {\"type\": \"file\", \"name\": \"/c.h\", \"external-contents\": \"/tmp/2\"}]}\n");
}

}  // namespace
}  // namespace gt200::cuda
