#include "sc_models/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "sc_models/load_plugin.h"
#include "toolchain/error.h"
#include "toolchain/foreign_code.h"
#include "toolchain/shared_object.h"

namespace gt200 {
namespace {

std::vector<loaded_plugin>& plugins() {
  static std::vector<loaded_plugin> all;
  return all;
}

// Why a file that was opened is no plug-in of this program, by its path. It stays open, and its objects add what
// they have only once: so the answer stays as well.
std::map<std::string, std::string>& refused() {
  static std::map<std::string, std::string> all;
  return all;
}

// The message of the loader without the name of the file in front of it.
std::string reason_of_loader(const std::string& file) {
  const char* text = dlerror();
  std::string reason = text == nullptr ? "cannot be loaded" : text;
  if (reason.compare(0, file.size() + 2, file + ": ") == 0) reason.erase(0, file.size() + 2);
  return "is no plug-in for this program: " + reason;
}

// Empty: it may be used. `errors`: of what its objects have added.
std::string reason_against(const gt200_plugin_description* about, const std::vector<std::string>& errors) {
  if (about == nullptr) return "is no plug-in of gt200: it has no symbol gt200_plugin (GT200_PLUGIN in its source)";
  if (about->interface != GT200_PLUGIN_INTERFACE)
    return "was built for plug-in interface " + std::to_string(about->interface) + " of gt200 " +
           about->gt200_version + "; this is interface " + std::to_string(GT200_PLUGIN_INTERFACE) +
           " of gt200 " GT200_VERSION;
  // Headers may change in any version (docs/stability.md), and what they inline is part of the plug-in.
  if (about->gt200_version != std::string(GT200_VERSION))
    return std::string("was built with the headers of gt200 ") + about->gt200_version +
           "; this is gt200 " GT200_VERSION;
  return errors.empty() ? "" : errors.front();
}

}  // namespace

void load_plugin(const std::string& file) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(file, error).lexically_normal().string();
  require_whole_shared_object(file);
  const auto is_this = [&](const loaded_plugin& p) { return p.file == path; };
  if (std::any_of(plugins().begin(), plugins().end(), is_this)) return;
  if (const auto known = refused().find(path); known != refused().end()) throw input_error(file, 0, known->second);

  // Errors of what the program itself has added are not this file's.
  const std::vector<std::string> before = config::take_registration_errors();
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw input_error(file, 0, reason_of_loader(path));
  const std::vector<std::string> errors = config::take_registration_errors();
  for (const std::string& text : before) config::note_registration_error(text);

  const auto* about = static_cast<const gt200_plugin_description*>(dlsym(library, "gt200_plugin"));
  if (const std::string reason = reason_against(about, errors); !reason.empty()) {
    refused()[path] = reason;
    throw input_error(file, 0, reason);
  }
  note_foreign_object(std::string("plug-in ") + about->name + " (" + file + ")", library);
  plugins().push_back({about->name, path});
  std::sort(plugins().begin(), plugins().end(),
            [](const loaded_plugin& a, const loaded_plugin& b) { return a.name < b.name; });
}

std::vector<loaded_plugin> loaded_plugins() { return plugins(); }

}  // namespace gt200

bool gt200_accepts_plugin_interface(unsigned interface) {
  if (interface == GT200_PLUGIN_INTERFACE) return true;
  // Its layouts are unknown, so nothing more can be asked of it, such as its name.
  gt200::config::note_registration_error(
      "a policy that is linked to this program was built for plug-in interface " + std::to_string(interface) +
      "; this is interface " + std::to_string(GT200_PLUGIN_INTERFACE));
  return false;
}
