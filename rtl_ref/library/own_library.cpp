#include "rtl_ref/library/own_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <map>

#include "rtl_ref/library/export.h"
#include "toolchain/error.h"
#include "toolchain/foreign_code.h"
#include "toolchain/shared_object.h"

namespace gt200::rtl {
namespace {

// Loaded once; it stays.
void* loaded(const std::string& file) {
  static std::map<std::string, void*> known;
  // A name without a folder would be looked for where the system keeps its libraries.
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  void*& library = known[path];
  if (library != nullptr) return library;
  require_whole_shared_object(file);
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    throw input_error(file, 0, fmt::format("cannot be loaded: {}", reason == nullptr ? "?" : reason));
  }
  note_foreign_object("RTL " + file, library);
  return library;
}

std::string symbol_of(const std::string& block) { return "gt200_rtl_" + block; }

const exported_rtl& exported(const request& what) {
  const std::string& file = what.description;
  const void* const found = dlsym(loaded(file), symbol_of(what.of.name).c_str());
  if (found == nullptr)
    throw input_error(file, 0,
                      fmt::format("holds no {}: it does not export {}", what.of.name, symbol_of(what.of.name)));
  const auto& rtl = *static_cast<const exported_rtl*>(found);
  if (rtl.layout != exported_rtl::present_layout || rtl.interface_digest != std::string(what.of.interface_digest))
    throw input_error(
        file, 0, fmt::format("was compiled with another {} than this program; compile it again", what.of.header));
  return rtl;
}

}  // namespace

bool is_library(const std::string& description) {
  const std::string name = std::filesystem::path(description).filename().string();
  const std::size_t at = name.rfind(".so");
  if (at == std::string::npos || at == 0) return false;
  return name.find_first_not_of(".0123456789", at + 3) == std::string::npos &&
         (at + 3 == name.size() || name[at + 3] == '.');
}

void require_in_library(const request& what) { exported(what); }

void* new_from_library(const request& what) {
  const exported_rtl& rtl = exported(what);
  std::vector<library_values::named> values;
  for (const auto& [name, value] : what.values) values.push_back({name.c_str(), value});
  try {
    return rtl.make(library_values(values.data(), values.size()));
  } catch (const std::exception& error) {
    throw input_error(what.description, 0, fmt::format("{}: {}", what.text(), error.what()));
  }
}

std::vector<std::string> blocks_in_library(const std::string& file, const std::vector<std::string>& blocks) {
  std::vector<std::string> result;
  void* const library = loaded(file);
  for (const std::string& block : blocks)
    if (dlsym(library, symbol_of(block).c_str()) != nullptr) result.push_back(block);
  return result;
}

}  // namespace gt200::rtl
