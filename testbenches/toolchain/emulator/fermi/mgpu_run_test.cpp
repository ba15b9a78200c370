// Compiled sm_20 kernels run in the emulator, launched as their host code does it, and give the results of the
// standard library: scan, search, radix sort, and a product of a sparse matrix within a bound.
#include "testbenches/toolchain/emulator/fermi/mgpu_programs.h"
#include "testbenches/toolchain/emulator/fermi/mgpu_sparse.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/emulator/bound_textures.h"
#include "toolchain/emulator/fermi/grid_run.h"

namespace gt200::emulator::fermi {
namespace {

class emulated_device final : public compiled::device {
 public:
  emulated_device() { memory_.map(first_address, bytes); }

  std::uint32_t allocate(std::uint32_t size) override {
    const std::uint32_t address = next_;
    next_ += (size + 255) / 256 * 256;
    return address;
  }
  void write_bytes(std::uint32_t address, const void* from, std::size_t size) override {
    ASSERT_TRUE(memory_.write(address, from, size));
  }
  void read_bytes(std::uint32_t address, void* to, std::size_t size) override {
    EXPECT_TRUE(memory_.read(address, to, size));
  }
  void bind_texels(unsigned unit, std::uint32_t address, std::uint32_t texels,
                   const sampling::texel_layout& texel) override {
    launch::bound_texture t;
    t.unit = unit;
    t.address = address;
    t.shape.extent[0] = texels;
    t.shape.texel = texel;
    textures_ = {t};
  }
  void run(const cubin::module& module, const launch::launch_parameters& parameters) override {
    const std::vector<std::uint8_t> variables =
        launch::fermi::variable_addresses(module, [this](const std::string&) { return allocate(4096); });
    // The loops of the scan read shared memory behind their last barrier: no warp may get a whole round ahead of
    // the others, as none does on the hardware.
    run_options in_step;
    in_step.turn = 1;
    in_step.textures = &bound_;
    const run_result r = fermi::run(module, parameters, variables, generation_, memory_, in_step);
    ASSERT_FALSE(r.fault) << arch_state::describe(r.fault);
  }

 private:
  static constexpr std::uint32_t first_address = 0x10000000;
  static constexpr std::uint32_t bytes = 0x10000000;
  arch_state::fermi::generation generation_;
  arch_state::memory memory_;
  std::vector<launch::bound_texture> textures_;
  bound_textures bound_{textures_, memory_};
  std::uint32_t next_ = first_address;
};

class mgpu : public compiled::checkout {};

TEST_F(mgpu, scan_of_three_kernels) {
  const cubin::module m = load("scan/src/mgpuscan/mgpuscan.cubin");
  for (const std::size_t count : {100u, 4096u, 50001u})
    for (const bool inclusive : {true, false}) {
      emulated_device d;
      compiled::check_scan(d, m, count, inclusive);
    }
}

TEST_F(mgpu, scan_of_one_warp) {
  emulated_device d;
  compiled::check_scan_of_one_warp(d, load("snippets/warpscan1.cubin"));
}

TEST_F(mgpu, search_in_a_tree) {
  const cubin::module m = load("search/src/cubin/search.cubin");
  for (const std::size_t count : {1000u, 4096u, 30001u})
    for (const char* type : {"Int", "Float", "Int64", "Double"})
      for (const bool upper : {false, true}) {
        emulated_device d;
        compiled::check_search(d, m, type, upper, count, 777);
      }
}

class mgpu_sparse : public mgpu, public testing::WithParamInterface<compiled::sparse_case> {};

TEST_P(mgpu_sparse, product_is_within_the_bound_of_its_sums) {
  for (const std::size_t rows : compiled::sparse_sizes) {
    emulated_device d;
    compiled::check_sparse_product(d, load(GetParam().path()), GetParam(), rows);
  }
}

INSTANTIATE_TEST_SUITE_P(of, mgpu_sparse, testing::ValuesIn(compiled::sparse_cases), compiled::name_of_sparse);

class mgpu_sort : public mgpu, public testing::WithParamInterface<compiled::sort_case> {};

TEST_P(mgpu_sort, is_stable_and_moves_all_values) {
  const auto modules = GetParam().load([](const std::string& path) { return load(path); });
  for (const std::size_t count : compiled::sort_sizes) {
    emulated_device d;
    compiled::check_sort(d, modules, GetParam(), count);
  }
}

INSTANTIATE_TEST_SUITE_P(of, mgpu_sort, testing::ValuesIn(compiled::sort_cases()), compiled::name_of_sort);

}  // namespace
}  // namespace gt200::emulator::fermi
