#include "apps/support/workload.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "apps/support/kernels.h"
#include "apps/support/load_program.h"
#include "kernels/host_table.h"
#include "observe/observers/attempts.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/npy.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> integer(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Empty when valid, as CLI11 asks for.
std::string check_buffer_file(const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool fine = equals != std::string::npos && equals != 0 && equals + 1 < text.size();
  return fine ? "" : "'" + text + "' is not BUFFER=FILE";
}

bool path_exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Returns the launch description to read; sets the program when the user named one instead.
std::string find_launch(const workload_options& options, launch::overrides& changes) {
  const fs::path target = find_kernel(options.target);
  std::error_code error;
  const bool folder = fs::is_directory(target, error);
  const bool program = !folder && target.extension() != ".toml";
  if (program && !changes.source) changes.source = options.target;
  if (!options.launch.empty()) return options.launch;
  if (!folder && !program) return target.string();
  const fs::path beside = (folder ? target : target.parent_path()) / "launch.toml";
  if (!path_exists(beside))
    throw input_error(options.target, 0,
                      folder ? "the folder has no launch.toml; name a launch description with --launch"
                             : "no launch.toml beside it; name a launch description with --launch, or say with "
                               "--grid, --block and --arg how to launch it");
  return beside.string();
}

// The program of a launch description for the chip: where the description names assembly source NAME.s of another
// generation, NAME_sm_70.s (for a chip of capability 7.0), NAME.cu or NAME.ptx beside it takes its place.
cubin::module load_for_chip(std::string& source, unsigned capability) {
  cubin::module module = load_program(source, capability);
  const auto generation = [](unsigned sm) { return cubin::architecture_of_sm(sm).first_sm; };
  if (fs::path(source).extension() != ".s" || generation(module.capability) == generation(capability))
    return module;
  const std::string name = fs::path(source).replace_extension().string();
  for (const std::string& ending :
       {"_sm_" + std::to_string(capability) + ".s", std::string(".cu"), std::string(".ptx")}) {
    const std::string beside = name + ending;
    if (!path_exists(beside)) continue;
    source = beside;
    return load_program(source, capability);
  }
  return module;
}

// Checks options of a direct launch: it takes a program, and no option that needs a launch description.
void check_direct(const workload_options& options) {
  std::error_code error;
  if (!path_exists(options.target)) throw input_error(options.target, 0, "no such file");
  if (fs::is_directory(options.target, error) || fs::path(options.target).extension() == ".toml")
    throw input_error(options.target, 0, "--block goes with a program, not with a launch description");
  for (const auto& [option, given] :
       {std::pair{"--launch", !options.launch.empty()}, std::pair{"--source", !options.source.empty()},
        std::pair{"--param", !options.parameters.empty()}})
    if (given)
      throw input_error("command line", 0,
                        std::string(option) + " goes with a launch description, not with --block");
}

// BUFFER=FILE as pairs. Throws input_error for a buffer that the description lacks.
std::vector<std::pair<std::string, std::string>> buffer_files(const launch::description& launch, const char* option,
                                                              const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (launch.find_buffer(name) == nullptr)
      throw input_error(launch.file, 0, std::string(option) + " names the unknown buffer '" + name + "'");
    result.emplace_back(name, text.substr(equals + 1));
  }
  return result;
}

std::string array_file(const std::string& folder, const launch::buffer& b) {
  if (b.name.find('/') != std::string::npos)
    throw input_error(folder, 0, "buffer '" + b.name + "' cannot be the name of a file");
  return folder + "/" + b.name + ".npy";
}

void write_array(const std::string& folder, const launch::buffer& b, const std::vector<std::uint8_t>& bytes) {
  write_file(array_file(folder, b), launch::to_npy(b.type, bytes.data(), b.count));
}

// The content of --input for a buffer.
std::vector<std::uint8_t> read_input(const launch::buffer& b, const std::string& file) {
  const std::string content = cubin::read_file(file);
  std::string_view bytes = content;
  const auto fail = [&](const std::string& found) {
    throw input_error(
        file, 0, fmt::format("has {}, but buffer '{}' is {}[{}]", found, b.name, launch::name_of(b.type), b.count));
  };
  if (launch::is_npy(content)) {
    const launch::npy_array array = launch::read_npy(content, file);
    if (array.type != b.type || array.count() != b.count)
      fail(fmt::format("{}[{}]", launch::name_of(array.type), array.count()));
    bytes = array.bytes;
  }
  if (bytes.size() != b.bytes()) fail(fmt::format("{} bytes", bytes.size()));
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {first, first + bytes.size()};
}

// Replaces the initial content of a buffer, and of the arrays that are copies of it.
void set_initial(launch::prepared& program, const std::string& name, const std::vector<std::uint8_t>& bytes) {
  for (launch::placed_bytes& placed : program.buffers)
    if (placed.name == name) placed.initial = bytes;
  for (launch::placed_array& a : program.arrays)
    if (a.buffer == name) a.initial = sampling::in_blocks(a.shape, bytes.data());
}

}  // namespace

std::string check_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || !integer(text.substr(equals + 1)))
    return "'" + text + "' is not NAME=INTEGER";
  return {};
}

std::string repeated_name(const std::vector<std::string>& texts) {
  std::set<std::string> names;
  for (const std::string& text : texts)
    if (const auto [name, fresh] = names.insert(text.substr(0, text.find('='))); !fresh) return *name;
  return "";
}

