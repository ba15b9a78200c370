// The addresses of modules in device memory.
#include "driver/program_placement.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::model {
namespace {

config::memory_map_config small_map() {
  config::memory_map_config map;
  map.virtual_address_bits = 40;
  map.page_bytes = 4096;
  map.code_base = 0x10000;
  map.constant_base = 0x11000;
  map.global_base = 0x12000;
  return map;
}

// nop, with exit: two words.
cubin::kernel kernel_of(const std::string& name, std::size_t instructions) {
  cubin::kernel k;
  k.name = name;
  for (std::size_t i = 0; i < instructions; ++i) {
    k.code.push_back(0xf0000001);
    k.code.push_back(i + 1 == instructions ? 0xe0000001 : 0xe0000000);
  }
  k.registers = 1;
  k.shared_bytes = 16;
  return k;
}

cubin::constant_segment segment_of(std::uint8_t space, std::uint32_t offset, std::vector<std::uint8_t> data) {
  cubin::constant_segment s;
  s.space = space;
  s.offset = offset;
  s.size = static_cast<std::uint32_t>(data.size());
  s.data = std::move(data);
  return s;
}

class program_placement_test : public ::testing::Test {
 protected:
  program_placement_test() {
    module.source_file = "test.cubin";
    module.kernels = {kernel_of("first", 3), kernel_of("second", 40)};
  }
  std::string error_of_add(unsigned capability = 13) {
    try {
      program_placement(small_map(), capability).add(module, {});
    } catch (const input_error& e) {
      return e.what();
    }
    return {};
  }
  cubin::module module;
};

TEST_F(program_placement_test, kernels_begin_on_lines_of_the_instruction_caches) {
  program_placement placement(small_map(), 13);
  const auto images = placement.add(module, {});
  const placed_kernel* first = placement.find(&module.kernels[0]);
  const placed_kernel* second = placement.find(&module.kernels[1]);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(first->code_base, 0x10000u);
  EXPECT_EQ(first->code_bytes, 24u);
  EXPECT_EQ(second->code_base, 0x10100u);
  EXPECT_EQ(second->code_bytes, 320u);
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].bytes, (std::vector<std::uint8_t>{0x01, 0, 0, 0xf0, 0,    0, 0, 0xe0, 0x01, 0, 0, 0xf0,
                                                        0,    0, 0, 0xe0, 0x01, 0, 0, 0xf0, 0x01, 0, 0, 0xe0}));
}

TEST_F(program_placement_test, a_second_module_follows_the_first) {
  program_placement placement(small_map(), 13);
  placement.add(module, {});
  const cubin::module other = module;
  placement.add(other, {});
  EXPECT_EQ(placement.find(&other.kernels[0])->code_base, 0x10300u);
  EXPECT_EQ(placement.find(&module.kernels[0])->code_base, 0x10000u);
}

TEST_F(program_placement_test, constants_of_the_module_are_shared_and_literals_are_not) {
  module.constants = {segment_of(0, 4, {1, 2, 3, 4})};
  module.kernels[0].constants = {segment_of(1, 0, {5, 6})};
  module.kernels[1].constants = {segment_of(1, 0, {7, 8})};
  program_placement placement(small_map(), 13);
  placement.add(module, {9, 9, 9, 9});
  const auto& first = placement.find(&module.kernels[0])->constants;
  const auto& second = placement.find(&module.kernels[1])->constants;
  EXPECT_EQ(first[0].address, 0x11000u);
  EXPECT_EQ(first[0].bytes, 8u);
  EXPECT_EQ(second[0].address, first[0].address);
  EXPECT_EQ(second[14].address, first[14].address);
  EXPECT_EQ(first[14].bytes, 4u);
  EXPECT_NE(second[1].address, first[1].address);
  EXPECT_EQ(second[1].bytes, 2u);
  EXPECT_EQ(first[2].bytes, 0u);
}

TEST_F(program_placement_test, knows_no_other_kernel) {
  program_placement placement(small_map(), 13);
  placement.add(module, {});
  const cubin::kernel other = module.kernels[0];
  EXPECT_EQ(placement.find(&other), nullptr);
}

TEST_F(program_placement_test, refuses_what_has_no_room) {
  module.kernels[1] = kernel_of("second", 481);
  EXPECT_EQ(error_of_add(), "test.cubin: no room for the 3848 bytes of code of 'second'");
  module.kernels[1] = kernel_of("second", 480);
  EXPECT_EQ(error_of_add(), "");
  module.constants = {segment_of(0, 4093, {1, 2, 3, 4})};
  EXPECT_EQ(error_of_add(), "test.cubin: no room for 4097 bytes of c0");
}

TEST_F(program_placement_test, refuses_what_needs_a_later_chip) {
  module.capability = 12;
  EXPECT_EQ(error_of_add(12), "");
  EXPECT_EQ(error_of_add(11), "test.cubin: the module needs compute capability 1.2, the chip has 1.1");
}

TEST_F(program_placement_test, names_the_instruction_that_needs_a_later_chip) {
  // add rn f64 $r2d $r2d $r4d
  module.kernels[1].code[4] = 0xe0000409;
  module.kernels[1].code[5] = 0x60010780;
  EXPECT_EQ(error_of_add(13), "");
  for (const unsigned declared : {10u, 13u}) {
    module.capability = declared;
    EXPECT_EQ(
        error_of_add(10),
        "test.cubin: second+0x10: 'add rn f64 $r2d $r2d $r4d' needs compute capability 1.3, the chip has 1.0");
  }
}

TEST_F(program_placement_test, the_second_word_of_an_instruction_is_none_of_its_own) {
  // ex2 f32 $r1 $r1, whose second word alone would be a saturating multiplication
  module.kernels[1].code[4] = 0x90000205;
  module.kernels[1].code[5] = 0xc0000780;
  module.capability = 10;
  EXPECT_EQ(error_of_add(10), "");
}

}  // namespace
}  // namespace gt200::model
