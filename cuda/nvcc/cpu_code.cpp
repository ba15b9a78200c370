#include "cuda/nvcc/cpu_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "toolchain/cuda/cpu_names.h"
#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

// More than any chip has for a block.
constexpr unsigned dynamic_shared_bytes = 1 << 17;
// gt200_cpu_volatile() of gt200_cpu.h, which is static.
constexpr const char* meeting_at_volatile = "_ZL18gt200_cpu_volatilev";
constexpr std::uint32_t register_bytes = 8;  // an argument in a register has at most as many

bool begins(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

// "@name" or "@\"name\"" at `at`, which is left behind it.
std::string name_at(const std::string& line, std::size_t& at) {
  const bool quoted = at + 1 < line.size() && line[at + 1] == '"';
  const std::size_t first = at + (quoted ? 2 : 1);
  const std::size_t end = quoted ? line.find('"', first) : line.find_first_of(" (,", first);
  if (end == std::string::npos) return "";
  at = end + (quoted ? 1 : 0);
  return line.substr(first, end - first);
}

// What stands within the bracket at `open`, in pieces between commas.
std::vector<std::string> pieces_of(const std::string& line, std::size_t open) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  for (std::size_t at = open; at < line.size(); ++at) {
    const char c = line[at];
    const bool opens = c == '(' || c == '<' || c == '{' || c == '[';
    const bool closes = c == ')' || c == '>' || c == '}' || c == ']';
    if (closes && --depth == 0) break;
    if (depth == 1 && c == ',')
      pieces.emplace_back();
    else if (depth > 0)
      pieces.back() += c;
    if (opens) ++depth;
  }
  for (std::string& p : pieces) p.erase(0, p.find_first_not_of(' '));
  if (pieces.size() == 1 && pieces.front().empty()) pieces.clear();
  return pieces;
}

// "<2 x float>" of "<2 x float> %v.coerce0", "ptr" of "ptr noundef %p".
std::string type_of(const std::string& argument) {
  if (argument[0] != '<') return argument.substr(0, argument.find(' '));
  return argument.substr(0, argument.find('>') + 1);
}

// A function that loads the arguments and calls the kernel. An argument of the source is one of LLVM, two (a struct
// in two registers), or a pointer to a copy of it (byval).
std::string entry_of(const cubin::kernel& kernel, const std::string& name,
                     const std::vector<std::string>& arguments, const std::string& file) {
  std::string loads;
  std::string passed;
  std::size_t next = 0;
  const auto pass = [&](std::uint32_t offset) {
    if (next >= arguments.size())
      throw input_error(file, 0, "the parameters of kernel '" + name + "' cannot be passed on the CPU");
    const std::string& argument = arguments[next];
    const std::size_t own_name = argument.rfind('%');
    loads += fmt::format("  %at{} = getelementptr i8, ptr %parameters, i64 {}\n", next, offset);
    const bool is_copy = argument.find("byval(") != std::string::npos;
    if (!is_copy) loads += fmt::format("  %v{0} = load {1}, ptr %at{0}, align 1\n", next, type_of(argument));
    passed +=
        (next == 0 ? "" : ", ") + argument.substr(0, own_name) + (is_copy ? "%at" : "%v") + std::to_string(next);
    ++next;
    return argument;
  };
  for (const cubin::parameter& p : kernel.parameters) {
    const std::string first = pass(p.offset);
    const std::string half = ".coerce0";
    if (first.size() > half.size() && first.compare(first.size() - half.size(), half.size(), half) == 0)
      pass(p.offset + register_bytes);
  }
  if (next != arguments.size())
    throw input_error(file, 0, "the parameters of kernel '" + name + "' cannot be passed on the CPU");
  return fmt::format("\ndefine void @\"{}\"(ptr %parameters) {{\n{}  call void @\"{}\"({})\n  ret void\n}}\n",
                     cpu_entry_of(kernel.name), loads, name, passed);
}

