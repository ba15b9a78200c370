#include "testbenches/toolchain/ptx/random_run.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <random>
#include <vector>

#include "testbenches/toolchain/ptx/interpreter.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"
#include "toolchain/ptx/parser.h"

namespace gt200::ptx {
namespace {

constexpr const char* source_name = "random.ptx";

std::string words_of(const std::vector<std::uint32_t>& words) {
  std::string text = "[";
  for (const std::uint32_t w : words) text += std::to_string(w) + ", ";
  return text + "]";
}

}  // namespace

expected_run expect_random_program(std::uint64_t seed, unsigned capability) {
  return expect_of(make_random_program(seed, capability), seed);
}

expected_run expect_of(const random_program& program, std::uint64_t seed) {
  expected_run result;
  result.program = program;
  const unsigned threads = result.program.blocks * result.program.threads;
  std::mt19937_64 random(~seed);
  std::vector<std::uint32_t> in;
  for (unsigned k = 0; k < threads * input_words_per_thread; ++k) {
    const auto bits = static_cast<std::uint32_t>(random());
    in.push_back(k % 3 == 0 ? bits : k % 3 == 1 ? bits % 64 : 0u - bits % 4096);
  }
  const auto scale = static_cast<std::uint32_t>(random());
  const auto small = static_cast<std::int16_t>(random());
  const float factor = static_cast<float>(static_cast<std::int32_t>(random())) / 1024;

  global_image memory;
  memory.base = 4096;
  const std::size_t in_bytes = 4 * in.size();
  memory.bytes.resize(in_bytes + 4 * (threads * output_words_per_thread + counter_words));
  std::memcpy(memory.bytes.data(), in.data(), in_bytes);
  reference_grid grid{result.program.blocks, result.program.threads, std::vector<std::uint8_t>(28)};
  const std::uint64_t addresses[2] = {memory.base, memory.base + in_bytes};
  std::memcpy(&grid.parameters[0], addresses, 16);
  std::memcpy(&grid.parameters[16], &scale, 4);
  std::memcpy(&grid.parameters[20], &small, 2);
  std::memcpy(&grid.parameters[24], &factor, 4);
  const source_file file(source_name, result.program.text);
  interpret(parse(result.program.text, file), grid, memory);
  result.out.resize((memory.bytes.size() - in_bytes) / 4);
  std::memcpy(result.out.data(), memory.bytes.data() + in_bytes, 4 * result.out.size());

  result.launch = fmt::format(
      "schema = 1\nsource = \"{}\"\nseed = 1\n[[buffer]]\nname = \"in\"\ntype = \"u32\"\nvalues = {}\n"
      "[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = {}\ninit = \"zeros\"\n"
      "[[step]]\nlaunch = \"random\"\ngrid = [{}]\nblock = [{}]\narguments = [\"in\", \"out\", {{ type = \"u32\", "
      "value = {} }}, {{ type = \"s16\", value = {} }}, {{ type = \"f32\", value = {:.9} }}]\n"
      "[[expect]]\nbuffer = \"out\"\nvalues = {}\n",
      source_name, words_of(in), result.out.size(), grid.blocks, grid.threads, scale, small,
      static_cast<double>(factor), words_of(result.out));
  return result;
}

std::string difference(const expected_run& expected, const compile_options& options, std::uint64_t initial_state) {
  try {
    const cubin::module module = compile(expected.program.text, source_name, options);
    const launch::description description = launch::parse(expected.launch, "launch.toml");
    launch::device_allocator allocator;
    const launch::prepared prepared = launch::prepare(description, module, {}, allocator);
    emulator::run_options run;
    run.initial_state_seed = initial_state;
    run.instruction_limit = 20'000'000;  // loops whose threads do not meet again run once for each
    emulator::functional_device device(prepared, run);
    const launch::device interface = device.interface();
    launch::upload(prepared, interface);
    launch::execute(prepared, interface);
    const launch::check_result result = launch::check(prepared, {}, interface);
    return result.passed ? std::string() : result.message;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace gt200::ptx