void check(const workload_options& options) {
  for (const auto& [option, texts] :
       {std::pair{"--param", &options.parameters}, std::pair{"--input", &options.inputs}})
    if (const std::string name = repeated_name(*texts); !name.empty())
      throw CLI::ValidationError(option, "'" + name + "' is given twice");
}

void add_workload_options(CLI::App& command, workload_options& options) {
  command
      .add_option(
          "kernel", options.target,
          "kernel (a name of gt200 kernels, or a folder), launch description (.toml), or program (cubin, listing, "
          "assembly source, PTX) with a launch description")
      ->required();
  command.add_option("--launch", options.launch, "launch description to use instead of the folder's launch.toml")
      ->type_name("FILE");
  command.add_option("--source", options.source, "program to run instead of the one the description names")
      ->type_name("FILE");
  command.add_option("--seed", options.seed, "seed of random inputs, instead of the description's")->type_name("N");
  command.add_option("--param", options.parameters, "parameter of the launch description, NAME=VALUE; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_parameter, ""));
  add_direct_launch_options(command, options.direct);
}

void add_buffer_options(CLI::App& command, workload_options& options) {
  command
      .add_option("--input", options.inputs,
                  "content of a buffer before the first step, BUFFER=FILE: a NumPy file (.npy) or raw bytes; "
                  "repeatable")
      ->type_name("BUFFER=FILE")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_buffer_file, ""));
  command
      .add_option("--dump", options.dumps,
                  "writes a buffer to a file when the kernel has ended, BUFFER=FILE; repeatable")
      ->type_name("BUFFER=FILE")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_buffer_file, ""));
  command.add_option("--arrays", options.arrays, "folder for every buffer when the kernel has ended, as NAME.npy")
      ->type_name("DIR");
}

void add_threads_per_block(CLI::App& command, std::uint32_t& max_block_threads) {
  command
      .add_option("--threads-per-block", max_block_threads,
                  "maximum threads per block, as tpc.sm.limits.threads_per_block of a chip")
      ->type_name("N")
      ->check(CLI::Range(1, 2048))
      ->capture_default_str();
}

std::unique_ptr<workload> load_workload(const workload_options& options, unsigned capability) {
  launch::overrides changes;
  if (!options.source.empty()) changes.source = options.source;
  changes.seed = options.seed;
  for (const std::string& text : options.parameters) {
    const std::size_t equals = text.find('=');
    changes.parameters.emplace_back(text.substr(0, equals), *integer(text.substr(equals + 1)));
  }
  auto result = std::make_unique<workload>();
  if (options.direct.given()) {
    check_direct(options);
    result->module = load_program(options.target, capability);
    result->launch = describe_launch(options.direct, options.target, result->module, options.seed);
  } else {
    const std::string file = find_launch(options, changes);
    result->launch = launch::load(file, changes);
    result->module = changes.source ? load_program(result->launch.source, capability)
                                    : load_for_chip(result->launch.source, capability);
  }
  result->dumps = buffer_files(result->launch, "--dump", options.dumps);
  result->inputs = buffer_files(result->launch, "--input", options.inputs);
  // Fixed results belong to the inputs of the description; a reference computes them from those that are given.
  if (!result->inputs.empty())
    for (launch::expectation& e : result->launch.expectations)
      e.applies = e.applies && e.kind == launch::expectation_kind::reference;
  result->arrays = options.arrays;
  if (!options.arrays.empty())
    for (const launch::buffer& b : result->launch.buffers) array_file(options.arrays, b);
  return result;
}

void add_files(const workload& work, command_files& files) {
  files.reads(work.launch.file);
  files.reads(work.launch.source);
  for (const launch::buffer& b : work.launch.buffers) files.reads(b.path);
  for (const launch::constant& c : work.launch.constants) files.reads(c.content.path);
  for (const launch::expectation& e : work.launch.expectations) files.reads(e.path);
  for (const auto& [buffer, file] : work.inputs) files.reads(file);
  for (const auto& [buffer, file] : work.dumps) files.writes("--dump", file);
  if (!work.arrays.empty())
    for (const launch::buffer& b : work.launch.buffers) files.writes("--arrays", array_file(work.arrays, b));
}

void prepare(workload& work, launch::device_allocator& allocator, std::uint32_t max_block_threads) {
  work.prepared = launch::prepare(work.launch, work.module, kernels::host_table(), allocator, max_block_threads);
  for (const auto& [name, file] : work.inputs)
    set_initial(work.prepared, name, read_input(*work.launch.find_buffer(name), file));
}

void write_buffers(const workload& work, const launch::device& target) {
  const auto content = [&](const std::string& name) {
    const launch::placed_bytes& buffer = work.prepared.buffer_at(name);
    std::vector<std::uint8_t> bytes(buffer.initial.size());
    target.read(buffer.address, bytes.data(), bytes.size());
    return bytes;
  };
  observe::attempts files;
  for (const auto& dump : work.dumps) {
    const std::vector<std::uint8_t> bytes = content(dump.first);
    files.make([&] { write_file(dump.second, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}); });
  }
  if (!work.arrays.empty()) {
    files.make([&] { make_folder(work.arrays); });
    for (const launch::buffer& b : work.launch.buffers) {
      const std::vector<std::uint8_t> bytes = content(b.name);
      files.make([&] { write_array(work.arrays, b, bytes); });
    }
  }
  files.require();
}

void write_initial_arrays(const workload& work, const std::string& folder) {
  make_folder(folder);
  for (const launch::buffer& b : work.launch.buffers)
    write_array(folder, b, work.prepared.buffer_at(b.name).initial);
}

}  // namespace gt200::apps
