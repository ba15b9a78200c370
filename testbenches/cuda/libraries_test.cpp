// The CUDA libraries, by programs that link them as users do and compare with references in double precision.
#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

struct library_case {
  const char* part;
  const char* engine;
  const char* config;
};

class libraries : public cli::cli_test, public testing::WithParamInterface<library_case> {
 protected:
  std::string linked(const std::string& name, const std::string& library) const {
    const outcome made =
        gt200_run({"nvcc", "-O2", "-I" GT200_SOURCE_DIR, source_path("testbenches/cuda/libraries/" + name),
                   "-l" + library, "-o", path("program")});
    EXPECT_EQ(made.code, 0) << made.err;
    return path("program");
  }
};

TEST_P(libraries, cublas_agrees_with_the_reference) {
  const library_case& c = GetParam();
  const outcome run = gt200_run(
      {"exec", "--quiet", "--config", c.config, "--engine", c.engine, linked("blas.cpp", "cublas"), c.part});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.out, "0 failures\n");
}

INSTANTIATE_TEST_SUITE_P(
    cuda, libraries,
    testing::Values(library_case{"vectors", "emulator", "gt200"}, library_case{"level2", "emulator", "gt200"},
                    library_case{"products", "emulator", "gt200"}, library_case{"triangles", "emulator", "gt200"},
                    library_case{"small", "model", "gt200"}, library_case{"small", "emulator", "gtx480"},
                    library_case{"small", "emulator", "v100_small"}),
    [](const testing::TestParamInfo<library_case>& info) {
      return std::string(info.param.part) + "_" + info.param.engine + "_" + info.param.config;
    });

}  // namespace
}  // namespace gt200::cuda
