// Wrong calls of the CUDA APIs have the right errors and leave everything as it was.
#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

class api : public cli::cli_test {
 protected:
  outcome run(const cli::arguments& sources, const std::string& engine, const cli::arguments& words = {}) const {
    cli::arguments compile = {"nvcc",     "-std=c++17", "-O1", "-arch=sm_13",  "-Xcompiler",
                              "-pthread", "-lcuda",     "-o",  path("program")};
    compile.insert(compile.end(), sources.begin(), sources.end());
    const outcome made = gt200_run(compile);
    EXPECT_EQ(made.code, 0) << made.err;
    cli::arguments execute = {"exec", "--quiet", "--engine", engine, path("program")};
    execute.insert(execute.end(), words.begin(), words.end());
    return gt200_run(execute);
  }
  // 0 is returned by a program in spite of the fault that it causes: exec says so by its code.
  outcome run_text(const std::string& text, const std::string& engine = "emulator") const {
    return run({file("program.cu", text)}, engine);
  }
  outcome fuzzed(const std::string& engine, const std::string& sequences, const std::string& threads) const {
    cli::arguments sources;
    for (const char* name : {"main.cu", "runtime_calls.cu", "driver_calls.cu"})
      sources.push_back(source_path(std::string("testbenches/cuda/programs/api_fuzz/") + name));
    return run(sources, engine, {sequences, threads});
  }
};

// The faults at its beginning are meant: 4 is their code.
TEST_F(api, random_calls_give_the_right_errors_on_the_emulator) {
  const outcome run = fuzzed("emulator", "1500", "4");
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  EXPECT_NE(run.out.find(", 0 differences"), std::string::npos) << run.out << run.err;
  EXPECT_EQ(run.out.find(" 0 refused"), std::string::npos) << run.out;
}

TEST_F(api, random_calls_give_the_right_errors_on_the_model) {
  const outcome run = fuzzed("model", "40", "2");
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  EXPECT_NE(run.out.find(", 0 differences"), std::string::npos) << run.out << run.err;
}

