#include "rtl_ref/library/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "rtl_ref/library/cache.h"
#include "rtl_ref/library/files.h"
#include "toolchain/error.h"

namespace gt200::rtl {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

// Warnings do not fail a build: they are in the log.
const words verilator_flags = {"-Wno-fatal", "--no-assert", "-O3", "--x-assign", "fast", "--x-initial", "fast"};
// Verilator's module refuses a time resolution other than that of SystemC, which is the model's.
const words verilator_with_systemc = {"--sc", "--timescale-override", "1fs/1fs"};
const words compiler_flags = {"-std=c++17",
                              "-O2",
                              "-fPIC",
                              "-fvisibility=hidden",
                              "-ffp-contract=off",
                              "-DVL_TIME_CONTEXT",
                              "-DVL_USER_FINISH",
                              "-DVL_USER_STOP",
                              "-DVL_USER_FATAL",
                              "-pthread"};
constexpr const char* prefix = "Vrtl";
constexpr const char* on_signals = "Vrtl_on_signals";  // what takes the place of the Verilated class with SystemC

// What Verilator calls when RTL ends the simulation. By default it would end the program, even as a success.
constexpr const char* ends_of_rtl = R"(#include <stdexcept>
#include <string>
namespace {
[[noreturn]] void end_of_rtl(const std::string& what, const char* file, int line, const char* module) {
  throw std::runtime_error("RTL: " + what + " at " + (file == nullptr ? "?" : file) + ":" + std::to_string(line) +
                           (module == nullptr || *module == 0 ? "" : std::string(" in ") + module));
}
}
void vl_finish(const char* file, int line, const char* module) { end_of_rtl("$finish", file, line, module); }
void vl_stop(const char* file, int line, const char* module) { end_of_rtl("$stop or a failed assertion", file, line, module); }
void vl_fatal(const char* file, int line, const char* module, const char* text) {
  end_of_rtl(text == nullptr || *text == 0 ? "$fatal" : text, file, line, module);
}
)";

// Where SystemC is, if it is not where the compiler looks: the variables that Verilator's makefiles have for it.
const char* folder_in(const char* variable) {
  const char* const folder = std::getenv(variable);
  if (folder != nullptr && !fs::is_directory(folder))
    throw input_error(fmt::format("{} names '{}', which is no folder", variable, folder));
  return folder;
}
words systemc_flags() {
  words flags = {"-DVM_SC=1"};
  if (const char* folder = folder_in("SYSTEMC_INCLUDE")) flags.insert(flags.end(), {"-isystem", folder});
  return flags;
}
words systemc_libraries() {
  words flags;
  if (const char* folder = folder_in("SYSTEMC_LIBDIR")) flags.push_back(std::string("-L") + folder);
  flags.emplace_back("-lsystemc");
  return flags;
}

words& append(words& to, const words& more) {
  to.insert(to.end(), more.begin(), more.end());
  return to;
}

std::string joined(const words& all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The first line of a log that says "error", otherwise its first line.
std::string first_error(const std::string& log) {
  std::istringstream lines(content_of(log));
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("rror") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

void run_tool(const words& command, const std::string& folder, const std::string& log, const std::string& what) {
  const int code = run(command, folder + "/" + log);
  if (code > 128)
    throw build_failure(fmt::format("{}: {} was ended by signal {}", what, command[0], code - 128), log);
  if (code != 0) throw build_failure(fmt::format("{}: {}", what, first_error(folder + "/" + log)), log);
}

// The words that Verilator assigns to a variable of its makefile.
words assigned(const std::string& makefile, const std::string& variable) {
  std::istringstream lines(makefile);
  words result;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, variable.size() + 1, variable + " ") == 0) {
      inside = true;
      line.erase(0, line.find('=') + 1);
    }
    if (!inside) continue;
    std::istringstream parts(line);
    for (std::string part; parts >> part;)
      if (part != "\\") result.push_back(part);
    inside = !line.empty() && line.back() == '\\';
  }
  return result;
}

