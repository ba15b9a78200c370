// The work that the user asked for: a launch description, its program, and the options that change them. Shared by
// `run` and `emulate`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/support/command_files.h"
#include "apps/support/direct_launch.h"
#include "toolchain/cubin/module.h"
#include "toolchain/launch/description.h"
#include "toolchain/launch/prepare.h"
#include "toolchain/ptx/compile.h"

namespace CLI {
class App;
}

namespace gt200::apps {

struct workload_options {
  std::string target;  // kernel folder, launch description, or program
  std::string launch;
  std::string source;
  std::optional<std::uint32_t> seed;
  std::vector<std::string> parameters;  // NAME=VALUE
  direct_launch_options direct;
  std::vector<std::string> dumps;   // BUFFER=FILE
  std::vector<std::string> inputs;  // BUFFER=FILE
  std::string arrays;               // folder; empty: none
};

// Empty for a valid --param, NAME=INTEGER; else what is wrong.
std::string check_parameter(const std::string& text);

void add_workload_options(CLI::App& command, workload_options& options);
// The first name of NAME=VALUE texts that an earlier one has already; empty without such a name.
std::string repeated_name(const std::vector<std::string>& texts);
// Refuses what no option sees by itself: a parameter or a buffer's content that is given twice.
void check(const workload_options& options);
// Options for buffers, in files: --input, --dump and --arrays. For commands that run the workload.
void add_buffer_options(CLI::App& command, workload_options& options);
// For commands without a chip configuration.
void add_threads_per_block(CLI::App& command, std::uint32_t& max_block_threads);

// Owns what launch::prepared refers to. Must not be moved.
struct workload {
  launch::description launch;
  cubin::module module;
  launch::prepared prepared;                                // by prepare()
  std::vector<std::pair<std::string, std::string>> dumps;   // buffer, file
  std::vector<std::pair<std::string, std::string>> inputs;  // buffer, file
  std::string arrays;                                       // folder for every buffer; empty: none
};

// A folder means the launch.toml in it. A program (anything but .toml) is run as the direct launch says, else by
// the given launch description, else by the one beside it. `capability`: of the chip it is compiled for, see
// ptx::compile_options. Where a description names assembly source of another generation, CUDA C or PTX of the same
// name beside it takes its place. Throws input_error.
std::unique_ptr<workload> load_workload(const workload_options& options,
                                        unsigned capability = ptx::compile_options{}.capability);
// Registers every file the workload is read from, and the files of --dump and --arrays.
void add_files(const workload& work, command_files& files);
// Gives globals and buffers their addresses and initial contents, those of --input among them, and checks every
// step. Throws input_error.
void prepare(workload& work, launch::device_allocator& allocator,
             std::uint32_t max_block_threads = launch::max_threads_per_block);
// Writes the buffers of --dump and --arrays as they are in device memory. Throws input_error, after it has written
// those that can be written.
void write_buffers(const workload& work, const launch::device& target);
// Writes every buffer as it is before the first step to NAME.npy in the folder. Throws input_error.
void write_initial_arrays(const workload& work, const std::string& folder);

}  // namespace gt200::apps
