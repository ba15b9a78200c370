// The CUDA libraries, by programs that link them as users do and compare with references in double precision.
#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

// A program of testbenches/cuda/libraries, the part it runs, and where.
struct library_case {
  const char* links;  // -l
  const char* program;
  const char* part;
  const char* engine;
  const char* config;
};

std::string name_of(const library_case& c) {
  return std::string(c.links) + "_" + c.part + "_" + c.engine + "_" + c.config;
}
void PrintTo(const library_case& c, std::ostream* out) { *out << name_of(c); }

class library_contexts : public cli::cli_test {
 protected:
  std::string linked(const std::string& name, const std::vector<std::string>& links) const {
    cli::arguments words = {"nvcc", "-O1", "-I" GT200_SOURCE_DIR,
                            source_path("testbenches/cuda/libraries/" + name)};
    for (const std::string& library : links) words.push_back("-l" + library);
    words.insert(words.end(), {"-o", path("program")});
    const outcome made = gt200_run(words);
    EXPECT_EQ(made.code, 0) << made.err;
    return path("program");
  }
};

class libraries : public library_contexts, public testing::WithParamInterface<library_case> {};

TEST_P(libraries, agree_with_the_reference) {
  const library_case& c = GetParam();
  const outcome run = gt200_run(
      {"exec", "--quiet", "--config", c.config, "--engine", c.engine, linked(c.program, {c.links}), c.part});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.out, "0 failures\n");
}

TEST_F(library_contexts, end_with_their_handles) {
  const outcome run = gt200_run(
      {"exec", "--quiet", "--engine", "emulator", linked("reset.cpp", {"cublas", "cufft", "cudpp", "curand"})});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.out, "0 failures\n");
}

INSTANTIATE_TEST_SUITE_P(cuda, libraries,
                         testing::Values(library_case{"cublas", "blas.cpp", "vectors", "emulator", "gt200"},
                                         library_case{"cublas", "blas.cpp", "level2", "emulator", "gt200"},
                                         library_case{"cublas", "blas.cpp", "products", "emulator", "gt200"},
                                         library_case{"cublas", "blas.cpp", "triangles", "emulator", "gt200"},
                                         library_case{"cublas", "blas.cpp", "shapes", "emulator", "gt200"},
                                         library_case{"cublas", "blas.cpp", "small", "model", "gt200"},
                                         library_case{"cublas", "blas.cpp", "first", "model", "g80"},
                                         library_case{"cublas", "blas.cpp", "small", "emulator", "gtx480"},
                                         library_case{"cublas", "blas.cpp", "small", "emulator", "v100_small"},
                                         library_case{"cublas", "blas_handle.cpp", "handles", "emulator", "gt200"},
                                         library_case{"cublas", "blas_handle.cpp", "handles", "model", "gt200"},
                                         library_case{"cublas", "blas_batches.cpp", "batches", "emulator", "gt200"},
                                         library_case{"cublas", "blas_batches.cpp", "batches", "emulator",
                                                      "v100_small"},
                                         library_case{"cufft", "fft.cpp", "sizes", "emulator", "gt200"},
                                         library_case{"cufft", "fft.cpp", "large", "emulator", "gt200"},
                                         library_case{"cufft", "fft.cpp", "dimensions", "emulator", "gt200"},
                                         library_case{"cufft", "fft.cpp", "small", "model", "gt200"},
                                         library_case{"cufft", "fft.cpp", "first", "model", "g80"},
                                         library_case{"cufft", "fft.cpp", "small", "emulator", "gtx480"},
                                         library_case{"cufft", "fft.cpp", "small", "emulator", "v100_small"},
                                         library_case{"cudpp", "parallel.cpp", "scans", "emulator", "gt200"},
                                         library_case{"cudpp", "parallel.cpp", "orders", "emulator", "gt200"},
                                         library_case{"cudpp", "parallel.cpp", "small", "model", "gt200"},
                                         library_case{"cudpp", "parallel.cpp", "small", "model", "g80"},
                                         library_case{"cudpp", "parallel.cpp", "small", "emulator", "gtx480"},
                                         library_case{"cudpp", "parallel.cpp", "small", "emulator", "v100_small"},
                                         library_case{"curand", "random.cpp", "words", "emulator", "gt200"},
                                         library_case{"curand", "random.cpp", "statistics", "emulator", "gt200"},
                                         library_case{"curand", "random.cpp", "sobol", "emulator", "gt200"},
                                         library_case{"curand", "random.cpp", "small", "model", "gt200"},
                                         library_case{"curand", "random.cpp", "first", "model", "g80"},
                                         library_case{"curand", "random.cpp", "small", "emulator", "gtx480"},
                                         library_case{"curand", "random.cpp", "small", "emulator", "v100_small"}),
                         [](const testing::TestParamInfo<library_case>& info) { return name_of(info.param); });

}  // namespace
}  // namespace gt200::cuda
