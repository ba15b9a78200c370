# GT200_PROCESSOR=host: compiles for x86-64-v3 (AVX2 and bit manipulation; processors since 2013) if this machine has it.
# Rows of 32 lanes then take four instructions instead of eight, and a mask's next bit takes one. Results are the same bytes
# on every processor: nothing is contracted or reassociated (-ffp-contract=off in gt200.cmake). Packages for other machines
# are built with GT200_PROCESSOR=any; the description of a package says for which processors it is.
if(NOT PROJECT_IS_TOP_LEVEL OR NOT GT200_PROCESSOR STREQUAL "host" OR CMAKE_CROSSCOMPILING)
  return()
endif()
include(CheckCXXSourceRuns)
check_cxx_source_runs("
  int main() {
    return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"bmi\") && __builtin_cpu_supports(\"bmi2\") &&
           __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"popcnt\") ? 0 : 1;
  }" GT200_HOST_IS_X86_64_V3)
if(GT200_HOST_IS_X86_64_V3)
  add_compile_options(-march=x86-64-v3 -ffp-contract=off)
  # apps/processor.cpp says so on another processor.
  set(GT200_BASELINE_OPTIONS -march=x86-64 -DGT200_COMPILED_FOR_X86_64_V3)
endif()
