#include "cuda/nvcc/options.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

bool begins(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

class reader {
 public:
  explicit reader(const std::vector<std::string>& words) : words_(words) {}

  nvcc_options run() {
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word.size() < 2 || word[0] != '-')
        options_.inputs.push_back(word);
      else
        option(word);
    }
    if (options_.inputs.empty() && !options_.version) throw input_error("nvcc: no input files");
    return std::move(options_);
  }

 private:
  // The value of "-name value", "-name=value" or, for one letter, "-nvalue".
  std::string value(const std::string& word, const std::string& name) {
    if (word.size() > name.size()) return word.substr(name.size() + (word[name.size()] == '=' ? 1 : 0));
    if (next_ >= words_.size()) throw input_error("nvcc: " + name + " lacks its value");
    return words_[next_++];
  }
  static bool is(const std::string& word, const std::string& name) {
    return word == name || begins(word, name + "=");
  }

  void option(const std::string& word) {
    for (const char* letter : {"-I", "-D", "-U"})
      if (begins(word, letter)) return pass(options_.preprocessor, letter, value(word, letter));
    for (const char* letter : {"-L", "-l"})
      if (begins(word, letter) && !begins(word, "-link") && !begins(word, "-lib") && !begins(word, "-lineinfo"))
        return library(letter, value(word, letter));
    if (begins(word, "-O")) return options_.host.push_back(word);
    if (word == "-isystem" || word == "-include") {
      options_.preprocessor.push_back(word);
      return options_.preprocessor.push_back(value(word, word));
    }
    const auto flag = flags().find(word);
    if (flag != flags().end()) return flag->second(options_);
    if (with_value(word) || forgotten(word)) return;
    throw input_error("nvcc: unknown option '" + word + "'");
  }

  static void pass(std::vector<std::string>& to, const std::string& letter, const std::string& text) {
    to.push_back(letter + text);
  }

  void library(const std::string& letter, const std::string& name) {
    // The runtime library is always there.
    if (letter == "-l" && (name == "cudart" || name == "cudart_static")) return;
    pass(options_.linker, letter, name);
  }

  using effect = std::function<void(nvcc_options&)>;
  static const std::map<std::string, effect>& flags() {
    using product = nvcc_options::product;
    const auto make = [](product p) { return [p](nvcc_options& o) { o.wanted = p; }; };
    const auto fast = [](nvcc_options& o) { o.fast_math = true; };
    const auto verbose = [](nvcc_options& o) { o.verbose = true; };
    const auto version = [](nvcc_options& o) { o.version = true; };
    const auto dry = [](nvcc_options& o) { o.dry_run = true; };
    const auto refuse = [](const std::string& what) {
      return [what](nvcc_options&) { throw input_error("nvcc: " + what); };
    };
    static const std::map<std::string, effect> all = {
        {"-c", make(product::object)},
        {"--compile", make(product::object)},
        {"-ptx", make(product::ptx)},
        {"--ptx", make(product::ptx)},
        {"-cubin", make(product::cubin)},
        {"--cubin", make(product::cubin)},
        // A file of the host's side; nvcc calls it a stage of its own.
        {"-cuda", make(product::host_source)},
        {"--cuda", make(product::host_source)},
        {"-E", make(product::preprocessed)},
        {"--preprocess", make(product::preprocessed)},
        {"-link", make(product::program)},
        {"--link", make(product::program)},
        {"-cpu", [](nvcc_options& o) { o.cpu = true; }},
        {"--cpu", [](nvcc_options& o) { o.cpu = true; }},
        {"-use_fast_math", fast},
        {"--use_fast_math", fast},
        {"-v", verbose},
        {"--verbose", verbose},
        {"-V", version},
        {"--version", version},
        {"-dryrun", dry},
        {"--dryrun", dry},
        {"-shared", [](nvcc_options& o) { o.linker.push_back("-shared"); }},
        {"--shared", [](nvcc_options& o) { o.linker.push_back("-shared"); }},
        {"-g", [](nvcc_options& o) { o.host.push_back("-g"); }},
        {"--debug", [](nvcc_options& o) { o.host.push_back("-g"); }},
        {"-pg", [](nvcc_options& o) { o.host.push_back("-pg"); }},
        {"-w", [](nvcc_options& o) { o.host.push_back("-w"); }},
        {"-m32", refuse("-m32: programs are 64-bit programs")},
        {"-deviceemu", refuse("-deviceemu: compile with -cpu, or emulate with GT200_ENGINE=emulator")},
        {"-dc", refuse("-dc: device code is not linked between files before compute capability 2.0")},
        {"-dlink", refuse("-dlink: device code is not linked between files before compute capability 2.0")},
        {"-lib", refuse("-lib: use ar")},
        {"--lib", refuse("--lib: use ar")}};
    return all;
  }

  bool with_value(const std::string& word) {
    const auto named = [&](const char* a, const char* b) { return is(word, a) || is(word, b); };
    const auto given = [&](const char* a, const char* b) { return value(word, is(word, a) ? a : b); };
    if (named("-o", "--output-file")) {
      options_.output = given("-o", "--output-file");
    } else if (named("-arch", "--gpu-architecture")) {
      architecture(given("-arch", "--gpu-architecture"));
    } else if (named("-code", "--gpu-code")) {
      given("-code", "--gpu-code");
    } else if (named("-gencode", "--generate-code")) {
      for (const std::string& part : split(given("-gencode", "--generate-code"), ','))
        if (begins(part, "arch=")) architecture(part.substr(5));
    } else if (named("-maxrregcount", "--maxrregcount")) {
      registers(given("-maxrregcount", "--maxrregcount"));
    } else if (named("-Xcompiler", "--compiler-options")) {
      for (const std::string& part : split(given("-Xcompiler", "--compiler-options"), ','))
        for (const std::string& one : split(part, ' ')) options_.host.push_back(one);
    } else if (named("-Xlinker", "--linker-options")) {
      for (const std::string& part : split(given("-Xlinker", "--linker-options"), ','))
        options_.linker.push_back("-Wl," + part);
    } else if (named("-Xptxas", "--ptxas-options") || is(word, "-po")) {
      for (std::string part :
           split(is(word, "-po") ? value(word, "-po") : given("-Xptxas", "--ptxas-options"), ',')) {
        part.erase(0, part.find_first_not_of('-'));
        if (part == "v" || part == "verbose") options_.report = true;
        if (begins(part, "maxrregcount=")) registers(part.substr(part.find('=') + 1));
      }
    } else if (named("-ccbin", "--compiler-bindir")) {
      options_.host_compiler = given("-ccbin", "--compiler-bindir");
    } else if (named("-x", "--x")) {
      const std::string language = given("-x", "--x");
      if (language != "cu") throw input_error("nvcc: -x " + language + ": only cu can be set");
      options_.all_are_cuda = true;
    } else if (named("-std", "--std")) {
      options_.standard = given("-std", "--std");
    } else if (named("-fmad", "--fmad")) {
      options_.contract = given("-fmad", "--fmad") == "true";
    } else if (named("-m", "--machine")) {
      if (given("-m", "--machine") != "64") throw input_error("nvcc: " + word + ": programs are 64-bit programs");
    } else if (named("-rdc", "--relocatable-device-code")) {
      if (given("-rdc", "--relocatable-device-code") != "false")
        throw input_error("nvcc: " + word +
                          ": device code is not linked between files before compute capability 2.0");
    } else {
      return false;
    }
    return true;
  }

  // What means nothing here.
  bool forgotten(const std::string& word) {
    for (const char* name : {"-G", "-keep", "--keep", "-m64", "-lineinfo", "--device-debug", "-clean", "-noprof"})
      if (word == name || begins(word, std::string(name) + "=")) return true;
    for (const char* name : {"-Xopencc", "--opencc-options", "-keep-dir", "--keep-dir", "-ftz", "--ftz",
                             "-prec-div", "--prec-div", "-prec-sqrt", "--prec-sqrt", "-cudart", "--cudart"})
      if (is(word, name)) {
        value(word, name);
        return true;
      }
    return false;
  }

  void architecture(const std::string& name) {
    const std::size_t digits = name.find_first_of("0123456789");
    unsigned number = 0;
    for (std::size_t k = digits; k < name.size() && std::isdigit(static_cast<unsigned char>(name[k])) != 0; ++k)
      number = 10 * number + static_cast<unsigned>(name[k] - '0');
    if (digits == std::string::npos || (!begins(name, "sm_") && !begins(name, "compute_")) || number < 10)
      throw input_error("nvcc: -arch " + name + ": expected sm_10 to sm_20");
    if (number > fermi && options_.notes.empty())
      options_.notes.push_back(name +
                               ": compiled for compute capabilities 1.3 and 2.0, the highest of two generations");
    tesla_ = std::max(tesla_, std::min(number, highest_of_tesla));
    options_.capabilities.front() = tesla_;
    if (number > highest_of_tesla && options_.capabilities.size() == 1) options_.capabilities.push_back(fermi);
  }

  void registers(const std::string& text) {
    const bool good = !text.empty() && text.size() < 4 &&
                      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    constexpr unsigned least = 8;
    const unsigned number = good ? static_cast<unsigned>(std::stoul(text)) : least;
    if (!good) throw input_error("nvcc: -maxrregcount " + text + ": expected a number");
    if (number != 0) options_.max_registers = std::clamp(number, least, nvcc_options{}.max_registers);
  }

  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  static constexpr unsigned highest_of_tesla = 13;
  static constexpr unsigned fermi = 20;
  unsigned tesla_ = 0;  // the highest that is named, up to 1.3
  nvcc_options options_;
};

}  // namespace

nvcc_options parse_nvcc(const std::vector<std::string>& words) { return reader(words).run(); }

}  // namespace gt200::cuda
