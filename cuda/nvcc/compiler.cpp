#include "cuda/nvcc/compiler.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "cuda/nvcc/absent_headers.h"
#include "cuda/nvcc/cpu_code.h"
#include "cuda/nvcc/launch_brackets.h"
#include "cuda/protocol/kernel_name.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/clang.h"
#include "toolchain/cuda/container.h"
#include "toolchain/cuda/process.h"
#include "toolchain/cuda/waiting_loops.h"
#include "toolchain/data_folder.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"
#include "toolchain/ptx/compile.h"

namespace gt200::cuda {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;
using product = nvcc_options::product;

void append(words& to, const words& more) { to.insert(to.end(), more.begin(), more.end()); }

// Of the host's and the device's headers: one folder once installed, two in the source tree.
words header_folders() {
  words folders;
  for (const auto& [installed, in_sources, part] :
       {std::array<const char*, 3>{"cuda/include", "cuda/include", "cuda_runtime.h"},
        std::array<const char*, 3>{"cuda/include", "toolchain/cuda", "gt200_cuda.h"}}) {
    const std::string folder = data_folder(installed, in_sources, part);
    if (folder.empty()) throw input_error(std::string(part) + " is not where gt200 was installed");
    if (folders.empty() || folders.back() != folder) folders.push_back(folder);
  }
  return folders;
}

// Of the utilities of NVIDIA's SDKs. A program that brings its own uses those.
std::string utilities_folder() {
  const std::string folder = data_folder("cuda/include/sdk", "cuda/include/sdk", "cutil.h");
  if (folder.empty()) throw input_error("cutil.h is not where gt200 was installed");
  return folder;
}

// Beside the program in a build folder, or where it is installed.
std::string library_folder() {
  std::error_code error;
  const fs::path home = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {home / "lib", home.parent_path() / "lib/gt200"})
    if (fs::exists(folder / "libcudart.so", error)) return folder.string();
  throw input_error("libcudart.so is not where gt200 was installed");
}

// A folder with bin, include and lib64, as build systems expect a toolkit's.
std::string toolkit_folder() {
  std::error_code error;
  const fs::path home = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {home / "cuda_toolkit", home.parent_path() / "share/gt200/cuda"})
    if (fs::exists(folder / "bin", error)) return folder.string();
  return home.parent_path().string();
}

// A word of a command as a shell reads it. Build systems find the command that links by "-LFOLDER" in it.
std::string quoted(const std::string& word) {
  if (word.compare(0, 2, "-L") != 0 && word.find_first_of(" \t\"'$\\*?;&|<>()") == std::string::npos &&
      !word.empty())
    return word;
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\' || c == '$') text += '\\';
    text += c;
  }
  return text + "\"";
}

// The libraries that are not made without being asked for, and the target of the build that makes them.
std::string unbuilt_library(const std::string& option, const std::string& folder) {
  static const std::set<std::string> known = {"cublas", "cufft", "curand", "cudpp", "cudpp_x86_64"};
  if (option.compare(0, 2, "-l") != 0 || known.count(option.substr(2)) == 0) return "";
  const std::string name = option.substr(2);
  std::error_code error;
  if (fs::exists(fs::path(folder) / ("lib" + name + ".so"), error)) return "";
  return name == "cudpp_x86_64" ? "cudpp" : name;
}

void write_all(const std::string& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  out << content;
  if (!out.flush()) throw input_error(path, 0, std::string("cannot be written: ") + std::strerror(errno));
}

class driver {
 public:
  explicit driver(const nvcc_options& options) : options_(options) {}

  int run() {
    // Compilers and linkers leave their files there if they are killed.
    setenv("TMPDIR", folder_.path().c_str(), 1);
    for (const std::string& note : options_.notes) std::fprintf(stderr, "gt200 nvcc: %s\n", note.c_str());
#if !defined(__x86_64__)
    if (options_.cpu) throw input_error("nvcc: -cpu needs a processor of x86-64");
#endif
    if (options_.verbose || options_.dry_run) show_environment();
    if (options_.wanted == product::device_link) return empty_object();
    const bool one = options_.wanted != product::program && options_.wanted != product::archive;
    if (one && !options_.output.empty() && sources() > 1)
      throw input_error("nvcc: -o names one file, but there are several sources");
    words objects;
    for (const std::string& input : options_.inputs) {
      if (!is_source(input)) {
        objects.push_back(input);
        continue;
      }
      if (!fs::exists(input)) throw input_error(input, 0, "cannot open the file");
      const int code = compile(input, objects);
      if (code != 0) return code;
    }
    if (options_.wanted == product::archive) return archive(objects);
    return options_.wanted == product::program ? link(objects) : 0;
  }

