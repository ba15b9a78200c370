// asm, disasm and info on whole files.
#include <filesystem>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class assemble : public cli_test {};

TEST_F(assemble, the_listing_of_a_cubin_assembles_to_the_same_cubin) {
  const std::string first = path("first.cubin");
  const std::string listing = path("listed/vector_add.s");  // the module is named after the file
  std::filesystem::create_directory(path("listed"));
  const std::string second = path("second.cubin");
  ASSERT_EQ(gt200_run({"asm", source_path("kernels/vector_add/vector_add.s"), "-o", first}).code, 0);
  ASSERT_EQ(gt200_run({"disasm", first, "-o", listing}).code, 0);
  ASSERT_EQ(gt200_run({"asm", listing, "-o", second}).code, 0);
  EXPECT_NE(content_of(first), "");
  EXPECT_EQ(content_of(first), content_of(second));
}

TEST_F(assemble, every_container_can_be_run_and_made_of_every_other) {
  const std::string source = source_path("kernels/vector_add/vector_add.s");
  const std::string launch = source_path("kernels/vector_add/launch.toml");
  const std::string elf = path("a");  // the name says nothing
  const std::string text = path("b");
  const std::string back = path("a2");
  ASSERT_EQ(gt200_run({"asm", source, "-o", elf}).code, 0);
  ASSERT_EQ(gt200_run({"asm", elf, "--format", "text", "-o", text}).code, 0);
  ASSERT_EQ(gt200_run({"asm", text, "--format", "elf", "-o", back}).code, 0);
  EXPECT_EQ(content_of(elf).substr(1, 3), "ELF");
  EXPECT_EQ(content_of(text).substr(0, 12), "architecture");
  for (const std::string& program : {elf, text, back})
    EXPECT_EQ(gt200_run({"emulate", program, "--launch", launch}).code, 0) << program;
  EXPECT_EQ(gt200_run({"asm", source, "--format", "coff"}).code, 2);
}

TEST_F(assemble, the_cubin_stands_beside_the_source_by_default) {
  const std::string source = file("k.s", ".entry k\n    exit nop\n.end\n");
  ASSERT_EQ(gt200_run({"asm", source}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("k.cubin")));
}

// 40 from a variable whose address is in c14, 3 from c0, 2 from c1, 7 from the texture bound to unit 5.
TEST_F(assemble, constants_variables_and_textures_are_found_from_every_container) {
  const std::string source = file("k.s",
                                  ".const three u32 3\n.global counter u32 40\n.sampler picture 5\n"
                                  ".entry k\n.param u32 out\n.literal two u32 2\n"
                                  "    ld $r1 b32 c14[counter]\n"
                                  "    ld b32 $r1 g14[$r1]\n"
                                  "    add b32 $r1 $r1 c0[three]\n"
                                  "    add b32 $r1 $r1 c1[two]\n"
                                  "    mov b32 $r4 0x1\n"
                                  "    texfetch all $r4:#:#:# $t5 $s0 $r4 0x0 0x0 0x0\n"
                                  "    add b32 $r1 $r1 $r4\n"
                                  "    mov b32 $r0 b32 s[out]\n"
                                  "    exit st b32 g14[$r0] $r1\n.end\n");
  const std::string launch = file("launch.toml",
                                  "schema = 1\nsource = \"k.s\"\n"
                                  "[[buffer]]\nname = \"texels\"\ntype = \"u32\"\nvalues = [9, 7]\n"
                                  "[[buffer]]\nname = \"out\"\ntype = \"u32\"\nvalues = [0]\n"
                                  "[[texture]]\nname = \"picture\"\nbuffer = \"texels\"\n"
                                  "[[step]]\nlaunch = \"k\"\ngrid = [1]\nblock = [1]\narguments = [\"out\"]\n"
                                  "[[expect]]\nbuffer = \"out\"\nvalues = [52]\n");
  for (const char* format : {"elf", "text"}) {
    const std::string cubin = path(format);
    const std::string listing = path(std::string(format) + ".s");
    ASSERT_EQ(gt200_run({"asm", source, "--format", format, "-o", cubin}).code, 0);
    ASSERT_EQ(gt200_run({"disasm", cubin, "-o", listing}).code, 0);
    for (const std::string& program : {cubin, listing}) {
      EXPECT_EQ(gt200_run({"emulate", program, "--launch", launch}).code, 0) << program;
      EXPECT_EQ(gt200_run({"run", program, "--launch", launch, "--config", "gt200_small", "--check"}).code, 0)
          << program;
    }
  }
}

