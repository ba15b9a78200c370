#include "testbenches/system/reset/reset_run.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "observe/statistics.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

constexpr unsigned words = 4096;
constexpr tlm_bus::femtoseconds resume_at = 200'000'000'000;  // 200 us

// Loads, stores, atomics, constants, shared and local memory, a barrier, divergence, slow arithmetic.
const char* const tesla_work =
    "  ld b32 $r5 g14[$r3]\n"
    "  shl $a1 $r1 0x2\n"
    "  st b32 s[$a1+tile] $r5\n"
    "  st b32 l[0x4] $r1\n"
    "  bar inc wait 0x0 0xfff\n"
    "  mov b32 $r6 b32 s[$a1+tile]\n"
    "  add b32 $r6 $r6 c1[seven]\n"
    "  set $c0 # l u32 $r1 c1[seven]\n"
    "  joinat meet\n"
    "  (lg $c0) bra meet\n"
    "  rcp f32 $r7 $r6\n"
    "  add b32 $r6 $r6 $r7\n"
    "meet:\n"
    "  join nop\n"
    "  ld b32 $r8 l[0x4]\n"
    "  add b32 $r6 $r6 $r8\n"
    "  st b32 g14[$r4] $r6\n"
    "  mov b32 $r9 b32 s[out]\n"
    "  red add u32 g14[$r9] $r1\n"
    "  exit nop\n";
const char* const tesla_needs = ".literal seven u32 7\n.shared tile 256\n.local 16\n";

const char* const fermi_work =
    "  ld b32 $r3 ca g[$r2]\n"
    "  shl b32 $r5 $r0 clamp 0x2\n"
    "  st b32 s[$r5+cells] $r3\n"
    "  bar popc $p7 $r63 $r63 $r63 $p7\n"
    "  set $p0 $p7 lt u32 $r0 0x7\n"
    "  $p0 ld b32 $r6 s[$r5+cells]\n"
    "  $p0 add b32 $r3 $r3 $r6\n"
    "  st b32 wb g[$r4] $r3\n"
    "  mov b32 $r9 c0[out]\n"
    "  red add u32 g[$r9] $r3\n"
    "  exit\n";

const char* const volta_work =
    "  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R12]\n"
    "  [B------:R-:W-:-:S08] SHF.L.U32 R5, R20, 0x2, RZ\n"
    "  [B0-----:R0:W-:-:S02] STS [R5+cells], R4\n"
    "  [B0-----:R-:W-:-:S05] BAR.SYNC 0x0\n"
    "  [B------:R-:W1:-:S02] LDS R6, [R5+cells]\n"
    "  [B01----:R-:W-:-:S08] IADD3 R4, R4, R6, RZ\n"
    "  [B------:R-:W-:-:S02] STG.E.SYS [R2], R4\n"
    "  [B------:R-:W-:-:S08] MOV R8, 0x0\n"
    "  [B------:R-:W-:-:S08] MOV R9, 0x4\n"
    "  [B------:R-:W-:-:S08] IMAD.WIDE R10, R8, R9, c[0x0][out]\n"
    "  [B------:R-:W-:-:S02] RED.E.ADD.STRONG.GPU [R10], R4\n"
    "  [B------:R-:W-:-:S05] EXIT\n";

std::string work_of(const config::chip_config& chip) {
  if (chip.is_volta()) return volta_program_of(volta_work, ".shared cells 1024\n");
  if (chip.is_fermi()) return fermi_program_of(fermi_work, ".shared cells 1024\n");
  return tesla_program(tesla_work, tesla_needs);
}

class bench {
 public:
  bench(const reset_setting& setting, const damage& before)
      : board_(configuration(setting.preset, setting.overrides), options_of(setting, before)),
        wide_(board_.chip().config.chip.is_volta()),
        work_(assembler::assemble(work_of(board_.chip().config.chip), "work.s")),
        bad_(assembler::assemble(before.program, "bad.s")),
        before_launches_(setting.before_launches) {
    board_.load(work_, {});
    out_ = board_.allocate(4 * words);
    in_ = board_.allocate(4 * words);
    if (before.change) before.change(bad_.kernels.front());
    board_.load(bad_, {});
    if (before.protects_in) board_.protect(in_, 4096);
  }

  void harm(const damage& d) {
    const hangs::planted planted = d.plant ? d.plant(board_) : std::make_unique<hangs::done_at_once>();
    const launch_result result = board_.launch(grid_of(bad_));
    if (!planted->done()) throw std::runtime_error("the damage has not been done");
    if (result.reason != d.ends || result.fault.kind != d.fault)
      throw std::runtime_error(fmt::format("the launch ends with {} {}", name_of(result.reason),
                                           arch_state::name_of(result.fault.kind)));
  }
  void repair() {
    board_.reset();
    model::command_processor& host = board_.chip().command_processor;
    if (host.status() != model::registers::chip_status::idle) throw std::runtime_error("not idle after a reset");
    if (board_.chip().host.read_register(model::registers::interrupt) != 0)
      throw std::runtime_error("an interrupt after a reset");
  }

  std::string work() {
    board_.start();
    const tlm_bus::femtoseconds now = sc_core::sc_time_stamp().value();
    if (now > resume_at) throw std::runtime_error(fmt::format("it is too late: {} fs", now));
    board_.chip().host.run(sc_core::sc_time::from_value(resume_at - now));
    fill();
    if (before_launches_) before_launches_(board_);
    observe::statistics statistics(board_);
    std::string text;
    for (int n = 0; n < 2; ++n) {
      statistics.launch_begins();
      const launch_result result = board_.launch(grid_of(work_));
      statistics.launch_ended(grid_of(work_), result);
      if (result.reason != end_reason::done)
        return std::string(name_of(result.reason)) + arch_state::describe(result.fault) + result.explanation;
      text += fmt::format("{} {} {} {}\n", name_of(result.reason), result.began_at, result.ended_at, result.cycles);
    }
    return text + figures(statistics) + memory();
  }