 private:
  static bool is_c(const std::string& path) { return fs::path(path).extension() == ".c"; }
  bool is_cuda_source(const std::string& path) const {
    return !options_.none_is_cuda && (is_cuda(path) || (options_.all_are_cuda && is_source(path)));
  }
  static bool is_source(const std::string& path) {
    static const std::set<std::string> endings = {".cu", ".c", ".cc", ".cpp", ".cxx", ".C"};
    return endings.count(fs::path(path).extension().string()) != 0;
  }
  std::size_t sources() const {
    std::size_t count = 0;
    for (const std::string& input : options_.inputs) count += is_source(input) ? 1 : 0;
    return count;
  }

  std::string output_for(const std::string& input, const char* ending) const {
    if (!options_.output.empty()) return options_.output;
    return (fs::path(options_.folder) / (fs::path(input).stem().string() + ending)).string();
  }

  // Without a `log`, the program's messages go to the user.
  int execute(const words& command, const std::string& log = "") const {
    if (options_.verbose || options_.dry_run) {
      std::string line;
      for (const std::string& w : command) line += " " + quoted(w);
      std::fprintf(stderr, "#$%s\n", line.c_str());
    }
    return options_.dry_run ? 0 : run_program(command, log);
  }

  // What build systems read of `nvcc -v` and `-dryrun` before the commands.
  void show_environment() const {
    const std::string top = toolkit_folder();
    const char* path = std::getenv("PATH");
    unsigned newest = options_.capabilities.back();
    if (!options_.names_capability) newest = std::max(newest, options_.companions.back());
    std::fprintf(
        stderr,
        "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s/bin:%s\n#$ INCLUDES=\"-I%s/include\" \n"
        "#$ LIBRARIES= \"-L%s\"\n#$ DEVICE_FLAGS=-arch compute_%u\n",
        top.c_str(), top.c_str(), top.c_str(), path == nullptr ? "" : path, top.c_str(), library_folder().c_str(),
        newest);
  }

  // Device code of several files is put together when a device loads it.
  int empty_object() {
    const std::string source = temporary("device_link", ".c");
    write_all(source, "");
    return execute({host_compiler(true), "-c", "-o", output_for("a_dlink", ".o"), source});
  }

  int archive(const words& objects) const {
    words command = {"ar", "rcs", options_.output.empty() ? "a.a" : options_.output};
    append(command, objects);
    return execute(command);
  }

  std::string host_compiler(bool is_c) const {
    std::error_code error;
    if (options_.host_compiler.empty()) return is_c ? "cc" : "c++";
    if (!fs::is_directory(options_.host_compiler, error)) return options_.host_compiler;
    const fs::path in_folder = fs::path(options_.host_compiler) / (is_c ? "gcc" : "g++");
    return fs::exists(in_folder, error) ? in_folder.string() : is_c ? "cc" : "c++";
  }

  // With the first clang that is there.
  int with_clang(const words& arguments, const std::string& log = "") {
    for (const std::string& program : clang_.empty() ? clang_candidates() : words{clang_}) {
      words command = {program};
      append(command, arguments);
      const int code = execute(command, log);
      if (code == 127) continue;
      clang_ = program;
      return code;
    }
    require_memory_for(clang_.empty() ? clang_candidates() : words{clang_});
    throw input_error("nvcc needs clang; scripts/setup installs it, GT200_CLANG names another");
  }

  const words& undefined_arguments() {
    if (undefined_arguments_.empty())
      for (const std::string& program : clang_candidates()) {
        undefined_arguments_ = options_for_undefined_arguments(program);
        if (!undefined_arguments_.empty()) break;
      }
    return undefined_arguments_;
  }

