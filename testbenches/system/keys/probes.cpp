#include "testbenches/system/keys/probes.h"

#include <fmt/format.h>

#include <stdexcept>

namespace gt200::keys {
namespace {

// $r1 = tid, $r0 = global number of the thread, $r2 = its byte offset in the output.
constexpr const char* thread_number = R"(
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl b32 $r2 $r0 0x2
)";

std::string launch(unsigned blocks, unsigned threads, unsigned more_words, const std::string& more = {}) {
  return fmt::format(R"(schema = 1
source = "probe.s"
[[buffer]]
name = "out"
type = "u32"
count = {}
init = "zeros"
{}
[[step]]
launch = "probe"
grid = [{}]
block = [{}]
arguments = ["out"]
)",
                     blocks * threads + more_words, more, blocks, threads);
}

std::string entry(const std::string& directives, const std::string& body) {
  return ".target sm_13\n" + directives + ".entry probe\n.param u64 out\n" + body + ".end\n";
}

probe arithmetic() {
  std::string body = std::string(".shared tile 2048\n") + thread_number + R"(
    shl $a1 $r1 0x2
    cvt rn f32 $r3 u32 $r0
    mov b32 $r4 $r3
    mov b32 $r5 $r3
    cvt f64 $r8d f32 $r3
    mov b32 $r10 $r8
    mov b32 $r11 $r9
)";
  for (unsigned i = 0; i < 6; ++i)
    body += R"(
    add f32 $r4 (mul $r3 $r4) $r5
    mul rn f32 $r5 $r5 $r3
    mul rn f32 $r6 $r3 c0[$a1+0x40]
    mul rn f32 $r7 $r3 $r4
    rcp f32 $r7 $r6
    add rn f64 $r10d $r10d $r8d
    add f32 $r12 (mul $r5 $r3) $r7
    st b32 s[$a1+tile] $r5
    bar inc wait 0x0 0xfff
    add b32 $r13 b32 s[$a1+tile] c0[0x1c0]
    and b32 $r14 $r13 $r1
    shl $a2 $r1 0x3
    ld $r15 b32 s[$a2+0x10]
    add b32 $r14 $r14 $r15
)";
  body += R"(
    add b32 $r3 b32 s[out] $r2
    exit st b32 g14[$r3] $r14
)";
  return {entry(".const table 2048\n", body), launch(24, 256, 0)};
}

probe control() {
  return {
      entry("", std::string(".literal three u32 3\n.literal one u32 1\n.literal two u32 2\n") + thread_number + R"(
    mov b32 $r4 $r0
    and b32 $r3 $r1 c1[three]
    joinat outer
    and b32 $c0 # $r1 c1[one]
    (lg $c0) bra odd
    joinat inner
    and b32 $c0 # $r1 c1[two]
    (lg $c0) bra second
    call function
    bra inner
second:
    add b32 $r4 $r4 c1[two]
inner:
    join nop
    bra outer
odd:
    add b32 $r4 $r4 c1[three]
    call function
outer:
    join nop
    breakaddr done
loop:
    set $c0 # e u32 $r3 c1[three]
    (lg $c0) break
    add b32 $r3 $r3 c1[one]
    bra loop
done:
    add b32 $r3 b32 s[out] $r2
    st b32 g14[$r3] $r4
    exit nop
function:
    add b32 $r4 $r4 c1[one]
    ret
)"),
      launch(16, 128, 0)};
}

probe memory() {
  std::string body = std::string(".literal stride u32 0xc1000\n.literal one u32 1\n") + thread_number + R"(
    add b32 $r3 b32 s[out] $r2
    mov b32 $r9 $r3
)";
  for (unsigned i = 0; i < 20; ++i)
    body +=
        "    ld b32 $r4 g14[$r3]\n    add b32 $r5 $r5 $r4\n    add b32 $r3 $r3 c1[stride]\n    st b32 g14[$r3] "
        "$r5\n";
  // One word per 16 lanes' lines: every lane makes a transaction of its own.
  body += R"(
    shl b32 $r6 $r0 0x8
    add b32 $r6 b32 s[out] $r6
    ld b32 $r7 g14[$r6]
    st b32 g14[$r6] $r7
    red add u32 g14[$r6] $r0
    mov b32 $r3 b32 s[out]
    ld b64 $r10d g14[$r3]
    ld u8 $r8 g14[$r9]
    mov b32 $r3 b32 s[out]
    red add u32 g14[$r3] $r0
    ld add u32 $r4 g14[$r3] $r0
    add b32 $r4 $r4 $r7
    st b32 g14[$r9] $r4
    exit nop
)";
  return {entry("", body), launch(16, 128, 6 << 20)};
}