// Content of each of the files, as a hash; without folders, so that a copied tree has the same libraries.
std::string list_of(const char* kind, const words& files) {
  std::string text;
  for (const std::string& file : files)
    text += fmt::format("{} {} {}\n", kind, fs::path(file).filename().string(), hash_of(content_of(file)));
  return text;
}

words with_folders_of(const words& files, words folders) {
  for (const std::string& file : files)
    if (const std::string folder = fs::path(file).parent_path().string();
        std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  return folders;
}

words options(const char* option, const words& values) {
  words result;
  for (const std::string& value : values) result.push_back(option + value);
  return result;
}

}  // namespace

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << text).flush()) throw input_error(file, 0, "cannot be written");
}

compilation::compilation(const request& what)
    : what_(what),
      root_(source_folder()),
      rtl_(read_description(what)),
      verilator_(find_verilator(cache_folder())),
      compiler_(find_compiler()),
      key_(key_of()) {}

std::string compilation::arguments() const {
  std::string text;
  for (const std::int64_t argument : rtl_.arguments) text += fmt::format(", {}", argument);
  return text;
}

std::string compilation::key_of() const {
  words header_folders = rtl_.folders;
  header_folders.push_back(root_);
  std::string text = fmt::format("{} as {}, {}-bit pointers, ABI {}\n", what_.text(), what_.of.interface,
                                 8 * sizeof(void*), __GXX_ABI_VERSION);
  text += fmt::format("{}: {}\n{}: {}\n", verilator_.version, joined(verilator_flags), compiler_.version,
                      joined(compiler_flags));
  text += fmt::format("module {}, class {}<{}{}>, options '{}'\n", rtl_.module, rtl_.class_name, prefix,
                      arguments(), joined(rtl_.flags));
  if (rtl_.systemc)
    text += fmt::format("SystemC: {}; {}; {}\n", joined(verilator_with_systemc), joined(systemc_flags()),
                        joined(systemc_libraries()));
  for (const auto& [name, value] : rtl_.parameters) text += fmt::format("parameter {} = {}\n", name, value);
  text += list_of("RTL", with_included(rtl_.sources, with_folders_of(rtl_.sources, rtl_.folders)));
  words headers = {rtl_.pins, root_ + "/" + what_.of.header};
  if (rtl_.systemc) headers.push_back(root_ + "/rtl_ref/systemc_module.h");
  return text + list_of("header", with_included(headers, header_folders));
}

void compilation::run(const std::string& folder) const {
  verilate(folder);
  const std::string verilated = folder + "/verilated";
  const std::string makefile = content_of(verilated + "/" + prefix + "_classes.mk");
  const std::string include = answer_of({verilator_.program, "--getenv", "VERILATOR_ROOT"}) + "/include";
  words command = {compiler_.program};
  append(command, compiler_flags);
  if (rtl_.systemc) append(command, systemc_flags());
  append(command, {"-isystem", include, "-isystem", include + "/vltstd"});
  if (assigned(makefile, "VM_COVERAGE") == words{"1"}) command.emplace_back("-DVM_COVERAGE=1");
  const std::string runtime = runtime_object(command, makefile, include);

  write_text(folder + "/rtl.cpp", source(verilated));
  append(command, {"-isystem", verilated});
  append(command, options("-I", rtl_.folders));
  append(command, {"-I" + root_, "-shared", "-Wl,--no-undefined", folder + "/rtl.cpp", runtime, "-o",
                   folder + "/" + library_file});
  if (rtl_.systemc) append(command, systemc_libraries());
  run_tool(command, folder, "compiler.log", rtl_.file);
  fs::remove_all(verilated);
  if (key_of() != key_) throw input_error(rtl_.file, 0, "its files changed while they were compiled; try again");
}

