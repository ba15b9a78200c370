// PTX and CUDA C below kernels/, compiled without and with optimisation, give the results that the kernel's launch
// description expects.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/host_table.h"
#include "toolchain/assembler/code_walk.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/compile.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/isa/volta/lint.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

namespace fs = std::filesystem;

fs::path folder(const std::string& kernel) { return fs::path(GT200_SOURCE_DIR) / "kernels" / kernel; }

struct workload {
  std::string kernel;       // folder
  std::string source;       // "bfs.ptx", "bfs.cu", ...
  std::string description;  // "launch.toml", ...
};

void PrintTo(const workload& work, std::ostream* out) { *out << work.source << " " << work.description; }

// Every source in PTX and CUDA C with every launch description beside it.
// Some descriptions are for machine code of Tesla of another name, which has no relative in CUDA C or PTX.
bool has_own_code(const fs::path& description, const std::string& kernel) {
  const std::string text = cubin::read_file(description.string());
  const std::string key = "\nsource = \"";
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return false;
  const std::size_t first = at + key.size();
  return fs::path(text.substr(first, text.find('"', first) - first)).stem() != kernel;
}

std::vector<workload> workloads() {
  std::vector<workload> found;
  for (const auto& entry : fs::directory_iterator(fs::path(GT200_SOURCE_DIR) / "kernels")) {
    const std::string kernel = entry.path().filename().string();
    for (const char* extension : {".ptx", ".cu"}) {
      if (!fs::exists(entry.path() / (kernel + extension))) continue;
      for (const auto& file : fs::directory_iterator(entry.path())) {
        // Each version of the reduction alone needs millions of numbers; all.toml runs them all.
        const bool is_long = kernel == "reduction" && file.path().stem() != "all";
        if (file.path().extension() == ".toml" && !is_long && !has_own_code(file.path(), kernel))
          found.push_back({kernel, kernel + extension, file.path().filename().string()});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const workload& a, const workload& b) {
    return std::tie(a.source, a.description) < std::tie(b.source, b.description);
  });
  return found;
}

// A way to compile.
struct way {
  const char* name;
  bool optimise;
  unsigned capability;
};
constexpr way ways[] = {{"O0", false, 13},         {"O2", true, 13},         {"O2_for_1_0", true, 10},
                        {"O0_for_2_0", false, 20}, {"O2_for_2_0", true, 20}, {"O0_for_7_0", false, 70},
                        {"O2_for_7_0", true, 70}};

void PrintTo(const way& w, std::ostream* out) { *out << w.name; }

bool needs_atomics(const cubin::module& module) {
  bool found = false;
  for (const cubin::kernel& k : module.kernels)
    assembler::walk_code(k.code, [&](const assembler::code_step& step) {
      const isa::tesla::instruction i = step.instruction.value();
      found = found || i.lock || i.op == isa::tesla::opcode::red_global || i.op == isa::tesla::opcode::atom_global;
    });
  return found;
}

class compiled_kernel : public testing::TestWithParam<std::tuple<workload, way>> {};

TEST_P(compiled_kernel, computes_what_its_launch_description_expects) {
  const auto& [work, how] = GetParam();
  const std::string source = (folder(work.kernel) / work.source).string();
  if (cuda::is_cuda(source) && !cuda::clang_available()) GTEST_SKIP() << "there is no clang";
  compile_options options;
  options.optimise = how.optimise;
  options.capability = how.capability;
  const cubin::module module =
      cuda::is_cuda(source) ? cuda::compile(source, options) : compile(cubin::read_file(source), source, options);
  // Some features of the language have only such instructions; the rest must be of the requested capability.
  const bool is_tesla = how.capability < 20;
  const bool doubles = work.kernel == "daxpy" || work.kernel == "dmatmul" || work.kernel == "nbody";
  if (is_tesla && !doubles && !needs_atomics(module)) {
    EXPECT_LE(module.capability, how.capability);
  }
  // The hardware checks no hazard: the control codes have to keep all of them.
  if (how.capability == 70)
    for (const cubin::kernel& k : module.kernels)
      for (const isa::volta::lint_finding& finding : isa::volta::lint(k.code))
        ADD_FAILURE() << k.name << " at " << finding.at << ": " << finding.reason;
  launch::overrides small;
  if (work.kernel == "transpose") small.parameters = {{"N", 64}};
  const launch::description description = launch::load((folder(work.kernel) / work.description).string(), small);
  const launch::host_table hosts = kernels::host_table();
  launch::device_allocator allocator;
  const launch::prepared prepared =
      launch::prepare(description, module, hosts, allocator, is_tesla ? launch::max_threads_per_block : 1024);
  emulator::run_options run;
  run.initial_state_seed = 3;
  emulator::functional_device device(prepared, run);
  const launch::device interface = device.interface();
  launch::upload(prepared, interface);
  launch::execute(prepared, interface);
  const launch::check_result result = launch::check(prepared, hosts, interface);
  EXPECT_TRUE(result.passed) << result.message;
  EXPECT_GT(result.checks, 0u);
}

INSTANTIATE_TEST_SUITE_P(kernels, compiled_kernel,
                         testing::Combine(testing::ValuesIn(workloads()), testing::ValuesIn(ways)),
                         [](const auto& test) {
                           const workload& work = std::get<0>(test.param);
                           std::string name = work.source;
                           if (work.description != "launch.toml")
                             name += "_" + fs::path(work.description).stem().string();
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name + "_" + std::get<1>(test.param).name;
                         });

TEST(optimisation, makes_the_inner_loop_of_madloop_one_instruction_per_multiply_add) {
  const std::string source = (folder("madloop") / "madloop.ptx").string();
  const cubin::module module = compile(cubin::read_file(source), source);
  ASSERT_EQ(module.kernels.size(), 1u);
  // 32 multiply-adds of 8 bytes, and no more than 24 other instructions.
  EXPECT_LE(module.kernels[0].code.size(), 2u * (32 + 24));
  EXPECT_LE(module.kernels[0].registers, 12u);
  EXPECT_FALSE(module.kernels[0].lines.empty());
}

// The code between the first and the last instruction of a kind.
std::vector<isa::tesla::instruction> between(const cubin::kernel& kernel, isa::tesla::opcode kind) {
  std::vector<isa::tesla::instruction> code;
  std::size_t last = 0;
  assembler::walk_code(kernel.code, [&](const assembler::code_step& step) {
    const isa::tesla::instruction i = step.instruction.value();
    if (code.empty() && i.op != kind) return;
    code.push_back(i);
    if (i.op == kind) last = code.size();
  });
  code.resize(last);
  return code;
}

TEST(line_table, names_lines_of_the_cuda_source_not_of_the_header) {
  if (!cuda::clang_available()) GTEST_SKIP() << "there is no clang";
  const std::string source = (folder("vector_add") / "vector_add.cu").string();
  const std::string text = cubin::read_file(source);
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  const cubin::module module = cuda::compile(source);
  ASSERT_FALSE(module.kernels.at(0).lines.empty());
  for (const cubin::source_line& l : module.kernels[0].lines) EXPECT_LE(l.line, lines);
}

TEST(optimisation, makes_the_inner_loop_of_the_tiled_matrix_product_of_loads_and_multiply_adds) {
  if (!cuda::clang_available()) GTEST_SKIP() << "there is no clang";
  const cubin::module module = cuda::compile((folder("matrix_mul") / "matrix_mul.cu").string());
  const auto kernel = std::find_if(module.kernels.begin(), module.kernels.end(),
                                   [](const cubin::kernel& k) { return k.name == "matrixMul_bs16_32bit"; });
  ASSERT_NE(kernel, module.kernels.end());
  // One tile: from barrier to barrier, each multiply-add with an operand in shared memory.
  const std::vector<isa::tesla::instruction> tile = between(*kernel, isa::tesla::opcode::bar);
  EXPECT_EQ(tile.size(), 2u + 2 * 16);
  EXPECT_EQ(std::count_if(tile.begin(), tile.end(),
                          [](const isa::tesla::instruction& i) {
                            return i.op == isa::tesla::opcode::fmad && i.reads_shared;
                          }),
            16);
  EXPECT_LE(kernel->registers, 14u);
}

TEST(optimisation, leaves_no_moves_in_the_inner_loop_of_nbody) {
  const std::string source = (folder("nbody") / "nbody.ptx").string();
  const cubin::module module = compile(cubin::read_file(source), source);
  const std::vector<isa::tesla::instruction> tile = between(module.kernels.at(0), isa::tesla::opcode::bar);
  // The counter begins at 0, and the address where it was set before all tiles; one address register serves the
  // four words of a body.
  EXPECT_EQ(std::count_if(tile.begin(), tile.end(),
                          [](const isa::tesla::instruction& i) { return i.op == isa::tesla::opcode::mov; }),
            1);
  EXPECT_EQ(std::count_if(tile.begin(), tile.end(),
                          [](const isa::tesla::instruction& i) { return i.op == isa::tesla::opcode::shl_to_a; }),
            1);
}

std::vector<isa::tesla::instruction> instructions_of(const cubin::kernel& kernel) {
  std::vector<isa::tesla::instruction> code;
  assembler::walk_code(kernel.code,
                       [&](const assembler::code_step& step) { code.push_back(step.instruction.value()); });
  return code;
}

cubin::kernel compiled(const std::string& declarations, const std::string& body) {
  const std::string text =
      ".version 1.4\n.target sm_13\n.entry k (.param .u64 in, .param .u64 out)\n{\n" + declarations +
      ".reg .u64 %in, %out;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n" + body + "exit;\n}\n";
  return compile(text, "k.ptx").kernels.at(0);
}

TEST(scheduling, issues_loads_before_the_first_result_is_needed) {
  std::string body = "mov.f32 %s, 0f00000000;\n";
  for (const char* at : {"0", "4", "8", "12"})
    body += std::string("ld.global.f32 %f, [%in+") + at + "];\nadd.rn.f32 %s, %s, %f;\n";
  const cubin::kernel kernel = compiled(".reg .f32 %f, %s;\n", body + "st.global.f32 [%out], %s;\n");
  const std::vector<isa::tesla::instruction> code = instructions_of(kernel);
  const auto sum =
      std::find_if(code.begin(), code.end(), [](const auto& i) { return i.op == isa::tesla::opcode::fadd; });
  EXPECT_EQ(std::count_if(code.begin(), sum, [](const auto& i) { return i.op == isa::tesla::opcode::ld_global; }),
            4);
  EXPECT_LE(kernel.registers, 16u);
}

TEST(scheduling, keeps_loads_after_stores_that_may_alias) {
  const auto order = [](const std::string& load) {
    const cubin::kernel kernel =
        compiled(".reg .u32 %a, %b, %t, %w;\n.shared .b32 table[64];\n.local .b32 own[4];\n",
                 "ld.global.u32 %a, [%in];\nmov.u32 %t, table;\nadd.u32 %t, %t, %a;\nst.shared.u32 [%t+4], %a;\n" +
                     load + ";\nst.global.u32 [%out], %w;\nst.global.u32 [%out+4], %w;\n");
    std::string text;
    for (const isa::tesla::instruction& i : instructions_of(kernel)) {
      const bool reads_table = i.reads_shared && i.source[0].address_register != 0;
      text += i.op == isa::tesla::opcode::st_shared                 ? "s"
              : reads_table || i.op == isa::tesla::opcode::ld_local ? "l"
                                                                    : "";
    }
    return text;
  };
  EXPECT_EQ(order("ld.shared.u32 %w, [%t+4]"), "sl");
  EXPECT_EQ(order("ld.shared.u32 %w, [%t+6]"), "sl");
  // Another thread of the warp may have stored this word: its %t differs.
  EXPECT_EQ(order("ld.shared.u32 %w, [%t+8]"), "sl");
  EXPECT_EQ(order("ld.local.u32 %w, [own]"), "ls");
}

// A product of two words is made of products of halves. Those of a parameter are read from s[], so no register
// holds it.
TEST(optimisation, reads_halves_of_parameters_from_shared_memory) {
  const std::string text =
      ".version 1.4\n.target sm_13\n.entry k (.param .u64 out, .param .u32 factor)\n{\n.reg .u64 %out;\n"
      ".reg .u32 %t, %f;\nld.param.u64 %out, [out];\nld.param.u32 %f, [factor];\nld.global.u32 %t, [%out];\n"
      "mul.lo.u32 %t, %t, %f;\nst.global.u32 [%out], %t;\nexit;\n}\n";
  const std::vector<isa::tesla::instruction> code = instructions_of(compile(text, "k.ptx").kernels.at(0));
  const auto is_product = [](const isa::tesla::instruction& i) {
    return i.op == isa::tesla::opcode::mul || i.op == isa::tesla::opcode::mad;
  };
  EXPECT_EQ(std::count_if(code.begin(), code.end(), is_product), 3);
  for (const isa::tesla::instruction& i : code) {
    EXPECT_EQ(i.reads_shared, is_product(i) || i.op == isa::tesla::opcode::mov);
  }
  // The pointer.
  EXPECT_EQ(std::count_if(code.begin(), code.end(),
                          [](const isa::tesla::instruction& i) { return i.op == isa::tesla::opcode::mov; }),
            1);
}

struct control_instructions {
  std::ptrdiff_t prebreaks, breaks, joinats, joins;
  friend bool operator==(const control_instructions& a, const control_instructions& b) {
    return a.prebreaks == b.prebreaks && a.breaks == b.breaks && a.joinats == b.joinats && a.joins == b.joins;
  }
};

control_instructions control_of(const std::string& body) {
  const std::vector<isa::tesla::instruction> code =
      instructions_of(compiled(".reg .u32 %a, %k;\n.reg .pred %p;\n",
                               "mov.u32 %a, %tid.x;\nmov.u32 %k, 0;\n" + body + "st.global.u32 [%out], %k;\n"));
  const auto count = [&](isa::tesla::opcode op) {
    return std::count_if(code.begin(), code.end(), [&](const auto& i) { return i.op == op; });
  };
  return {count(isa::tesla::opcode::prebrk), count(isa::tesla::opcode::brk), count(isa::tesla::opcode::joinat),
          std::count_if(code.begin(), code.end(), [](const auto& i) { return i.join; })};
}

TEST(joins, of_a_loop_that_threads_leave_in_its_middle_are_breaks) {
  EXPECT_EQ(control_of("LOOP:\nshr.u32 %a, %a, 1;\nsetp.eq.u32 %p, %a, 0;\n@%p bra OUT;\nadd.u32 %k, %k, %a;\n"
                       "setp.lt.u32 %p, %k, 1000;\n@%p bra LOOP;\nOUT:\n"),
            (control_instructions{1, 2, 0, 0}));
}

TEST(joins, of_a_loop_that_threads_leave_at_its_back_edge_are_joins) {
  EXPECT_EQ(control_of("LOOP:\nadd.u32 %k, %k, 1;\nshr.u32 %a, %a, 1;\nsetp.ne.u32 %p, %a, 0;\n@%p bra LOOP;\n"),
            (control_instructions{0, 0, 1, 1}));
}

// 1000 lines of loops, branches, loads and arithmetic on 40 registers.
std::string kernel_of_1000_lines() {
  std::string text =
      ".version 1.4\n.target sm_13\n.entry long (.param .u64 in)\n{\n.reg .u32 %r<40>;\n.reg .f32 %f<40>;\n"
      ".reg .u64 %rd<2>;\n.reg .pred %p<2>;\nld.param.u64 %rd1, [in];\n";
  for (int k = 0; k < 40; ++k) {
    const std::string n = std::to_string(k);
    text += "ld.global.u32 %r" + n + ", [%rd1+" + std::to_string(4 * k) + "];\ncvt.rn.f32.u32 %f" + n + ", %r" + n +
            ";\n";
  }
  for (int k = 0; std::count(text.begin(), text.end(), '\n') < 960; ++k) {
    const auto r = [&](int step) { return std::to_string((k * step + 7) % 40); };
    const std::string label = "L" + std::to_string(k);
    text += label + ":\nmad.lo.u32 %r" + r(3) + ", %r" + r(5) + ", %r" + r(7) + ", %r" + r(11) + ";\nmad.f32 %f" +
            r(3) + ", %f" + r(9) + ", %f" + r(13) + ", %f" + r(17) + ";\nsetp.lt.u32 %p1, %r" + r(19) + ", %r" +
            r(21) + ";\n@%p1 bra N" + label + ";\ndiv.u32 %r" + r(23) + ", %r" + r(1) + ", %r" + r(3) +
            ";\nst.global.f32 [%rd1+" + std::to_string(4 * (k % 40)) + "], %f" + r(27) + ";\nN" + label +
            ":\nsetp.eq.u32 %p1, %r" + r(29) + ", 0;\n@%p1 bra " + label + ";\n";
  }
  for (int k = 0; k < 40; ++k)
    text += "st.global.u32 [%rd1+" + std::to_string(4 * k) + "], %r" + std::to_string(k) + ";\n";
  return text + "exit;\n}\n";
}

TEST(compilation, of_a_kernel_of_1000_lines_takes_less_than_a_second) {
  const std::string source = kernel_of_1000_lines();
  EXPECT_GE(std::count(source.begin(), source.end(), '\n'), 1000);
  const std::clock_t before = std::clock();
  EXPECT_EQ(compile(source, "long.ptx").kernels.size(), 1u);
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 1.0);
}

}  // namespace
}  // namespace gt200::ptx
