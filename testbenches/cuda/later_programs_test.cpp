// Programs as they are written for CUDA 5 to 12: what they use of the language, the kernel library and the API, on
// the chips that have it, and the refusal by name on the others. Projects of build systems.
#include <algorithm>
#include <filesystem>

#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

class later_programs : public cli::cli_test {
 protected:
  static std::string in_tree(const std::string& name) {
    return source_path("testbenches/cuda/programs/later/" + name + ".cu");
  }
  outcome compile(const std::string& source, const std::string& architecture, const cli::arguments& more = {}) {
    cli::arguments words = {"nvcc", "-std=c++17", "-arch=" + architecture, source, "-o", path("program")};
    words.insert(words.end(), more.begin(), more.end());
    return gt200_run(words);
  }
  outcome run(const std::string& config, const std::string& engine = "emulator") {
    return gt200_run({"exec", "--quiet", "--config", config, "--engine", engine, path("program")});
  }
};

struct one_case {
  const char* name;
  const char* architecture;
  const char* config;
  const char* engine;
};
void PrintTo(const one_case& c, std::ostream* out) { *out << c.name << " " << c.config << " " << c.engine; }

class on_a_chip : public later_programs, public testing::WithParamInterface<one_case> {};

TEST_P(on_a_chip, checks_itself) {
  const one_case& c = GetParam();
  const outcome made = compile(in_tree(c.name), c.architecture, {"-lcuda"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "");
  const outcome done = run(c.config, c.engine);
  EXPECT_EQ(done.code, 0) << done.out << done.err;
}

INSTANTIATE_TEST_SUITE_P(
    cuda, on_a_chip,
    testing::Values(
        one_case{"warp_functions", "sm_70", "v100_small", "model"}, one_case{"simd", "sm_20", "gtx480", "emulator"},
        one_case{"simd", "sm_70", "v100_small", "emulator"}, one_case{"groups", "sm_35", "v100_small", "emulator"},
        one_case{"groups", "sm_70", "v100_small", "emulator"},
        one_case{"halves", "sm_70", "v100_small", "emulator"}, one_case{"calls", "sm_20", "gtx480", "emulator"},
        one_case{"calls", "sm_70", "v100_small", "model"}, one_case{"kernel_library", "sm_20", "gtx480", "model"},
        one_case{"kernel_library", "sm_70", "v100_small", "emulator"},
        one_case{"shared_pointers", "sm_20", "gtx480", "emulator"},
        one_case{"shared_pointers", "sm_70", "v100_small", "emulator"},
        one_case{"graphs", "sm_20", "gtx480", "emulator"}, one_case{"graphs", "sm_70", "v100_small", "model"},
        one_case{"managed", "sm_20", "gtx480", "emulator"}, one_case{"managed", "sm_70", "v100_small", "model"},
        one_case{"atomics", "sm_70", "v100_small", "emulator"}, one_case{"atomics", "sm_70", "v100_small", "model"},
        one_case{"wide_atomics", "sm_70", "v100_small", "emulator"},
        one_case{"wide_atomics", "sm_70", "v100_small", "model"}, one_case{"pools", "sm_20", "gtx480", "emulator"},
        one_case{"pools", "sm_70", "v100_small", "emulator"}, one_case{"surfaces", "sm_20", "gtx480", "emulator"},
        one_case{"surfaces", "sm_20", "gtx480", "model"}, one_case{"surfaces", "sm_70", "v100_small", "emulator"},
        one_case{"surfaces", "sm_70", "v100_small", "model"}, one_case{"layers", "sm_20", "gtx480", "emulator"},
        one_case{"layers", "sm_20", "gtx480", "model"}, one_case{"layers", "sm_70", "v100_small", "emulator"},
        one_case{"layers", "sm_70", "v100_small", "model"},
        one_case{"random_states", "sm_70", "v100_small", "emulator"},
        one_case{"cooperative", "sm_70", "v100_small", "emulator"},
        one_case{"cooperative", "sm_70", "v100_small", "model"}, one_case{"driver", "sm_20", "gtx480", "emulator"},
        one_case{"driver", "sm_70", "v100_small", "emulator"}, one_case{"api", "sm_13", "gt200", "emulator"},
        one_case{"api", "sm_20", "gtx480", "emulator"}, one_case{"api", "sm_70", "v100_small", "emulator"}),
    [](const testing::TestParamInfo<one_case>& info) {
      std::string name = std::string(info.param.name) + "_" + info.param.architecture + "_" + info.param.config +
                         "_" + info.param.engine;
      return name;
    });

TEST_F(later_programs, print_in_the_order_of_threads_and_before_what_the_host_prints_next) {
  ASSERT_EQ(compile(in_tree("kernel_library"), "sm_20").code, 0);
  const outcome done = run("gtx480");
  EXPECT_EQ(done.out,
            "thread 0 of 32:  1.50 text x 10000000000 % (nil)\nthread 1 of 32:  1.50 text x 10000000000 % (nil)\n"
            "after the kernel\nPASS\n");
}

TEST_F(later_programs, end_with_the_place_of_a_failed_assertion) {
  const std::string source = file("fails.cu",
                                  "#include <cassert>\n#include <cstdio>\n"
                                  "__global__ void k(int* d) {\n"
                                  "  assert(threadIdx.x != 33);\n"
                                  "  d[0] = 1;\n}\n"
                                  "int main() {\n"
                                  "  int* d;\n  cudaMalloc(&d, 4);\n  k<<<2, 64>>>(d);\n"
                                  "  puts(cudaGetErrorName(cudaDeviceSynchronize()));\n"
                                  "  puts(cudaGetErrorName(cudaMemset(d, 0, 4)));\n}\n");
  ASSERT_EQ(compile(source, "sm_20").code, 0);
  const outcome done = run("gtx480");
  EXPECT_EQ(done.out, "cudaErrorAssert\ncudaErrorAssert\n");
  EXPECT_NE(
      done.err.find("fails.cu:4: void k(int *): block: [0,0,0], thread: [33,0,0] Assertion `threadIdx.x != 33`"),
      std::string::npos)
      << done.err;
}

TEST_F(later_programs, that_print_without_memory_for_it_get_an_error_of_the_launch) {
  const std::string source = file("full.cu",
                                  "#include <cstdio>\n"
                                  "__global__ void k() { printf(\"%d\\n\", threadIdx.x); }\n"
                                  "int main() {\n"
                                  "  for (size_t bytes = size_t{1} << 31; bytes >= 256; bytes /= 2)\n"
                                  "    for (void* d; cudaMalloc(&d, bytes) == cudaSuccess;) {}\n"
                                  "  cudaGetLastError();\n"
                                  "  k<<<1, 2>>>();\n"
                                  "  puts(cudaGetErrorName(cudaDeviceSynchronize()));\n}\n");
  ASSERT_EQ(compile(source, "sm_20").code, 0);
  const outcome done = run("gtx480");
  EXPECT_EQ(done.out, "cudaErrorMemoryAllocation\n") << done.err;
  EXPECT_NE(done.err.find("no memory for what kernels print or allocate"), std::string::npos) << done.err;
}

TEST_F(later_programs, trap_where_they_write_outside_a_surface) {
  const std::string source =
      file("beyond.cu",
           "__global__ void k(cudaSurfaceObject_t s) { surf1Dwrite(1, s, 40); }\n"
           "int main() {\n  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();\n"
           "  cudaResourceDesc r = {};\n  r.resType = cudaResourceTypeArray;\n"
           "  cudaMallocArray(&r.res.array.array, &format, 10, 0, cudaArraySurfaceLoadStore);\n"
           "  cudaSurfaceObject_t s;\n  if (cudaCreateSurfaceObject(&s, &r)) return 1;\n"
           "  k<<<1, 1>>>(s);\n  return cudaDeviceSynchronize() == cudaSuccess;\n}\n");
  ASSERT_EQ(compile(source, "sm_20").code, 0);
  const outcome done = run("gtx480");
  EXPECT_EQ(done.code, 4) << done.out << done.err;
  EXPECT_NE(done.err.find("trap instruction"), std::string::npos) << done.err;
}

TEST_F(later_programs, are_refused_by_name_where_the_chip_lacks_what_they_use) {
  const outcome made = compile(in_tree("warp_functions"), "sm_20");
  EXPECT_NE(made.code, 0);
  EXPECT_NE(made.err.find("__shfl_sync"), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("needs compute capability 3.0"), std::string::npos) << made.err;
  ASSERT_EQ(compile(in_tree("warp_functions"), "sm_70").code, 0);
  const outcome done = run("gtx480");
  EXPECT_NE(done.code, 0);
  EXPECT_EQ(done.out, "cudaErrorNoKernelImageForDevice\n");
  EXPECT_NE(done.err.find("there is no code for a device of compute capability 2.0 (there is for 7.0)"),
            std::string::npos)
      << done.err;
}

TEST_F(later_programs, that_launch_from_kernels_are_refused_by_name) {
  const char* const launches[] = {
      "__global__ void child() {}\n__global__ void k() { child<<<1, 32>>>(); }\nint main() {}\n",
      "__global__ void k(int n) { if (n > 0) k<<<1, 32>>>(n - 1); }\nint main() {}\n",
      "template <int n> __global__ void c() {}\n__global__ void k() { c<1><<<1, 1>>>(); }\nint main() {}\n"};
  for (const char* code : launches) {
    const outcome made = compile(file("launches.cu", code), "sm_70", {"-rdc=true"});
    EXPECT_NE(made.code, 0);
    EXPECT_NE(made.err.find("dynamic parallelism is not supported"), std::string::npos) << made.err;
  }
}

TEST_F(later_programs, are_told_that_calls_by_address_need_a_later_chip) {
  const std::string source = file("pointers.cu",
                                  "__device__ __noinline__ int a(int n) { return n + 1; }\n"
                                  "__device__ __noinline__ int b(int n) { return 2 * n; }\n"
                                  "__global__ void k(int* d) { int (*f)(int) = *d ? a : b; *d = f(*d); }\n"
                                  "int main() { return 0; }\n");
  const outcome refused = compile(source, "sm_13");
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.err.find("needs sm_20"), std::string::npos) << refused.err;
  EXPECT_EQ(compile(source, "sm_20").code, 0);
}

