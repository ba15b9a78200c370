// Compiled sm_20 kernels run on a Fermi chip, checked by the emulator, launched as their host code does it, and
// give the results of the standard library: scan, search, radix sort; the product of a sparse matrix is within a
// bound. They are not part of this repository;
// GT200_MGPU names a checkout of seanbaxter/mgpu_old, and without it these tests say that they were skipped.
#include <set>

#include "driver/device.h"
#include "observe/checker/checker.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/toolchain/emulator/fermi/mgpu_programs.h"
#include "testbenches/toolchain/emulator/fermi/mgpu_sparse.h"

namespace gt200::support {
namespace {

// Four SMs and three partitions of the GTX 480.
class checked_chip final : public compiled::device {
 public:
  checked_chip()
      : board_(configuration("gtx480", {"chip.tpcs=4", "chip.partitions=3"}), explaining({})), checker_(board_) {}

  std::uint32_t allocate(std::uint32_t size) override { return board_.allocate(size); }
  void write_bytes(std::uint32_t address, const void* from, std::size_t size) override {
    board_.poke(address, static_cast<const std::uint8_t*>(from), size);
  }
  void read_bytes(std::uint32_t address, void* to, std::size_t size) override {
    board_.peek(address, static_cast<std::uint8_t*>(to), size);
  }
  void bind_texels(unsigned unit, std::uint32_t address, std::uint32_t texels,
                   const sampling::texel_layout& texel) override {
    board_.bind_texture(unit, model::texture_binding::linear_memory(address, texels, texel));
  }
  void run(const cubin::module& module, const launch::launch_parameters& parameters) override {
    if (loaded_.insert(&module).second)
      board_.load(module,
                  launch::fermi::variable_addresses(module, [this](const std::string&) { return allocate(4096); }));
    const launch_result result = board_.launch(parameters);
    checker_.launch_ended(result);
    ASSERT_FALSE(checker_.difference()) << observe::describe(*checker_.difference());
    ASSERT_EQ(result.reason, end_reason::done) << arch_state::describe(result.fault) << result.explanation;
  }

 private:
  gt200::device board_;
  observe::checker checker_;
  std::set<const cubin::module*> loaded_;
};

class mgpu_on_chip : public compiled::checkout {};

TEST_F(mgpu_on_chip, scan_that_fills_no_block) {
  const cubin::module m = load("scan/src/mgpuscan/mgpuscan.cubin");
  checked_chip d;
  compiled::check_scan(d, m, 100, true);
  compiled::check_scan(d, m, 100, false);
}
TEST_F(mgpu_on_chip, scan_of_one_block) {
  const cubin::module m = load("scan/src/mgpuscan/mgpuscan.cubin");
  checked_chip d;
  compiled::check_scan(d, m, 4096, true);
  compiled::check_scan(d, m, 4096, false);
}
TEST_F(mgpu_on_chip, scan_of_three_blocks) {
  const cubin::module m = load("scan/src/mgpuscan/mgpuscan.cubin");
  checked_chip d;
  compiled::check_scan(d, m, 50001, true);
  compiled::check_scan(d, m, 50001, false);
}
TEST_F(mgpu_on_chip, scan_of_one_warp) {
  const cubin::module m = load("snippets/warpscan1.cubin");
  checked_chip d;
  compiled::check_scan_of_one_warp(d, m);
}

class mgpu_search_on_chip : public compiled::checkout, public testing::WithParamInterface<const char*> {};

TEST_P(mgpu_search_on_chip, in_a_tree) {
  const cubin::module m = load("search/src/cubin/search.cubin");
  checked_chip d;
  for (const std::size_t count : {1000u, 4096u, 30001u})
    for (const bool upper : {false, true}) compiled::check_search(d, m, GetParam(), upper, count, 333);
}

INSTANTIATE_TEST_SUITE_P(types, mgpu_search_on_chip, testing::Values("Int", "Float", "Int64", "Double"));

class mgpu_sparse_on_chip : public compiled::checkout, public testing::WithParamInterface<compiled::sparse_case> {};

TEST_P(mgpu_sparse_on_chip, product_is_within_the_bound_of_its_sums) {
  const cubin::module m = load(GetParam().path());
  checked_chip d;
  for (const std::size_t rows : compiled::sparse_sizes) compiled::check_sparse_product(d, m, GetParam(), rows);
}

INSTANTIATE_TEST_SUITE_P(of, mgpu_sparse_on_chip, testing::ValuesIn(compiled::sparse_cases),
                         compiled::name_of_sparse);

class mgpu_sort_on_chip : public compiled::checkout, public testing::WithParamInterface<compiled::sort_case> {};

TEST_P(mgpu_sort_on_chip, is_stable_and_moves_all_values) {
  const auto modules = GetParam().load([](const std::string& path) { return load(path); });
  checked_chip d;
  for (const std::size_t count : compiled::sort_sizes) compiled::check_sort(d, modules, GetParam(), count);
}

INSTANTIATE_TEST_SUITE_P(of, mgpu_sort_on_chip, testing::ValuesIn(compiled::sort_cases()), compiled::name_of_sort);

}  // namespace
}  // namespace gt200::support
