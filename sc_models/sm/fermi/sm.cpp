#include "sc_models/sm/fermi/sm.h"

#include <utility>

#include "sc_models/machine_size.h"
#include "toolchain/arch_state/fermi/generation.h"

namespace gt200::model {
namespace {

constexpr sm_structure structure = {bank_rule::warp_wide_loads_twice, false};

arch_state::sync_limits limits_of(const config::simt_stack_config& stack) {
  arch_state::sync_limits limits;
  limits.on_chip_entries = stack.on_chip_entries;
  limits.maximum_entries = stack.maximum_entries;
  limits.limited_calls = stack.call_limit;
  return limits;
}

}  // namespace

fermi_sm::fermi_sm(const sc_core::sc_module_name& name, const sm_surroundings& in, const sm_position& position,
                   std::shared_ptr<decoded_instructions> decoded, std::shared_ptr<const unit_list> unit_list)
    : tesla_sm(name, in, position, decoded, std::move(unit_list), structure),
      load_store_unit("load_store_unit", in.core, in.config.tpc.sm, decoded->generation().values()) {
  operand_collector.to_memory_port.bind(load_store_unit.from_collector);
  operand_collector.to_shared_memory.bind(load_store_unit.from_shared_collector);
  load_store_unit.to_shared_memory.bind(shared_memory.in);
  load_store_unit.to_memory_port.bind(memory_port.in);
  write_back.join_parts(load_store_unit.parts());
}

sm_factory fermi_sms(const config::gpu_config& config) {
  auto generation = std::make_shared<const arch_state::fermi::generation>(limits_of(config.tpc.sm.simt_stack),
                                                                          machine_size_of(config));
  unit_options options;
  options.sp_groups = config.chip.sp_groups();
  options.one_memory_class = true;
  options.shared_memory_interval = shader_cycles(2);
  options.way_to_shared_memory = core_cycles(1);  // the load/store unit
  const auto units = std::make_shared<const unit_list>(config.tpc.sm, options);
  return {generation,
          [decoded = decoded_instructions_of_tpcs(generation), units](
              const char* name, const sm_surroundings& surroundings, const sm_position& position) mutable {
            return std::make_unique<fermi_sm>(name, surroundings, position, decoded.of(position.tpc), units);
          }};
}

}  // namespace gt200::model