// Three passes over the same 48 KB and what lies beside them, with stores between.
probe data_cache() {
  std::string body = std::string(".literal stride u32 0x1000\n") + thread_number;
  for (unsigned pass = 0; pass < 3; ++pass) {
    body += "    add b32 $r3 b32 s[out] $r2\n";
    for (unsigned i = 0; i < 12; ++i)
      body += "    ld b32 $r4 g14[$r3]\n    add b32 $r5 $r5 $r4\n    add b32 $r3 $r3 c1[stride]\n";
    body += "    st b32 g14[$r3] $r5\n";
  }
  return {entry("", body + "    exit nop\n"), launch(16, 128, 6 << 20)};
}

// All lanes load the same words.
probe equal_words() {
  std::string body = std::string(thread_number) + "    add b32 $r3 b32 s[out] $r124\n    mov b32 $r5 $r0\n";
  for (unsigned i = 0; i < 8; ++i) body += "    ld b32 $r4 g14[$r3]\n    add b32 $r5 $r5 $r4\n";
  body += "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r5\n";
  return {entry("", body), launch(4, 64, 0)};
}

// The comparison holds in every lane, and the additions want that it does not: no lane executes them.
probe guards() {
  std::string body = std::string(thread_number) + "    mov b32 $r5 $r0\n    set $c0 # e u32 $r0 $r0\n";
  for (unsigned i = 0; i < 16; ++i) body += fmt::format("    (e $c0) add b32 $r{} $r5 $r0\n", 6 + i % 4);
  body += "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r5\n";
  return {entry("", body), launch(4, 256, 0)};
}

probe constants() {
  std::string body = std::string(thread_number) + R"(
    mov b32 $r4 $r0
    mov b32 $r8 $r0
    shr u32 $r5 $r1 0x4
    shl $a1 $r5 0x6
)";
  // 160 lines of 256 bytes, with an offset of 64 bytes per half-warp.
  for (unsigned pass = 0; pass < 2; ++pass)
    for (unsigned line = 0; line < 160; ++line)
      body += fmt::format("    ld $r{} b32 c0[$a1+0x{:x}]\n", 6 + line % 2 * 3, 256 * line);
  // A little more than the first and the second level hold, several times.
  for (const unsigned lines : {40u, 40u, 40u, 160u, 160u})
    for (unsigned line = 0; line < lines; ++line)
      body += fmt::format("    ld $r{} b32 c0[0x{:x}]\n", 6 + line % 2 * 3, 64 * line);
  body += "    add b32 $r4 $r6 $r9\n    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r4\n";
  return {entry(".const table 48000\n", body), launch(8, 64, 0)};
}

// Texels spread over 256 KB, then repeatedly over 7 KB, then in four lines of one set.
probe texture() {
  std::string body =
      std::string(
          ".literal step u32 2053\n.literal small u32 0x6ff\n.literal far_0 u32 0\n.literal far_1 u32 1280\n"
          ".literal far_2 u32 2560\n.literal far_3 u32 3840\n") +
      thread_number + "    mov b32 $r8 $r0\n";
  for (unsigned i = 0; i < 16; ++i) {
    body += i < 8 ? "    mov b32 $r4 $r8\n" : "    and b32 $r4 $r8 c1[small]\n";
    body +=
        "    texfetch all $r4:$r5:$r6:$r7 $t0 $s0 $r4 0x0 0x0 0x0\n    add b32 $r9 $r9 $r4\n"
        "    add b32 $r8 $r8 c1[step]\n";
  }
  // Lines 5 KB apart, which conflict in one set unless it has enough ways.
  body += "    and b32 $r8 $r1 0x7\n";
  for (unsigned i = 0; i < 12; ++i)
    body += fmt::format(
        "    add b32 $r4 $r8 c1[far_{}]\n    texfetch all $r4:$r5:$r6:$r7 $t0 $s0 $r4 0x0 0x0 0x0\n"
        "    add b32 $r9 $r9 $r4\n",
        i % 4);
  body += "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r9\n";
  return {entry(".sampler texels 0\n", body),
          launch(16, 128, 0,
                 "[[buffer]]\nname = \"texels\"\ntype = \"u32\"\ncount = 65536\ninit = \"iota\"\n"
                 "[[texture]]\nname = \"texels\"\nbuffer = \"texels\"\n")};
}

