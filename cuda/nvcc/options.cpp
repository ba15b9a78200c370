#include "cuda/nvcc/options.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

using strings = std::vector<std::string>;

bool begins(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

strings split(const std::string& text, char separator) {
  strings parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string without_quotes(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
  return text;
}

// The words of a file of options: blanks separate them, quotes keep blanks together.
strings words_of_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw input_error("nvcc: the file of options '" + path + "' cannot be read");
  strings words;
  std::string word;
  bool has_word = false;
  char quote = 0;
  for (char c = 0; in.get(c);) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      has_word = true;
    } else if (c == '\\' && quote != '\'' && in.peek() != EOF) {
      word += static_cast<char>(in.get());
      has_word = true;
    } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (has_word) words.push_back(word);
      word.clear();
      has_word = false;
    } else {
      word += c;
      has_word = true;
    }
  }
  if (has_word) words.push_back(word);
  return words;
}

class reader {
 public:
  explicit reader(const strings& words) : words_(words) {}

  nvcc_options run() {
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word.size() > 1 && word[0] == '@')
        insert_file(word.substr(1));
      else if (word.size() < 2 || word[0] != '-')
        options_.inputs.push_back(word);
      else
        option(word);
    }
    take_capabilities();
    if (options_.inputs.empty() && !options_.version && !options_.help) throw input_error("nvcc: no input files");
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

  void insert_file(const std::string& path) {
    if (++files_ > most_files) throw input_error("nvcc: too many files of options, the last one is '" + path + "'");
    const strings more = words_of_file(path);
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(next_), more.begin(), more.end());
  }

  void option(const std::string& word) {
    if (dependency(word)) return;
    for (const char* letter : {"-I", "-D", "-U"})
      if (begins(word, letter)) return pass(options_.preprocessor, letter, value(word, letter));
    for (const char* letter : {"-L", "-l"})
      if (begins(word, letter) && !begins(word, "-link") && !begins(word, "-lib") && !begins(word, "-lineinfo"))
        return library(letter, value(word, letter));
    if (begins(word, "-O") && !begins(word, "-Ofast-compile")) return options_.host.push_back(word);
    const auto flag = flags().find(word);
    if (flag != flags().end()) return flag->second(options_);
    if (with_value(word) || for_host(word) || forgotten(word)) return;
    if (forwards_) return options_.host.push_back(word);
    throw input_error("nvcc: unknown option '" + word + "'");
  }

  static void pass(strings& to, const std::string& letter, const std::string& text) { to.push_back(letter + text); }

  void library(const std::string& letter, const std::string& name) {
    // The runtime library is always there, and kernels launch no others.
    static const std::set<std::string> always = {"cudart", "cudart_static", "cudadevrt"};
    if (letter == "-l" && always.count(name) != 0) return;
    pass(options_.linker, letter, name);
  }

  using effect = std::function<void(nvcc_options&)>;
  static const std::map<std::string, effect>& flags() {
    using product = nvcc_options::product;
    const auto make = [](product p) { return [p](nvcc_options& o) { o.wanted = p; }; };
    const auto fast = [](nvcc_options& o) { o.fast_math = true; };
    const auto verbose = [](nvcc_options& o) { o.verbose = true; };
    const auto version = [](nvcc_options& o) { o.version = true; };
    const auto help = [](nvcc_options& o) { o.help = true; };
    const auto dry = [](nvcc_options& o) { o.dry_run = true; };
    const auto report = [](nvcc_options& o) { o.report = true; };
    const auto relocatable_object = [](nvcc_options& o) {
      o.wanted = product::object;
      o.relocatable = true;
    };
    const auto host = [](const char* word) { return [word](nvcc_options& o) { o.host.push_back(word); }; };
    const auto refuse = [](const std::string& what) {
      return [what](nvcc_options&) { throw input_error("nvcc: " + what); };
    };
    static const std::map<std::string, effect> all = {
        {"-c", make(product::object)},
        {"--compile", make(product::object)},
        {"-dw", make(product::object)},
        {"--device-w", make(product::object)},
        {"-dc", relocatable_object},
        {"--device-c", relocatable_object},
        {"-ptx", make(product::ptx)},
        {"--ptx", make(product::ptx)},
        {"-cubin", make(product::cubin)},
        {"--cubin", make(product::cubin)},
        {"-fatbin", make(product::fatbin)},
        {"--fatbin", make(product::fatbin)},
        // A file of the host's side; nvcc calls it a stage of its own.
        {"-cuda", make(product::host_source)},
        {"--cuda", make(product::host_source)},
        {"-E", make(product::preprocessed)},
        {"--preprocess", make(product::preprocessed)},
        {"-link", make(product::program)},
        {"--link", make(product::program)},
        {"-dlink", make(product::device_link)},
        {"--device-link", make(product::device_link)},
        {"-lib", make(product::archive)},
        {"--lib", make(product::archive)},
        {"-cpu", [](nvcc_options& o) { o.cpu = true; }},
        {"--cpu", [](nvcc_options& o) { o.cpu = true; }},
        {"-use_fast_math", fast},
        {"--use_fast_math", fast},
        {"-v", verbose},
        {"--verbose", verbose},
        {"-V", version},
        {"--version", version},
        {"-h", help},
        {"--help", help},
        {"-dryrun", dry},
        {"--dryrun", dry},
        {"-res-usage", report},
        {"--resource-usage", report},
        {"-shared", [](nvcc_options& o) { o.linker.push_back("-shared"); }},
        {"--shared", [](nvcc_options& o) { o.linker.push_back("-shared"); }},
        {"-g", host("-g")},
        {"--debug", host("-g")},
        {"-pg", host("-pg")},
        {"--profile", host("-pg")},
        {"-w", host("-w")},
        {"--disable-warnings", host("-w")},
        {"-pthread", host("-pthread")},
        {"-m32", refuse("-m32: programs are 64-bit programs")},
        {"-deviceemu", refuse("-deviceemu: compile with -cpu, or emulate with GT200_ENGINE=emulator")}};
    return all;
  }

  // The rules of Makefiles. -MF and the like go to clang as they are.
  bool dependency(const std::string& word) {
    using product = nvcc_options::product;
    static const std::map<std::string, std::string> short_names = {
        {"--generate-dependencies", "-M"},
        {"--generate-nonsystem-dependencies", "-MM"},
        {"--generate-dependencies-with-compile", "-MD"},
        {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
        {"--generate-dependency-targets", "-MP"},
        {"--dependency-output", "-MF"},
        {"--dependency-target-name", "-MT"}};
    const std::size_t equals = begins(word, "--") ? word.find('=') : std::string::npos;
    const auto known = short_names.find(word.substr(0, equals));
    const std::string name = known == short_names.end() ? word : known->second;
    if (name == "-M" || name == "-MM") {
      options_.wanted = product::dependencies;
      options_.dependencies.push_back(name);
    } else if (name == "-MD" || name == "-MMD" || name == "-MP") {
      options_.write_dependencies = options_.write_dependencies || name != "-MP";
      options_.dependencies.push_back(name);
    } else if (name == "-MF" || name == "-MT" || name == "-MQ") {
      options_.dependencies.push_back(name);
      options_.dependencies.push_back(equals == std::string::npos ? value(name, name) : word.substr(equals + 1));
    } else {
      return false;
    }
    return true;
  }

  // What an option with a value does with it.
  using taken = std::function<void(const std::string&)>;
  bool with_value(const std::string& word) {
    const auto to_host = [&](const std::string& v) {
      for (const std::string& part : split(without_quotes(v), ','))
        for (const std::string& one : split(part, ' ')) options_.host.push_back(one);
    };
    const auto folder_of_headers = [&](const char* kind) {
      return [&, kind](const std::string& v) {
        for (const std::string& one : split(v, ',')) {
          options_.preprocessor.push_back(kind);
          options_.preprocessor.push_back(one);
        }
      };
    };
    const auto each = [&](const char* letter) {
      return [&, letter](const std::string& v) {
        for (const std::string& one : split(v, ',')) pass(options_.preprocessor, letter, one);
      };
    };
    const std::vector<std::pair<strings, taken>> all = {
        {{"-o", "--output-file"}, [&](const std::string& v) { options_.output = v; }},
        {{"-odir", "--output-directory"}, [&](const std::string& v) { options_.folder = v; }},
        {{"-optf", "--options-file"}, [&](const std::string& v) { insert_file(v); }},
        {{"-isystem", "--system-include"}, folder_of_headers("-isystem")},
        {{"-include", "--pre-include"}, folder_of_headers("-include")},
        {{"--include-path"}, each("-I")},
        {{"--define-macro"}, each("-D")},
        {{"--undefine-macro"}, each("-U")},
        {{"--library-path"}, [&](const std::string& v) { library("-L", v); }},
        {{"--library"}, [&](const std::string& v) { library("-l", v); }},
        {{"--optimize"}, [&](const std::string& v) { options_.host.push_back("-O" + v); }},
        {{"-arch", "--gpu-architecture"}, [&](const std::string& v) { architecture(v); }},
        {{"-code", "--gpu-code"}, [](const std::string&) {}},
        {{"-gencode", "--generate-code"},
         [&](const std::string& v) {
           for (const std::string& part : split(without_quotes(v), ','))
             if (begins(part, "arch=")) architecture(part.substr(5));
         }},
        {{"-maxrregcount", "--maxrregcount"}, [&](const std::string& v) { registers(v); }},
        {{"-Xcompiler", "--compiler-options"}, to_host},
        {{"-Xlinker", "--linker-options"},
         [&](const std::string& v) {
           for (const std::string& part : split(without_quotes(v), ',')) options_.linker.push_back("-Wl," + part);
         }},
        {{"-Xptxas", "--ptxas-options", "-po"},
         [&](const std::string& v) {
           for (std::string part : split(v, ',')) {
             part.erase(0, part.find_first_not_of('-'));
             if (part == "v" || part == "verbose") options_.report = true;
             if (begins(part, "maxrregcount=")) registers(part.substr(part.find('=') + 1));
           }
         }},
        {{"-ccbin", "--compiler-bindir"},
         [&](const std::string& v) { options_.host_compiler = without_quotes(v); }},
        {{"-x", "--x"},
         [&](const std::string& v) {
           if (v != "cu" && v != "c++" && v != "c")
             throw input_error("nvcc: -x " + v + ": the languages are cu, c++ and c");
           options_.all_are_cuda = v == "cu";
           options_.none_is_cuda = v != "cu";
         }},
        {{"-std", "--std"}, [&](const std::string& v) { options_.standard = v; }},
        {{"-fmad", "--fmad"}, [&](const std::string& v) { options_.contract = v == "true"; }},
        {{"-m", "--machine"},
         [&](const std::string& v) {
           if (v != "64") throw input_error("nvcc: " + word + ": programs are 64-bit programs");
         }},
        {{"-rdc", "--relocatable-device-code"}, [&](const std::string& v) { options_.relocatable = v == "true"; }},
        {{"-default-stream", "--default-stream"}, [&](const std::string& v) {
           if (v != "legacy" && v != "null" && v != "per-thread")
             throw input_error("nvcc: --default-stream " + v + ": expected legacy or per-thread");
           if (v == "per-thread") options_.preprocessor.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
         }}};
    for (const auto& [names, take] : all)
      for (const std::string& name : names)
        if (is(word, name)) {
          take(value(word, name));
          return true;
        }
    return false;
  }

  // Options of the host's compiler that need no -Xcompiler.
  bool for_host(const std::string& word) {
    static const std::set<std::string> taken = {"-fPIC", "-fpic", "-fPIE", "-fpie", "-fopenmp"};
    if (word == "-forward-unknown-to-host-compiler" || word == "--forward-unknown-to-host-compiler" ||
        begins(word, "-forward-unknown-opts") || begins(word, "--forward-unknown-opts")) {
      forwards_ = true;
      return true;
    }
    if (taken.count(word) == 0) return false;
    options_.host.push_back(word);
    return true;
  }

  // What means nothing here. Warnings and diagnostics are those of clang, which nvcc's names and numbers do not
  // fit.
  bool forgotten(const std::string& word) {
    static const strings alone = {"-G",
                                  "-keep",
                                  "--keep",
                                  "-m64",
                                  "-lineinfo",
                                  "--generate-line-info",
                                  "--device-debug",
                                  "-clean",
                                  "--clean-targets",
                                  "-noprof",
                                  "--no-align-double",
                                  "-expt-relaxed-constexpr",
                                  "--expt-relaxed-constexpr",
                                  "-expt-extended-lambda",
                                  "--expt-extended-lambda",
                                  "-extended-lambda",
                                  "--extended-lambda",
                                  "-restrict",
                                  "--restrict",
                                  "-dopt",
                                  "--dopt",
                                  "-dlto",
                                  "--dlink-time-opt",
                                  "-ewp",
                                  "--extensible-whole-program",
                                  "-allow-unsupported-compiler",
                                  "--allow-unsupported-compiler",
                                  "-src-in-ptx",
                                  "--source-in-ptx",
                                  "-nodlink",
                                  "-noeh",
                                  "--no-exceptions",
                                  "-objtemp",
                                  "--objdir-as-tempdir",
                                  "-extra-device-vectorization",
                                  "--extra-device-vectorization",
                                  "-err-no",
                                  "--display-error-number",
                                  "-no-err-no",
                                  "--no-display-error-number",
                                  "-disable-warnings",
                                  "-use-local-env",
                                  "--use-local-env",
                                  "-reorder",
                                  "-nohdinitlist",
                                  "--no-host-device-initializer-list",
                                  "-nohdmoveforward",
                                  "--no-host-device-move-forward",
                                  "-Ofast-compile"};
    static const strings with_values = {"-Xopencc",
                                        "--opencc-options",
                                        "-Xcudafe",
                                        "--cudafe-options",
                                        "-Xfatbin",
                                        "--fatbin-options",
                                        "-Xnvlink",
                                        "--nvlink-options",
                                        "-Xarchive",
                                        "--archive-options",
                                        "-keep-dir",
                                        "--keep-dir",
                                        "-ftz",
                                        "--ftz",
                                        "-prec-div",
                                        "--prec-div",
                                        "-prec-sqrt",
                                        "--prec-sqrt",
                                        "-cudart",
                                        "--cudart",
                                        "-cudadevrt",
                                        "--cudadevrt",
                                        "-t",
                                        "--threads",
                                        "-split-compile",
                                        "--split-compile",
                                        "-opt-info",
                                        "--opt-info",
                                        "-time",
                                        "--time",
                                        "-diag-error",
                                        "--diag-error",
                                        "-diag-suppress",
                                        "--diag-suppress",
                                        "-diag-warn",
                                        "--diag-warn",
                                        "-Werror",
                                        "--Werror",
                                        "-target-dir",
                                        "--target-directory",
                                        "-ldir",
                                        "--libdevice-directory",
                                        "-brand-id",
                                        "-static-global-template-stub"};
    for (const std::string& name : alone)
      if (word == name || begins(word, name + "=")) return true;
    for (const std::string& name : with_values)
      if (is(word, name)) {
        value(word, name);
        return true;
      }
    return begins(word, "-W") || begins(word, "--W") || begins(word, "-diag") || begins(word, "--diag");
  }

  void architecture(std::string name) {
    options_.names_capability = true;
    name = without_quotes(name);
    if (name == "native") name = "sm_70";  // the highest of the chips here; the others are tried as well
    if (name == "all" || name == "all-major") {
      for (const unsigned one : {13u, 20u, 70u}) named_.insert(one);
      return;
    }
    const std::size_t digits = name.find_first_of("0123456789");
    unsigned number = 0;
    for (std::size_t k = digits; k < name.size() && std::isdigit(static_cast<unsigned char>(name[k])) != 0; ++k)
      number = 10 * number + static_cast<unsigned>(name[k] - '0');
    if (digits == std::string::npos ||
        (!begins(name, "sm_") && !begins(name, "compute_") && !begins(name, "lto_")) || number < 10)
      throw input_error("nvcc: -arch " + name + ": expected sm_10 or a higher one");
    if (number > volta && options_.notes.empty())
      options_.notes.push_back("warning: " + name +
                               ": compiled for compute capability 7.0, the highest of the chips here");
    // Of Tesla and of Fermi, the highest that a chip has.
    named_.insert(number > volta                                ? volta
                  : number >= fermi && number < 30              ? fermi
                  : number > highest_of_tesla && number < fermi ? highest_of_tesla
                                                                : number);
  }

  // Of Tesla one capability is compiled, the highest that is named.
  void take_capabilities() {
    if (named_.empty()) return;
    while (named_.size() > 1 && *std::next(named_.begin()) < fermi) named_.erase(named_.begin());
    options_.capabilities.assign(named_.begin(), named_.end());
    options_.companions.clear();
    if (options_.capabilities.front() >= fermi) options_.companions.push_back(highest_of_tesla);
    if (options_.capabilities.back() > fermi && named_.count(fermi) == 0) options_.companions.push_back(fermi);
  }

  void registers(const std::string& text) {
    const bool good = !text.empty() && text.size() < 4 &&
                      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    constexpr unsigned least = 8;
    const unsigned number = good ? static_cast<unsigned>(std::stoul(text)) : least;
    if (!good) throw input_error("nvcc: -maxrregcount " + text + ": expected a number");
    if (number != 0) options_.max_registers = std::max(number, least);
  }

  strings words_;
  std::size_t next_ = 0;
  unsigned files_ = 0;
  static constexpr unsigned most_files = 100;  // more refer to each other
  static constexpr unsigned highest_of_tesla = 13;
  static constexpr unsigned fermi = 20;
  static constexpr unsigned volta = 70;
  std::set<unsigned> named_;
  bool forwards_ = false;  // unknown options go to the host's compiler
  nvcc_options options_;
};

}  // namespace

nvcc_options parse_nvcc(const strings& words) { return reader(words).run(); }

}  // namespace gt200::cuda
