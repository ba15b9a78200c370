// Programs whose device code is compiled for the host's processor (gt200 nvcc -cpu): they give what the device
// gives.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>

#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

class processor : public cli::cli_test {
 protected:
  std::string compiled(const std::string& source, const cli::arguments& options = {}) {
    cli::arguments words = {"nvcc", "-cpu", source, "-o", path("program")};
    words.insert(words.end(), options.begin(), options.end());
    const outcome made = gt200_run(words);
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.err, "");
    return path("program");
  }
  static std::string in_tree(const std::string& name) { return source_path("testbenches/cuda/programs/" + name); }

  // What kernels.cu leaves in memory, by the names of its kernels.
  std::map<std::string, std::string> results_of(const std::string& program, const cli::arguments& options) {
    cli::arguments words = {"exec", "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {program, path("results")});
    const outcome run = gt200_run(words);
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    std::map<std::string, std::string> results;
    std::ifstream file(path("results"), std::ios::binary);
    std::string name;
    for (std::size_t bytes = 0; file >> name >> bytes;) {
      file.get();
      std::string content(bytes, '\0');
      file.read(content.data(), static_cast<std::streamsize>(bytes));
      results[name] = content;
    }
    return results;
  }
};

void expect_same(const std::map<std::string, std::string>& results,
                 const std::map<std::string, std::string>& expected, const std::string& where) {
  EXPECT_EQ(results.size(), expected.size()) << where;
  for (const auto& [name, bytes] : expected) {
    const auto found = results.find(name);
    if (found == results.end()) continue;
    const bool is_same = found->second == bytes;
    EXPECT_TRUE(is_same) << where << ": " << name;
    EXPECT_NE(bytes.find_first_not_of('\0'), std::string::npos) << name;
  }
}

struct checked_program {
  const char* name;
  const char* engine;  // empty: that of the program
};
void PrintTo(const checked_program& p, std::ostream* out) { *out << p.name << "_" << p.engine; }

class program_on_processor : public processor, public testing::WithParamInterface<checked_program> {};

TEST_P(program_on_processor, checks_itself) {
  const checked_program& p = GetParam();
  const bool votes = std::string(p.name) == "processor";
  const std::string program =
      compiled(in_tree(std::string(p.name) + ".cu"), votes ? cli::arguments{"-arch=sm_12"} : cli::arguments{});
  cli::arguments words = {"exec"};
  if (*p.engine != '\0') words.insert(words.end(), {"--engine", p.engine});
  words.push_back(program);
  const outcome run = gt200_run(words);
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_NE(run.err.find(*p.engine == '\0' ? " cpu " : std::string(" ") + p.engine + " "), std::string::npos)
      << run.err;
}

INSTANTIATE_TEST_SUITE_P(cuda, program_on_processor,
                         testing::Values(checked_program{"vector_add", ""}, checked_program{"math_functions", ""},
                                         checked_program{"mapped_memory", ""}, checked_program{"reduction", ""},
                                         checked_program{"symbols", ""}, checked_program{"times", ""},
                                         checked_program{"utilities", ""}, checked_program{"textures", ""},
                                         checked_program{"address_modes", ""},
                                         checked_program{"constant_addresses", ""},
                                         checked_program{"processor", ""}, checked_program{"processor", "emulator"},
                                         checked_program{"processor", "model"}),
                         [](const testing::TestParamInfo<checked_program>& info) {
                           const std::string engine = info.param.engine;
                           return std::string(info.param.name) + (engine.empty() ? "" : "_" + engine);
                         });

// Products and sums rounded apart on both sides: the chip's multiply-adds cut off the product.
TEST_F(processor, kernels_leave_what_they_leave_on_the_emulator_bit_for_bit) {
  const std::string program = compiled(in_tree("kernels.cu"), {"-fmad=false", "-I" + source_path("")});
  const auto expected = results_of(program, {"--engine", "emulator"});
  EXPECT_EQ(expected.size(), 28u);
  expect_same(results_of(program, {}), expected, "the processor");
  expect_same(results_of(program, {"--threads", "1"}), expected, "one thread of the host");
  expect_same(results_of(program, {"--engine", "cpu,scan_blocks,matrix*,texture_filter,bfs_kernel2:2"}), expected,
              "some launches on the model");
}

TEST_F(processor, kernels_of_fermi_leave_what_they_leave_on_its_emulator_bit_for_bit) {
  const std::string program =
      compiled(in_tree("kernels.cu"), {"-arch=sm_20", "-fmad=false", "-I" + source_path("")});
  const auto expected = results_of(program, {"--config", "gtx480", "--engine", "emulator"});
  EXPECT_EQ(expected.size(), 28u);
  expect_same(results_of(program, {"--config", "gtx480"}), expected, "the processor");
}

TEST_F(processor, code_without_a_part_for_the_processor_runs_on_the_emulator) {
  const outcome made = gt200_run({"nvcc", in_tree("vector_add.cu"), "-o", path("program")});
  EXPECT_EQ(made.code, 0) << made.err;
  const outcome run = gt200_run({"exec", "--engine", "cpu", path("program")});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find(" emulator "), std::string::npos) << run.err;
}

TEST_F(processor, errors_have_the_codes_of_the_device_and_it_works_again_after_a_reset) {
  const outcome run = gt200_run({"exec", "--quiet", compiled(in_tree("errors.cu"))});
  EXPECT_EQ(run.code, 4) << "the code of the fault\n" << run.out << run.err;
  EXPECT_EQ(run.out, "0 failures\n");
  EXPECT_NE(run.err.find("FAULT: kernel 'store', launch 2: access to memory that is not there at address"),
            std::string::npos)
      << run.err;
}

TEST_F(processor, a_barrier_that_part_of_a_warp_reaches_elsewhere_is_a_fault) {
  const std::string source =
      file("divergent.cu",
           "__global__ void k(int* p) {\n"
           "  if (threadIdx.x < 7) { __syncthreads(); p[0] = 1; } else { __syncthreads(); p[1] = 2; }\n}\n"
           "int main() {\n  int* p; cudaMalloc(&p, 8); k<<<1, 32>>>(p); return cudaThreadSynchronize() == 0;\n}\n");
  const std::string program = compiled(source);
  for (const char* engine : {"cpu", "emulator"}) {
    const outcome run = gt200_run({"exec", "--quiet", "--engine", engine, program});
    EXPECT_EQ(run.code, 4) << engine << run.err;
    EXPECT_NE(run.err.find("FAULT"), std::string::npos) << engine << run.err;
  }
}

TEST_F(processor, assembly_of_the_chip_is_refused_when_it_is_compiled) {
  const std::string source =
      file("lane.cu",
           "__global__ void k(int* p) { int x; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); *p = x; }\n"
           "int main() {}\n");
  const outcome made = gt200_run({"nvcc", "-cpu", source, "-o", path("lane")});
  EXPECT_NE(made.code, 0);
  EXPECT_NE(made.err.find("lane.cu: has assembly of the chip (asm)"), std::string::npos) << made.err;
}

}  // namespace
}  // namespace gt200::cuda
