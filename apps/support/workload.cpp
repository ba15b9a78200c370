#include "apps/support/workload.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/support/load_program.h"
#include "apps/support/output_file.h"
#include "kernels/host_table.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"

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
std::string check_dump(const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool fine = equals != std::string::npos && equals != 0 && equals + 1 < text.size();
  return fine ? "" : "'" + text + "' is not BUFFER=FILE";
}

// Empty when valid, as CLI11 asks for.
std::string check_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || !integer(text.substr(equals + 1)))
    return "'" + text + "' is not NAME=INTEGER";
  return {};
}

bool path_exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Returns the launch description to read; sets the program when the user named one instead.
std::string find_launch(const workload_options& options, launch::overrides& changes) {
  const fs::path target = options.target;
  if (!path_exists(target)) throw input_error(options.target, 0, "no such kernel folder or file");
  std::error_code error;
  const bool folder = fs::is_directory(target, error);
  const bool program = !folder && target.extension() != ".toml";
  if (program && !changes.source) changes.source = options.target;
  if (!options.launch.empty()) return options.launch;
  if (!folder && !program) return options.target;
  const fs::path beside = (folder ? target : target.parent_path()) / "launch.toml";
  if (!path_exists(beside))
    throw input_error(options.target, 0,
                      folder ? "the folder has no launch.toml; name a launch description with --launch"
                             : "no launch.toml beside it; name a launch description with --launch, or say with "
                               "--grid, --block and --arg how to launch it");
  return beside.string();
}

// The program of a launch description for the chip: where the description names assembly source of another
// generation, CUDA C or PTX of the same name beside it takes its place.
cubin::module load_for_chip(std::string& source, unsigned capability) {
  cubin::module module = load_program(source, capability);
  const auto generation = [](unsigned sm) { return cubin::architecture_of_sm(sm).first_sm; };
  if (fs::path(source).extension() != ".s" || generation(module.capability) == generation(capability))
    return module;
  for (const char* extension : {".cu", ".ptx"}) {
    const std::string beside = fs::path(source).replace_extension(extension).string();
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

}  // namespace

void add_workload_options(CLI::App& command, workload_options& options) {
  command
      .add_option(
          "kernel", options.target,
          "kernel folder, launch description (.toml), or program (cubin, listing, assembly source, PTX) with a "
          "launch description")
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

void add_dump_option(CLI::App& command, workload_options& options) {
  command
      .add_option("--dump", options.dumps,
                  "writes a buffer to a file when the kernel has ended, BUFFER=FILE; repeatable")
      ->type_name("BUFFER=FILE")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_dump, ""));
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
  for (const std::string& text : options.dumps) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (result->launch.find_buffer(name) == nullptr)
      throw input_error(result->launch.file, 0, "--dump names the unknown buffer '" + name + "'");
    result->dumps.emplace_back(name, text.substr(equals + 1));
  }
  return result;
}

void add_files(const workload& work, command_files& files) {
  files.reads(work.launch.file);
  files.reads(work.launch.source);
  for (const launch::buffer& b : work.launch.buffers) files.reads(b.path);
  for (const launch::constant& c : work.launch.constants) files.reads(c.content.path);
  for (const launch::expectation& e : work.launch.expectations) files.reads(e.path);
  for (const auto& [buffer, file] : work.dumps) files.writes("--dump", file);
}

void prepare(workload& work, launch::device_allocator& allocator, std::uint32_t max_block_threads) {
  work.prepared = launch::prepare(work.launch, work.module, kernels::host_table(), allocator, max_block_threads);
}

void write_dumps(const workload& work, const launch::device& target) {
  for (const auto& [name, file] : work.dumps) {
    const launch::placed_bytes& buffer = work.prepared.buffer_at(name);
    std::vector<std::uint8_t> bytes(buffer.initial.size());
    target.read(buffer.address, bytes.data(), bytes.size());
    write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

}  // namespace gt200::apps
