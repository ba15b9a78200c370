#include "cuda/worker/cpu_engine.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "cuda/worker/cpu/grid_runner.h"
#include "toolchain/cuda/cpu_names.h"
#include "toolchain/error.h"
#include "toolchain/launch/device_memory.h"

namespace gt200::cudart {
namespace {

// Of a thread: local memory as large as on the chips that this code was made for, and what the processor needs.
constexpr std::size_t stack_bytes = 256 * 1024;

gt200_cpu_index index_of(const std::array<std::uint32_t, 3>& size) { return {size[0], size[1], size[2]}; }

grid_result::end end_of(block_runner::end how) {
  return how == block_runner::end::done    ? grid_result::end::done
         : how == block_runner::end::fault ? grid_result::end::fault
                                           : grid_result::end::interrupted;
}

unsigned threads_of_host(unsigned wanted) {
  return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

cpu_engine::cpu_engine(const config::gpu_config& config, std::uint64_t end, unsigned threads,
                       const launch_watch* watch)
    : config_(config),
      threads_(threads_of_host(threads)),
      watch_(watch),
      memory_(launch::first_device_address, launch::end_of_mapping(end, config.memory_map.page_bytes)) {
  for (unsigned k = 0; k < threads_; ++k) runners_.push_back(std::make_unique<block_runner>(stack_bytes));
}

void cpu_engine::take_over(const inventory& all) {
  for (; extents_ < all.extents.size(); ++extents_) {
    const inventory::extent& added = all.extents[extents_];
    memory_.grow(launch::end_of_mapping(added.address + added.bytes, config_.memory_map.page_bytes));
  }
}

void cpu_engine::write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  if (!memory_.holds(address, bytes)) throw std::logic_error("the host writes memory that is not mapped");
  std::memcpy(memory_.at(address), from, bytes);
}

void cpu_engine::read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) {
  if (!memory_.holds(address, bytes)) throw std::logic_error("the host reads memory that is not mapped");
  std::memcpy(to, memory_.at(address), bytes);
}

const cpu_image& cpu_engine::loaded(const program& code) {
  loaded_program& known = programs_[&code];
  if (known.image == nullptr) {
    known.image = std::make_unique<cpu_image>(code.cpu_image, code.addresses);
    const gt200_cpu_runtime* const functions = &device_functions();
    std::memcpy(known.image->find("gt200_cpu_functions"), &functions, sizeof functions);
  }
  // Constants that the host has written; clang drops those that no kernel reads.
  if (known.constants_version != code.constants_version) {
    for (const cubin::constant_segment& c : code.module.constants)
      if (void* const own = known.image->find(c.name)) std::memcpy(own, c.data.data(), c.data.size());
    known.constants_version = code.constants_version;
  }
  return *known.image;
}

grid_result cpu_engine::run(const program& code, const launch::launch_parameters& grid,
                            const launch_circumstances&) {
  const cpu_image& image = loaded(code);
  static const volatile std::sig_atomic_t never = 0;
  cpu_textures textures;
  for (const launch::bound_texture& t : code.textures)
    if (const void* const variable = image.find(t.name)) textures[variable] = &t;
  cpu_grid work;
  work.entry = reinterpret_cast<void (*)(const void*)>(image.find(cuda::cpu_entry_of(grid.kernel->name)));
  if (work.entry == nullptr) throw input_error("kernel '" + grid.kernel->name + "' has no code for the CPU");
  work.enter = reinterpret_cast<void (*)(gt200_cpu_place*)>(image.find("gt200_cpu_enter"));
  work.parameters = grid.parameter_bytes.data();
  work.blocks = index_of(grid.grid);
  work.threads = index_of(grid.block);
  work.flushes = config_.chip.is_tesla();
  work.textures = &textures;
  const cpu_grid_end end = run_grid(work, runners_, watch_ == nullptr ? &never : watch_->stop());
  grid_result result;
  result.reason = end_of(end.how);
  result.report = end.report;
  if (watch_ != nullptr) end_by_seconds(result, *watch_);
  result.cycles = 1;
  result.femtoseconds = config_.clocks.core_period();
  result.is_estimated = true;
  return result;
}

}  // namespace gt200::cudart
