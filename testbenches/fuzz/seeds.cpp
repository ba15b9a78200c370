#include "testbenches/fuzz/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "testbenches/toolchain/ptx/random_program.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cubin/text_writer.h"

namespace gt200::fuzz {
namespace {

namespace fs = std::filesystem;

// A program with every kind of declaration.
constexpr const char* declarations =
    ".target sm_13\n.equ four 4\n.const table at 4 u8 1 2 3\n.const zeros 40\n.global counter at 8 u32 7\n"
    ".global list 6\n.sampler picture 3\n.entry f\n.param u8 a\n.param u64 b\n.param 12 c\n.param u16 d at 0x40\n"
    ".shared tile 100\n.local 8\n.literal mask u32 1 2\n.barriers 2\nloop:\nand b32 $r1 $r1 c1[mask]\n"
    "add b32 $r1 b32 s[b+four] $r1\nbar inc wait 0x2 0xfff\n(lg $c0) bra loop\n.word 0xf0000001 0xe0000001\n"
    "exit nop\n.end\n.entry g\nexit nop\n.end\n";

// A launch description with every key that the kernels' descriptions do not use.
constexpr const char* launch_keys =
    "schema = 1\nsource = \"p.s\"\nseed = 3\nrequires = [\"warp_vote\", \"double_precision\"]\n"
    "[parameters]\nN = 8\n[[assert]]\nthat = \"N % 2 == 0\"\nmessage = \"even\"\n[[buffer]]\nname = \"a\"\ntype = "
    "\"u8\"\ncount = \"(N + 1) * 4 - 3 / 2 % 5\"\n"
    "init = \"random\"\nmodulo = 7\n[[buffer]]\nname = \"b\"\ntype = \"f64\"\nvalues = [1, -2.5, \"N\"]\n"
    "[[buffer]]\nname = \"i\"\ntype = \"s16\"\ncount = 64\ninit = \"iota\"\n"
    "[[texture]]\nunit = 3\nbuffer = \"a\"\nformat = \"s8\"\nchannels = 2\nnormalised_values = true\nwidth = 2\n"
    "height = 2\ndepth = 2\npitch = 4\naddressing = [\"wrap\", \"clamp\", \"wrap\"]\nfilter = \"linear\"\n"
    "normalised_coordinates = true\n"
    "[[constant]]\nsymbol = \"table\"\noffset = 1\ntype = \"u8\"\nvalues = [5]\n[[constant]]\nbank = 3\ntype = "
    "\"u32\"\ncount = 4\ninit = \"zeros\"\n"
    "[[step]]\nlaunch = \"f\"\ngrid = [2, \"N\"]\nblock = [4, 2, 2]\ndynamic_shared = 64\narguments = [{ type = "
    "\"u8\", value = 1 }, { buffer = \"a\", offset = 4, type = \"u64\" }, \"b\", { type = \"u16\", value = 2 }]\n"
    "[[step]]\nfill = \"i\"\nvalue = -1\n[[step]]\nset = \"i\"\nfirst = 2\nvalues = [1, 2]\n"
    "[[step]]\nrepeat = 2\nrepeat_while = \"i[3] <= N + 1\"\n[[step.step]]\nlaunch = \"g\"\ngrid = [1]\nblock = "
    "[1]\n"
    "[[expect]]\nbuffer = \"a\"\ncrc32 = \"0123abcd\"\nwhen = { N = 8, seed = 3 }\n"
    "[[expect]]\nbuffer = \"b\"\nvalues = [1]\nabsolute = 0.5\n"
    "[[expect]]\nbuffer = \"i\"\nreference = \"bfs\"\nscaled = 1e-6\n";

// The files with this extension below a folder of the project.
std::vector<fs::path> files_below(const char* folder, const char* extension) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(std::string(GT200_SOURCE_DIR) + "/" + folder))
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<seed> sources() {
  std::vector<seed> result = {{"declarations", declarations}};
  for (const fs::path& path : files_below("kernels", ".s"))
    result.push_back({path.stem().string(), cubin::read_file(path.string())});
  return result;
}

std::string sass_listing(const cubin::module& module) {
  std::string text = fmt::format("\tcode for sm_{}\n", module.capability);
  for (const cubin::kernel& k : module.kernels) {
    text += fmt::format("\t\tFunction : {}\n", k.name);
    for (std::size_t i = 0; i < k.code.size(); ++i) {
      const bool is_long = (k.code[i] & 1u) != 0 && i + 1 < k.code.size();
      text += fmt::format("\t/*{:04x}*/\tOP ;\t/* 0x", 4 * i);
      if (is_long) text += fmt::format("{:08x}", k.code[i + 1]);
      text += fmt::format("{:08x} */\n", k.code[i]);
      if (is_long) ++i;
    }
    text += "\t\t......\n";
  }
  return text;
}

std::string hex_listing(const cubin::module& module) {
  std::string text = ".literal l u32 1023\n";
  const cubin::kernel& k = module.kernels.front();
  for (std::size_t i = 0; i < k.code.size(); ++i)
    text += fmt::format("{}0x{:08x}{}", i % 4 == 0 ? fmt::format("{:04x}: ", 4 * i) : "", k.code[i],
                        i % 4 == 3 ? "\n" : " ");
  return text + "\n";
}

}  // namespace

