#include "testbenches/timing/volta_chains.h"

#include <fmt/format.h>

namespace gt200::timing {
namespace {

constexpr unsigned to_the_next_address = 8;  // from the addition that makes it
constexpr unsigned loop_cycles = 40;         // the loop's own instructions, known from a chain of additions

const char* const end_of_round =
    "  [B------:R-:W-:-:S06] IADD3 R7, R7, -0x1, RZ\n"
    "  [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R7, RZ, PT\n"
    "  [B------:R-:W-:-:S05] @P0 BRA again\n";

// Each link waits for the result of the one before, in R8, which is 0 in front of them.
std::string register_chain(const std::string& link, unsigned rounds) {
  std::string body =
      fmt::format("  [B0-----:R-:W-:-:S08] MOV R8, RZ\n  [B------:R-:W-:Y:S15] MOV R7, {:#x}\nagain:\n", rounds);
  for (unsigned k = 0; k < chain_links; ++k) body += "  [B0-----:R-:W0:-:S02] " + link + "\n";
  return body + end_of_round;
}

}  // namespace

std::string load_chain(const std::string& load, std::uint32_t stride, unsigned rounds) {
  std::string body = fmt::format(
      "  [B------:R-:W-:-:S08] MOV R10, R2\n  [B------:R-:W-:-:S08] MOV R11, R3\n"
      "  [B------:R-:W-:-:S08] MOV R12, {:#x}\n  [B------:R-:W-:Y:S15] MOV R7, {:#x}\nagain:\n",
      stride, rounds);
  for (unsigned k = 0; k < chain_links; ++k)
    body += "  [B------:R-:W0:-:S02] " + load + " R8, [R10]\n  [B0-----:R-:W-:-:S08] IADD3 R10, R10, R8, R12\n";
  return body + end_of_round;
}

std::string shared_chain(unsigned rounds) {
  return "  [B------:R0:W-:-:S02] STS [RZ], RZ\n" + register_chain("LDS R8, [R8]", rounds);
}

std::string texture_chain(unsigned rounds) {
  return register_chain("TLD.SCR.LZ RZ, R8, RZ, 0x2, 0x0, 1D, 0x1", rounds);
}

double load_latency_of(double round) { return (round - loop_cycles) / chain_links - to_the_next_address; }

std::string arithmetic_chain(const std::string& operation, unsigned stall, const std::string& reader) {
  std::string text =
      ".target sm_70\n.entry chain\n.param b64 out\n"
      "  [B------:R-:W-:-:S08] MOV R2, c[0x0][out]\n  [B------:R-:W-:-:S08] MOV R3, c[0x0][out+4]\n"
      "  [B------:R-:W-:-:S08] MOV R4, RZ\n  [B------:R-:W-:-:S08] MOV R5, 0x3ff00000\n"
      "  [B------:R-:W-:-:S08] MOV R6, 0x3f800000\n  [B------:R-:W-:-:S08] MOV R12, 0x1\n"
      "  [B------:R-:W-:-:S08] MOV R8, RZ\n  [B------:R-:W-:-:S08] MOV R9, RZ\n";
  for (unsigned k = 0; k < chained_operations; ++k) {
    text += fmt::format("  [B------:R-:W-:-:S{:02}] {}\n", stall, operation);
    if (!reader.empty()) text += "  [B------:R-:W-:-:S08] " + reader + "\n";
  }
  return text +
         "  [B------:R-:W-:Y:S15] NOP\n"
         "  [B------:R-:W-:-:S02] STG.E.64.SYS [R2], R8\n  [B------:R-:W-:-:S05] EXIT\n.end\n";
}

}  // namespace gt200::timing
