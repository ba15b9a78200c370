#include "testbenches/timing/sm_figures.h"

#include <algorithm>
#include <cmath>

#include "testbenches/timing/function_figures.h"
#include "testbenches/timing/microbenchmark.h"

namespace gt200::timing {
namespace {

using config::gpu_config;
using validation::figure;
using validation::figure_set;
using validation::relation;

constexpr unsigned full_block = 512;  // threads of the throughput runs (Wong)

const char* const wong = "Wong et al., ISPASS 2010";
const char* const wong_slides = "Wong et al., ISPASS 2010 (slides)";

// -- sequences --

const char* const float_setup = "  mov b32 $r6 0x3f800000\n  mov b32 $r7 0x3f800001\n";
const char* const integer_setup = "  mov b32 $r6 0x1\n  mov b32 $r7 0x2\n";
const char* const double_setup =
    "  mov b32 $r6 0x0\n  mov b32 $r7 0x3ff00000\n  mov b32 $r8 0x0\n  mov b32 $r9 0x3ff00000\n";

// a = a op b; b = b op a, 256 operations in all, as in Wong's kernels.
sequence pairs(const char* setup, const std::string& op, const std::string& a, const std::string& b) {
  return {setup, {op + " " + a + " " + a + " " + b, op + " " + b + " " + b + " " + a}, 128};
}
// 256 operations of one or more instructions each; fewer if they would not fit into the L1 instruction cache.
sequence chain(const char* setup, const std::vector<std::string>& body) {
  return {setup, body, body.size() > 2 ? 64u : 256u / static_cast<unsigned>(body.size())};
}

sequence float_add() { return pairs(float_setup, "add rn f32", "$r6", "$r7"); }
sequence float_multiply() { return pairs(float_setup, "mul rn f32", "$r6", "$r7"); }
sequence double_add() { return pairs(double_setup, "add rn f64", "$r6d", "$r8d"); }
sequence mad() { return chain(float_setup, {"add f32 $r6 (mul $r6 $r7) $r6"}); }
sequence mad_with_shared_operand() { return chain(float_setup, {"add f32 $r6 (mul b32 s[words] $r7) $r6"}); }
// The lower 32 bits of a product, from 16-bit multiplications.
std::vector<std::string> integer_product() {
  return {"mul $r8 u16 $r6l u16 $r7h", "add $r8 (mul u16 $r6h $r7l) $r8", "shl b32 $r8 $r8 0x10",
          "add $r6 (mul u16 $r6l $r7l) $r8"};
}
sequence integer_multiply() { return chain(integer_setup, integer_product()); }
sequence integer_multiply_add() {
  std::vector<std::string> body = integer_product();
  body.push_back("add b32 $r6 $r6 $r7");
  return chain(integer_setup, body);
}
// Alternates t1 += t1 * t3 and t2 *= t4.
sequence mad_and_multiply() {
  return chain("  mov b32 $r6 0x3f800000\n  mov b32 $r7 0x3f800000\n  mov b32 $r8 0x3f800000\n",
               {"add f32 $r6 (mul $r6 $r7) $r6", "mul rn f32 $r8 $r8 $r7"});
}
sequence barriers() { return chain("", {"bar inc wait 0x0 0xfff"}); }

// A chase through s[] in which every word holds its own address. Thread n starts, and stays, at word n x stride
// modulo 2048.
std::string chase_setup(unsigned stride) {
  return "  shl b32 $r7 $r1 0x2\n  mov b32 $r8 0x2000\n  mov b32 $r9 0x800\n"
         "fill:\n  shl $a1 $r7 0x0\n  st b32 s[$a1+words] $r7\n  add b32 $r7 $r7 $r9\n"
         "  set $c0 # l u32 $r7 $r8\n  (lg $c0) bra fill\n"
         "  mov b32 $r8 " +
         std::to_string(4 * stride) +
         "\n  mul $r6 u16 $r1l u16 $r8l\n  and b32 $r6 $r6 0x1fff\n  shl $a1 $r6 0x0\n";
}
sequence chase_in_one_instruction(unsigned stride) {
  return {chase_setup(stride), {"shl $a1 b32 s[$a1+words] 0x0"}, 256};
}
sequence chase_by_loads(unsigned stride) {
  return {chase_setup(stride), {"ld $r7 b32 s[$a1+words]", "shl $a1 $r7 0x0"}, 64};
}

// switch (thread % ways): a binary tree of regions whose leaves are loops of equal length.
class switch_writer {
 public:
  static sequence write(unsigned ways) {
    switch_writer w;
    w.region(0, ways);
    return {"  mov b32 $r7 " + std::to_string(ways - 1) + "\n  and b32 $r6 $r1 $r7\n", w.body_, 1};
  }

