#include "testbenches/timing/published_kernels.h"

#include <fmt/format.h>

#include "testbenches/timing/kernel_rate.h"

namespace gt200::timing {
namespace {

using config::gpu_config;
using validation::figure;
using validation::relation;

// The published runs are so long that launch, start and end of the grid do not count. The difference of two short
// runs has neither: GFLOP/s of the work that `more` has beyond `less`.
double rate_of_more(const gpu_config& c, const std::string& what, const std::vector<std::string>& less,
                    const std::vector<std::string>& more, double operations) {
  const double seconds = launch_seconds(c, what, more).front() - launch_seconds(c, what, less).front();
  return 1e-9 * operations / seconds;
}

// 20 operations per interaction, as the authors count them.
double nbody_rate(const gpu_config& c) {
  return rate_of_more(c, "nbody_gems3", {"NSRC=256"}, {"NSRC=768"}, 20.0 * 16384 * 512);
}

// The grid fills the SMs several times; 64 inner elements more.
double sgemm_rate(const gpu_config& c, unsigned rows, unsigned columns) {
  const std::string m = fmt::format("M={}", rows);
  const std::string n = fmt::format("N={}", columns);
  return rate_of_more(c, "sgemm", {m, n, "K=64"}, {m, n, "K=128"}, 2.0 * rows * columns * 64);
}

// The work of a kernel that repeats it, GiB/s read and written. The source repeats it 100 times or more.
double rate_in_loop(const gpu_config& c, const std::string& kernel) {
  constexpr double repetitions = 2;
  constexpr double moved_bytes = repetitions * 2 * (16u << 20);
  return moved_bytes / launch_seconds(c, "transpose/" + kernel + "_in_loop.toml", {"REPS=2"}).front() / (1u << 30);
}

// GB/s read and written when no half-warp is aligned.
double misaligned_copy_rate(const gpu_config& c) {
  constexpr double words = 1 << 18;
  return 1e-9 * 2 * 4 * words / launch_seconds(c, "copy/offset.toml", {"N=262144", "OFFSET=1"}).front();
}

// Blocks fill the SMs three times; rows of 4096 elements, as in the source.
double naive_product_rate(const gpu_config& c) {
  const auto terms = [](const char* number) {
    return std::vector<std::string>{"N=4096", "ROWS=9", "COLUMNS=16", std::string("TERMS=") + number};
  };
  return rate_of_more(c, "matrix_mul/naive_sm_10.toml", terms("32"), terms("64"), 2.0 * (16 * 9) * (16 * 16) * 32);
}

double copy_rate(const gpu_config& c) {
  constexpr double moved_bytes = 2.0 * (16u << 20);
  return 1e-9 * moved_bytes / launch_seconds(c, "copy").front();
}

figure on(const std::string& preset, const std::string& id, const std::string& what, double published,
          double tolerance, const std::string& source, std::function<double(const gpu_config&)> measure) {
  figure f{id, what, published, tolerance * published, relation::within, source, {}, std::move(measure), false};
  f.preset = preset;
  return f;
}

}  // namespace

validation::figure_set published_kernels() {
  const char* const volkov = "Volkov and Demmel, SC 2008";
  const char* const sdk = "bandwidth test of the CUDA SDK, device to device";
  validation::figure_set set;
  set.name = "kernels_published";
  set.title = "Rates of published kernels";
  set.preset = "gt200";
  set.keys = {"chip.",
              "clocks.",
              "distribution.",
              "tpc.sm.limits.",
              "tpc.sm.issue.",
              "tpc.sm.register_file.",
              "tpc.sm.sp.",
              "tpc.sm.sfu.",
              "tpc.sm.shared_memory.",
              "tpc.sm.memory_port.",
              "tpc.memory.",
              "interconnect.",
              "partition.",
              "memory_map.",
              "idealisations."};
  set.figures = {
      on("gt200", "sgemm", "C = A B by blocks of 64 x 16, 1280 x 384 elements, GFLOP/s", 375, 0.07, volkov,
         [](const gpu_config& c) { return sgemm_rate(c, 1280, 384); }),
      on("g80", "sgemm_g80", "C = A B by blocks of 64 x 16, 1024 x 256 elements, 8800 GTX, GFLOP/s", 206, 0.07,
         volkov, [](const gpu_config& c) { return sgemm_rate(c, 1024, 256); }),
      on("g80", "nbody_g80", "all pairs of 16384 bodies, blocks of 256, 8800 GTX, GFLOP/s", 204, 0.04,
         "Nyland, Harris and Prins, GPU Gems 3, chapter 31", nbody_rate),
      on("g80", "streaming_copy_g80", "copy of 16 MB, 8800 GTX, GB/s read and written (70 to 73)", 71.5, 0.07, sdk,
         copy_rate),
      on("tesla_c1060", "streaming_copy_c1060", "copy of 16 MB, Tesla C1060, GB/s read and written (73 to 78)",
         75.5, 0.07, sdk, copy_rate),
      on("g80", "misaligned_copy_g80", "copy shifted by one word, 8800 GTX, GB/s read and written", 7, 0.15,
         "CUDA Best Practices Guide 2.x, effects of misaligned accesses (quoted from memory)",
         misaligned_copy_rate),
      on("g80", "matrix_product_naive_g80", "C = A B, row by column from device memory, 8800 GTX, GFLOP/s", 10.58,
         0.15, "Ryoo et al., PPoPP 2008 (quoted from memory)", naive_product_rate),
  };
  const struct {
    const char* kernel;
    double published;
  } in_loop[] = {{"copy", 81.6}, {"copy_shared", 81.1}, {"conflict_free", 17.2}, {"diagonal", 78.3}};
  for (const auto& row : in_loop) {
    const std::string kernel = row.kernel;
    set.figures.push_back(on("gt200", "transpose_" + kernel + "_in_loop",
                             "2048 x 2048 floats, repeated in the kernel: " + kernel + ", GiB/s", row.published,
                             0.1, "Ruetsch and Micikevicius 2010, loop in the kernel (quoted from memory)",
                             [=](const gpu_config& c) { return rate_in_loop(c, kernel); }));
  }
  return set;
}

}  // namespace gt200::timing