// Texels spread over a two-dimensional array.
probe array() {
  std::string body = std::string(".literal low u32 0xff\n.literal step u32 0x1111\n") + thread_number +
                     "    mov b32 $r4 $r0\n    mov b32 $r12 $r0\n";
  for (unsigned i = 0; i < 8; ++i)
    body += R"(
    and b32 $r5 $r4 c1[low]
    shr u32 $r6 $r4 0x8
    and b32 $r6 $r6 c1[low]
    cvt rn f32 $r8 u32 $r5
    cvt rn f32 $r9 u32 $r6
    texauto all $r8:#:#:# $t0 $s0 $r8:$r9 0x0 0x0 0x0
    add b32 $r12 $r12 $r8
    add b32 $r4 $r4 c1[step]
)";
  body += "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r12\n";
  return {entry(".sampler texels 0\n", body),
          launch(16, 128, 0,
                 "[[buffer]]\nname = \"texels\"\ntype = \"u32\"\ncount = 65536\ninit = \"iota\"\n"
                 "[[texture]]\nname = \"texels\"\nbuffer = \"texels\"\nwidth = 256\nheight = 256\n")};
}

// `instructions` twice, repeatedly. Every second block of an SM starts in the middle, so that warps miss different
// lines.
probe code(unsigned instructions, unsigned passes) {
  std::string body =
      fmt::format(".literal one u32 1\n.literal two u16 2\n.literal passes u32 {}\n{}", passes, thread_number) + R"(
    mov b32 $r4 $r0
    mov b32 $r5 $r124
    and b16 $c1 # u16 s[%ctaid.x] c1[two]
    (lg $c1) bra middle
again:
)";
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned i = 0; i < instructions; ++i) body += "    add b32 $r4 $r4 $r0\n";
    if (half == 0) body += "middle:\n";
  }
  body += R"(
    add b32 $r5 $r5 c1[one]
    set $c0 # l u32 $r5 c1[passes]
    (lg $c0) bra again
    add b32 $r3 b32 s[out] $r2
    exit st b32 g14[$r3] $r4
)";
  return {entry("", body), launch(4, 64, 0)};
}

// Nested branches that divide the lanes, 30 deep.
probe nesting() {
  std::string body = std::string(thread_number) + "    mov b32 $r4 $r0\n";
  constexpr unsigned depth = 30;
  for (unsigned i = 0; i < depth; ++i)
    body += fmt::format(
        "    mov b32 $r5 0x{0:x}\n    joinat join_{0}\n    set $c0 # e u32 $r1 $r5\n    (lg $c0) bra join_{0}\n",
        i);
  for (unsigned i = depth; i-- > 0;) body += fmt::format("join_{}:\n    join nop\n    add b32 $r4 $r4 $r1\n", i);
  body += "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r4\n";
  return {entry("", body), launch(4, 64, 0)};
}

// Blocks of three warps which need this much of an SM's resources.
probe blocks(unsigned registers, unsigned shared, unsigned barriers) {
  return {entry("", fmt::format(".registers {}\n.shared room {}\n.barriers {}\n", registers, shared, barriers) +
                        thread_number + "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r0\n"),
          launch(40, 96, 0)};
}

// 12 pages 512 KB apart and 12 adjacent pages, alternating, three times.
probe pages() {
  std::string body = std::string(".literal stride u32 0x80000\n.literal page u32 0x1000\n") + thread_number +
                     "    mov b32 $r5 $r0\n";
  for (unsigned pass = 0; pass < 3; ++pass) {
    body += "    add b32 $r3 b32 s[out] $r2\n    mov b32 $r6 $r3\n";
    for (unsigned page = 0; page < 12; ++page)
      body += R"(
    ld b32 $r4 g14[$r3]
    add b32 $r5 $r5 $r4
    ld b32 $r4 g14[$r6]
    add b32 $r5 $r5 $r4
    add b32 $r3 $r3 c1[stride]
    add b32 $r6 $r6 c1[page]
)";
  }
  body += "    add b32 $r3 b32 s[out] $r2\n    exit st b32 g14[$r3] $r5\n";
  return {entry("", body), launch(2, 64, 2 << 20)};
}

// Calls itself 24 times.
probe recursion() {
  return {entry("", std::string(".literal one u32 1\n.literal deep u32 24\n") + thread_number + R"(
    mov b32 $r4 $r124
    call lim function
    add b32 $r3 b32 s[out] $r2
    st b32 g14[$r3] $r4
    exit nop
function:
    add b32 $r4 $r4 c1[one]
    set $c0 # ge u32 $r4 c1[deep]
    (lg $c0) ret
    call lim function
    ret
)"),
          launch(4, 64, 0)};
}