 private:
  void region(unsigned from, unsigned ways) {
    const std::string name = std::to_string(from) + "_" + std::to_string(ways);
    if (ways == 1) return leaf(name);
    const unsigned middle = from + ways / 2;
    emit("joinat meet_" + name);
    emit("mov b32 $r7 " + std::to_string(middle));
    emit("set $c0 # ge u32 $r6 $r7");
    emit("(lg $c0) bra upper_" + name);
    region(from, ways / 2);
    emit("bra meet_" + name);
    body_.push_back("upper_" + name + ":");
    region(middle, ways - ways / 2);
    body_.push_back("meet_" + name + ":");
    emit("join nop");
  }
  void leaf(const std::string& name) {
    emit("mov b32 $r8 256");
    body_.push_back("again_" + name + ":");
    for (unsigned i = 0; i < 4; ++i) emit("add b32 $r9 $r9 $r8");
    emit("sub b32 $r8 $r8 0x1");
    emit("set $c0 # lg u32 $r8 $r124");
    emit("(lg $c0) bra again_" + name);
  }
  void emit(const std::string& line) { body_.push_back(line); }

  std::vector<std::string> body_;
};

// -- measurements --

using measurement = std::function<double(const gpu_config&)>;

measurement latency_of(const sequence& s, double operations = 1) {
  return [=](const gpu_config& c) { return latency(c, s) / operations; };
}
measurement throughput_of(const sequence& s, double operations = 1) {
  return [=](const gpu_config& c) { return operations * throughput(c, s, full_block); };
}
// Instructions per cycle, relative to those of MAD alone.
double instruction_rate_over_mad(const gpu_config& c, const sequence& s) {
  return static_cast<double>(s.body.size()) * throughput(c, s, full_block) / throughput(c, mad(), full_block);
}
double warps_that_fill_the_sps(const gpu_config& c) {
  const double most = throughput(c, float_add(), full_block);
  for (unsigned warps = 1;; ++warps)
    if (throughput(c, float_add(), 32 * warps) >= 0.99 * most) return warps;
}
// Cycles of 64 additional hops, which excludes the start and the end of the block.
double cycles_of_hops(const gpu_config& c, unsigned stride) {
  sequence s = chase_by_loads(stride);
  const double once = cycles_per_operation(c, s, full_block) * s.operations;
  s.operations *= 2;
  return cycles_per_operation(c, s, full_block) * s.operations - once;
}
measurement conflict_slowdown(unsigned stride) {
  return [=](const gpu_config& c) { return cycles_of_hops(c, stride) / cycles_of_hops(c, 1); };
}
// The largest difference in cycles of the whole run.
double odd_strides_from_stride_one(const gpu_config& c) {
  const auto cycles = [&](unsigned stride) {
    const sequence s = chase_by_loads(stride);
    return cycles_per_operation(c, s, full_block) * s.operations;
  };
  const double one = cycles(1);
  double worst = 0;
  for (unsigned stride = 3; stride < 32; stride += 2) worst = std::max(worst, std::abs(cycles(stride) - one));
  return worst;
}
measurement divergence_slowdown(unsigned ways) {
  return [=](const gpu_config& c) {
    return cycles_per_operation(c, switch_writer::write(ways), 32) /
           cycles_per_operation(c, switch_writer::write(1), 32);
  };
}

// -- figures --

std::string id_with(const char* text, unsigned number) { return text + std::to_string(number); }

void add_arithmetic(std::vector<figure>& to) {
  const sequence integer_add = pairs(integer_setup, "add b32", "$r6", "$r7");
  const sequence rsqrt = chain(float_setup, {"rsqrt f32 $r6 $r6"});
  const sequence lg2 = chain(float_setup, {"lg2 f32 $r6 $r6"});
  const sequence sine = chain(float_setup, {"presin f32 $r6 $r6", "sin f32 $r6 $r6"});
  const sequence exponential = chain(float_setup, {"preex2 f32 $r6 $r6", "ex2 f32 $r6 $r6"});
  // Latencies were published as whole cycles.
  const struct {
    const char* name;
    const char* text;
    sequence what;
    double operations;  // of one repetition
    double latency, latency_tolerance;
    double throughput, throughput_tolerance;
    const char* source;
  } rows[] = {
      {"integer_add", "32-bit integer add", integer_add, 2, 24, 0.5, 7.9, 0.01 * 7.9, wong_slides},
      {"float_add", "fp32 add", float_add(), 2, 24, 0.5, 7.9, 0.01 * 7.9, wong_slides},
      {"mad", "fp32 multiply-add", mad(), 1, 24, 0.5, 7.9, 0.01 * 7.9, wong},
      {"float_multiply", "fp32 multiply, on SP and SFU", float_multiply(), 2, 24, 0.5, 11.2, 0.05 * 11.2, wong},
      {"rsqrt", "reciprocal square root", rsqrt, 1, 28, 0.5, 2.0, 0.02, wong_slides},
      {"lg2", "base-2 logarithm", lg2, 1, 28, 0.5, 2.0, 0.02, wong_slides},
      {"sin", "sine with its pre-operation", sine, 1, 48, 4, 2.0, 0.04, wong},
      {"ex2", "base-2 exponential with its pre-operation", exponential, 1, 48, 4, 2.0, 0.04, wong},
      {"double_add", "fp64 add", double_add(), 2, 48, 0.5, 1.0, 0.01, wong_slides},
      {"integer_multiply", "32-bit integer multiply, four instructions", integer_multiply(), 1, 96, 0.5, 2.0, 0.04,
       wong_slides},
      {"integer_multiply_add", "32-bit integer multiply-add, five instructions", integer_multiply_add(), 1, 120,
       0.5, 1.4, 0.15 * 1.4, wong},
  };
  for (const auto& row : rows) {
    figure f;
    f.source = row.source;
    f.id = std::string(row.name) + "_latency";
    f.what = std::string(row.text) + ": latency, shader cycles";
    f.published_value = row.latency;
    f.tolerance = row.latency_tolerance;
    f.measure = latency_of(row.what, row.operations);
    to.push_back(f);
    f.id = std::string(row.name) + "_throughput";
    f.what = std::string(row.text) + ": operations per shader cycle";
    f.published_value = row.throughput;
    f.tolerance = row.throughput_tolerance;
    f.measure = throughput_of(row.what, row.operations);
    to.push_back(f);
  }
}

// No single SFU rate gives both Wong's multiply rate (interval 10) and NVIDIA's share of the peak (interval 4).
void add_dual_issue(std::vector<figure>& to) {
  const auto flop_ratio = [](const gpu_config& c) {
    return 0.75 * instruction_rate_over_mad(c, mad_and_multiply());  // 3 FLOP in two instructions, not 4
  };
  const char* const nvidia = "NVIDIA, quoted by arstechnica: 93-94 % of the peak of both pipes";
  const std::vector<std::string> fast_multiply = {"tpc.sm.sfu.multiply_interval_cycles=4"};
  to.push_back({"mad_and_multiply_instructions",
                "MAD and MUL in turn: instructions per cycle, of those of MAD alone",
                1.3,
                0,
                relation::at_least,
                nvidia,
                {},
                [](const gpu_config& c) { return instruction_rate_over_mad(c, mad_and_multiply()); }});
  to.push_back({"mad_and_multiply_flop",
                "MAD and MUL in turn: FLOP per cycle, of those of MAD alone",
                1.40,
                0,
                relation::reported,
                nvidia,
                {},
                flop_ratio});
  to.push_back({"mad_and_multiply_flop_at_interval_4", "the same with an SFU multiply interval of 4", 1.40, 0,
                relation::reported, nvidia, fast_multiply, flop_ratio});
  to.push_back({"float_multiply_throughput_at_interval_4",
                "fp32 multiply: operations per shader cycle with an SFU multiply interval of 4", 11.2, 0,
                relation::reported, wong, fast_multiply, throughput_of(float_multiply(), 2)});
}

void add_occupancy_and_barriers(std::vector<figure>& to) {
  to.push_back({"warps_that_fill_the_sps",
                "warps of dependent fp32 adds that reach 99 % of the full rate",
                6,
                0,
                relation::within,
                wong,
                {},
                warps_that_fill_the_sps});
  to.push_back({"barrier_1_warp",
                "consecutive barriers of 1 warp: shader cycles each",
                20,
                0.5,
                relation::within,
                wong,
                {},
                [](const gpu_config& c) { return cycles_per_operation(c, barriers(), 32); }});
  to.push_back({"barrier_16_warps",
                "consecutive barriers of 16 warps: shader cycles each",
                78,
                2,
                relation::within,
                wong,
                {},
                [](const gpu_config& c) {
                  const auto windows = run(c, barriers(), full_block);
                  return static_cast<double>(windows[0].end - windows[0].begin) / barriers().operations;
                }});
}

void add_shared_memory(std::vector<figure>& to) {
  to.push_back({"shared_latency",
                "chase through s[] in one instruction: shader cycles per hop",
                38,
                1,
                relation::within,
                wong,
                {},
                latency_of(chase_in_one_instruction(1))});
  for (unsigned stride = 2; stride <= 16; stride *= 2)
    to.push_back({id_with("shared_stride_", stride),
                  "dependent loads at this stride of words, 512 threads: time, of stride 1",
                  static_cast<double>(stride),
                  0.01 * stride,
                  relation::within,
                  "CUDA C Programming Guide 4.2: conflicts of degree gcd(stride, 16)",
                  {},
                  conflict_slowdown(stride)});
  to.push_back({"shared_odd_strides",
                "loads at odd strides 3..31: largest difference from stride 1 in cycles",
                0,
                0,
                relation::within,
                "CUDA C Programming Guide 4.2: no conflicts",
                {},
                odd_strides_from_stride_one});
  to.push_back({"mad_with_shared_operand",
                "MAD with an s[] operand: rate, of MAD with registers",
                0.66,
                0.03,
                relation::within,
                "Volkov and Demmel, SC 2008",
                {},
                [](const gpu_config& c) {
                  return throughput(c, mad_with_shared_operand(), full_block) / throughput(c, mad(), full_block);
                }});
}

void add_divergence(std::vector<figure>& to) {
  for (unsigned ways = 2; ways <= 32; ways *= 2)
    to.push_back({id_with("divergence_ways_", ways),
                  "switch over this many paths of equal length: time, of one path",
                  static_cast<double>(ways),
                  0.02 * ways,
                  relation::within,
                  "Wong et al., ISPASS 2010: diverged paths run one after the other",
                  {},
                  divergence_slowdown(ways)});
}

}  // namespace

figure_set sm_figures() {
  figure_set set;
  set.name = "sm";
  set.title = "Figures of the SM";
  set.preset = "gt200";
  set.keys = {"clocks.shader_mhz",
              "tpc.sm.limits.",
              "tpc.sm.fetch.policy",
              "tpc.sm.fetch.instructions_per_fetch",
              "tpc.sm.fetch.queue_entries",
              "tpc.sm.fetch.command_entries",
              "tpc.sm.icache.",
              "tpc.sm.decode.",
              "tpc.sm.instruction_buffer.entries_per_warp",
              "tpc.sm.scoreboard.mechanism",
              "tpc.sm.scoreboard.entries_per_warp",
              "tpc.sm.scoreboard.allocate",
              "tpc.sm.scoreboard.when_full",
              "tpc.sm.scheduler.schedulers",
              "tpc.sm.scheduler.policy",
              "tpc.sm.issue.latency_cycles",
              "tpc.sm.simt_stack.",
              "tpc.sm.branch.",
              "tpc.sm.barrier.",
              "tpc.sm.operand_collector.",
              "tpc.sm.register_file.",
              "tpc.sm.sp.",
              "tpc.sm.sfu.",
              "tpc.sm.dp.",
              "tpc.sm.shared_memory.",
              "tpc.sm.write_back.",
              "idealisations.perfect_caches",
              "idealisations.infinite_queues",
              "idealisations.no_bank_conflicts",
              "idealisations.no_divergence_cost"};
  add_arithmetic(set.figures);
  add_functions(set.figures);
  add_dual_issue(set.figures);
  add_occupancy_and_barriers(set.figures);
  add_shared_memory(set.figures);
  add_divergence(set.figures);
  return set;
}

}  // namespace gt200::timing