TEST_F(assemble, a_failed_run_leaves_the_older_output_alone_and_no_other_file_behind) {
  const std::string source = file("k.s", ".entry k\n    frobnicate\n.end\n");
  const std::string output = file("k.cubin", "older");
  EXPECT_EQ(gt200_run({"asm", source, "-o", output}).code, 1);
  EXPECT_EQ(content_of(output), "older");
  const auto files = std::filesystem::directory_iterator(path(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);
}

TEST_F(assemble, a_source_can_be_listed_without_a_cubin) {
  const outcome listing = gt200_run({"disasm", source_path("kernels/madloop/madloop.s")});
  EXPECT_EQ(listing.code, 0);
  EXPECT_NE(listing.out.find(".entry madloop"), std::string::npos);
}

TEST_F(assemble, machine_words_are_listed_one_instruction_a_line) {
  EXPECT_EQ(gt200_run({"disasm", "10008001", "0x00000003"}).out, "mov b32 $r0 0x0\n");
  const outcome two = gt200_run({"disasm", "10008001", "3", "10008005", "00000003"});
  EXPECT_EQ(two.code, 0);
  EXPECT_EQ(two.out, "mov b32 $r0 0x0\nmov b32 $r1 0x0\n");
}

TEST_F(assemble, instructions_are_listed_by_generation) {
  const outcome tesla = gt200_run({"isa", "set"});
  EXPECT_EQ(tesla.code, 0);
  EXPECT_NE(tesla.out.find("set "), std::string::npos) << tesla.out;
  const outcome unknown = gt200_run({"isa", "cctl"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("'cctl' is an instruction of sm_20 and sm_70, not of sm_13 (--arch)"),
            std::string::npos)
      << unknown.err;
  const outcome fermi = gt200_run({"isa", "cctl", "--arch", "sm_20"});
  EXPECT_EQ(fermi.code, 0) << fermi.err;
  EXPECT_NE(fermi.out.find("\ncctl "), std::string::npos) << fermi.out;
  const outcome volta = gt200_run({"isa", "bmov", "--arch", "sm_70"});
  EXPECT_EQ(volta.code, 0) << volta.err;
  EXPECT_NE(volta.out.find("\nBMOV"), std::string::npos) << volta.out;
  EXPECT_NE(gt200_run({"isa", "frobnicate"}).err.find("no instruction is called 'frobnicate'"), std::string::npos);
}

TEST_F(assemble, info_says_what_a_kernel_needs) {
  const outcome info = gt200_run({"info", source_path("kernels/madloop/madloop.s")});
  EXPECT_EQ(info.code, 0);
  EXPECT_NE(info.out.find("compute capability 1.0"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("kernel madloop\n"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("registers   12 per thread"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("parameter 4 4 bytes at s[0x20]"), std::string::npos) << info.out;
}

TEST_F(assemble, info_lists_modules_with_their_sockets) {
  const outcome info = gt200_run({"info", "--modules", "gt200.tpc_0.texture.*"});
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* module :
       {"address  texture_address", "l1  texture_l1", "l1.cache_2  texture_cache", "filter  texture_filter"})
    EXPECT_NE(info.out.find(std::string("gt200.tpc_0.texture.") + module + "\n"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("  accesses                         transaction_in\n"), std::string::npos) << info.out;
  EXPECT_EQ(info.out.find("gt200.tpc_0.memory"), std::string::npos);
  EXPECT_NE(gt200_run({"info", "--modules", "gt201.*"}).err.find("no module matches 'gt201.*'"), std::string::npos);
  EXPECT_NE(gt200_run({"info"}).err.find("program or --modules"), std::string::npos);
}

TEST_F(assemble, info_says_how_many_blocks_an_sm_holds_and_why) {
  // 13 registers and 2096 bytes of shared memory.
  const std::string kernel = source_path("kernels/matrix_mul/matrix_mul.s");
  const outcome info = gt200_run({"info", kernel, "--block", "32,256"});
  EXPECT_EQ(info.code, 0);
  EXPECT_NE(info.out.find("622.1 GFLOP/s of single-precision MAD"), std::string::npos) << info.out;
  EXPECT_NE(
      info.out.find("   32               6       6 (19 %)   bytes of shared memory: a block takes 2560 of 16384\n"),
      std::string::npos)
      << info.out;
  EXPECT_NE(info.out.find("  256               4     32 (100 %)   warps: a block takes 8 of 32\n"),
            std::string::npos)
      << info.out;
  const outcome on_g80 = gt200_run({"info", kernel, "--block", "256", "--config", "g80"});
  EXPECT_NE(on_g80.out.find("registers: a block takes 3328 of 8192\n"), std::string::npos) << on_g80.out;
  EXPECT_EQ(on_g80.out.find("double-precision"), std::string::npos) << on_g80.out;
}

TEST_F(assemble, a_corpus_is_decoded_and_undecodable_words_are_listed) {
  file("corpus/deeper/a.txt", "0x10008001 0x00000003 0xf0000001 0xe0000a00");
  file("corpus/b.cubin", "architecture {sm_10} code {name=f lmem=0 smem=16 reg=1 bar=0 bincode {0xf0000001}}");
  file("corpus/c.sass", "Function : g\n/*0000*/ NOP;\n");
  file("corpus/readme", "nothing of interest");
  file("corpus/.svn/b.cubin", "a second copy, left out");
  const outcome corpus = gt200_run({"corpus", path("corpus")});
  EXPECT_EQ(corpus.code, 0);
  EXPECT_EQ(corpus.out, path("corpus/b.cubin") + ": f +0x0: f0000001: a long instruction needs a second word\n" +
                            path("corpus/c.sass") + ":2: the line has no encoding (/*0x...*/)\n" +
                            path("corpus/deeper/a.txt") +
                            ": a +0x8: f0000001 e0000a00: nop: predicate condition 20 is undefined\n"
                            "1 of 3 instructions decoded in 2 programs; 1 programs refused\n");
  EXPECT_EQ(gt200_run({"corpus", path("nowhere")}).code, 1);
}

TEST_F(assemble, a_corpus_of_later_generations_is_decoded_as_theirs) {
  file("volta.s", ".target sm_70\n.entry f\n  MOV R1, R2\n  EXIT\n.end\n");
  file("fermi.s", ".target sm_20\n.entry f\n  mov b32 $r1 $r2\n  exit\n.end\n");
  std::filesystem::create_directories(path("later"));
  for (const std::string name : {"volta", "fermi"})
    ASSERT_EQ(gt200_run({"asm", path(name + ".s"), "-o", path("later/" + name + ".cubin")}).code, 0);
  std::string kepler = content_of(path("later/fermi.cubin"));
  const std::size_t flags = kepler[4] == 1 ? 36 : 48;  // e_flags, of 32 or of 64 bits
  ASSERT_EQ(kepler[flags], 20);
  kepler[flags] = 35;
  file("later/kepler.cubin", kepler);
  const outcome corpus = gt200_run({"corpus", path("later")});
  EXPECT_EQ(corpus.out, path("later/kepler.cubin") +
                            ": is for sm_35, whose instructions are not known\n"
                            "4 of 4 instructions decoded in 2 programs; 1 programs refused\n");
}

}  // namespace
}  // namespace gt200::cli
