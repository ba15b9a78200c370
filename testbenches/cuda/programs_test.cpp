// CUDA programs with their host code, compiled and run as a user does, on both engines.
#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <sstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

class programs : public cli::cli_test {
 protected:
  // Compiles a program of this folder, or one written by the test.
  std::string compiled(const std::string& source, const cli::arguments& options = {}) {
    cli::arguments words = {"nvcc", source, "-o", path("program")};
    words.insert(words.end(), options.begin(), options.end());
    const outcome made = gt200_run(words);
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.err, "");
    return path("program");
  }
  static std::string in_tree(const std::string& name) { return source_path("testbenches/cuda/programs/" + name); }
};

struct one_program {
  const char* name;
  const char* engine;
};
void PrintTo(const one_program& p, std::ostream* out) { *out << p.name << "_" << p.engine; }

class whole_program : public programs, public testing::WithParamInterface<one_program> {};

TEST_P(whole_program, checks_itself) {
  const std::string program = compiled(in_tree(std::string(GetParam().name) + ".cu"));
  const outcome run = gt200_run({"exec", "--engine", GetParam().engine, program});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

std::string name_of(const testing::TestParamInfo<one_program>& info) {
  return std::string(info.param.name) + "_" + info.param.engine;
}

INSTANTIATE_TEST_SUITE_P(
    cuda, whole_program,
    testing::Values(one_program{"vector_add", "emulator"}, one_program{"vector_add", "model"},
                    one_program{"math_functions", "emulator"}, one_program{"math_edges", "emulator"},
                    one_program{"cpp17", "emulator"}, one_program{"std_functions", "emulator"},
                    one_program{"mapped_memory", "emulator"}, one_program{"mapped_memory", "model"},
                    one_program{"reduction", "emulator"}, one_program{"reduction", "model"},
                    one_program{"reduction", "auto"}, one_program{"symbols", "emulator"},
                    one_program{"symbols", "model"}, one_program{"symbols", "auto"},
                    one_program{"warp_synchronous", "emulator"}, one_program{"warp_synchronous", "model"},
                    one_program{"times", "emulator"}, one_program{"times", "model"},
                    one_program{"utilities", "emulator"}, one_program{"textures", "emulator"},
                    one_program{"textures", "model"}, one_program{"address_modes", "emulator"},
                    one_program{"address_modes", "model"}, one_program{"constant_addresses", "emulator"},
                    one_program{"constant_addresses", "model"}, one_program{"constant_addresses", "auto"},
                    one_program{"mixed_memories", "emulator"}, one_program{"mixed_memories", "model"},
                    one_program{"limits", "emulator"}),
    name_of);

struct copying_board {
  const char* preset;
  int engines;
  const char* rates;
};
void PrintTo(const copying_board& b, std::ostream* out) { *out << b.preset; }

class copies_of_programs : public programs, public testing::WithParamInterface<copying_board> {};

// Boyer: 10 us for a small copy on a GTX 280, 2.4 times as fast from page-locked memory; its bandwidth test
// gives 5.9 GB/s, that of an 8800 GTX 3.0 to 3.3.
TEST_P(copies_of_programs, take_the_time_of_the_link_and_run_beside_grids) {
  const std::string program = compiled(in_tree("copies.cu"));
  const outcome run = gt200_run({"exec", "--quiet", "--config", GetParam().preset, "--engine", "emulator",
                                 "--host-clock", "model", program, "host_clocks"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.out,
            fmt::format("{} copy engines\n{}\nbegan at 1234567890\n", GetParam().engines, GetParam().rates));
}

INSTANTIATE_TEST_SUITE_P(
    cuda, copies_of_programs,
    testing::Values(copying_board{"gt200", 1, "page-locked 5.82 GB/s, pageable 2.44 GB/s, 4 bytes 10.0 us"},
                    copying_board{"g80", 0, "page-locked 3.05 GB/s, pageable 1.77 GB/s, 4 bytes 10.0 us"},
                    copying_board{"v100", 2, "page-locked 11.46 GB/s, pageable 3.07 GB/s, 4 bytes 10.0 us"}),
    [](const testing::TestParamInfo<copying_board>& info) { return std::string(info.param.preset); });

// The grids of one stream beside the copies of another, on the chip: both read the DRAM.
TEST_F(programs, copy_beside_grids_on_the_model) {
  const outcome run = gt200_run({"exec", "--quiet", compiled(in_tree("copies.cu"))});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST_F(programs, have_the_clocks_of_the_computer_unless_they_ask_for_those_of_the_model) {
  const outcome refused = gt200_run({"exec", "true"}, {"GT200_HOST_CLOCK=modell"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("GT200_HOST_CLOCK: 'modell' is neither real nor model"), std::string::npos)
      << refused.err;
  const std::string program = compiled(
      file("now.cu",
           "#include <cstdio>\n#include <ctime>\nint main() { std::printf(\"%d\\n\", time(0) > 1700000000); }\n"));
  EXPECT_EQ(gt200_run({"exec", program}).out, "1\n");
  EXPECT_EQ(gt200_run({"exec", "--host-clock", "model", program}).out, "0\n");
}

// The same programs on a Fermi.
class program_on_fermi : public programs, public testing::WithParamInterface<one_program> {};

TEST_P(program_on_fermi, checks_itself) {
  const std::string program = compiled(in_tree(std::string(GetParam().name) + ".cu"));
  const outcome run = gt200_run({"exec", "--config", "gtx480", "--engine", GetParam().engine, program});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    cuda, program_on_fermi,
    testing::Values(one_program{"mapped_memory", "model"}, one_program{"math_functions", "emulator"},
                    one_program{"reduction", "auto"}, one_program{"symbols", "auto"},
                    one_program{"textures", "auto"}, one_program{"warp_synchronous", "model"},
                    one_program{"address_modes", "auto"}, one_program{"constant_addresses", "auto"},
                    one_program{"mixed_memories", "emulator"}, one_program{"limits", "emulator"}),
    name_of);

// A chip that forms warps anew does not vote: the launch is refused, and the device goes on.
TEST_F(programs, that_vote_are_refused_where_warps_are_formed_anew) {
  const std::string program =
      compiled(file("votes.cu",
                    "#include <cstdio>\n"
                    "__global__ void k(int* o) { o[threadIdx.x] = 1 + __any(threadIdx.x == 3); }\n"
                    "int main() {\n"
                    "  int *d, h[32];\n"
                    "  cudaMalloc((void**)&d, sizeof h);\n"
                    "  cudaMemset(d, 0, sizeof h);\n"
                    "  k<<<1, 32>>>(d);\n"
                    "  const int launch = cudaGetLastError(), end = cudaThreadSynchronize();\n"
                    "  const int copy = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
                    "  std::printf(\"%d %d %d %d\\n\", launch, end, copy, h[5]);\n"
                    "}\n"),
               {"-arch=sm_12"});
  const auto run = [&](const cli::arguments& options) {
    cli::arguments words = {"exec", "--quiet", "--set", "tpc.sm.warp_formation=dynamic"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(program);
    return gt200_run(words);
  };
  const outcome refused = run({});
  EXPECT_EQ(refused.code, 0);
  EXPECT_EQ(refused.out, "8 0 0 0\n");  // cudaErrorInvalidDeviceFunction
  EXPECT_NE(refused.err.find("kernel 'k' cannot be launched: '(lg $c0) vote any"), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("with --warp-synchronous"), std::string::npos) << refused.err;
  EXPECT_EQ(refused.err.find("FAULT"), std::string::npos) << refused.err;
  const outcome marked = run({"--warp-synchronous"});
  EXPECT_EQ(marked.out, "0 0 0 2\n") << marked.err;
  const outcome emulated = run({"--engine", "emulator"});
  EXPECT_EQ(emulated.out, "0 0 0 2\n") << emulated.err;
}

class program_on_volta : public programs, public testing::WithParamInterface<one_program> {};

TEST_P(program_on_volta, checks_itself) {
  const std::string program = compiled(in_tree(std::string(GetParam().name) + ".cu"));
  const outcome run = gt200_run({"exec", "--config", "v100_small", "--engine", GetParam().engine, program});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

INSTANTIATE_TEST_SUITE_P(cuda, program_on_volta,
                         testing::Values(one_program{"math_functions", "model"}, one_program{"reduction", "auto"},
                                         one_program{"symbols", "auto"}, one_program{"textures", "auto"},
                                         one_program{"address_modes", "auto"},
                                         one_program{"constant_addresses", "auto"},
                                         one_program{"mixed_memories", "emulator"},
                                         one_program{"mixed_memories", "model"}, one_program{"limits", "emulator"}),
                         name_of);

// Its own code for each generation: from 2.0 on there are denormal floats and correctly rounded roots.
TEST_F(programs, functions_are_right_at_their_edges_on_fermi_and_volta) {
  for (const auto& [capability, config] : {std::pair("sm_20", "gtx480"), std::pair("sm_70", "v100")}) {
    const std::string program = compiled(in_tree("math_edges.cu"), {std::string("-arch=") + capability});
    const outcome run = gt200_run({"exec", "--quiet", "--config", config, "--engine", "emulator", program});
    EXPECT_EQ(run.code, 0) << config << "\n" << run.out;
  }
}

TEST_F(programs, functions_of_floats_need_no_doubles) {
  const std::string program = compiled(in_tree("float_functions.cu"), {"-arch=sm_10"});
  const outcome run = gt200_run({"exec", "--quiet", "--config", "g80", "--engine", "emulator", program});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST_F(programs, functions_of_std_are_there_in_every_edition_of_cxx) {
  for (const char* edition : {"c++14", "c++17", "c++20"}) {
    const std::string program =
        compiled(in_tree("std_functions.cu"), {"-arch=sm_70", std::string("-std=") + edition});
    const outcome run = gt200_run({"exec", "--quiet", "--config", "v100", "--engine", "emulator", program});
    EXPECT_EQ(run.code, 0) << edition << "\n" << run.out;
  }
}

TEST_F(programs, a_device_runs_the_code_for_its_generation) {
  const std::string program = compiled(in_tree("generations.cu"), {"-arch=sm_20"});
  for (const char* engine : {"emulator", "model"})
    for (const char* config : {"gt200", "gtx480"}) {
      const outcome run = gt200_run({"exec", "--quiet", "--config", config, "--engine", engine, program});
      EXPECT_EQ(run.code, 0) << config << " " << engine << "\n" << run.out << run.err;
    }
}

TEST_F(programs, clock64_counts_on_every_chip_and_engine) {
  const std::string program =
      compiled(file("clock64.cu",
                    "__global__ void k(long long* out, volatile int* x) {\n"
                    "  out[0] = clock64();\n  for (int i = 0; i < 100; ++i) *x += i;\n  out[1] = clock64();\n}\n"
                    "int main() {\n  long long h[2], *d;\n  int* x;\n  cudaMalloc((void**)&d, sizeof h);\n"
                    "  cudaMalloc((void**)&x, sizeof *x);\n  cudaMemset(x, 0, sizeof *x);\n  k<<<1, 1>>>(d, x);\n"
                    "  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;\n"
                    "  return h[0] >= 0 && h[1] > h[0] && h[1] < 1ll << 40 ? 0 : 1;\n}\n"),
               {"-arch=sm_20"});
  for (const char* engine : {"emulator", "model"})
    for (const char* config : {"gt200", "gtx480", "v100_small"})
      EXPECT_EQ(gt200_run({"exec", "--quiet", "--config", config, "--engine", engine, program}).code, 0)
          << config << " " << engine;
}

TEST_F(programs, nvcc_says_its_version_and_the_release_of_cuda) {
  for (const char* option : {"-V", "--version"}) {
    const outcome version = gt200_run({"nvcc", option});
    EXPECT_EQ(version.code, 0) << version.err;
    EXPECT_EQ(version.out.compare(0, 11, "gt200 nvcc "), 0) << version.out;
    EXPECT_NE(version.out.find("release 12.2,"), std::string::npos) << version.out;
  }
}

// An executable that knows nothing of this project: a C compiler, declarations of its own, libcuda.so.1.
TEST_F(programs, a_c_program_of_the_driver_api_runs_with_the_library_path_alone) {
  const std::string libraries = GT200_CUDA_LIBRARIES;
  const std::string program = path("driver_api");
  const std::string compile = "cc " + in_tree("driver_api.c") + " -o " + program + " -L" + libraries + " -lcuda";
  ASSERT_EQ(std::system(compile.c_str()), 0);
  for (const char* engine : {"emulator", "model"}) {
    const std::string run = std::string("GT200_ENGINE=") + engine + " LD_LIBRARY_PATH=" + libraries + " " +
                            program + " > " + path("out") + " 2> " + path("err");
    EXPECT_EQ(std::system(run.c_str()), 0) << engine << "\n" << content_of(path("out"));
    EXPECT_NE(content_of(path("err")).find("cuIpcGetMemHandle is not implemented"), std::string::npos);
  }
}

TEST_F(programs, brackets_of_launches_may_be_written_apart) {
  file("kernels.h", "__global__ void k(int* p) { *p += 1; }\nstatic void run(int* p) { k< < <1, 1> > >(p); }\n");
  const std::string source =
      file("apart.cu",
           "#include \"kernels.h\"\nint main() {\n  int* p; int v = 1; cudaMalloc(&p, 4);\n"
           "  cudaMemcpy(p, &v, 4, cudaMemcpyHostToDevice);\n  run(p);\n  k << < 1, 1 >> > (p);\n"
           "  cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);\n  return v == 3 ? 0 : 1;\n}\n");
  EXPECT_EQ(gt200_run({"exec", "--engine", "emulator", compiled(source)}).code, 0);
  const std::string wrong = file("wrong.cu", "#include \"kernels.h\"\n\nint main() { k << < 1 >> > (p); }\n");
  const outcome made = gt200_run({"nvcc", wrong, "-o", path("wrong")});
  EXPECT_NE(made.err.find("wrong.cu:3:"), std::string::npos) << "messages name the file and line\n" << made.err;
}

// The utilities of an SDK: ours, unless the program brings its own header and library.
TEST_F(programs, utilities_of_the_program_come_before_ours) {
  std::filesystem::create_directories(path("own"));
  file("own/cutil.h", "int own_utility();\n");
  const std::string library = file("own/utility.c", "int own_utility() { return 5; }\n");
  const std::string make = "cc -x c++ -c " + library + " -o " + path("own/utility.o") + " && ar rc " +
                           path("own/libcutil_x86_64.a") + " " + path("own/utility.o");
  ASSERT_EQ(std::system(make.c_str()), 0);
  const std::string own = file("own.cu", "#include <cutil.h>\nint main() { return own_utility() - 5; }\n");
  EXPECT_EQ(gt200_run({"exec", compiled(own, {"-I" + path("own"), "-L" + path("own"), "-lcutil_x86_64"})}).code, 0);
  const std::string ours =
      file("ours.cu", "#include <cutil.h>\nint main() { return cutCheckCmdLineFlag(0, 0, \"x\"); }\n");
  EXPECT_EQ(gt200_run({"exec", compiled(ours, {"-lcutil_x86_64"})}).code, 0);
}

// Makefiles give host code to another compiler, with folders as those of a toolkit and an SDK.
TEST_F(programs, plain_cpp_takes_the_utilities_of_the_sdk) {
  const std::string source = file("plain.cpp",
                                  "#include <cutil_inline.h>\nint main(int n, char** words) {\n"
                                  "  void* p = 0;\n  cutilSafeCall(cudaMalloc(&p, 4));\n  cutilCheckMsg(\"m\");\n"
                                  "  return cutCheckCmdLineFlag(n, (const char**)words, \"x\");\n}\n");
  const std::string toolkit = GT200_BUILD "/cuda_toolkit";
  const std::string check =
      "c++ -fsyntax-only -I" + toolkit + "/include -I" + toolkit + "/sdk/C/common/inc " + source;
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST_F(programs, errors_have_codes_and_a_device_works_again_after_a_reset) {
  const std::string program = compiled(in_tree("errors.cu"));
  for (const char* engine : {"emulator", "model"}) {
    const outcome run = gt200_run({"exec", "--quiet", "--engine", engine, program});
    EXPECT_EQ(run.code, 4) << "the code of the fault\n" << run.out << run.err;
    EXPECT_EQ(run.out, "0 failures\n");
    EXPECT_NE(run.err.find("FAULT: kernel 'store', launch 2:"), std::string::npos) << run.err;
  }
}

TEST_F(programs, the_table_and_the_results_name_every_launch) {
  const std::string program = compiled(in_tree("vector_add.cu"));
  const outcome run = gt200_run({"exec", "--out", path("out"), program, "500"});
  EXPECT_EQ(run.out, "0 wrong\n");
  EXPECT_NE(run.err.find("vector_add"), std::string::npos) << run.err;
  const std::string launches = content_of(path("out/launches.csv"));
  EXPECT_NE(launches.find("_Z10vector_addPKfS0_Pfi,1,model,2,1,256,1,1,done,"), std::string::npos) << launches;
  EXPECT_NE(content_of(path("out/stats.json")).find("vector_add"), std::string::npos);
  EXPECT_NE(content_of(path("out/config.toml")), "");
}

TEST_F(programs, emulated_launches_are_marked_as_estimated) {
  const std::string program = compiled(in_tree("vector_add.cu"));
  const outcome run = gt200_run({"exec", "--engine", "emulator", program});
  EXPECT_NE(run.err.find("* estimated"), std::string::npos) << run.err;
}

TEST_F(programs, a_program_runs_without_exec_by_environment_variables) {
  const std::string program = compiled(in_tree("vector_add.cu"));
  const std::string command = "GT200_ENGINE=emulator GT200_OUT=" + path("out") + " " + program + " > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_NE(content_of(path("out/launches.csv")).find(",emulator,"), std::string::npos);
}

// As `cmake --install` places them: bin/gt200, and lib/gt200 with the libraries.
TEST_F(programs, a_program_finds_the_worker_of_an_installed_package) {
  const std::string program = compiled(in_tree("vector_add.cu"));
  const std::string libraries = path("lib/gt200");
  std::filesystem::create_directories(libraries);
  std::filesystem::create_directories(path("bin"));
  for (const char* name : {"libcudart.so.4", "libgt200cuda.so.1"})
    std::filesystem::copy_file(std::string(GT200_CUDA_LIBRARIES) + "/" + name, libraries + "/" + name);
  std::filesystem::create_symlink(cli::gt200_program(), path("bin/gt200"));
  const std::string command = "LD_LIBRARY_PATH=" + libraries + " GT200_ENGINE=emulator " + program + " > " +
                              path("out") + " 2> " + path("err");
  EXPECT_EQ(std::system(command.c_str()), 0) << content_of(path("err"));
  EXPECT_EQ(content_of(path("out")), "0 wrong\n");
}

// What a board says about itself fits what the model does. Bandwidths are those of data sheets.
struct board_facts {
  const char* preset;
  int largest_block;
  int clock_khz;
  const char* gigabytes_per_second;
};
void PrintTo(const board_facts& b, std::ostream* out) { *out << b.preset; }

class board_properties : public programs, public testing::WithParamInterface<board_facts> {};

TEST_P(board_properties, are_those_of_the_board) {
  const std::string program = compiled(in_tree("properties.cu"), {"-lcuda"});
  const outcome run = gt200_run({"exec", "--config", GetParam().preset, program});
  const board_facts& b = GetParam();
  EXPECT_EQ(run.out, fmt::format("{0} {0} 64 {0} {1} {2}\n", b.largest_block, b.clock_khz, b.gigabytes_per_second))
      << run.err;
}

INSTANTIATE_TEST_SUITE_P(cuda, board_properties,
                         testing::Values(board_facts{"g80", 512, 1350000, "86.4"},
                                         board_facts{"gt200", 512, 1296000, "141.7"},
                                         board_facts{"tesla_c1060", 512, 1296000, "102.4"},
                                         board_facts{"gtx480", 1024, 1401000, "177.4"},
                                         board_facts{"v100", 1024, 1380000, "898.0"}),
                         [](const auto& info) { return std::string(info.param.preset); });

// clock() divided by the clock of the properties is the time that events measure.
TEST_F(programs, clock_counts_the_clock_of_the_properties) {
  const std::string program = compiled(in_tree("clock.cu"), {"-arch=sm_20"});
  for (const char* config : {"gt200_small", "gtx480", "v100_small"}) {
    const outcome run = gt200_run({"exec", "--quiet", "--config", config, program});
    EXPECT_EQ(run.code, 0) << config << "\n" << run.out << run.err;
  }
}

TEST_F(programs, what_the_hardware_cannot_run_is_a_warning_and_then_an_error_of_the_launch) {
  const std::string source =
      file("two.cu",
           "#include <stdio.h>\n"
           "__global__ void good(int* p) { *p = 1; }\n"
           "__global__ void bad(int** p) { int x; asm(\"suld.b.1d.b32.trap %0, [s, {%1}];\" :"
           " \"=r\"(x) : \"r\"(1)); **p = x; }\n"
           "int main() {\n  bad<<<1, 1>>>(0);\n  printf(\"%d\\n\", cudaGetLastError());\n"
           "  int* p; cudaMalloc(&p, 4);\n  good<<<1, 1>>>(p);\n"
           "  return cudaThreadSynchronize();\n}\n");
  const outcome made = gt200_run({"nvcc", source, "-o", path("two")});
  EXPECT_EQ(made.code, 0);
  EXPECT_NE(made.err.find("warning: kernel 'bad(int**)' cannot run"), std::string::npos) << made.err;
  const outcome run = gt200_run({"exec", "--engine", "emulator", path("two")});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "8\n");
}

TEST_F(programs, kernels_that_a_device_lacks_the_capability_for_are_an_error_of_the_launch) {
  const std::string source =
      file("precise.cu",
           "#include <stdio.h>\n"
           "__global__ void good(int* p) { *p += 1; }\n"
           "__global__ void precise(double* p) { *p *= *p; }\n"
           "int main() {\n  int* p; cudaMalloc(&p, 8); cudaMemset(p, 0, 8);\n"
           "  precise<<<1, 1>>>((double*)p);\n  printf(\"%d\\n\", cudaGetLastError());\n"
           "  good<<<1, 1>>>(p);\n  int x = 7; cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);\n"
           "  printf(\"%d\\n\", x);\n  return cudaThreadSynchronize();\n}\n");
  const outcome made = gt200_run({"nvcc", "-arch=sm_13", source, "-o", path("precise")});
  EXPECT_EQ(made.code, 0) << made.err;
  for (const char* engine : {"model", "emulator"}) {
    const outcome run = gt200_run({"exec", "--quiet", "--config", "g80", "--engine", engine, path("precise")});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "8\n1\n");
    EXPECT_NE(run.err.find("it needs compute capability 1.3, the device has 1.0"), std::string::npos) << run.err;
  }
}

TEST_F(programs, several_units_are_compiled_apart_and_linked) {
  const std::string a =
      file("a.cu",
           "int twice(int);\n__constant__ int c = 3;\nstatic __global__ void k(int* p) { *p += c; }\n"
           "int main() {\n  int* p; int v = 1; cudaMalloc(&p, 4);\n"
           "  cudaMemcpy(p, &v, 4, cudaMemcpyHostToDevice);\n  k<<<1, 1>>>(p);\n"
           "  cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);\n  return twice(v) == 14 ? 0 : 1;\n}\n");
  const std::string b = file("b.cu",
                             "__constant__ int c = 5;\nstatic __global__ void k(int* p) { *p += c; }\n"
                             "int twice(int v) {\n  int* p; int w = 2 * v + 1; cudaMalloc(&p, 4);\n"
                             "  cudaMemcpy(p, &w, 4, cudaMemcpyHostToDevice);\n  k<<<1, 1>>>(p);\n"
                             "  cudaMemcpy(&w, p, 4, cudaMemcpyDeviceToHost);\n  return w;\n}\n");
  EXPECT_EQ(gt200_run({"nvcc", "-c", a, "-o", path("a.o")}).code, 0);
  EXPECT_EQ(gt200_run({"nvcc", "-c", b, "-o", path("b.o")}).code, 0);
  EXPECT_EQ(gt200_run({"nvcc", path("a.o"), path("b.o"), "-o", path("both")}).code, 0);
  const outcome run = gt200_run({"exec", path("both")});
  EXPECT_EQ(run.code, 0) << run.err;
}

// Sizes and places of members, as the host has them and as a kernel has them.
TEST_F(programs, structs_have_one_layout) {
  constexpr unsigned structs = 200;
  const std::vector<std::string> types = {"char",  "short",     "int",     "long", "size_t", "float",  "double",
                                          "void*", "long long", "float2",  "int3", "float4", "uchar4", "bool",
                                          "char3", "double2",   "ushort2", "dim3", "ulong2"};
  std::mt19937 random(7);
  std::string declarations;
  std::string list;
  unsigned numbers = 0;
  for (unsigned s = 0; s < structs; ++s) {
    declarations += fmt::format("struct s{} {{\n", s);
    list += fmt::format("  f[n++] = sizeof(s{});\n", s);
    ++numbers;
    const unsigned members = 1 + random() % 6;
    for (unsigned m = 0; m < members; ++m) {
      const bool nested = s > 0 && random() % 5 == 0;
      const std::string type = nested ? fmt::format("s{}", random() % s) : types[random() % types.size()];
      const std::string extent = random() % 4 == 0 ? fmt::format("[{}]", 1 + random() % 3) : "";
      declarations += fmt::format("  {} m{}{};\n", type, m, extent);
      list += fmt::format("  f[n++] = __builtin_offsetof(s{}, m{});\n", s, m);
      ++numbers;
    }
    declarations += "};\n";
  }
  const std::string source =
      file("layout.cu", declarations + "__host__ __device__ inline void fill(unsigned* f) {\n  unsigned n = 0;\n" +
                            list +
                            fmt::format("}}\n__global__ void k(unsigned* f) {{ fill(f); }}\nint main() {{\n"
                                        "  static unsigned host[{0}], got[{0}];\n  unsigned* f;\n  fill(host);\n"
                                        "  cudaMalloc(&f, sizeof got);\n  k<<<1, 1>>>(f);\n"
                                        "  cudaMemcpy(got, f, sizeof got, cudaMemcpyDeviceToHost);\n"
                                        "  for (int i = 0; i < {0}; ++i)\n    if (host[i] != got[i]) return 1;\n"
                                        "  return host[0] == 0;\n}}\n",
                                        numbers));
  const outcome run = gt200_run({"exec", "--engine", "emulator", compiled(source)});
  EXPECT_EQ(run.code, 0) << run.err;
}

// Headers of a toolkit that happens to be installed, or that a Makefile names, are not read.
TEST_F(programs, no_header_of_a_toolkit_is_used) {
  const std::string toolkit = path("toolkit");
  std::filesystem::create_directories(toolkit);
  file("toolkit/cuda_runtime.h", "#error a toolkit\n");
  file("toolkit/driver_types.h", "#error a toolkit\n");
  const outcome made = gt200_run({"nvcc", "-E", "-I" + toolkit, in_tree("vector_add.cu"), "-o", path("text")},
                                 {"CUDA_PATH=" + toolkit});
  EXPECT_EQ(made.code, 0) << made.err;
  std::istringstream lines(content_of(path("text")));
  unsigned ours = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 2, "# ") != 0) continue;
    for (const char* name : {"/cuda_runtime.h\"", "/driver_types.h\"", "/vector_types.h\""})
      if (line.find(name) != std::string::npos) {
        EXPECT_NE(line.find(source_path("cuda/include")), std::string::npos) << line;
        ++ours;
      }
    EXPECT_EQ(line.find("/usr/local/cuda"), std::string::npos) << line;
  }
  EXPECT_GT(ours, 0u);
}

TEST_F(programs, wrong_options_of_exec_are_refused) {
  EXPECT_EQ(gt200_run({"exec"}).code, 2);
  EXPECT_EQ(gt200_run({"exec", "--frobnicate", "x"}).code, 2);
  const outcome unknown = gt200_run({"exec", "--config", "gtx999", "true"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(cli::is_one_clear_line(unknown.err));
}

// Before the program begins, by option and by variable.
TEST_F(programs, engines_and_folders_that_cannot_be_are_refused_before_the_program_begins) {
  const auto refused = [](const cli::arguments& options, const cli::arguments& environment = {}) {
    cli::arguments words = {"exec"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"echo", "runs"});
    const outcome run = gt200_run(words, environment);
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(cli::is_one_clear_line(run.err)) << run.err;
    return run.err;
  };
  EXPECT_NE(refused({"--engine", "zz*:3-"}).find("'zz*:3-'"), std::string::npos);
  EXPECT_NE(refused({}, {"GT200_ENGINE=:3"}).find("':3' names no kernel"), std::string::npos);
  for (const char* wrong : {"mod el", "Model", "vector_add,EMULATOR", "k!"})
    EXPECT_NE(refused({}, {std::string("GT200_ENGINE=") + wrong}).find("names no kernel; an engine is model"),
              std::string::npos);
  EXPECT_NE(refused({}, {"GT200_SET=chip.tpcs=0"}).find("chip.tpcs"), std::string::npos);
  EXPECT_NE(refused({}, {"GT200_THREADS=many"}).find("GT200_THREADS: 'many'"), std::string::npos);
  EXPECT_NE(refused({}, {"GT200_DEVICES=17"}).find("GT200_DEVICES: '17' is no number from 1 to 16"),
            std::string::npos);
  EXPECT_EQ(
      gt200_run({"exec", "--quiet", "--devices", "1", "sh", "-c", "echo $GT200_DEVICES"}, {"GT200_DEVICES=99"}).out,
      "1\n")
      << "the option goes before the variable";
  EXPECT_NE(refused({"--out", "/proc/nothing"}).find("/proc/nothing"), std::string::npos);
  refused({}, {"GT200_OUT=/proc/nothing"});
  refused({}, {"GT200_CONFIG=gtx999"});
}

TEST_F(programs, an_engine_that_fits_no_launch_is_named_at_the_end) {
  const std::string program = compiled(in_tree("vector_add.cu"));
  const outcome run = gt200_run({"exec", "--quiet", "--engine", "modell,vector_*", program});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("no launch on device 0 fits 'modell'"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("vector_*"), std::string::npos) << run.err;
}

TEST_F(programs, results_that_cannot_be_written_are_an_error_of_exec_and_leave_the_table) {
  const std::string program = compiled(
      file("blocks.cu",
           "#include <stdio.h>\n#include <stdlib.h>\n#include <string>\n__global__ void k() {}\nint main() {\n"
           "  const std::string out = getenv(\"GT200_OUT\");\n  k<<<1, 1>>>();\n  cudaThreadSynchronize();\n"
           "  rename(out.c_str(), (out + \".moved\").c_str());\n  return fclose(fopen(out.c_str(), \"w\"));\n}\n"));
  const outcome run = gt200_run({"exec", "--engine", "emulator", "--out", path("out"), program});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find(path("out") + ": the folder cannot be made"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("estimated"), std::string::npos) << "the table\n" << run.err;
}

}  // namespace
}  // namespace gt200::cuda
