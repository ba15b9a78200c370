// Adds two vectors on a chip whose configuration the command line changes: NAME [--use MODULE=POLICY] [key=value
// ...]. The parts of this folder's neighbours are linked with it; nothing here names them.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "driver/device.h"
#include "sc_models/config/added_policy.h"
#include "sc_models/config/load.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace {

// out[i] = a[i] * b[i] + a[i], one element per thread.
constexpr const char* program_text = R"(
.target sm_13
.entry multiply_add
.param u32 a
.param u32 b
.param u32 out
    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    shl b32 $r0 $r0 0x2
    add b32 $r1 b32 s[a] $r0
    add b32 $r2 b32 s[b] $r0
    ld b32 $r1 g14[$r1]
    ld b32 $r2 g14[$r2]
    add b32 $r0 b32 s[out] $r0
    add f32 $r1 (mul $r1 $r2) $r1
    exit st b32 g14[$r0] $r1
.end
)";

int run(const std::vector<std::string>& words) {
  std::vector<std::string> settings;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--use" && i + 1 < words.size())
      gt200::config::choose_at(words[++i]);
    else
      settings.push_back(words[i]);
  }
  constexpr std::uint32_t n = 8192, size = n * sizeof(float);
  const auto program = gt200::assembler::assemble(program_text, "multiply_add.s");
  gt200::device gpu(gt200::config::load(std::string(GT200_CONFIGS) + "/gt200_small.toml", settings).values);
  gpu.load(program, {});

  std::vector<float> a(n), b(n), out(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 100);
    b[i] = static_cast<float>(i % 7);
  }
  const std::uint32_t a_at = gpu.allocate(size), b_at = gpu.allocate(size), out_at = gpu.allocate(size);
  gpu.copy_to_device(a_at, reinterpret_cast<const std::uint8_t*>(a.data()), size);
  gpu.copy_to_device(b_at, reinterpret_cast<const std::uint8_t*>(b.data()), size);

  gt200::launch::launch_parameters grid;
  grid.kernel = program.find("multiply_add");
  grid.grid = {n / 256, 1};
  grid.block = {256, 1, 1};
  grid.parameter_bytes = gt200::launch::pack_parameters(a_at, b_at, out_at);
  const gt200::launch_result result = gpu.launch(grid);

  gpu.copy_from_device(out_at, reinterpret_cast<std::uint8_t*>(out.data()), size);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < n; ++i) wrong += out[i] != a[i] * b[i] + a[i];
  std::printf("%s: %llu core cycles, %u of %u are wrong\n", gt200::name_of(result.reason),
              static_cast<unsigned long long>(result.cycles), wrong, n);
  return result.reason == gt200::end_reason::done && wrong == 0 ? 0 : 1;
}

}  // namespace

int sc_main(int count, char** words) {  // libsystemc has the main()
  try {
    return run({words, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