TEST_F(api, a_pointer_with_an_upper_half_faults_where_it_is_used) {
  const std::string text =
      "#include <stdio.h>\n#include <stdint.h>\n"
      "__global__ void k(int* p, int* q, int use) {\n  *p = 1;\n  if (use)\n    *q = 2;\n}\n"
      "int main() {\n  int *p, x = 0; cudaMalloc(&p, 4);\n"
      "  int* wrong = (int*)((uintptr_t)p | (uintptr_t)1 << 32);\n"
      "  printf(\"%d %d %d\", cudaMemcpy(wrong, &x, 4, cudaMemcpyHostToDevice), cudaMemset(wrong, 0, 4), "
      "cudaFree(wrong));\n"
      "  k<<<1, 1>>>(p, wrong, 0);\n  printf(\" %d\", cudaThreadSynchronize());\n"
      "  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);\n  printf(\" %d\", x);\n"
      "  k<<<1, 1>>>(p, wrong, 1);\n  printf(\" %d\\n\", cudaThreadSynchronize());\n}\n";
  for (const char* engine : {"emulator", "model"}) {
    const outcome run = run_text(text, engine);
    EXPECT_EQ(run.out, "11 11 17 0 1 4\n") << engine << run.err;
    EXPECT_NE(run.err.find("kernel 'k': the parameter at byte 8 is 0x1"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("(line 6)"), std::string::npos) << "the place of the access\n" << run.err;
  }
}

// A stream is one of the device that was current when it was made, until it is destroyed or that device is reset.
TEST_F(api, work_is_refused_in_what_is_no_stream_of_the_device) {
  const std::string text =
      "#include <stdio.h>\n__global__ void k(int* p) { *p = 1; }\n"
      "void use(const char* what, cudaStream_t s) {\n  int *p, x = 0; cudaMalloc(&p, 4); cudaMemset(p, 0, 4);\n"
      "  cudaGetLastError();\n  k<<<1, 1, 0, s>>>(p);\n  printf(\"%s: %d\", what, cudaGetLastError());\n"
      "  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);\n"
      "  printf(\" %d %d\", cudaMemcpyAsync(p, &x, 4, cudaMemcpyHostToDevice, s), cudaMemsetAsync(p, 0, 4, s));\n"
      "  printf(\" %d ran=%d\\n\", cudaStreamQuery(s), x);\n}\n"
      "int main() {\n  cudaStream_t good, other, before, gone;\n  cudaSetDevice(1);\n  cudaStreamCreate(&other);\n"
      "  cudaSetDevice(0);\n  cudaStreamCreate(&before);\n  cudaDeviceReset();\n  use(\"before the reset\", "
      "before);\n"
      "  cudaStreamCreate(&gone);\n  cudaStreamDestroy(gone);\n  use(\"destroyed\", gone);\n"
      "  use(\"invented\", (cudaStream_t)0xdeadbeef);\n  cudaStreamCreate(&good);\n  use(\"good\", good);\n"
      "  use(\"of another device\", other);\n}\n";
  const outcome made = gt200_run({"nvcc", file("streams.cu", text), "-o", path("program")});
  ASSERT_EQ(made.code, 0) << made.err;
  const outcome run = gt200_run({"exec", "--quiet", "--engine", "emulator", "--devices", "2", path("program")});
  EXPECT_EQ(run.out,
            "before the reset: 33 33 33 33 ran=0\ndestroyed: 33 33 33 33 ran=0\ninvented: 33 33 33 33 ran=0\n"
            "good: 0 0 0 0 ran=1\nof another device: 33 33 33 0 ran=0\n")
      << run.err;
}

TEST_F(api, events_end_with_their_device_and_have_a_time_unless_it_is_disabled) {
  const std::string text =
      "#include <stdio.h>\nint main() {\n  cudaEvent_t a, b, before, other;\n  float ms;\n"
      "  cudaEventCreate(&before);\n  cudaEventRecord(before, 0);\n  cudaDeviceReset();\n"
      "  printf(\"%d %d\", cudaEventRecord(before, 0), cudaEventDestroy(before));\n"
      "  cudaEventCreate(&a);\n  cudaEventCreateWithFlags(&b, cudaEventDisableTiming);\n"
      "  printf(\", %d %d\", cudaEventRecord(a, 0), cudaEventRecord(b, 0));\n"
      "  printf(\" %d %d\", cudaEventElapsedTime(&ms, a, a), cudaEventElapsedTime(&ms, a, b));\n"
      "  cudaSetDevice(1);\n  cudaEventCreate(&other);\n  cudaEventRecord(other, 0);\n"
      "  printf(\", %d %d %d\\n\", cudaEventRecord(a, 0), cudaEventElapsedTime(&ms, a, other), "
      "cudaEventSynchronize(a));\n}\n";
  const outcome made = gt200_run({"nvcc", file("events.cu", text), "-o", path("program")});
  ASSERT_EQ(made.code, 0) << made.err;
  const outcome run = gt200_run({"exec", "--quiet", "--engine", "emulator", "--devices", "2", path("program")});
  EXPECT_EQ(run.out, "33 33, 0 0 0 33, 33 33 0\n") << run.err;
}

TEST_F(api, a_context_that_another_thread_destroys_is_an_error) {
  const outcome run = run_text(
      "#include <cuda.h>\n#include <stdio.h>\n#include <thread>\n"
      "int main() {\n  CUcontext c; CUdeviceptr p;\n  cuInit(0);\n  cuCtxCreate(&c, 0, 0);\n  cuMemAlloc(&p, 4);\n"
      "  int other = 0;\n  std::thread([&] { other = cuCtxDestroy(c); }).join();\n"
      "  printf(\"%d %d %d %d\", other, cuMemFree(p), cuMemAlloc(&p, 4), cudaMalloc((void**)&p, 4));\n"
      "  printf(\" %d %d\\n\", cuCtxPopCurrent(&c), cudaMalloc((void**)&p, 4));\n}\n");
  EXPECT_EQ(run.out, "0 709 709 49 0 0\n") << run.err;
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(api, copies_of_too_much_read_nothing_of_the_host) {
  const outcome run = run_text(
      "#include <stdio.h>\n"
      "int main() {\n  char *p, x[8] = {1, 2, 3}; cudaMalloc(&p, 8);\n  cudaMemset(p, 7, 8);\n"
      "  printf(\"%d\", cudaMemcpy(p, x, (size_t)1 << 31, cudaMemcpyHostToDevice));\n"
      "  printf(\" %d\", cudaMemcpy2D(p, 4, x, 4, 4, 3, cudaMemcpyHostToDevice));\n"
      "  printf(\" %d\", cudaMemcpy(p, p, 8, cudaMemcpyHostToDevice));\n"
      "  printf(\" %d\", cudaMemset((void*)0x100000, 0, 4));\n"  // the driver's own
      "  void* q; size_t pitch;\n  printf(\" %d\", cudaMallocPitch(&q, &pitch, (size_t)-1, 2));\n"
      "  cudaMemcpy(x, p, 8, cudaMemcpyDeviceToHost);\n  printf(\" %d %d\\n\", x[0], x[7]);\n}\n");
  EXPECT_EQ(run.out, "11 11 11 11 2 7 7\n") << run.err;
}

// Threads that append to one list on the device, in the order in which their calls are taken.
TEST_F(api, the_order_of_calls_of_several_threads_is_kept_and_repeated) {
  const std::string source = file(
      "order.cu",
      "#include <stdio.h>\n#include <thread>\n#include <vector>\n"
      "__global__ void append(int* list, int who) { list[++list[0]] = who; }\n"
      "int main() {\n  int *list, host[101]; cudaMalloc(&list, sizeof host);\n  cudaMemset(list, 0, sizeof host);\n"
      "  std::vector<std::thread> t;\n  for (int who = 0; who < 4; ++who)\n"
      "    t.emplace_back([=] { for (int k = 0; k < 25; ++k) append<<<1, 1>>>(list, who); });\n"
      "  for (std::thread& one : t) one.join();\n  cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost);\n"
      "  for (int k = 1; k <= 100; ++k) printf(\"%d\", host[k]);\n  printf(\"\\n\");\n}\n");
  const outcome made =
      gt200_run({"nvcc", "-std=c++17", "-Xcompiler", "-pthread", source, "-lcuda", "-o", path("program")});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto order = [&](const std::string& folder, const std::vector<std::string>& environment) {
    const outcome run =
        gt200_run({"exec", "--quiet", "--engine", "emulator", "--out", path(folder), path("program")}, environment);
    EXPECT_EQ(run.err, "");
    return run.out;
  };
  const std::string first = order("first", {});
  EXPECT_EQ(first.size(), 101u);
  for (unsigned k = 0; k < 3; ++k) {
    EXPECT_EQ(order("again", {"GT200_REPLAY=" + path("first/calls")}), first);
    EXPECT_EQ(content_of(path("again/calls")), content_of(path("first/calls")));
  }
  // Any order can be asked for: the second thread goes first.
  EXPECT_EQ(order("other", {"GT200_REPLAY=" + file("order", "0 2\n0.2 25\n0.1 25\n0.4 25\n0.3 25\n")}),
            std::string(25, '1') + std::string(25, '0') + std::string(25, '3') + std::string(25, '2') + "\n");
}

// What the user asks for would not be what runs: nothing does.
TEST_F(api, an_order_of_calls_that_cannot_be_read_ends_the_program_before_it_begins) {
  const std::string source = file("program.cu",
                                  "#include <stdio.h>\n__global__ void k() {}\n"
                                  "int main() {\n  printf(\"runs\\n\");\n  k<<<1, 1>>>();\n}\n");
  ASSERT_EQ(gt200_run({"nvcc", source, "-o", path("program")}).code, 0);
  for (const std::string& order : {path("nowhere"), file("empty", ""), file("damaged", "0 2\n0.1 x\n")}) {
    const outcome run = gt200_run({"exec", path("program")}, {"GT200_REPLAY=" + order});
    EXPECT_EQ(run.code, 1) << order;
    EXPECT_EQ(run.out, "") << order;
    EXPECT_NE(run.err.find("GT200_REPLAY=" + order), std::string::npos) << run.err;
  }
}

// As programs do that are older than the header's own extern "C".
TEST_F(api, headers_may_be_included_with_c_linkage) {
  const std::string source = file(
      "linkage.cpp",
      "extern \"C\" {\n#include <cuda.h>\n#include <cuda_runtime_api.h>\n}\nint main() { return cuInit(0); }\n");
  const std::string check = "c++ -fsyntax-only -I" GT200_BUILD "/cuda_toolkit/include " + source;
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST_F(api, graphics_answers_with_an_error) {
  const outcome run = run_text(
      "#include <stdio.h>\nextern \"C\" cudaError_t cudaGLSetGLDevice(int);\n"
      "int main() {\n  printf(\"%d %d\\n\", cudaGLSetGLDevice(0), cudaGraphicsUnregisterResource(0));\n}\n");
  EXPECT_EQ(run.out, "10 33\n") << run.err;
}

}  // namespace
}  // namespace gt200::cuda
