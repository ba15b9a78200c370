// The command line of gt200 nvcc is that of nvcc.
#include <gtest/gtest.h>

#include "cuda/nvcc/options.h"
#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

using strings = std::vector<std::string>;
using capabilities = std::vector<unsigned>;

std::string refusal(const strings& words) {
  try {
    parse_nvcc(words);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(nvcc_options, options_of_the_assembler_limit_registers_and_ask_for_a_report) {
  EXPECT_EQ(parse_nvcc({"-po", "maxrregcount=16", "a.cu"}).max_registers, 16u);
  EXPECT_EQ(parse_nvcc({"-Xptxas", "-v,-maxrregcount=20", "a.cu"}).max_registers, 20u);
  EXPECT_TRUE(parse_nvcc({"-Xptxas", "-v,-maxrregcount=20", "a.cu"}).report);
  EXPECT_FALSE(parse_nvcc({"-po", "maxrregcount=16", "a.cu"}).report);
}

TEST(nvcc_options, the_version_needs_no_input) {
  EXPECT_TRUE(parse_nvcc({"--version"}).version);
  EXPECT_TRUE(parse_nvcc({"-V"}).version);
  EXPECT_FALSE(parse_nvcc({"a.cu"}).version);
}

TEST(nvcc_options, code_for_the_processor_is_wanted_by_name) {
  EXPECT_TRUE(parse_nvcc({"-cpu", "a.cu"}).cpu);
  EXPECT_FALSE(parse_nvcc({"a.cu"}).cpu);
}

TEST(nvcc_options, a_program_of_several_files) {
  const nvcc_options o = parse_nvcc({"-O3", "-I../inc", "-I", "other", "-DN=4", "a.cu", "b.cpp", "c.o", "-lm", "-L",
                                     "lib", "-o", "prog", "-lcudart"});
  EXPECT_EQ(o.wanted, nvcc_options::product::program);
  EXPECT_EQ(o.inputs, (strings{"a.cu", "b.cpp", "c.o"}));
  EXPECT_EQ(o.output, "prog");
  EXPECT_EQ(o.preprocessor, (strings{"-I../inc", "-Iother", "-DN=4"}));
  EXPECT_EQ(o.host, strings{"-O3"});
  EXPECT_EQ(o.linker, (strings{"-lm", "-Llib"})) << "the runtime library is linked anyway";
}

TEST(nvcc_options, values_follow_an_equals_sign_or_a_blank) {
  EXPECT_EQ(parse_nvcc({"-arch=sm_11", "a.cu"}).capabilities, capabilities{11});
  EXPECT_EQ(parse_nvcc({"-arch", "sm_12", "a.cu"}).capabilities, capabilities{12});
  EXPECT_EQ(parse_nvcc({"--gpu-architecture=compute_10", "a.cu"}).capabilities, capabilities{10});
  EXPECT_EQ(parse_nvcc({"-maxrregcount=16", "a.cu"}).max_registers, 16u);
  EXPECT_EQ(parse_nvcc({"--maxrregcount", "20", "a.cu"}).max_registers, 20u);
  EXPECT_EQ(parse_nvcc({"-maxrregcount=0", "a.cu"}).max_registers, 255u) << "0 means no limit";
  EXPECT_EQ(parse_nvcc({"-Xcompiler", "-Wall,-fopenmp", "a.cu"}).host, (strings{"-Wall", "-fopenmp"}));
  EXPECT_TRUE(parse_nvcc({"--ptxas-options=-v", "a.cu"}).report);
}

TEST(nvcc_options, every_capability_that_is_named_is_compiled_up_to_the_highest_of_the_chips) {
  const nvcc_options o =
      parse_nvcc({"-gencode", "arch=compute_11,code=sm_11", "-gencode=arch=compute_12,code=sm_12", "a.cu"});
  EXPECT_EQ(o.capabilities, capabilities{12}) << "of Tesla the highest";
  EXPECT_EQ(o.companions, capabilities{});
  const nvcc_options fermi = parse_nvcc({"-arch=sm_21", "a.cu"});
  EXPECT_EQ(fermi.capabilities, capabilities{20});
  EXPECT_EQ(fermi.companions, capabilities{13});
  const nvcc_options several =
      parse_nvcc({"-gencode=arch=compute_11,code=sm_11", "-gencode=arch=compute_35,code=sm_35",
                  "--generate-code=arch=compute_70,code=[compute_70,sm_70]", "a.cu"});
  EXPECT_EQ(several.capabilities, (capabilities{11, 35, 70}));
  EXPECT_EQ(several.companions, capabilities{20});
  EXPECT_TRUE(several.notes.empty());
  const nvcc_options later = parse_nvcc({"-arch=sm_86", "a.cu"});
  EXPECT_EQ(later.capabilities, capabilities{70});
  EXPECT_EQ(later.companions, (capabilities{13, 20}));
  EXPECT_EQ(later.notes,
            strings{"warning: sm_86: compiled for compute capability 7.0, the highest of the chips here"});
  EXPECT_EQ(parse_nvcc({"-arch=all", "a.cu"}).capabilities, (capabilities{13, 20, 70}));
  // Which of the chips here will run the program is not known: code that only one of them has is no error.
  EXPECT_EQ(parse_nvcc({"-arch=native", "a.cu"}).capabilities, capabilities{70});
  EXPECT_EQ(parse_nvcc({"-arch=native", "a.cu"}).companions, (capabilities{13, 20}));
  EXPECT_EQ(parse_nvcc({"a.cu"}).capabilities, capabilities{13});
  EXPECT_EQ(parse_nvcc({"a.cu"}).companions, (capabilities{20, 70}));
}

TEST(nvcc_options, options_of_build_systems_are_taken) {
  const nvcc_options o =
      parse_nvcc({"-forward-unknown-to-host-compiler", "-fvisibility=hidden", "-fPIC", "-isystem=/a", "-MD", "-MT",
                  "a.o", "-MF", "a.d", "-Xcompiler=\"-O2\",\"-g\"", "-x", "cu", "-rdc=true", "-c", "a.cu"});
  EXPECT_EQ(o.host, (strings{"-fvisibility=hidden", "-fPIC", "-O2", "-g"}));
  EXPECT_EQ(o.preprocessor, (strings{"-isystem", "/a"}));
  EXPECT_EQ(o.dependencies, (strings{"-MD", "-MT", "a.o", "-MF", "a.d"}));
  EXPECT_TRUE(o.write_dependencies);
  EXPECT_TRUE(o.relocatable);
  EXPECT_TRUE(parse_nvcc({"-dc", "a.cu"}).relocatable);
  EXPECT_EQ(parse_nvcc({"-M", "a.cu"}).wanted, nvcc_options::product::dependencies);
  EXPECT_EQ(parse_nvcc({"-dlink", "a.o"}).wanted, nvcc_options::product::device_link);
  EXPECT_EQ(parse_nvcc({"--default-stream", "per-thread", "a.cu"}).preprocessor,
            strings{"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
}

TEST(nvcc_options, products) {
  using product = nvcc_options::product;
  EXPECT_EQ(parse_nvcc({"-c", "a.cu"}).wanted, product::object);
  EXPECT_EQ(parse_nvcc({"-ptx", "a.cu"}).wanted, product::ptx);
  EXPECT_EQ(parse_nvcc({"--cubin", "a.cu"}).wanted, product::cubin);
  EXPECT_EQ(parse_nvcc({"-fatbin", "a.cu"}).wanted, product::fatbin);
  EXPECT_TRUE(parse_nvcc({"-x", "cu", "a.c"}).all_are_cuda);
}

TEST(nvcc_options, refusals_name_the_option) {
  EXPECT_EQ(refusal({"-frobnicate", "a.cu"}), "nvcc: unknown option '-frobnicate'");
  EXPECT_NE(refusal({"-m32", "a.cu"}).find("-m32"), std::string::npos);
  EXPECT_NE(refusal({"--default-stream=mine", "a.cu"}).find("--default-stream mine"), std::string::npos);
  EXPECT_NE(refusal({"@/no/such/file"}).find("/no/such/file"), std::string::npos);
  EXPECT_NE(refusal({"-arch=gfx900", "a.cu"}).find("gfx900"), std::string::npos);
  EXPECT_EQ(refusal({"a.cu", "-o"}), "nvcc: -o lacks its value");
  EXPECT_EQ(refusal({"-c"}), "nvcc: no input files");
}

TEST(nvcc_options, what_means_nothing_here_is_taken) {
  EXPECT_EQ(refusal({"-keep", "-Xopencc", "-OPT:x", "-prec-div=false", "--cudart=static", "-lineinfo", "a.cu"}),
            "");
  EXPECT_EQ(refusal({"--expt-relaxed-constexpr", "--extended-lambda", "-Xcudafe", "--diag_suppress=1", "-Wreorder",
                     "-Werror", "all-warnings", "-diag-suppress", "177", "-Wno-deprecated-gpu-targets", "-t", "4",
                     "a.cu"}),
            "");
}

}  // namespace
}  // namespace gt200::cuda
