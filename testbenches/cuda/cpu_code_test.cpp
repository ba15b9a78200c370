// What becomes of LLVM code of the device for the host's processor.
#include "cuda/nvcc/cpu_code.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

cubin::module with_kernel(const std::string& name, const std::vector<cubin::parameter>& parameters) {
  cubin::module module;
  cubin::kernel kernel;
  kernel.name = name;
  kernel.parameters = parameters;
  module.kernels.push_back(kernel);
  return module;
}

std::string edited(const std::string& code, const cubin::module& module = {}, bool exact = false) {
  return with_entries(code, "a.cu", module, exact);
}

std::string refusal(const std::string& code, const cubin::module& module) {
  try {
    edited(code, module);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(cpu_code, a_kernel_gets_an_entry_that_loads_its_parameters) {
  const std::string code = edited("define void @_Z1kPif(ptr nocapture noundef %p, float noundef %x) #0 {\n",
                                  with_kernel("_Z1kPif", {{0, 8}, {8, 4}}));
  EXPECT_NE(code.find("define void @\"gt200_cpu_call._Z1kPif\"(ptr %parameters) {\n"
                      "  %at0 = getelementptr i8, ptr %parameters, i64 0\n"
                      "  %v0 = load ptr, ptr %at0, align 1\n"
                      "  %at1 = getelementptr i8, ptr %parameters, i64 8\n"
                      "  %v1 = load float, ptr %at1, align 1\n"
                      "  call void @\"_Z1kPif\"(ptr nocapture noundef %v0, float noundef %v1)\n"
                      "  ret void\n}\n"),
            std::string::npos)
      << code;
}

TEST(cpu_code, a_struct_goes_in_two_registers_or_as_a_copy) {
  const std::string code = edited(
      "define void @k(<2 x float> %s.coerce0, float %s.coerce1, ptr noundef byval(%struct.big) align 8 %b) {\n",
      with_kernel("k", {{0, 12}, {16, 36}}));
  EXPECT_NE(code.find("%at1 = getelementptr i8, ptr %parameters, i64 8\n"), std::string::npos) << code;
  EXPECT_NE(code.find("%at2 = getelementptr i8, ptr %parameters, i64 16\n"), std::string::npos) << code;
  EXPECT_NE(code.find("(<2 x float> %v0, float %v1, ptr noundef byval(%struct.big) align 8 %at2)"),
            std::string::npos)
      << code;
}

TEST(cpu_code, parameters_that_do_not_fit_those_of_the_chip_are_refused) {
  EXPECT_NE(refusal("define void @k(i32 %a) {\n", with_kernel("k", {{0, 4}, {4, 4}})).find("kernel 'k'"),
            std::string::npos);
  EXPECT_NE(refusal("define void @k(i32 %a, i32 %b) {\n", with_kernel("k", {{0, 4}})).find("kernel 'k'"),
            std::string::npos);
}

TEST(cpu_code, other_functions_get_no_entry) {
  EXPECT_EQ(edited("define void @f(i32 %a) {\n", with_kernel("k", {})).find("gt200_cpu_call"), std::string::npos);
}

TEST(cpu_code, quotients_of_floats_become_those_of_the_chip) {
  EXPECT_EQ(edited("  %q = fdiv float %a, %b, !fpmath !5\n"),
            "  %q = call float @gt200_cpu_quotient(float %a, float %b)\n");
  EXPECT_EQ(edited("  %q = fdiv fast float 1.000000e+00, %b\n"),
            "  %q = call float @gt200_cpu_quotient(float 1.000000e+00, float %b)\n");
  const std::string of_doubles = "  %q = fdiv double %a, %b\n";
  EXPECT_EQ(edited(of_doubles), of_doubles);
  const std::string exact = "  %q = fdiv float %a, %b\n";
  EXPECT_EQ(edited(exact, {}, true), exact);
}

TEST(cpu_code, dynamic_shared_memory_is_one_array) {
  const std::string code = edited(
      "@s = external thread_local local_unnamed_addr global [0 x float], align 4\n"
      "@t = external thread_local global [0 x i32], align 4\n");
  EXPECT_NE(code.find("@s = internal thread_local alias i8, ptr @gt200_cpu_shared\n"), std::string::npos) << code;
  EXPECT_NE(code.find("@t = internal thread_local alias i8, ptr @gt200_cpu_shared\n"), std::string::npos) << code;
  EXPECT_NE(code.find("@gt200_cpu_shared = internal thread_local global ["), std::string::npos) << code;
}

TEST(cpu_code, what_the_device_has_of_its_own_is_seen_from_outside) {
  cubin::module module;
  module.globals.push_back({"_ZL6hidden", 4, 4, {}});
  EXPECT_EQ(edited("@_ZL6hidden = internal unnamed_addr global i32 4, align 4\n", module),
            "@_ZL6hidden = unnamed_addr global i32 4, align 4\n");
  const std::string text = "@.str = internal constant [2 x i8] c\"a\\00\"\n";
  EXPECT_EQ(edited(text, module), text);
}

TEST(cpu_code, threads_of_a_warp_meet_at_volatile_accesses_of_common_memory) {
  EXPECT_EQ(edited("  %0 = load volatile i32, ptr %p, align 4\n"),
            "  call void @_ZL18gt200_cpu_volatilev()\n  %0 = load volatile i32, ptr %p, align 4\n");
  EXPECT_EQ(edited("  store volatile float %x, ptr @s, align 4\n"),
            "  call void @_ZL18gt200_cpu_volatilev()\n  store volatile float %x, ptr @s, align 4\n");
  const std::string own = "  %x = alloca i32, align 4\n  store volatile i32 1, ptr %x, align 4\n";
  EXPECT_EQ(edited(own), own);
}

TEST(cpu_code, assembly_of_the_chip_is_refused) {
  EXPECT_NE(refusal("  %1 = tail call i32 asm \"mov.u32 $0, %laneid;\", \"=r\"()\n", {}).find("a.cu"),
            std::string::npos);
}

}  // namespace
}  // namespace gt200::cuda
