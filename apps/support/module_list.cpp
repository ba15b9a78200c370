#include "apps/support/module_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <systemc>

#include "driver/device.h"
#include "observe/trace/glob.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

bool is_socket(const sc_core::sc_object& object) {
  static constexpr std::array<std::string_view, 6> kinds = {
      "pipe_in", "pipe_out", "memory_target", "memory_initiator", "transaction_in", "transaction_out"};
  return std::find(kinds.begin(), kinds.end(), object.kind()) != kinds.end();
}

void list(const sc_core::sc_object& object, const std::string& pattern, std::string& text) {
  if (dynamic_cast<const sc_core::sc_module*>(&object) != nullptr && observe::matches(pattern, object.name())) {
    text += fmt::format("{}  {}\n", object.name(), object.kind());
    for (const sc_core::sc_object* child : object.get_child_objects())
      if (is_socket(*child)) text += fmt::format("  {:<32} {}\n", child->basename(), child->kind());
  }
  for (const sc_core::sc_object* child : object.get_child_objects()) list(*child, pattern, text);
}

}  // namespace

std::string module_list(const config::gpu_config& config, const std::string& pattern) {
  device gpu(config);
  gpu.start();
  std::string text;
  list(gpu.chip(), pattern, text);
  if (text.empty()) throw input_error(fmt::format("--modules: no module matches '{}'", pattern));
  return text;
}

}  // namespace gt200::apps