 private:
  static device_options options_of(const reset_setting& setting, const damage& before) {
    device_options options;
    options.clocking = setting.clocking;
    options.unobserved = setting.unobserved;
    options.max_cycles = before.max_cycles;
    return options;
  }
  launch::launch_parameters grid_of(const cubin::module& module) const {
    launch::launch_parameters grid;
    grid.kernel = &module.kernels.front();
    grid.grid = {12, 1};
    grid.block = {64, 1, 1};
    grid.parameter_bytes = wide_ ? launch::pack_parameters(std::uint64_t{out_}, std::uint64_t{in_})
                                 : launch::pack_parameters(out_, in_);
    return grid;
  }
  void fill() {
    std::vector<std::uint32_t> content(words);
    board_.poke(out_, reinterpret_cast<const std::uint8_t*>(content.data()), 4 * words);
    for (unsigned i = 0; i < words; ++i) content[i] = arch_state::mix_bits(i + 1);
    board_.poke(in_, reinterpret_cast<const std::uint8_t*>(content.data()), 4 * words);
  }
  std::string figures(const observe::statistics& statistics) const {
    std::string text;
    for (const auto& c : statistics.counters()) text += fmt::format("{} {}\n", c.path, c.counter->value());
    for (const auto& h : statistics.histograms()) {
      text += fmt::format("{} {}", h.path, h.counter->value().sum);
      for (const auto& c : h.counter->value().counts) text += fmt::format(" {}:{}", c.of, c.count);
      text += "\n";
    }
    for (const observe::launch_record& launch : statistics.launches()) {
      for (const observe::sm_record& sm : launch.sms)
        text += fmt::format("{} {} {} {}\n", sm.path, sm.resident_warp_cycles, sm.dependency_probes,
                            fmt::join(sm.slots(), " "));
      text += fmt::format("{}\n{} cycles\n", fmt::join(launch.counters, " "), launch.cycles);
    }
    return text;
  }
  std::string memory() {
    std::vector<std::uint32_t> content(words);
    std::string text;
    for (const std::uint32_t address : {out_, in_}) {
      board_.peek(address, reinterpret_cast<std::uint8_t*>(content.data()), 4 * words);
      for (const std::uint32_t word : content) text += fmt::format("{:08x}\n", word);
    }
    return text;
  }

  device board_;
  bool wide_;  // addresses
  cubin::module work_;
  cubin::module bad_;
  std::function<void(device&)> before_launches_;
  std::uint32_t out_ = 0;
  std::uint32_t in_ = 0;
};

}  // namespace

std::string tesla_program(const std::string& body, const std::string& directives) {
  return ".target sm_13\n.entry test\n.param u32 out\n.param u32 in\n" + directives +
         "  mov b16 $r0h u16 s[%ntid.x]\n"
         "  cvt u32 $r1 u16 $r0l\n"
         "  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1\n"
         "  shl b32 $r2 $r0 0x2\n"
         "  add b32 $r3 b32 s[in] $r2\n"
         "  add b32 $r4 b32 s[out] $r2\n" +
         body + ".end\n";
}

std::string fermi_program_of(const std::string& body, const std::string& directives) {
  return ".target sm_20\n.entry test\n.param u32 out\n.param u32 in\n" + directives +
         "  mov b32 $r0 $tidx\n"
         "  mov b32 $r1 $ctaidx\n"
         "  add $r1 (mul u32 $r1 u32 c0[%ntid.x]) $r0\n"
         "  add b32 $r2 (shl $r1 0x2) c0[in]\n"
         "  add b32 $r4 (shl $r1 0x2) c0[out]\n" +
         body + ".end\n";
}

std::string volta_program_of(const std::string& body, const std::string& directives) {
  return ".target sm_70\n.entry test\n.param b64 out\n.param b64 in\n" + directives +
         "  [B------:R-:W0:-:S02] S2R R20, SR_TID.X\n"
         "  [B------:R-:W1:-:S02] S2R R1, SR_CTAID.X\n"
         "  [B01----:R-:W-:-:S08] IMAD R0, R1, c[0x0][%ntid.x], R20\n"
         "  [B------:R-:W-:-:S08] MOV R1, 0x4\n"
         "  [B------:R-:W-:-:S08] IMAD.WIDE R2, R0, R1, c[0x0][out]\n"
         "  [B------:R-:W-:-:S08] IMAD.WIDE R12, R0, R1, c[0x0][in]\n" +
         body + ".end\n";
}

std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  std::string l, r;
  for (unsigned line = 1;; ++line) {
    const bool has_left = static_cast<bool>(std::getline(left, l)),
               has_right = static_cast<bool>(std::getline(right, r));
    if (!has_left && !has_right) return "";
    if (has_left != has_right || l != r) return "line " + std::to_string(line) + ": '" + l + "' and '" + r + "'";
  }
}

std::string work_after(const reset_setting& setting, const damage& before, bool harmed) {
  return in_own_process([&] {
    bench b(setting, before);
    if (harmed) {
      b.harm(before);
      b.repair();
    }
    return b.work();
  });
}

}  // namespace gt200::support