std::vector<seed> decoder_seeds() {
  std::vector<seed> result;
  for (const seed& source : sources()) {
    seed words = {source.name, {}};
    for (const cubin::kernel& k : program::read(source.content, source.name).kernels)
      for (const std::uint32_t word : k.code)
        for (unsigned shift = 0; shift < 32; shift += 8) words.content.push_back(static_cast<char>(word >> shift));
    result.push_back(std::move(words));
  }
  return result;
}

std::vector<seed> cubin_loader_seeds() {
  std::vector<seed> result;
  for (const seed& source : sources()) {
    const cubin::module module = program::read(source.content, source.name);
    std::ostringstream elf;
    std::ostringstream text;
    cubin::write_elf_cubin(module, elf);
    cubin::write_text_cubin(module, text);
    result.push_back({source.name + ".elf", elf.str()});
    result.push_back({source.name + ".text", text.str()});
    result.push_back({source.name + ".sass", sass_listing(module)});
    result.push_back({source.name + ".hex", hex_listing(module)});
  }
  return result;
}

std::vector<seed> assembler_seeds() { return sources(); }

std::vector<seed> launch_description_seeds() {
  std::vector<seed> result = {{"all_keys", launch_keys}};
  for (const fs::path& path : files_below("kernels", ".toml"))
    result.push_back({path.parent_path().stem().string(), cubin::read_file(path.string())});
  return result;
}

std::vector<seed> configuration_seeds() {
  std::vector<seed> result = {{"set_number", "tpc.sm.limits.warps = \"24\""},
                              {"set_word", "tpc.sm.scheduler.policy=gto"},
                              {"set_unit", "memory_map.page_bytes = 8 KiB"}};
  for (const fs::path& path : files_below("configs", ".toml"))
    result.push_back({path.stem().string(), cubin::read_file(path.string())});
  return result;
}

std::vector<seed> ptx_seeds() {
  constexpr std::uint64_t random_programs = 20;
  std::vector<seed> result;
  for (const fs::path& path : files_below("kernels", ".ptx"))
    result.push_back({path.stem().string(), cubin::read_file(path.string())});
  for (std::uint64_t k = 1; k <= random_programs; ++k)
    result.push_back({fmt::format("random_{}", k), ptx::make_random_program(k).text});
  return result;
}

cubin::module every_kernel() {
  cubin::module all;
  all.capability = 13;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const seed& source : sources()) {
    const cubin::module one = program::read(source.content, source.name);
    append(all.kernels, one.kernels);
    append(all.constants, one.constants);
    append(all.samplers, one.samplers);
  }
  return all;
}

}  // namespace gt200::fuzz