  // What both passes have in common.
  words cuda_arguments(const std::string& input) {
    words arguments = {"-x", "cuda", "--cuda-path=" + folder_.path().string(), "-nocudainc", "-nocudalib",
                       "-Xclang", "-target-sdk-version=9.2",
                       // Declarations that no device code calls: templates of libraries choose by them.
                       "-Xclang", "-fcuda-allow-variadic-functions", "-Wno-unknown-cuda-version", "-D__CUDACC__",
                       "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=2",
                       "-D__CUDACC_VER_BUILD__=0",
                       "-std=" + (options_.standard.empty() ? "gnu++17" : options_.standard),
                       // What nvcc's host compilers of the time took without an error.
                       "-Wno-c++11-narrowing", "-Wno-writable-strings", "-Wno-reserved-user-defined-literal",
                       "-Wno-deprecated-register", "-Wno-register", "-Wno-dynamic-exception-spec",
                       "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument",
                       // The same names for static variables in both passes.
                       "-cuid=" + std::to_string(std::hash<std::string>()(fs::absolute(input).string()))};
    for (const std::string& folder : header_folders()) append(arguments, {"-I", folder});
    append(arguments, {"-include", "cuda_runtime.h"});
    append(arguments, options_.preprocessor);
    if (options_.relocatable) arguments.push_back("-D__CUDACC_RDC__");
    append(arguments, {"-idirafter", utilities_folder(), "-idirafter", absent_headers()});
    if (const std::string overlay = overlay_for(input); !overlay.empty())
      append(arguments, {"-ivfsoverlay", overlay});
    return arguments;
  }

  // A folder with headers that say why they are not there, behind all folders of the user.
  const std::string& absent_headers() {
    if (absent_headers_.empty()) {
      absent_headers_ = (folder_.path() / "absent").string();
      write_absent_headers(absent_headers_);
    }
    return absent_headers_;
  }

  // Of the host's side, which is compiled for no capability.
  words host_arguments(const std::string& input) {
    words arguments = cuda_arguments(input);
    append(arguments, {"--cuda-gpu-arch=sm_20", "--cuda-host-only"});
    return arguments;
  }

  // Shows clang the brackets of launches in one piece; empty if they are.
  const std::string& overlay_for(const std::string& input) {
    const auto [known, is_new] = overlays_.emplace(input, "");
    if (!is_new) return known->second;
    words folders;
    for (const std::string& option : options_.preprocessor)
      if (option.compare(0, 2, "-I") == 0) folders.push_back(option.substr(2));
    std::map<std::string, std::string> replaced;
    for (const auto& [file, text] : joined_files(input, folders)) {
      replaced[file] = temporary(file, ".joined");
      write_all(replaced[file], text);
    }
    if (!replaced.empty()) {
      known->second = temporary(input, ".overlay");
      write_all(known->second, overlay_of(replaced));
    }
    return known->second;
  }

  int compile(const std::string& input, words& objects) {
    if (!is_cuda_source(input)) return compile_host_file(input, objects);
    if (options_.wanted == product::dependencies) {
      words command = host_arguments(input);
      append(command, options_.dependencies);
      if (!options_.output.empty()) append(command, {"-o", options_.output});
      command.push_back(input);
      return with_clang(command);
    }
    const std::string ptx_file =
        options_.wanted == product::ptx ? output_for(input, ".ptx") : temporary(input, ".ptx");
    if (options_.wanted == product::preprocessed || options_.wanted == product::host_source) {
      words command = host_arguments(input);
      append(command, {"-E", input});
      if (options_.wanted == product::host_source)
        append(command, {"-o", output_for(input, ".cu.cpp.ii")});
      else if (!options_.output.empty())
        append(command, {"-o", options_.output});
      return with_clang(command);
    }
    std::vector<variant> variants;
    if (const int code = device_passes(input, ptx_file, variants); code != 0) return code;
    if (options_.wanted == product::ptx || options_.dry_run)
      return options_.wanted == product::ptx ? 0 : host_pass(input, "dryrun.gpu", objects);
    if (options_.wanted == product::cubin) {
      std::ostringstream machine_code;
      cubin::write_elf_cubin(compile_device(input, variants.back()), machine_code);
      write_file(output_for(input, ".cubin"), machine_code.str());
      return 0;
    }
    if (!options_.relocatable && options_.wanted != product::fatbin) {
      variants.erase(std::remove_if(variants.begin(), variants.end(),
                                    [](const variant& v) {
                                      return v.refusal.empty() && v.ptx.find(".entry ") == std::string::npos;
                                    }),
                     variants.end());
      keep_possible(input, variants);
    }
    std::string container;
    if (std::any_of(variants.begin(), variants.end(), [](const variant& v) { return v.refusal.empty(); })) {
      const std::string packed = pack({fs::absolute(input).string(), variants, options_.max_registers,
                                       options_.contract, options_.relocatable});
      if (options_.wanted == product::fatbin) return write_file(output_for(input, ".fatbin"), packed), 0;
      container = temporary(input, ".gpu");
      write_all(container, packed);
    }
    const int code = host_pass(input, container, objects);
    return code == 0 && options_.relocatable ? share_variables(objects.back(), variants) : code;
  }

