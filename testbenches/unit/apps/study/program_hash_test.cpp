#include "apps/study/program_hash.h"

#include <gtest/gtest.h>

#include <functional>

#include "apps/study/sha256.h"

namespace gt200::apps::study {
namespace {

// FIPS 180-4, examples of NIST.
TEST(sha256, is_that_of_the_standard) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of_file("/no/such/file"), std::nullopt);
}

TEST(this_program, has_one_hash) {
  EXPECT_EQ(hash_of_this_program().size(), 64u);
  EXPECT_EQ(hash_of_this_program(), hash_of_this_program());
}

TEST(module_hash, depends_on_everything_but_names_of_files) {
  cubin::module original;
  original.kernels.resize(1);
  original.kernels[0] = {"k", {1, 2}, 4, 16, 0, 0, {{0, 4}}, {0}, 0, {{"c", 1, 0, 4, {9}}}, {{0, 3}}, {}, {}, ""};
  original.globals.resize(1);
  const std::string hash = hash_of(original);
  const auto changed = [&](const std::function<void(cubin::module&)>& change) {
    cubin::module copy = original;
    change(copy);
    return hash_of(copy) != hash;
  };
  EXPECT_FALSE(changed([](cubin::module& m) { m.name = "other"; }));
  EXPECT_FALSE(changed([](cubin::module& m) { m.source_file = "elsewhere/k.s"; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.capability = 13; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].name = "l"; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].code[1] = 3; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].lines[0].line = 4; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].constants[0].data[0] = 8; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].registers = 5; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].pointers[0] = 8; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].largest_block = {64, 1, 1}; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.kernels[0].required_block = {64, 1, 1}; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.globals[0].data = {1}; }));
  EXPECT_TRUE(changed([](cubin::module& m) { m.constants.resize(1); }));
}

}  // namespace
}  // namespace gt200::apps::study
