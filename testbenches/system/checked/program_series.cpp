#include "testbenches/system/checked/program_series.h"

#include "testbenches/system/checked/emulated_words.h"

namespace gt200::support {

std::string program_series::error_of(const cubin::module& program, const cubin::module& reference, unsigned blocks,
                                     unsigned threads, std::uint64_t seed, const std::string& text) {
  if (!board) {
    device_options options;
    options.clocking.shuffle_seed = settings_.shuffle;
    options.clocking.audit = settings_.audit;
    build(text, settings_.overrides, options);
  }
  const auto explained = [&](const std::string& error) {
    return "seed " + std::to_string(seed) + ": " + error + "\n" + text;
  };
  const emulated_words expected = emulate_words(reference, blocks, threads, {}, words, out, in);
  if (expected.fault) return explained("the emulator alone: " + arch_state::describe(expected.fault));
  board->load(program, {});
  kernel = &program.kernels[0];
  std::vector<std::uint32_t> got(words);
  board->poke(out, reinterpret_cast<const std::uint8_t*>(got.data()), 4 * words);
  const launch_result result = run(blocks, threads);
  if (checker->difference()) return explained(difference());
  if (result.reason != end_reason::done)
    return explained(std::string(name_of(result.reason)) + ": " + result.explanation +
                     arch_state::describe(result.fault));
  board->peek(out, reinterpret_cast<std::uint8_t*>(got.data()), 4 * words);
  return got == expected.out ? "" : explained("memory differs from that of the emulator alone");
}

}  // namespace gt200::support
