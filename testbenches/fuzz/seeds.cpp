#include "testbenches/fuzz/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

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

std::vector<seed> sources() {
  std::vector<seed> result = {{"declarations", declarations}};
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(std::string(GT200_SOURCE_DIR) + "/kernels"))
    if (entry.path().extension() == ".s") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) result.push_back({path.stem().string(), cubin::read_file(path.string())});
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

}  // namespace gt200::fuzz
