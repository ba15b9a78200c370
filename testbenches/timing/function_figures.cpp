// Functions of CUDA's mathematical library that are a few instructions: Wong's table of functions, quoted from
// memory. 10 % of tolerance: how the compiler put their instructions in order is not known.
#include "testbenches/timing/function_figures.h"

#include "testbenches/timing/microbenchmark.h"

namespace gt200::timing {
namespace {

using config::gpu_config;
using validation::figure;
using validation::relation;

constexpr unsigned full_block = 512;  // threads of the throughput runs (Wong)

const char* const setup = "  mov b32 $r6 0x3f800000\n  mov b32 $r7 0x3f800001\n";
const char* const double_setup =
    "  mov b32 $r6 0x0\n  mov b32 $r7 0x3ff00000\n  mov b32 $r8 0x0\n  mov b32 $r9 0x3ff00000\n";

struct function {
  const char* name;
  const char* text;
  std::vector<std::string> body;
  double latency;     // shader cycles
  double throughput;  // operations per shader cycle; 0 for either: none to compare with
  const char* setup;
};

// $r6 = f($r6). The instructions are those that CUDA's headers give the fast functions.
std::vector<function> functions() {
  const std::string scale = "mul rn f32 $r6 $r6 $r7";
  return {
      {"cos", "cosine with its pre-operation", {"presin f32 $r6 $r6", "cos f32 $r6 $r6"}, 48, 2.0, setup},
      {"natural_logarithm", "logarithm and multiplication", {"lg2 f32 $r6 $r6", scale}, 52, 2.0, setup},
      {"natural_exponential",
       "multiplication, pre-operation and exponential",
       {scale, "preex2 f32 $r6 $r6", "ex2 f32 $r6 $r6"},
       72,
       2.0,
       setup},
      {"fast_division", "__fdividef: reciprocal and multiplication", {"rcp f32 $r6 $r6", scale}, 52, 1.9, setup},
      // The published 2.0 per cycle would be twice the rate of the SFUs.
      {"square_root",
       "reciprocal of the reciprocal square root",
       {"rsqrt f32 $r6 $r6", "rcp f32 $r6 $r6"},
       56,
       0,
       setup},
      // The cosine first: the reciprocal waits for it.
      {"tangent",
       "sine by cosine",
       {"presin f32 $r8 $r6", "cos f32 $r9 $r8", "sin f32 $r8 $r8", "rcp f32 $r9 $r9", "mul rn f32 $r6 $r8 $r9"},
       98,
       0.67,
       setup},
      {"double_multiply", "fp64 multiply", {"mul rn f64 $r6d $r6d $r8d"}, 48, 1.0, double_setup},
      {"double_multiply_add", "fp64 multiply-add", {"fma rn f64 $r6d $r6d $r8d $r6d"}, 48, 1.0, double_setup},
  };
}

figure figure_of(const function& f, const std::string& what, double published, double tolerance,
                 std::function<double(const gpu_config&)> measure) {
  figure result;
  result.id = std::string(f.name) + "_" + what;
  result.what =
      std::string(f.text) + (what == "latency" ? ": latency, shader cycles" : ": operations per shader cycle");
  result.published_value = published;
  result.tolerance = tolerance;
  result.source = "Wong et al., ISPASS 2010, table of functions (quoted from memory)";
  result.measure = std::move(measure);
  return result;
}

}  // namespace

void add_functions(std::vector<figure>& to) {
  for (const function& f : functions()) {
    // 64 repetitions stay in the L1 instruction cache.
    const sequence chain{f.setup, f.body, 64};
    if (f.latency != 0)
      to.push_back(figure_of(f, "latency", f.latency, 0.1 * f.latency,
                             [chain](const gpu_config& c) { return latency(c, chain); }));
    if (f.throughput != 0)
      to.push_back(figure_of(f, "throughput", f.throughput, 0.1 * f.throughput,
                             [chain](const gpu_config& c) { return throughput(c, chain, full_block); }));
  }
}

}  // namespace gt200::timing