void compilation::verilate(const std::string& folder) const {
  words command = {verilator_.program};
  append(command, rtl_.systemc ? verilator_with_systemc : words{"--cc"});
  append(command, verilator_flags);
  append(command, {"--prefix", prefix, "--top-module", rtl_.module, "--Mdir", folder + "/verilated"});
  for (const auto& [name, value] : rtl_.parameters) command.push_back(fmt::format("-G{}={}", name, value));
  append(command, options("-I", with_folders_of(rtl_.sources, rtl_.folders)));
  append(command, rtl_.flags);
  append(command, rtl_.sources);
  run_tool(command, folder, "verilator.log", rtl_.file);
}

// Verilator's own sources, the same for all blocks: compiled once per version of the tools. `command` compiles.
std::string compilation::runtime_object(words command, const std::string& makefile,
                                        const std::string& include) const {
  std::string unity;
  for (const char* list : {"VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"})
    for (const std::string& name : assigned(makefile, list))
      unity += fmt::format("#include \"{}/{}.cpp\"\n", include, name);
  const std::string key = verilator_.version + compiler_.version + joined(command) + unity;
  const auto compile = [&](const std::string& building) {
    write_text(building + "/runtime.cpp", unity);
    append(command, {"-c", building + "/runtime.cpp", "-o", building + "/runtime.o"});
    run_tool(command, building, "compiler.log", "Verilator's runtime");
  };
  return cached("runtime-" + hash_of(key), compile, [] {}) + "/runtime.o";
}

// One translation unit with the Verilated class, the class around its pins, and the factory.
std::string compilation::source(const std::string& verilated) const {
  words files;
  for (const auto& entry : fs::directory_iterator(verilated))
    if (entry.path().extension() == ".cpp") files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const std::string& file : files) text += fmt::format("#include \"{}\"\n", file);
  if (rtl_.systemc) text += class_on_signals(content_of(verilated + "/" + prefix + ".h"));
  return text + ends_of_rtl +
         fmt::format(R"(#include "{}"
using namespace gt200::rtl;
extern "C" __attribute__((visibility("default"))) {}* {}() {{
  auto* const made = new {}<{}{}>;
  {}
  return made;
}}
)",
                     rtl_.pins, what_.of.interface, factory_name, rtl_.class_name,
                     rtl_.systemc ? on_signals : prefix, arguments(),
                     rtl_.systemc ? "made->wait_for_signals();" : "");
}

// A class with the ports of the SystemC module, as members of the same names (rtl_ref/systemc_module.h). `header`:
// that which Verilator has written.
std::string compilation::class_on_signals(const std::string& header) const {
  static const std::regex port(R"(sc_(in|out)<\s*(.*\S)\s*>\s*&\s*(\w+);)");
  static const std::regex array(R"(sc_(in|out)<.*>\s*\(&(\w+)\)\s*\[)");
  if (std::smatch found; std::regex_search(header, found, array))
    throw input_error(
        rtl_.file, 0,
        fmt::format("port '{}' is an unpacked array; with systemc = true, ports must be packed", found[2].str()));
  std::string pins;
  for (std::sregex_iterator at(header.begin(), header.end(), port), end; at != end; ++at) {
    const std::string name = (*at)[3].str();
    pins += (*at)[1] == "in" ? fmt::format("  gt200::rtl::input_pin<{}> {}{{*this, rtl.{}, \"{}\"}};\n",
                                           (*at)[2].str(), name, name, name)
                             : fmt::format("  gt200::rtl::output_pin<{}> {}{{rtl.{}, \"{}\"}};\n", (*at)[2].str(),
                                           name, name, name);
  }
  return fmt::format(R"(#include "rtl_ref/systemc_module.h"
struct {0} : gt200::rtl::systemc_module_pins {{
  explicit {0}(VerilatedContext*) {{}}
  {1} rtl{{sc_core::sc_gen_unique_name("rtl")}};
{2}}};
)",
                     on_signals, prefix, pins);
}

}  // namespace gt200::rtl