class editor {
 public:
  editor(const std::string& file, const cubin::module& module, bool exact_quotients)
      : file_(file), module_(module), exact_quotients_(exact_quotients) {
    for (const auto& v : module.globals) named_.insert(v.name);
    for (const auto& c : module.constants) named_.insert(c.name);
    for (const auto& s : module.samplers) named_.insert(s.name);
  }

  std::string run(const std::string& code) {
    std::istringstream lines(code);
    std::string result;
    for (std::string line; std::getline(lines, line);) result += edited(line) + "\n";
    if (has_dynamic_shared_)
      result +=
          fmt::format("\n@gt200_cpu_shared = internal thread_local global [{} x i8] zeroinitializer, align 16\n",
                      dynamic_shared_bytes);
    return result + entries_;
  }

 private:
  std::string edited(const std::string& line) {
    if (begins(line, "@")) return variable(line);
    if (begins(line, "define ")) {
      note_kernel(line);
      own_variables_.clear();
    }
    if (line.find(" asm ") != std::string::npos && line.find("call ") != std::string::npos)
      throw input_error(file_, 0, "has assembly of the chip (asm), which the CPU cannot run");
    if (const std::size_t at = line.find(" = alloca "); at != std::string::npos)
      own_variables_.insert(line.substr(line.find('%'), at - line.find('%')));
    if (is_exchange(line)) return fmt::format("  call void @{}()\n{}", meeting_at_volatile, line);
    return exact_quotients_ ? line : without_quotient(line);
  }

  // A volatile access to what other threads have as well: "load volatile i32, ptr %p, align 4".
  bool is_exchange(const std::string& line) const {
    if (line.find(" volatile ") == std::string::npos) return false;
    const std::string type = ", ptr ";
    const std::size_t pointer = line.find(type);
    if (pointer == std::string::npos) return false;
    const std::size_t first = pointer + type.size();
    return own_variables_.count(line.substr(first, line.find_first_of(", ", first) - first)) == 0;
  }

  // Dynamic shared memory is one array, whatever it is called. A static variable that the host can name is seen
  // from outside.
  std::string variable(const std::string& line) {
    std::size_t end = 0;
    const std::string name = name_at(line, end);
    if (line.find(" external thread_local ") != std::string::npos) {
      has_dynamic_shared_ = true;
      return line.substr(0, end) + " = internal thread_local alias i8, ptr @gt200_cpu_shared";
    }
    const std::string own = " = internal ";
    if (named_.count(name) != 0 && line.compare(end, own.size(), own) == 0)
      return line.substr(0, end) + " = " + line.substr(end + own.size());
    return line;
  }

  void note_kernel(const std::string& line) {
    std::size_t at = line.find('@');
    if (at == std::string::npos) return;
    const std::string name = name_at(line, at);
    for (const cubin::kernel& k : module_.kernels)
      if (k.name == name) entries_ += entry_of(k, name, pieces_of(line, at), file_);
  }

  // "  %q = fdiv float %a, %b, !fpmath !5" becomes a call.
  static std::string without_quotient(const std::string& line) {
    const std::string operation = " = fdiv ";
    const std::size_t at = line.find(operation);
    if (at == std::string::npos) return line;
    const std::string type = "float ";
    const std::size_t operands = line.find(type, at + operation.size());
    if (operands == std::string::npos) return line;
    std::string both = line.substr(operands + type.size());
    both = both.substr(0, both.find(", !"));
    const std::size_t comma = both.find(", ");
    return fmt::format("{} = call float @gt200_cpu_quotient(float {}, float {})", line.substr(0, at),
                       both.substr(0, comma), both.substr(comma + 2));
  }

  const std::string& file_;
  const cubin::module& module_;
  bool exact_quotients_;
  std::set<std::string> named_;
  std::set<std::string> own_variables_;  // of the function, on its stack
  bool has_dynamic_shared_ = false;
  std::string entries_;
};

}  // namespace

std::string with_entries(const std::string& code, const std::string& file, const cubin::module& module,
                         bool exact_quotients) {
  return editor(file, module, exact_quotients).run(code);
}

}  // namespace gt200::cuda
