#include "toolchain/emulator/fermi/grid_run.h"

#include "toolchain/arch_state/lane_rows.h"

namespace gt200::emulator::fermi {

using namespace arch_state;
namespace {

class launch_run {
 public:
  launch_run(const program_context& context, const run_options& options, run_observer* observer)
      : block_(context), grid_(context.launch->grid), options_(options), observer_(observer) {}

  run_result run() {
    for (std::uint32_t z = 0; z < grid_[2]; ++z)
      for (std::uint32_t y = 0; y < grid_[1]; ++y)
        for (std::uint32_t x = 0; x < grid_[0]; ++x)
          if (!run_block({x, y, z})) return result_;
    return result_;
  }

 private:
  bool run_block(const std::array<std::uint32_t, 3>& coordinates) {
    block_.start(coordinates);
    for (bool progress = true; progress;) {
      progress = false;
      for (unsigned w = 0; w < block_.warps(); ++w) {
        if (block_.finished(w) || block_.waits(w)) continue;
        progress = true;
        if (!take_turn(w)) return false;
      }
    }
    for (unsigned w = 0; w < block_.warps(); ++w)
      if (!block_.finished(w)) return report(fault_kind::deadlock, w, "no warp of the block can go on");
    return true;
  }

  bool take_turn(unsigned w) {
    if (options_.stop != nullptr && *options_.stop != 0) return report(fault_kind::interrupted, w, {});
    for (std::uint32_t n = 0; n < options_.turn && !block_.finished(w) && !block_.waits(w); ++n) {
      if (result_.warp_instructions >= options_.instruction_limit)
        return report(fault_kind::instruction_limit, w,
                      std::to_string(options_.instruction_limit) + " warp instructions");
      if (block_.has_barrier_result(w)) complete_barrier(w);
      block_.step(w, static_cast<std::uint32_t>(result_.warp_instructions), record_);
      if (record_.state == step_state::pending && record_.access.kind != isa::access_kind::none) {
        block_.perform(record_);
        if (record_.state == step_state::pending) block_.complete(record_);
      }
      if (record_.state == step_state::faulted) {
        result_.fault = block_.describe_fault(record_);
        return false;
      }
      ++result_.warp_instructions;
      result_.thread_instructions += count_lanes(record_.executed);
      if (observer_ != nullptr) observer_->retired(record_, block_);
    }
    return true;
  }

  // The results of the barrier at which the warp has waited.
  void complete_barrier(unsigned w) {
    record_.warp = w;
    block_.complete_barrier(record_);
  }

  // Reports a fault of a warp that is about to execute its next instruction.
  bool report(fault_kind kind, unsigned w, std::string detail) {
    record_.warp = w;
    record_.pc = block_.flow(w).pc();
    record_.instruction = nullptr;
    record_.fault = kind;
    record_.fault_lanes = block_.flow(w).active_mask();
    result_.fault = block_.describe_fault(record_);
    result_.fault.detail = std::move(detail);
    return false;
  }

  run_result result_;
  block block_;
  std::array<std::uint32_t, 3> grid_;
  const run_options& options_;
  run_observer* observer_;
  step_record record_;
};

}  // namespace

run_result run(const cubin::module& module, const launch::fermi::launch_parameters& launch,
               const std::vector<std::uint8_t>& variables, const arch_state::generation& generation, memory& global,
               const run_options& options, run_observer* observer) {
  const code program(*launch.kernel, generation);
  constant_memory constants(module, *launch.kernel, variables);
  const generation_values& values = generation.values();
  for (const auto& [space, bytes] :
       {std::pair{0u, launch::fermi::launch_constants(launch, values.shared_window, values.local_window)},
        std::pair{1u, launch::fermi::stack_constants(launch)}})
    constants.write(space, 0, bytes, bytes.size());
  program_context context;
  context.generation = &generation;
  context.code = &program;
  context.constants = &constants;
  context.launch = &launch;
  context.global = &global;
  context.textures = options.textures;
  context.initial_state_seed = options.initial_state_seed;
  return launch_run(context, options, observer).run();
}

}  // namespace gt200::emulator::fermi