// Warps that share ten registers of sixteen over time, of which not all can have a section at once.
probe sections() {
  std::string body = std::string(thread_number) + "    mov b32 $r4 $r0\n    regacquire $r6 0xa\n";
  for (unsigned n = 6; n < 16; ++n)
    body += "    add b32 $r" + std::to_string(n) + " $r" + std::to_string(n == 6 ? 0 : n - 1) + " $r1\n";
  body += R"(
    add b32 $r4 $r4 $r15
    regrelease $r6 0xa
    add b32 $r3 b32 s[out] $r2
    exit st b32 g14[$r3] $r4
)";
  return {entry("", body), launch(64, 256, 0)};
}

probe local() {
  return {entry("", std::string(".local 64\n") + thread_number + R"(
    st b32 l[0x0] $r0
    st b32 l[0x20] $r1
    ld b32 $r4 l[0x0]
    ld b32 $r5 l[0x20]
    add b32 $r4 $r4 $r5
    add b32 $r3 b32 s[out] $r2
    exit st b32 g14[$r3] $r4
)"),
          launch(16, 128, 0)};
}

}  // namespace

// Every unit of Volta's processing blocks, conflicts of register banks, long stalls, bursts of memory instructions,
// two paths of a warp.
probe volta() {
  std::string program =
      ".target sm_70\n.entry probe\n.param b64 data\n"
      "  [B------:R-:W0:-:S02] S2R R0, SR_TID.X\n"
      "  [B------:R-:W-:-:S08] MOV R1, 0x4\n"
      "  [B0-----:R-:W-:-:S08] IMAD.WIDE R2, R0, R1, c[0x0][data]\n"
      "  [B------:R-:W-:Y:S15] MOV R7, 0x8\n"
      "again:\n";
  for (unsigned n = 0; n < 8; ++n)
    program +=
        "  [B------:R-:W0:-:S01] LDG.E.SYS R16, [R2]\n"
        "  [B------:R-:W-:-:S01] FFMA R8, R10, R12, R14\n"
        "  [B------:R-:W-:-:S01] IADD3 R9, R10, R11, RZ\n"
        "  [B------:R-:W-:-:S01] DFMA R18, R20, R22, R24\n"
        "  [B------:R-:W1:-:S02] MUFU.RCP R17, R10\n"
        "  [B------:R-:W2:-:S02] SHFL.BFLY PT, R15, R10, 0x1, 0x1f\n"
        "  [B------:R-:W-:-:S14] IADD3 R13, R10, R11, RZ\n";
  program +=
      "  [B012---:R-:W-:-:S08] IADD3 R7, R7, -0x1, RZ\n"
      "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R7, RZ, PT\n"
      "  [B------:R-:W-:-:S05] @P0 BRA again\n"
      "  BSSY B0, together\n"
      "  ISETP.LT.AND P1, PT, R0, 0x8, PT\n"
      "  @P1 BRA other\n";
  for (unsigned n = 0; n < 8; ++n) program += "  IADD3 R13, R10, R11, RZ\n";
  program +=
      "  BRA together\n"
      "other:\n"
      "  IADD3 R13, R10, R11, RZ\n"
      "together:\n"
      "  BSYNC B0\n"
      "  [B------:R-:W-:-:S05] EXIT\n.end\n";
  return {program, R"(schema = 1
source = "probe.s"

[[buffer]]
name = "data"
type = "u32"
count = 1024
init = "iota"

[[step]]
launch = "probe"
grid = [4]
block = [256]
arguments = ["data"]
)"};
}

probe make_probe(const std::string& name) {
  if (name == "volta") return volta();
  if (name == "arithmetic") return arithmetic();
  if (name == "control") return control();
  if (name == "memory") return memory();
  if (name == "data_cache") return data_cache();
  if (name == "equal_words") return equal_words();
  if (name == "guards") return guards();
  if (name == "constants") return constants();
  if (name == "texture") return texture();
  if (name == "code") return code(2400, 2);
  if (name == "loop") return code(320, 8);
  if (name == "nesting") return nesting();
  if (name == "registers") return blocks(40, 4, 0);
  if (name == "shared") return blocks(8, 2592, 0);
  if (name == "barriers") return blocks(8, 4, 3);
  if (name == "local") return local();
  if (name == "array") return array();
  if (name == "pages") return pages();
  if (name == "recursion") return recursion();
  if (name == "sections") return sections();
  throw std::invalid_argument("there is no probe " + name);
}

}  // namespace gt200::keys