  // The host's side of a variable that other files may name; clang makes it one of this file.
  int share_variables(const std::string& object, const std::vector<variant>& variants) {
    words command = {"objcopy"};
    for (const variant& v : variants) {
      std::istringstream lines(v.ptx);
      for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, 17, ".visible .global ") != 0 && line.compare(0, 16, ".visible .const ") != 0) continue;
        const std::string declared = line.substr(0, line.find_first_of("[=;"));
        const std::string trimmed = declared.substr(0, declared.find_last_not_of(' ') + 1);
        command.push_back("--globalize-symbol=" + trimmed.substr(trimmed.find_last_of(" \t") + 1));
      }
    }
    if (command.size() == 1) return 0;
    command.push_back(object);
    return execute(command);
  }

  // For every compute capability; -ptx and -cubin have room for one, the highest. What is wrong with a companion is
  // said when a device asks for it. Without a capability on the command line, companions are tried if the code
  // cannot be compiled with the first one.
  int device_passes(const std::string& input, const std::string& ptx_file, std::vector<variant>& variants) {
    const bool one = options_.wanted == product::ptx || options_.wanted == product::cubin;
    if (one && options_.names_capability) {
      const unsigned capability = options_.capabilities.back();
      if (const int code = device_pass(input, ptx_file, capability); code != 0) return code;
      if (!options_.dry_run) variants.push_back({capability, cubin::read_file(ptx_file), "", ""});
      return 0;
    }
    if (!options_.names_capability) return device_passes_by_trial(input, ptx_file, variants);
    for (const unsigned capability : options_.companions) try_device_pass(input, ptx_file, capability, variants);
    for (const unsigned capability : options_.capabilities) {
      if (const int code = device_pass(input, ptx_file, capability); code != 0) return code;
      if (!options_.dry_run) variants.push_back({capability, cubin::read_file(ptx_file), "", ""});
    }
    std::sort(variants.begin(), variants.end(),
              [](const variant& a, const variant& b) { return a.capability < b.capability; });
    return 0;
  }

  // Nothing on the command line says for which chips the program is.
  int device_passes_by_trial(const std::string& input, const std::string& ptx_file,
                             std::vector<variant>& variants) {
    if (try_device_pass(input, ptx_file, options_.capabilities.front(), variants)) return 0;
    bool is_possible = false;
    for (const unsigned capability : options_.companions)
      is_possible = try_device_pass(input, ptx_file, capability, variants) || is_possible;
    // The messages for the first capability: what is wrong with every one, as a rule.
    if (!is_possible) return device_pass(input, ptx_file, options_.capabilities.front());
    const bool one = options_.wanted == product::ptx || options_.wanted == product::cubin;
    for (const variant& v : variants)
      if (!v.refusal.empty() && !one)
        std::fprintf(stderr, "gt200 nvcc: warning: no code for compute capability %s: %s\n",
                     name_of(v.capability).c_str(), v.refusal.c_str());
    if (one && !variants.back().refusal.empty()) variants.pop_back();
    return 0;
  }

  // False if clang refuses the code for this capability; the variant then says why.
  bool try_device_pass(const std::string& input, const std::string& ptx_file, unsigned capability,
                       std::vector<variant>& variants) {
    const std::string log = temporary(input, ".log");
    const int code = device_pass(input, ptx_file, capability, log);
    if (options_.dry_run) return true;
    if (code == 0) {
      std::fputs(cubin::read_file(log).c_str(), stderr);
      variants.push_back({capability, cubin::read_file(ptx_file), "", ""});
      return true;
    }
    variants.push_back({capability, "", "", first_error_of(cubin::read_file(log))});
    return false;
  }

  static std::string first_error_of(const std::string& log) {
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
      if (line.find("error: ") != std::string::npos) return line;
    return log.substr(0, log.find('\n'));
  }

  bool is_companion(unsigned capability) const {
    const auto& all = options_.companions;
    return options_.names_capability && std::find(all.begin(), all.end(), capability) != all.end();
  }

  // Leaves the variants of which a kernel can run; the others say why none can. A device compiles a companion when
  // it asks for it, so companions are tried here only if nothing else can run. Throws what is wrong with the first
  // if there are none.
  void keep_possible(const std::string& input, std::vector<variant>& variants) {
    std::string first_reason;
    std::size_t possible = try_variants(input, variants, false, first_reason);
    if (possible == 0) possible = try_variants(input, variants, true, first_reason);
    if (possible == 0 && !first_reason.empty()) throw input_error(first_reason);
  }

  std::size_t try_variants(const std::string& input, std::vector<variant>& variants, bool companions,
                           std::string& first_reason) {
    std::size_t possible = 0;
    for (variant& v : variants) {
      if (!v.refusal.empty() || (is_companion(v.capability) && !options_.cpu) != companions) continue;
      cubin::module module;
      try {
        module = compile_device(input, v);
      } catch (const input_error& error) {
        if (first_reason.empty()) first_reason = error.what();
        if (variants.size() > 1 && !is_companion(v.capability))
          std::fprintf(stderr, "gt200 nvcc: warning: no code for compute capability %s: %s\n",
                       name_of(v.capability).c_str(), error.what());
        v = {v.capability, "", "", error.what()};
        continue;
      }
      ++possible;
      if (options_.cpu) v.cpu_image = cpu_image_of(input, v.capability, module);
    }
    return possible;
  }

  static std::string name_of(unsigned capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  }

  // Device code of clang for the processor becomes a shared object. Throws input_error: clang has said why.
  std::string cpu_image_of(const std::string& input, unsigned capability, const cubin::module& module) {
    const std::string code = temporary(input, ".cpu.ll");
    const std::string object = temporary(input, ".cpu.o");
    const std::string image = temporary(input, ".cpu.so");
    const auto expect = [&](int code_of_exit) {
      if (code_of_exit != 0) throw input_error(input, 0, "device code does not compile for the CPU");
    };
    // The same level of optimisation, and no loops of vectors, as for the chip: see device_pass().
    words command = host_arguments(input);
    append(command, {"-Xclang", "-fcuda-is-device", "-DGT200_CPU", "-Wno-builtin-macro-redefined",
                     "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + std::to_string(capability * 10), "-O2", "-fPIC",
                     "-march=x86-64-v2", "-fno-vectorize", "-fno-slp-vectorize", "-ffp-contract=off",
                     "-fno-math-errno", "-fno-strict-float-cast-overflow", "-fno-discard-value-names", "-w"});
    append(command, undefined_arguments());
    if (options_.fast_math) command.push_back("-D__USE_FAST_MATH__");
    append(command, {"-S", "-emit-llvm", "-o", code, input});
    expect(with_clang(command));
    write_all(code, with_entries(cubin::read_file(code), input, module, divides_exactly(capability)));
    expect(with_clang({"-x", "ir", "-c", "-O2", "-fPIC", "-w", code, "-o", object}));
    // The addresses of variables are those of the device; the engine writes them into the table of the object.
    expect(execute(
        {"c++", "-shared", "-nostdlib", "-Wl,-z,norelro", "-Wl,-Bsymbolic-functions", object, "-o", image}));
    return cubin::read_file(image);
  }

  // Multiply-adds of Tesla are not fused, and its divisions are div.full: see toolchain/cuda/clang.h.
  static bool has_fma(unsigned capability) { return capability >= cubin::fermi.first_sm; }
  bool divides_exactly(unsigned capability) const { return has_fma(capability) && !options_.fast_math; }
  int device_pass(const std::string& input, const std::string& ptx, unsigned capability,
                  const std::string& log = "") {
    const bool fuses = has_fma(capability) && options_.contract;
    const words machine_options = {
        "-Xclang", fuses ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off",
        "-mllvm",  divides_exactly(capability) ? "-nvptx-prec-divf32=2" : "-nvptx-prec-divf32=1",
        "-mllvm",  "-dse-memoryssa-walklimit=0",
        "-mllvm",  "-disable-licm-promotion"};
    words command = cuda_arguments(input);
    // clang knows no capability below 2.0.
    const std::string arch = "sm_" + std::to_string(std::max(capability, 20u));
    append(command, {"--cuda-gpu-arch=" + arch, "--cuda-device-only", "-O2", "-gline-tables-only"});
    append(command, machine_options);
    append(command, undefined_arguments());
    append(command, {"-Wno-builtin-macro-redefined", "-U__CUDA_ARCH__",
                     "-D__CUDA_ARCH__=" + std::to_string(capability * 10)});
    if (options_.fast_math) command.push_back("-D__USE_FAST_MATH__");
    if (std::find(options_.host.begin(), options_.host.end(), "-w") != options_.host.end()) command.push_back("-w");
    append(command, {"-S", input});
    words whole = command;
    append(whole, {"-o", ptx});
    const std::string messages = log.empty() && !options_.dry_run ? temporary(input, ".log") : log;
    const int code = with_clang(whole, messages);
    if (options_.dry_run) return code;
    if (log.empty()) show_messages(cubin::read_file(messages));
    if (code != 0) return code;
    return keep_loops(input, ptx, command, machine_options, arch);
  }

  // clang speaks of its own functions where a kernel launches a kernel.
  static void show_messages(const std::string& messages) {
    std::fputs(messages.c_str(), stderr);
    for (const char* sign : {"reference to __global__ function '", "'__cudaPushCallConfiguration' in __"})
      if (messages.find(sign) != std::string::npos) {
        std::fputs("gt200 nvcc: kernels cannot launch kernels here: dynamic parallelism is not supported\n",
                   stderr);
        return;
      }
  }

  // Compiles once more what has loops in which threads of a warp wait for each other, and keeps those loops.
  int keep_loops(const std::string& input, const std::string& ptx, const words& command,
                 const words& machine_options, const std::string& arch) {
    if (!fs::is_regular_file(ptx)) return 0;  // a pipe
    const std::string first = cubin::read_file(ptx);
    if (!may_wait(first)) return 0;
    const std::string code_file = temporary(input, ".ll");
    words unoptimised = command;
    append(unoptimised, for_unoptimised_code());
    append(unoptimised, {"-o", code_file});
    if (const int code = with_clang(unoptimised); code != 0) return code;
    const std::optional<std::string> kept = with_kept_loops(cubin::read_file(code_file));
    if (!kept) return 0;
    write_all(code_file, *kept);
    words again = from_unoptimised_code(machine_options, 64, arch);
    const std::string result = temporary(input, ".kept.ptx");
    append(again, {"-S", "-o", result, code_file});
    if (const int code = with_clang(again); code != 0) return code;
    write_file(ptx, with_version_of(first, cubin::read_file(result)));
    return 0;
  }

  // Shows which kernels cannot run, and why; stops if none can.
  cubin::module compile_device(const std::string& input, const variant& code) const {
    ptx::compile_options how;
    how.ignore_nearest = true;
    how.generated = true;
    how.contract = options_.contract;
    how.max_registers = options_.max_registers;
    how.capability = code.capability < cubin::fermi.first_sm || code.capability == cubin::fermi.first_sm
                         ? code.capability
                         : cubin::volta.first_sm;  // the chip that runs what is above 2.x
    cubin::module module = ptx::compile(code.ptx, input, how);
    const bool alone =
        options_.capabilities.size() + (options_.names_capability ? options_.companions.size() : 0) == 1;
    const std::string where = alone ? "" : " with compute capability " + name_of(code.capability);
    if (is_companion(code.capability)) return module;
    for (const cubin::refused_kernel& k : module.refused)
      std::fprintf(stderr, "gt200 nvcc: warning: kernel '%s' cannot run%s: %s\n",
                   cudart::readable_kernel(k.name).c_str(), where.c_str(), k.reason.c_str());
    if (options_.report) std::fprintf(stderr, "%s", ptx::resource_report(module).c_str());
    return module;
  }

  int host_pass(const std::string& input, const std::string& container, words& objects) {
    words command = host_arguments(input);
    // Programs count on products of int that wrap: gcc, behind nvcc, seldom draws a conclusion from an overflow.
    command.push_back("-fwrapv");
    if (options_.write_dependencies) append(command, dependency_rule(input));
    // The program is linked with gcc's OpenMP, which clang's code does not fit: loops of .cu files run alone.
    for (const std::string& word : options_.host)
      if (word != "-fopenmp") command.push_back(word);
    if (!container.empty()) append(command, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", container});
    objects.push_back(object_for(input));
    append(command, {"-c", "-o", objects.back(), input});
    return with_clang(command);
  }

  int compile_host_file(const std::string& input, words& objects) {
    words command = {host_compiler(is_c(input))};
    for (const std::string& folder : header_folders()) append(command, {"-I", folder});
    append(command, options_.preprocessor);
    append(command, {"-idirafter", utilities_folder(), "-idirafter", absent_headers()});
    if (!options_.standard.empty() && !is_c(input)) command.push_back("-std=" + options_.standard);
    append(command, options_.host);
    if (options_.wanted == product::dependencies) {
      append(command, options_.dependencies);
      if (!options_.output.empty()) append(command, {"-o", options_.output});
      command.push_back(input);
      return execute(command);
    }
    if (options_.write_dependencies) append(command, dependency_rule(input));
    if (options_.wanted == product::preprocessed) {
      append(command, {"-E", input});
      if (!options_.output.empty()) append(command, {"-o", options_.output});
      return execute(command);
    }
    if (options_.wanted == product::ptx || options_.wanted == product::cubin || options_.wanted == product::fatbin)
      return 0;
    objects.push_back(object_for(input));
    append(command, {"-c", "-o", objects.back(), input});
    return execute(command);
  }

  // The rule names the object of the command line, and is beside it unless -MF says otherwise.
  words dependency_rule(const std::string& input) const {
    words rule = options_.dependencies;
    const auto has = [&](const char* name) { return std::find(rule.begin(), rule.end(), name) != rule.end(); };
    const std::string object = output_for(input, ".o");
    if (!has("-MF")) append(rule, {"-MF", fs::path(object).replace_extension(".d").string()});
    if (!has("-MT") && !has("-MQ")) append(rule, {"-MT", object});
    return rule;
  }

  std::string object_for(const std::string& input) {
    return options_.wanted == product::object ? output_for(input, ".o") : temporary(input, ".o");
  }

  // The utilities are in their header, unless the program has a library of its own.
  bool is_header_only(const std::string& word) const {
    if (word.compare(0, 7, "-lcutil") != 0) return false;
    std::error_code error;
    for (const std::string& option : options_.linker)
      for (const char* ending : {".a", ".so"})
        if (option.compare(0, 2, "-L") == 0 &&
            fs::exists(fs::path(option.substr(2)) / ("lib" + word.substr(2) + ending), error))
          return false;
    return true;
  }

  // A name of its own for every file: two sources may have the same name in two folders.
  std::string temporary(const std::string& input, const char* ending) {
    return (folder_.path() / (std::to_string(files_++) + "_" + fs::path(input).stem().string() + ending)).string();
  }

  int link(const words& objects) {
    const std::string library = library_folder();
    words command = {host_compiler(false)};
    append(command, objects);
    for (const std::string& word : options_.linker) {
      if (const std::string target = unbuilt_library(word, library); !target.empty())
        throw input_error("nvcc: " + word + ": the library is not built; `cmake --build BUILD_FOLDER --target " +
                          target + "` builds it");
      if (!is_header_only(word)) command.push_back(word);
    }
    for (const std::string& word : options_.host)
      if (word == "-pg" || word == "-fopenmp" || word == "-pthread") command.push_back(word);
    // A linker writes its output in place: it gets a place of its own, and what is whole is moved.
    const std::string output = options_.output.empty() ? "a.out" : options_.output;
    const bool in_place = options_.dry_run || (fs::exists(output) && !fs::is_regular_file(output));
    const std::string linked = in_place ? output : temporary(output, ".linked");
    append(command, {"-L" + library, "-lcudart", "-Wl,-rpath," + library, "-lm", "-o", linked});
    const int code = execute(command);
    if (code == 0 && !in_place) {
      new_file whole(output);
      std::error_code error;
      fs::copy_file(linked, whole.path(), fs::copy_options::overwrite_existing, error);
      if (error) throw input_error(output, 0, "cannot be written: " + error.message());
      whole.commit();
    }
    return code;
  }

  const nvcc_options& options_;
  const temporary_folder folder_;
  words undefined_arguments_;
  std::string clang_;
  std::string absent_headers_;
  unsigned files_ = 0;
  std::map<std::string, std::string> overlays_;
};

}  // namespace

int run_nvcc(const nvcc_options& options) { return driver(options).run(); }

}  // namespace gt200::cuda
