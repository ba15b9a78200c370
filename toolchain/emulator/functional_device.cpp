#include "toolchain/emulator/functional_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/volta/generation.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/emulator/fermi/grid_run.h"
#include "toolchain/emulator/volta/grid_run.h"
#include "toolchain/error.h"

namespace gt200::emulator {

using namespace arch_state;
namespace {

// Farther away, the nearest buffer does not explain the fault.
constexpr std::uint64_t near_bytes = 65536;

void add(run_counters& sum, const run_counters& more) {
  sum.warp_instructions += more.warp_instructions;
  sum.thread_instructions += more.thread_instructions;
  for (std::size_t k = 0; k < sum.per_opcode.size(); ++k) sum.per_opcode[k] += more.per_opcode[k];
  for (std::size_t k = 0; k < sum.per_unit.size(); ++k) sum.per_unit[k] += more.per_unit[k];
}

template <class action>
void for_each_placed(const launch::prepared& program, action act) {
  for (const auto* list : {&program.globals, &program.buffers})
    for (const launch::placed_bytes& placed : *list)
      if (!placed.initial.empty()) act(placed, std::uint64_t{placed.address} + placed.initial.size());
  for (const launch::placed_array& a : program.arrays)
    act(a, launch::end_of_array(std::uint64_t{a.address} + a.initial.size()));
}

void map_buffers(memory& target, const launch::prepared& program) {
  for_each_placed(program, [&](const launch::placed_bytes& placed, std::uint64_t) {
    if (!target.map(placed.address, static_cast<std::uint32_t>(placed.initial.size())))
      throw input_error(program.launch->file, 0, "buffer '" + placed.name + "' overlaps another one");
  });
}

void map_pages(memory& target, const launch::prepared& program) {
  std::uint64_t end = 0;
  for_each_placed(program,
                  [&](const launch::placed_bytes&, std::uint64_t its_end) { end = std::max(end, its_end); });
  const std::uint64_t bytes =
      launch::end_of_mapping(end, launch::page_bytes_of(program.module->capability)) - launch::first_device_address;
  if (bytes != 0) target.map(launch::first_device_address, static_cast<std::uint32_t>(bytes));
}

// "8 bytes before buffer 'b0'"; empty when none is near.
std::string place_near(const launch::prepared& program, std::uint64_t address) {
  std::string text;
  std::uint64_t nearest = near_bytes;
  for_each_placed(program, [&](const launch::placed_bytes& placed, std::uint64_t end) {
    const bool before = address < placed.address;
    const std::uint64_t distance = before ? placed.address - address : address < end ? 0 : address - end;
    if (distance >= nearest) return;
    nearest = distance;
    if (before)
      text = fmt::format("{} bytes before buffer '{}'", distance, placed.name);
    else if (address < end)
      text = fmt::format("at byte {} of buffer '{}', which has {}", address - placed.address, placed.name,
                         placed.initial.size());
    else
      text = fmt::format("{} bytes behind the end of buffer '{}'", distance, placed.name);
  });
  return text;
}

bool is_tesla(const launch::prepared& program) { return program.module->capability < cubin::fermi.first_sm; }
bool is_volta(const launch::prepared& program) { return program.module->capability >= cubin::volta.first_sm; }

// Counts instructions by the unit that executes them.
template <class block>
class unit_counter final : public fermi::basic_run_observer<block> {
 public:
  explicit unit_counter(run_counters& counters) : counters_(counters) {}
  void retired(const step_record& r, const block&) override {
    ++counters_.per_unit[static_cast<std::size_t>(r.instruction->unit)];
  }

 private:
  run_counters& counters_;
};

}  // namespace

functional_device::functional_device(const launch::prepared& program, const run_options& options,
                                     run_observer* observer, memory_bounds bounds)
    : program_(program), options_(options), observer_(observer), textures_(program.textures, global_) {
  options_.textures = &textures_;
  if (!is_tesla(program) && observer != nullptr)
    throw input_error(program.module->source_file, 0, "a trace is written of programs for sm_10 to sm_13 only");
  if (bounds == memory_bounds::buffers)
    map_buffers(global_, program);
  else
    map_pages(global_, program);
}

launch::device functional_device::interface() {
  launch::device device;
  const auto refuse = [this] { throw input_error(program_.launch->file, 0, "host access outside the buffers"); };
  device.write = [this, refuse](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
    if (!global_.write(address, bytes, size)) refuse();
  };
  device.read = [this, refuse](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
    if (!global_.read(address, bytes, size)) refuse();
  };
  device.launch = [this](const launch::launch_parameters& grid) { launch(grid); };
  return device;
}

const functional_device::loaded_kernel& functional_device::loaded(const cubin::kernel& kernel) {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const loaded_kernel& known) { return known.kernel == &kernel; });
  if (found != kernels_.end()) return *found;
  kernels_.push_back({&kernel, std::make_unique<code_image>(kernel),
                      std::make_unique<constant_memory>(*program_.module, kernel, program_.relocations)});
  return kernels_.back();
}

void functional_device::launch(const launch::launch_parameters& grid) {
  ++launches_;
  const fault f = is_tesla(program_) ? launch_tesla(grid) : launch_later(grid);
  if (f) throw launch_fault(f);
}

fault functional_device::launch_tesla(const launch::launch_parameters& grid) {
  const loaded_kernel& kernel = loaded(*grid.kernel);
  run_result result = run(grid, *kernel.code, *kernel.constants, global_, options_, observer_);
  add(counters_, result.counters);
  const code_entry* at_fault = kernel.code->at(result.fault.pc);
  if (result.fault.kind == fault_kind::unmapped_address && at_fault != nullptr &&
      at_fault->instruction.access.space == isa::memory_space::global)
    result.fault.detail = place_near(program_, result.fault.address);
  return result.fault;
}

fault functional_device::launch_later(const launch::launch_parameters& grid) {
  fermi::run_options options;
  options.initial_state_seed = options_.initial_state_seed;
  options.instruction_limit = options_.instruction_limit;
  options.turn = options_.turn;
  options.patience = options_.patience;
  options.stop = options_.stop;
  options.textures = options_.textures;
  fermi::run_result result;
  if (is_volta(program_)) {
    const arch_state::volta::generation generation;
    unit_counter<volta::block> units(counters_);
    result = volta::run(*program_.module, grid, program_.relocations, generation, global_, options, &units);
  } else {
    const arch_state::fermi::generation generation;
    unit_counter<fermi::block> units(counters_);
    result = fermi::run(*program_.module, grid, program_.relocations, generation, global_, options, &units);
  }
  counters_.warp_instructions += result.warp_instructions;
  counters_.thread_instructions += result.thread_instructions;
  if (result.fault.kind == fault_kind::unmapped_address && result.fault.detail.empty())
    result.fault.detail = place_near(program_, result.fault.address);
  return result.fault;
}

}  // namespace gt200::emulator
