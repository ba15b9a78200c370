#include "apps/support/internal_error.h"

#include <fmt/format.h>

#include <string_view>
#include <systemc>

#include "sc_models/load_plugin.h"

namespace gt200::apps {
namespace {

std::string text_of_report(const sc_core::sc_report& report) {
  const std::string_view id = report.get_msg_type();
  std::string text = fmt::format("{} at {}: ", id, report.get_time().to_string());
  if (id.rfind("/gt200/", 0) != 0 && report.get_process_name() != nullptr)
    text += fmt::format("in process {}: ", report.get_process_name());
  return text + report.get_msg();
}

}  // namespace

std::string text_of_internal_error(const std::exception& error) {
  const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error);
  std::string text = fmt::format("internal error: {}", report != nullptr ? text_of_report(*report) : error.what());
  std::string names;
  for (const loaded_plugin& plugin : loaded_plugins()) names += (names.empty() ? "" : ", ") + plugin.name;
  if (!names.empty()) text += fmt::format(" (a defect of a plug-in or of the simulator; loaded: {})", names);
  return text;
}

}  // namespace gt200::apps
