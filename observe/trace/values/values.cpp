#include "observe/trace/values/values.h"

#include <algorithm>

#include "observe/trace/object_kind.h"
#include "tlm_bus/stage.h"

namespace gt200::observe {

const sc_core::sc_object* module_of(const model::sm_if& sm, const char* name) {
  for (const sc_core::sc_object* child : sm.get_child_objects())
    if (std::string(child->basename()) == name) return child;
  return nullptr;
}

std::vector<const tlm_bus::stage*> callers_of(const catalog& in, const sc_core::sc_object& module) {
  return in.calls().callers_of(module);
}

std::vector<const tlm_bus::stage*> starter_of(const catalog& in, const sc_core::sc_object& module) {
  std::vector<const tlm_bus::stage*> stages = callers_of(in, module);
  stages.erase(std::remove_if(stages.begin(), stages.end(),
                              [](const tlm_bus::stage* s) {
                                return !has_kind(dynamic_cast<const sc_core::sc_object*>(s), "block_control");
                              }),
               stages.end());
  return stages;
}

void add_values_of_sm(catalog& to, model::sm_if& sm) {
  add_registers(to, sm);
  add_shared_words(to, sm);
  add_shared_banks(to, sm);
  add_stack_entries(to, sm);
  add_dependencies(to, sm);
  add_block_slots(to, sm);
}

}  // namespace gt200::observe
