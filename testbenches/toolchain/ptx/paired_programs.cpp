// paired_programs FOLDER         compiles every PTX file below FOLDER. If another compiler's cubin of it is beside
// it,
//                                compares registers, instructions and results of both.
// paired_programs FOLDER NAME    prints the machine code of one of them, ours and the other
//
// Prints Markdown; the exit code says whether everything compiled and agreed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/load.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/error.h"
#include "toolchain/launch/launch_run.h"
#include "toolchain/ptx/compile.h"
#include "toolchain/ptx/parser.h"

namespace {

namespace fs = std::filesystem;
using namespace gt200;

constexpr unsigned buffer_words = 4096;

unsigned instructions_of(const cubin::kernel& k) {
  unsigned count = 0;
  assembler::walk_code(k.code, [&](const assembler::code_step&) { ++count; });
  return count;
}

// The initial contents of both executions.
struct inputs {
  const char* what;
  const char* buffer;  // type and content
  int integer;
  double real;
};
constexpr inputs trials[] = {{"integers", "type = \"u32\"\ninit = \"random\"\nmodulo = 29", 5, 3},
                             {"floating-point numbers", "type = \"f32\"\ninit = \"random\"", 3, 0.75}};

// A buffer for every 64-bit parameter: hosts of that time had 64-bit pointers.
std::string launch_of(const ptx::function& entry, const std::vector<ptx::variable>& textures, const inputs& given) {
  std::string buffers;
  std::string arguments;
  const auto take = [&](const ptx::variable& v) {
    std::string argument;
    if (ptx::bytes_of(v.type) == 8 && v.count == 1) {
      buffers += fmt::format("[[buffer]]\nname = \"{}\"\n{}\ncount = {}\n", v.name, given.buffer, buffer_words);
      argument = fmt::format("{{ buffer = \"{}\", type = \"u64\" }}", v.name);
    } else if (ptx::is_float(v.type)) {
      argument = fmt::format("{{ type = \"f32\", value = {} }}", given.real);
    } else {
      const unsigned bits = 8 * ptx::bytes_of(v.type);
      argument = fmt::format("{{ type = \"u{}\", value = {} }}", bits, given.integer);
    }
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  for (const ptx::variable& v : entry.parameters) take(v);
  for (const ptx::statement& s : entry.body)
    for (const ptx::variable& v : s.variables)
      if (v.space == ptx::state_space::param && entry.parameters.empty()) take(v);
  for (std::size_t k = 0; k < textures.size(); ++k)
    buffers += fmt::format(
        "[[buffer]]\nname = \"texels{0}\"\ntype = \"f32\"\ninit = \"random\"\ncount = 4096\n[[texture]]\nunit = "
        "{0}\n"
        "buffer = \"texels{0}\"\nchannels = 4\nwidth = 32\nheight = 32\n",
        k);
  return fmt::format(
      "schema = 1\nsource = \"p\"\nseed = 7\n{}[[step]]\nlaunch = \"{}\"\ngrid = [2]\nblock = [32]\n"
      "arguments = [{}]\n",
      buffers, entry.name, arguments);
}

// The final bytes of all buffers.
std::vector<std::vector<std::uint8_t>> results(const std::string& launch_text, const cubin::module& module) {
  const launch::description description = launch::parse(launch_text, "launch.toml");
  launch::device_allocator allocator;
  const launch::prepared prepared = launch::prepare(description, module, {}, allocator);
  emulator::run_options options;
  options.instruction_limit = 2'000'000;
  emulator::functional_device device(prepared, options);
  const launch::device interface = device.interface();
  launch::upload(prepared, interface);
  launch::execute(prepared, interface);
  std::vector<std::vector<std::uint8_t>> all;
  for (const launch::placed_bytes& b : prepared.buffers) {
    all.emplace_back(b.initial.size());
    interface.read(b.address, all.back().data(), static_cast<std::uint32_t>(all.back().size()));
  }
  return all;
}

struct comparison {
  unsigned trials = 0;  // that the other program could run
  std::string difference;
};

comparison compare(const ptx::module_source& source, const ptx::function& entry, const cubin::module& ours,
                   const cubin::module& other) {
  std::vector<ptx::variable> textures;
  for (const ptx::variable& v : source.variables)
    if (v.space == ptx::state_space::texture) textures.push_back(v);
  comparison result;
  for (const inputs& given : trials) {
    const std::string launch_text = launch_of(entry, textures, given);
    std::vector<std::vector<std::uint8_t>> expected;
    try {
      expected = results(launch_text, other);
    } catch (const std::exception& error) {
      if (result.difference.empty() && result.trials == 0 && &given == &trials[1])
        result.difference = fmt::format("not run: {}", error.what());
      continue;
    }
    if (result.trials++ == 0) result.difference.clear();
    try {
      const auto got = results(launch_text, ours);
      std::size_t different = 0;
      for (std::size_t b = 0; b < got.size(); ++b)
        for (std::size_t k = 0; k < got[b].size(); k += 4)
          different += std::equal(&got[b][k], &got[b][k] + 4, &expected[b][k]) ? 0 : 1;
      if (different > 0) result.difference += fmt::format("{} words differ with {}; ", different, given.what);
    } catch (const std::exception& error) {
      result.difference += error.what();
    }
  }
  return result;
}

struct totals {
  unsigned files = 0;
  unsigned compiled = 0;
  unsigned pairs = 0;
  unsigned same = 0;
  double log_registers = 0;
  double log_instructions = 0;
};

const cubin::kernel* kernel_named(const cubin::module& m, const std::string& name) {
  const auto found =
      std::find_if(m.kernels.begin(), m.kernels.end(), [&](const cubin::kernel& k) { return k.name == name; });
  return found == m.kernels.end() ? nullptr : &*found;
}

void compare_file(const fs::path& path, const fs::path& root, totals& sum) {
  const std::string name = fs::relative(path, root).replace_extension().string();
  ++sum.files;
  const std::string text = cubin::read_file(path.string());
  cubin::module ours;
  try {
    ours = ptx::compile(text, path.filename().string());
  } catch (const input_error& error) {
    std::cout << fmt::format("| {} | refused: {} | | | |\n", name, error.what());
    return;
  }
  ++sum.compiled;
  const fs::path beside = fs::path(path).replace_extension(".cubin");
  if (!fs::exists(beside)) {
    std::cout << fmt::format("| {} | {} | {} | | no cubin |\n", name, ours.kernels[0].registers,
                             instructions_of(ours.kernels[0]));
    return;
  }
  const cubin::module other = program::load(beside.string());
  const ptx::module_source source = ptx::parse(text, ptx::source_file(path.filename().string(), text));
  for (const ptx::function& f : source.functions) {
    const cubin::kernel* own = kernel_named(ours, f.name);
    const cubin::kernel* theirs = kernel_named(other, f.name);
    if (own == nullptr || theirs == nullptr) continue;
    const unsigned count = instructions_of(*own);
    const unsigned other_count = instructions_of(*theirs);
    ++sum.pairs;
    sum.log_registers += std::log(static_cast<double>(own->registers) / theirs->registers);
    sum.log_instructions += std::log(static_cast<double>(count) / other_count);
    const comparison c = compare(source, f, ours, other);
    sum.same += c.difference.empty() ? 1 : 0;
    std::cout << fmt::format("| {} | {} : {} | {} : {} | {:.2f} | {} |\n", name, own->registers, theirs->registers,
                             count, other_count, static_cast<double>(count) / other_count,
                             c.difference.empty() ? "the same" : c.difference);
  }
}

void show(const fs::path& path) {
  assembler::disassemble_module(ptx::compile(cubin::read_file(path.string()), path.filename().string()), std::cout);
  const fs::path beside = fs::path(path).replace_extension(".cubin");
  if (!fs::exists(beside)) return;
  std::cout << "\n";
  assembler::disassemble_module(program::load(beside.string()), std::cout);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2 || count > 3 || !fs::is_directory(words[1])) {
    std::cerr << "usage: paired_programs FOLDER [NAME]\n";
    return 2;
  }
  const fs::path root = words[1];
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  totals sum;
  try {
    if (count == 3) {
      for (const fs::path& path : files)
        if (path.stem() == words[2]) show(path);
      return 0;
    }
    std::cout << "| program | registers, ours : theirs | instructions | ratio | results |\n|---|---|---|---|---|\n";
    for (const fs::path& path : files) compare_file(path, root, sum);
  } catch (const std::exception& error) {
    std::cerr << "paired_programs: " << error.what() << "\n";
    return 2;
  }
  const auto mean = [&](double logarithms) { return std::exp(logarithms / std::max(sum.pairs, 1u)); };
  std::cout << fmt::format(
      "\n{} of {} files compile; {} kernels have a cubin, {} of them give the same results. Geometric mean of the "
      "ratios: registers {:.3f}, instructions {:.3f}.\n",
      sum.compiled, sum.files, sum.pairs, sum.same, mean(sum.log_registers), mean(sum.log_instructions));
  return sum.compiled == sum.files && sum.same == sum.pairs ? 0 : 1;
}
