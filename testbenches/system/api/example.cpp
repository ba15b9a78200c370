#include <cstdio>
#include <vector>

#include "driver/device.h"
#include "sc_models/config/load.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

int sc_main(int, char**) {  // libsystemc has the main()
  constexpr std::uint32_t n = 4096, size = n * sizeof(float);
  const auto program = gt200::assembler::assemble_file("kernels/vector_add/vector_add.s");
  gt200::device gpu(gt200::config::load("configs/gt200.toml", {"clocks.shader_mhz=1300"}).values);
  gpu.load(program, {});

  std::vector<float> a(n, 1.5f), b(n, 2.0f), c(n);
  const std::uint32_t a_at = gpu.allocate(size), b_at = gpu.allocate(size), c_at = gpu.allocate(size);
  gpu.copy_to_device(a_at, reinterpret_cast<const std::uint8_t*>(a.data()), size);
  gpu.copy_to_device(b_at, reinterpret_cast<const std::uint8_t*>(b.data()), size);

  gt200::launch::launch_parameters grid;
  grid.kernel = program.find("VecAdd");
  grid.grid = {n / 256, 1};
  grid.block = {256, 1, 1};
  grid.parameter_bytes = gt200::launch::pack_parameters(std::uint64_t{a_at}, std::uint64_t{b_at},
                                                        std::uint64_t{c_at}, std::int32_t{n});
  const gt200::launch_result result = gpu.launch(grid);

  gpu.copy_from_device(c_at, reinterpret_cast<std::uint8_t*>(c.data()), size);
  std::printf("%s: %llu core cycles, c[0] = %g\n", gt200::name_of(result.reason),
              static_cast<unsigned long long>(result.cycles), static_cast<double>(c[0]));
  return result.reason == gt200::end_reason::done ? 0 : 1;
}
