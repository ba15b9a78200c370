// The graphics card that envytools' hardware tests see, and their main program.
//
// hwtest pokes operands and a small program into the memory of a card, starts it, and compares the results and $c
// of every thread with what its authors measured on GT200. Here the card is the reference emulator. Three things
// differ from the real card. Bits of the tested instruction without known meaning, which the tests set at random,
// are cleared. Instructions that are refused for another reason are skipped and counted. The mode register for NaN
// and zero handling of graphics programs stays at zero, its value for CUDA.
//
// The SFU is compared with envytools' bit-exact model of the interpolator. Our coefficients replace the ones read
// back from silicon, so the comparison covers everything but the coefficients.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "g80_gr.h"
#include "hwtest.h"
#include "nva.h"
#include "toolchain/emulator/grid_run.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/tables.h"

// The tables of nvhw/sfu.c, filled before the tests run.
extern "C" {
std::int32_t sfu_rcp_tab[128][3];
std::int32_t sfu_rsqrt_tab[128][3];
std::int32_t sfu_sin_tab[64][3];
std::int32_t sfu_ex2_tab[64][3];
std::int32_t sfu_lg2_tab[64][3];
}

extern const hwtest_group g80_int_group, g80_fp_group, g80_fp64_group, g80_sfu_group, g80_atom32_group,
    g80_atom64_group;
const int hwtest_repeats = 2000;

namespace {

using namespace gt200;

constexpr std::uint32_t window_register = 0x1700;  // address bits 39:16 of the memory window
constexpr std::uint32_t window_begin = 0x700000;
constexpr std::uint32_t window_end = 0x800000;
constexpr std::uint32_t code_begin = 0x1030000;  // memory addresses as the tests bind them
constexpr std::uint32_t code_bytes = 0x400;
constexpr std::uint32_t global_begin = 0x2000000;
constexpr std::uint32_t global_bytes = 0x10000;
constexpr std::uint32_t launch_method = 0x368;
constexpr std::uint32_t threads = 0x200;

class card {
 public:
  card() { global_.map(0, global_bytes); }

  std::uint32_t read(std::uint32_t address) const {
    if (address == 0x200) return 1u << 20;  // the memory controller is up
    std::uint32_t value = 0;
    if (in_global(address)) std::memcpy(&value, global_.look(memory_address(address) - global_begin, 4), 4);
    return value;
  }
  void write(std::uint32_t address, std::uint32_t value) {
    if (address == window_register) {
      window_ = value << 16;
    } else if (in_global(address)) {
      std::memcpy(global_.touch(memory_address(address) - global_begin, 4), &value, 4);
    } else if (in_window(address) && memory_address(address) - code_begin < code_bytes) {
      const std::uint32_t word = (memory_address(address) - code_begin) / 4;
      if (word == 0) code_.clear();
      if (word >= code_.size()) code_.resize(word + 1);
      code_[word] = value;
    }
  }
  // False when the program faults.
  bool launch() {
    skipped_ = !remove_meaningless_bits();
    if (skipped_) {
      ++skips_;
      return true;
    }
    ++launches_;
    cubin::module program;
    program.kernels.resize(1);
    cubin::kernel& kernel = program.kernels[0];
    kernel.name = "hwtest";
    kernel.code = code_;
    kernel.registers = 16;
    kernel.shared_bytes = 0x40;
    gt200::launch::launch_parameters parameters;
    parameters.kernel = &kernel;
    parameters.grid = {1, 1};
    parameters.block = {threads, 1, 1};
    const emulator::code_image code(kernel);
    const emulator::constant_memory constants(program, kernel, {});
    const emulator::run_result result = emulator::run(parameters, code, constants, global_);
    if (result.fault) std::printf("%s\n", arch_state::describe(result.fault).c_str());
    return !result.fault;
  }
  bool skipped() const { return skipped_; }
  std::uint64_t launches() const { return launches_; }
  std::uint64_t skips() const { return skips_; }
  const std::map<std::string, std::uint64_t>& refusals() const { return refusals_; }

 private:
  static bool in_window(std::uint32_t address) { return address >= window_begin && address < window_end; }
  std::uint32_t memory_address(std::uint32_t address) const { return window_ + (address - window_begin); }
  bool in_global(std::uint32_t address) const {
    return in_window(address) && memory_address(address) - global_begin < global_bytes;
  }