TEST_F(later_programs, say_on_the_chip_what_nvcc_did_not_try_for_it) {
  const std::string source =
      file("recursive.cu",
           "__device__ __noinline__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
           "__global__ void k(int* d) { *d = f(*d); }\n"
           "int main() {\n  int *d;\n  cudaMalloc(&d, 4);\n  k<<<1, 1>>>(d);\n"
           "  return cudaGetLastError();\n}\n");
  ASSERT_EQ(compile(source, "sm_20").code, 0);
  const outcome done = run("gt200");
  EXPECT_NE(done.code, 0);
  EXPECT_NE(done.err.find("there is no code for a device of compute capability 1.3: "), std::string::npos)
      << done.err;
  EXPECT_NE(done.err.find("recursion is not possible"), std::string::npos) << done.err;
}

TEST_F(later_programs, without_a_capability_are_compiled_for_those_that_can_run_them) {
  const outcome made = gt200_run({"nvcc", in_tree("kernel_library"), "-o", path("program")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("warning: no code for compute capability 1.3"), std::string::npos) << made.err;
  EXPECT_EQ(run("gtx480").code, 0);
}

TEST_F(later_programs, of_several_files_call_device_functions_of_each_other) {
  const std::string first = file("first.cu",
                                 "__device__ int count = 3;\nstatic __device__ int own = 4;\n"
                                 "__constant__ int shift = 7;\n"
                                 "__device__ int scaled(int x) { return own * x + count + shift; }\n");
  const std::string second =
      file("second.cu",
           "#include <cstdio>\n"
           "extern __device__ int scaled(int);\nextern __device__ int count;\n"
           "extern __constant__ int shift;\n"
           "static __device__ int own = 50;\n"
           "__global__ void k(int* d) {\n"
           "  int kept[8];  // in local memory\n"
           "  for (int i = 0; i < 8; ++i) kept[(i + d[40]) & 7] = scaled(threadIdx.x) + i;\n"
           "  d[threadIdx.x] = kept[d[40] & 7] + own;\n}\n"
           "__global__ void more() { ++count; }\n"
           "int main() {\n  int *d, h[32];\n  cudaMalloc(&d, 256);\n"
           "  cudaMemset(d, 0, 256);\n"
           "  int zero = 0;\n  if (cudaMemcpyToSymbol(shift, &zero, sizeof zero)) return 1;\n"
           "  more<<<1, 1>>>();\n  k<<<1, 32>>>(d);\n"
           "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
           "  printf(\"%d\\n\", h[5]);\n}\n");
  for (const std::string& source : {first, second}) {
    const outcome made = gt200_run({"nvcc", "-dc", "-arch=sm_20", source, "-o", source + ".o"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  const outcome linked = gt200_run({"nvcc", "-arch=sm_20", first + ".o", second + ".o", "-o", path("program")});
  ASSERT_EQ(linked.code, 0) << linked.err;
  EXPECT_EQ(run("gtx480").out, "74\n");
}

TEST_F(later_programs, load_modules_of_code_for_several_chips) {
  const std::string kernel = file("kernel.cu", "extern \"C\" __global__ void k(int* d) { *d = __CUDA_ARCH__; }\n");
  const std::string main = file("main.cu",
                                "#include <cuda.h>\n#include <cstdio>\n"
                                "int main(int, char** a) {\n  CUmodule m; CUfunction f;\n"
                                "  int *d, h = 0;\n  cudaMalloc(&d, 4);\n"
                                "  if (cuModuleLoad(&m, a[1]) || cuModuleGetFunction(&f, m, \"k\")) return 1;\n"
                                "  void* parameters[] = {&d};\n"
                                "  if (cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0)) return 2;\n"
                                "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", h);\n}\n");
  const outcome made = gt200_run({"nvcc", "-fatbin", "-gencode=arch=compute_20,code=sm_20",
                                  "-gencode=arch=compute_70,code=sm_70", kernel, "-o", path("kernel.fatbin")});
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(compile(main, "sm_20", {"-lcuda"}).code, 0);
  for (const auto& [chip, printed] : {std::pair("gtx480", "200\n"), std::pair("v100_small", "700\n")}) {
    const outcome done = gt200_run(
        {"exec", "--quiet", "--config", chip, "--engine", "emulator", path("program"), path("kernel.fatbin")});
    EXPECT_EQ(done.out, printed) << done.err;
  }
}

TEST_F(later_programs, are_told_that_host_and_device_write_the_same_memory_during_a_launch) {
  const std::string source = file("both.cu",
                                  "#include <cstdlib>\n"
                                  "__global__ void k(int* d) { atomicAdd(d, 10); }\n"
                                  "int main(int, char** a) {\n  int* d;\n  cudaMallocManaged(&d, 8);\n"
                                  "  d[0] = d[1] = 0;\n  k<<<1, 32>>>(d);\n"
                                  "  __sync_fetch_and_add(d + std::atoi(a[1]), 1);\n"
                                  "  cudaDeviceSynchronize();\n  return d[0] != 320;\n}\n");
  ASSERT_EQ(compile(source, "sm_20").code, 0);
  for (const auto& [word, conflicts] : {std::pair("0", true), std::pair("1", false)}) {
    const outcome done =
        gt200_run({"exec", "--quiet", "--config", "gtx480", "--engine", "emulator", path("program"), word});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.err.find("both changed the memory at") != std::string::npos, conflicts) << done.err;
  }
}

TEST_F(later_programs, wrap_where_products_of_the_host_overflow) {
  const std::string source =
      file("wraps.cu",
           "#include <cstdio>\n#include <vector>\n"
           "__global__ void k(int* d, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < n) d[i] = i * i;\n}\n"
           "static int wrong(const int* a, int n) {\n"
           "  for (int i = 0; i < n; i += 1)\n    if (a[i] != i * i) return i;\n  return 0;\n}\n"
           "int main() {\n  const int n = 100000;\n  int* d;\n  cudaMalloc(&d, n * 4);\n"
           "  std::vector<int> a(n);\n  k<<<(n + 255) / 256, 256>>>(d, n);\n"
           "  cudaMemcpy(a.data(), d, n * 4, cudaMemcpyDeviceToHost);\n"
           "  printf(\"%d\\n\", wrong(a.data(), n));\n}\n");
  ASSERT_EQ(compile(source, "sm_20", {"-O2"}).code, 0);
  EXPECT_EQ(run("gtx480").out, "0\n");
}

TEST_F(later_programs, are_built_by_projects_of_cmake) {
  std::filesystem::create_directories(path("project"));
  file("project/CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\n"
       "add_executable(p p.cu)\ntarget_link_libraries(p CUDA::cudart)\n");
  file("project/p.cu",
       "#include <cuda_runtime.h>\n__global__ void k(int* d) { *d = INT_MAX; }\n"
       "int main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
       "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return h == INT_MAX ? 0 : 1; }\n");
  const std::string build = std::string(GT200_BUILD);
  const std::string configure = "cmake -S " + path("project") + " -B " + path("build") +
                                " -DCMAKE_CUDA_COMPILER=" + build + "/gt200-nvcc > " + path("log") +
                                " 2>&1 && cmake --build " + path("build") + " >> " + path("log") + " 2>&1";
  ASSERT_EQ(std::system(configure.c_str()), 0) << content_of(path("log"));
  const std::string run_it = "LD_LIBRARY_PATH=" + build + "/lib GT200_ENGINE=emulator " + path("build") + "/p";
  EXPECT_EQ(std::system(run_it.c_str()), 0);
}

TEST_F(later_programs, dry_runs_show_what_build_systems_read) {
  const std::string source = file("empty.cu", "int main() {}\n");
  const outcome shown = gt200_run({"nvcc", "-dryrun", source, "-o", path("program")});
  EXPECT_EQ(shown.code, 0) << shown.err;
  for (const char* line : {"#$ TOP=", "#$ LIBRARIES= \"-L", "#$ INCLUDES=\"-I", "-arch compute_70", "-lcudart"})
    EXPECT_NE(shown.err.find(line), std::string::npos) << line << "\n" << shown.err;
  EXPECT_FALSE(std::filesystem::exists(path("program")));
}

TEST_F(later_programs, headers_that_are_not_there_say_so_in_one_line) {
  const std::string source = file("sort.cu", "#include <thrust/sort.h>\nint main() {}\n");
  const outcome made = gt200_run({"nvcc", source, "-o", path("program")});
  EXPECT_NE(made.code, 0);
  EXPECT_NE(made.err.find("thrust/sort.h: Thrust, CUB and libcu++ are not part of gt200"), std::string::npos)
      << made.err;
  // The user's own counts.
  std::filesystem::create_directories(path("mine/thrust"));
  file("mine/thrust/sort.h", "");
  EXPECT_EQ(gt200_run({"nvcc", "-I" + path("mine"), source, "-o", path("program")}).code, 0);
}

}  // namespace
}  // namespace gt200::cuda
