#include "apps/support/internal_error.h"

#include <fmt/format.h>

#include <string_view>
#include <systemc>

#include "sc_models/load_plugin.h"
#include "tlm_bus/report.h"
#include "toolchain/foreign_code.h"

namespace gt200::apps {
namespace {

std::string text_of_report(const sc_core::sc_report& report) {
  const std::string_view id = report.get_msg_type();
  std::string text = fmt::format("{} at {}: ", id, report.get_time().to_string());
  if (id.rfind("/gt200/", 0) != 0 && report.get_process_name() != nullptr)
    text += fmt::format("in process {}: ", report.get_process_name());
  return text + report.get_msg();
}

// The code to which the module of a process belongs: its table of virtual functions lies there. SystemC has caught
// what the process has thrown, so nothing else tells.
std::string owner_of_process(const sc_core::sc_report& report) {
  if (report.get_process_name() == nullptr) return {};
  const sc_core::sc_object* const process = sc_core::sc_find_object(report.get_process_name());
  const sc_core::sc_object* const module = process == nullptr ? nullptr : process->get_parent_object();
  return module == nullptr ? std::string() : foreign_object_at(*reinterpret_cast<const void* const*>(module));
}

// Empty if it does not come from code that a user has given.
std::string text_of_foreign_fault(const std::exception& error) {
  if (const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error)) {
    const std::string at = report->get_time().to_string();
    if (std::string_view(report->get_msg_type()) == tlm_bus::foreign_report)
      return fmt::format("{} (at {})", report->get_msg(), at);
    if (const std::string owner = owner_of_process(*report); !owner.empty())
      return fmt::format("fault of {}: process {}: {} (at {})", owner, report->get_process_name(),
                         report->get_msg(), at);
  }
  const std::string source = text_of_source(dynamic_cast<const void*>(&error));
  return source.empty() ? std::string() : fmt::format("{}: {}", source, error.what());
}

// `what` with the plug-ins that may have caused it.
std::string text_of_defect(const std::string& what) {
  std::string text = fmt::format("internal error: {}", what);
  std::string names;
  for (const loaded_plugin& plugin : loaded_plugins()) names += (names.empty() ? "" : ", ") + plugin.name;
  if (!names.empty()) text += fmt::format(" (a defect of a plug-in or of the simulator; loaded: {})", names);
  return text;
}

}  // namespace

std::string text_of_internal_error(const std::exception& error) {
  if (std::string foreign = text_of_foreign_fault(error); !foreign.empty()) return foreign;
  const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error);
  return text_of_defect(report != nullptr ? text_of_report(*report) : error.what());
}

std::string text_of_unknown_exception() {
  const std::string what = "an exception that is no std::exception";
  const std::string source = text_of_source(nullptr);
  return source.empty() ? text_of_defect(what) : fmt::format("{}: {}", source, what);
}

}  // namespace gt200::apps