  // The code is a sequence of pairs of words: one long instruction, or two short ones.
  bool remove_meaningless_bits() {
    for (std::size_t word = 0; word + 1 < code_.size(); word += 2) {
      const bool is_long = isa::tesla::length_of(code_[word]) == 8;
      if (!decodes(&code_[word]) || (!is_long && !decodes(&code_[word + 1]))) return false;
    }
    return true;
  }
  bool decodes(std::uint32_t* words) {
    const std::uint32_t second = isa::tesla::length_of(words[0]) == 8 ? words[1] : 0;
    isa::tesla::decode_error error;
    if (isa::tesla::decode(words[0], second, error)) return true;
    unsigned low = 0;
    unsigned high = 0;
    const std::size_t bits = error.reason.find("the bits ");
    if (bits == std::string::npos || std::sscanf(error.reason.c_str() + bits, "the bits %x %x", &low, &high) != 2) {
      ++refusals_[error.reason.substr(0, error.reason.find(" 0x"))];
      return false;
    }
    words[0] &= ~low;
    if (isa::tesla::length_of(words[0]) == 8) words[1] &= ~high;
    return isa::tesla::decode(words[0], isa::tesla::length_of(words[0]) == 8 ? words[1] : 0, error).has_value();
  }

  arch_state::memory global_;
  std::uint32_t window_ = 0;
  std::vector<std::uint32_t> code_;
  bool skipped_ = false;
  std::uint64_t launches_ = 0;
  std::uint64_t skips_ = 0;
  std::map<std::string, std::uint64_t> refusals_;
};

card the_card;  // the tests refer to it by a number only

template <std::size_t n>
void copy(const isa::tesla::semantics::sfu_coefficients (&from)[n], std::int32_t (&to)[n][3]) {
  for (std::size_t k = 0; k < n; ++k) {
    to[k][0] = from[k].c0;
    to[k][1] = from[k].c1;
    to[k][2] = from[k].c2;
  }
}

}  // namespace

std::uint32_t nva_rd32(int, std::uint32_t address) { return the_card.read(address); }
void nva_wr32(int, std::uint32_t address, std::uint32_t value) { the_card.write(address, value); }
bool hwtest_skipped() { return the_card.skipped(); }

int g80_gr_mthd(hwtest_ctx*, std::uint32_t, std::uint32_t method, std::uint32_t) {
  return method == launch_method && !the_card.launch() ? 1 : 0;
}

int main() {
  using namespace gt200::isa::tesla::semantics;
  copy(rcp_table, sfu_rcp_tab);
  copy(rsqrt_table, sfu_rsqrt_tab);
  copy(sin_table, sfu_sin_tab);
  copy(ex2_table, sfu_ex2_tab);
  copy(lg2_table, sfu_lg2_tab);

  bool all_passed = true;
  std::printf("| group | test | instructions | launches skipped | result |\n|---|---|---|---|---|\n");
  for (const hwtest_group* group :
       {&g80_int_group, &g80_fp_group, &g80_fp64_group, &g80_sfu_group, &g80_atom32_group, &g80_atom64_group}) {
    for (int k = 0; k < group->count; ++k) {
      const hwtest_test& test = group->tests[k];
      hwtest_ctx context = {
          0, {0xa0, 0x50}, {1, 2, static_cast<unsigned short>(k)}};  // GT200; start of the operands
      const std::uint64_t before = the_card.launches();
      const std::uint64_t skipped_before = the_card.skips();
      const bool passed = test.run(&context) == HWTEST_RES_PASS;
      all_passed = all_passed && passed;
      std::printf("| %s | %s | %" PRIu64 " | %" PRIu64 " | %s |\n", group->name, test.name,
                  (the_card.launches() - before) * threads, the_card.skips() - skipped_before,
                  passed ? "agrees" : "DIFFERS");
      std::fflush(stdout);
    }
  }
  std::printf("\nSkipped because the instruction is refused:\n\n| launches | reason |\n|---|---|\n");
  for (const auto& [reason, count] : the_card.refusals())
    std::printf("| %" PRIu64 " | %s |\n", count, reason.c_str());
  std::printf("\nVerdict: %s.\n", all_passed ? "agreement" : "DISAGREEMENT");
  return all_passed ? 0 : 1;
}
