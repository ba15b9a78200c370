// For any words of a program, the emulator ends with a result or a fault.
#include <random>

#include "program_fixture.h"
#include "toolchain/assembler/program.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

class random_program : public testing::Test {
 protected:
  // Runs `kernel` on two blocks of 48 threads, under every divergence option.
  void run(const cubin::module& module, cubin::kernel& kernel, std::mt19937& random) {
    launch::launch_parameters launch{&kernel, {2, 1}, {48, 1, 1}, 0, std::vector<std::uint8_t>(64, 0), 0};
    for (std::size_t k = 0; k < launch.parameter_bytes.size(); k += 8)
      std::memcpy(launch.parameter_bytes.data() + k, &out_address, 4);
    memory global;
    ASSERT_TRUE(global.map(out_address, 65536));
    run_options options;
    options.instruction_limit = 3000;
    options.divergence.first = static_cast<first_path>(random() % 3);
    options.divergence.join = static_cast<join_moment>(random() % 2);
    options.divergence.maximum_entries = 1 + random() % 8;
    const code_image code(kernel);
    const constant_memory constants(module, kernel, {});
    const run_result result = emulator::run(launch, code, constants, global, options);
    EXPECT_LE(result.counters.warp_instructions, 3000u);
    if (result.fault) {
      EXPECT_FALSE(describe(result.fault).empty());
      ++faults;
    } else {
      ++ends;
    }
  }
  int faults = 0, ends = 0;
};

TEST_F(random_program, with_flipped_bits_ends_or_faults) {
  std::mt19937 random(1);
  for (const char* name : {"bfs", "matrix_mul", "reduce0", "nbody", "atomic_counter"}) {
    const cubin::module module =
        program::load(std::string(GT200_SOURCE_DIR) + "/kernels/" + name + "/" + name + ".s");
    for (int n = 0; n < 100; ++n) {
      cubin::kernel kernel = module.kernels[0];
      for (unsigned flips = random() % 4; flips < 4; ++flips)
        kernel.code[random() % kernel.code.size()] ^= 1u << (random() % 32);
      run(module, kernel, random);
    }
  }
  EXPECT_GT(faults, 50);
  EXPECT_GT(ends, 10);
}

TEST_F(random_program, of_random_words_ends_or_faults) {
  std::mt19937 random(2);
  const cubin::module module;
  for (int n = 0; n < 300; ++n) {
    cubin::kernel kernel;
    kernel.name = "random";
    kernel.registers = random() % 129;
    kernel.shared_bytes = random() % 512;
    kernel.local_bytes = random() % 100;
    for (int w = 0; w < 40; ++w) kernel.code.push_back(static_cast<std::uint32_t>(random()));
    run(module, kernel, random);
  }
  EXPECT_GT(faults, 0);
}

}  // namespace
}  // namespace gt200::emulator
