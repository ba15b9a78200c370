#include "testbenches/fuzz/targets.h"

#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>

#include "kernels/host_table.h"
#include "sc_models/config/load.h"
#include "sc_models/config/print.h"
#include "testbenches/fuzz/seeds.h"
#include "testbenches/toolchain/module_difference.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/launch/prepare.h"
#include "toolchain/ptx/compile.h"

namespace gt200::fuzz {
namespace {

void expect_same(const cubin::module& a, const cubin::module& b, const std::string& what) {
  const std::string difference = cubin::difference(a, b);
  if (!difference.empty()) throw finding(what + ": " + difference);
}

// Reads what the ELF writer writes.
cubin::module through_elf(const cubin::module& module) {
  std::ostringstream image;
  cubin::write_elf_cubin(module, image);
  try {
    return cubin::read_elf_cubin(image.str(), "written", cubin::architecture_of_sm(module.capability));
  } catch (const input_error& error) {
    throw finding(std::string("our own ELF cubin is refused: ") + error.what());
  }
}

std::string listing_of(const cubin::module& module) {
  std::ostringstream listing;
  assembler::disassemble_module(module, listing);
  return listing.str();
}

void check_instruction(const isa::tesla::instruction& i) {
  const std::string text = isa::tesla::disassemble(i);
  std::string label;
  isa::tesla::decode_error error;
  const auto again = isa::tesla::parse(text, label, error);
  if (!again) throw finding("'" + text + "' is refused: " + error.reason);
  if (!isa::tesla::same_operation(i, *again))
    throw finding("'" + text + "' becomes '" + isa::tesla::disassemble(*again) + "'");
}

}  // namespace

void decoder(std::string_view input) {
  for (std::size_t at = 0; at + 8 <= input.size(); at += 8) {
    std::uint32_t words[2];
    std::memcpy(words, input.data() + at, sizeof words);
    isa::tesla::decode_error error;
    if (const auto i = isa::tesla::decode(words[0], words[1], error))
      check_instruction(*i);
    else if (error.reason.empty())
      throw finding("refused without a reason");
  }
}

void cubin_loader(std::string_view input) {
  try {
    const cubin::module module = program::read(input, "input");
    expect_same(module, through_elf(module), "through ELF");
    listing_of(module);
  } catch (const input_error&) {
  }
}

void assembler(std::string_view input) {
  cubin::module module;
  try {
    module = gt200::assembler::assemble(input, "input.s");
  } catch (const input_error&) {
    return;
  }
  const std::string listing = listing_of(module);
  try {
    expect_same(module, gt200::assembler::assemble(listing, "listing.s"), "through its listing");
  } catch (const input_error& error) {
    throw finding(std::string("the listing is refused: ") + error.what() + "\n" + listing);
  }
}

void launch_description(std::string_view input) {
  static const cubin::module program = every_kernel();
  try {
    const launch::description description = launch::parse(std::string(input), "launch.toml");
    launch::device_allocator allocator(launch::first_device_address, launch::first_device_address + (1u << 20));
    launch::prepare(description, program, kernels::host_table(), allocator);
  } catch (const input_error&) {
  }
}

void configuration(std::string_view input) {
  const std::string folder = std::string(GT200_SOURCE_DIR) + "/configs/";
  const std::string text(input);
  config::resolved_config accepted;
  try {
    accepted = text.find('\n') == std::string::npos ? config::load(folder + "gt200.toml", {text})
                                                    : config::parse(text, folder + "input.toml");
  } catch (const input_error&) {
    return;
  }
  try {
    const auto again = config::parse(config::to_toml(accepted.values), "printed.toml");
    if (config::hash_of(again.values) != config::hash_of(accepted.values))
      throw finding("the printed configuration is another one");
  } catch (const input_error& error) {
    throw finding(std::string("the printed configuration is refused: ") + error.what());
  }
}

void ptx(std::string_view input) {
  for (const unsigned way : {0u, 1u, 2u, 3u}) {
    gt200::ptx::compile_options options;
    options.optimise = (way & 1) != 0;
    options.capability = (way & 2) != 0 ? 20 : 13;
    cubin::module module;
    try {
      module = gt200::ptx::compile(input, "input.ptx", options);
    } catch (const input_error&) {
      continue;
    }
    expect_same(module, through_elf(module), "through ELF");
    if (listing_of(module).find(".word") != std::string::npos) throw finding("a word is no instruction");
  }
}

}  // namespace gt200::fuzz
