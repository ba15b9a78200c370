#include "toolchain/assembler/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "toolchain/assembler/code_demand.h"
#include "toolchain/assembler/control_flow.h"
#include "toolchain/assembler/data_values.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/launch/abi.h"

namespace gt200::assembler {

namespace {

// Words that the launch writes to c0 one after the other (launch/fermi/abi.h, launch/volta/abi.h).
constexpr std::array<const char*, 6> launch_constants = {"%ntid.x",   "%ntid.y",   "%ntid.z",
                                                         "%nctaid.x", "%nctaid.y", "%nctaid.z"};
constexpr std::uint32_t fermi_launch_constants = 0x8;
constexpr std::uint32_t volta_launch_constants = 0x0;

}  // namespace

kernel_builder::kernel_builder(std::string name, unsigned line, symbol_table symbols, std::string file,
                               const cubin::architecture& generation)
    : line_(line), symbols_(std::move(symbols)), file_(std::move(file)), generation_(generation) {
  kernel_.name = std::move(name);
  if (generation_.parameters_in_shared) return;
  kernel_.parameter_base = generation_.parameter_base;
  std::uint32_t offset = is_volta() ? volta_launch_constants : fermi_launch_constants;
  for (const char* constant : launch_constants) {
    symbols_.define(constant, "c0", offset);
    offset += 4;
  }
}

void kernel_builder::define(const std::string& name, const std::string& space, std::int64_t value, unsigned line) {
  if (!symbols_.define(name, space, value)) throw input_error(file_, line, "'" + name + "' is defined twice");
}

void kernel_builder::add(const source_text& line) {
  for (const std::string& label : line.labels) {
    const auto [position, is_new] = labels_.try_emplace(label, code_label{pending_.size(), line.number});
    if (!is_new)
      throw input_error(file_, line.number,
                        fmt::format("label '{}' is already defined in line {}", label, position->second.line));
  }
  if (line.text.empty()) return;
  if (line.is_directive())
    add_directive(directive(line, file_, symbols_));
  else
    pending_.push_back({line.number, line.text});
}

void kernel_builder::add_directive(directive d) {
  if (d.name() == ".param") return add_parameter(d);
  if (d.name() == ".shared") return add_shared(d);
  if (d.name() == ".literal") return add_literal(d);
  if (d.name() == ".word") return add_words(d);
  if (d.name() == ".registers") return set_once(registers_, d, 1, generation_.max_registers);
  if (d.name() == ".local") return set_once(local_bytes_, d, 0, generation_.max_local_bytes);
  if (d.name() == ".barriers")
    return set_once(barriers_, d, 0, cubin::max_barrier + (generation_.parameters_in_shared ? 0 : 1));
  if (d.name() == ".smem") return set_once(total_shared_, d, 0, generation_.max_shared_bytes);
  if (d.name() == ".equ") {
    const std::string name = d.take_identifier("name");
    define(name, "", d.take_number("value", INT32_MIN, UINT32_MAX), d.line());
    return d.finish();
  }
  d.fail(
      "unknown directive in a kernel; known are .param .shared .literal .local .registers .barriers .smem .equ "
      ".word .end");
}

void kernel_builder::set_once(std::optional<std::uint32_t>& value, directive& d, std::uint32_t min,
                              std::uint32_t max) {
  if (value) d.fail("given twice");
  value = static_cast<std::uint32_t>(d.take_number("value", min, max));
  d.finish();
}

void kernel_builder::add_parameter(directive& d) {
  const std::string type = d.take("type or size");
  const auto element = size_of_type(type);
  const std::uint32_t limit = generation_.max_parameter_bytes;
  std::uint32_t size = element.value_or(0);
  if (!element) {
    const auto bytes = parse_integer(type);
    if (!bytes || *bytes < 1 || *bytes > limit)
      d.fail(fmt::format("'{}' is neither a type nor a size of 1 to {} bytes", type, limit));
    size = static_cast<std::uint32_t>(*bytes);
  }
  const std::string name = d.take_identifier("name");
  const auto at = d.take_at(limit);
  d.finish();
  const std::uint32_t offset = at ? *at : launch::align_up(parameter_end_, element.value_or(4));
  if (at && *at < parameter_end_) d.fail(fmt::format("'{}' overlaps the parameter before it", name));
  if (const std::uint32_t unit = element.value_or(1); offset % unit != 0)
    d.fail(fmt::format("the offset of '{}' is {}, not a multiple of {}", name, offset, unit));
  if (offset + size > limit) d.fail(fmt::format("'{}' ends beyond the {} bytes of parameters", name, limit));
  if (generation_.parameters_in_shared)
    define(name, "s", generation_.shared_header_bytes + offset, d.line());
  else
    define(name, "c0", generation_.parameter_base + offset, d.line());
  kernel_.parameters.push_back({offset, size});
  parameter_end_ = offset + size;
}

void kernel_builder::add_shared(directive& d) {
  shared_symbol symbol;
  symbol.line = d.line();
  symbol.name = d.take_identifier("name");
  symbol.size = static_cast<std::uint32_t>(d.take_number("size", 1, generation_.max_shared_bytes));
  if (!d.at_end()) {
    symbol.alignment = static_cast<std::uint32_t>(d.take_number("alignment", 1, 256));
    if ((symbol.alignment & (symbol.alignment - 1)) != 0) d.fail("the alignment must be a power of two");
  }
  d.finish();
  shared_.push_back(std::move(symbol));
}

void kernel_builder::add_literal(directive& d) {
  const std::uint8_t space = generation_.literal_space;
  kernel_.constants.push_back(d.take_segment(space, literal_end_));
  d.finish();
  define(kernel_.constants.back().name, "c" + std::to_string(space), kernel_.constants.back().offset, d.line());
}

void kernel_builder::add_words(directive& d) {
  do {
    const std::int64_t word = d.take_number("word", 0, UINT32_MAX);
    pending_.push_back({d.line(), fmt::format(".word {}", word)});
  } while (!d.at_end());
}

void kernel_builder::lay_out_shared() {
  std::uint32_t end = generation_.parameters_in_shared ? generation_.shared_header_bytes + parameter_end_ : 0;
  for (const shared_symbol& symbol : shared_) {
    end = launch::align_up(end, symbol.alignment);
    define(symbol.name, "s", end, symbol.line);
    end += symbol.size;
    if (end > generation_.max_shared_bytes)
      throw input_error(file_, symbol.line,
                        fmt::format("'{}' ends at byte {} of shared memory, a block has at most {}", symbol.name,
                                    end, generation_.max_shared_bytes));
  }
  // Only named parameters and symbols can lie beyond the total.
  const bool has_names = (generation_.parameters_in_shared && !kernel_.parameters.empty()) || !shared_.empty();
  if (total_shared_ && has_names && *total_shared_ < end)
    throw input_error(file_, line_,
                      fmt::format(".smem of '{}' is {}, but header, parameters and shared symbols take {}",
                                  kernel_.name, *total_shared_, end));
  kernel_.shared_bytes = total_shared_.value_or(end);
}

std::string kernel_builder::resolve(const code_text& line) const {
  std::string reason;
  const auto resolved =
      is_volta() ? symbols_.resolve_names(line.text, reason) : symbols_.resolve(line.text, reason);
  if (!resolved) throw input_error(file_, line.line, reason);
  return *resolved;
}

code_item kernel_builder::parse_line(const code_text& line) const {
  code_item item;
  item.line = line.line;
  constexpr std::string_view raw_prefix = ".word ";
  if (line.text.compare(0, raw_prefix.size(), raw_prefix) == 0) {
    item.is_raw = true;
    item.raw =
        static_cast<std::uint32_t>(parse_integer(std::string_view(line.text).substr(raw_prefix.size())).value());
    return item;
  }
  isa::tesla::decode_error error;
  auto instruction = isa::tesla::parse(resolve(line), item.target_label, error);
  if (!instruction) throw input_error(file_, line.line, error.reason);
  item.instruction = *instruction;
  return item;
}

void kernel_builder::check_instructions(const std::vector<code_item>& items, unsigned capability) {
  std::uint32_t registers = 1;  // $r0 holds the thread id
  std::uint32_t highest_barrier = 0;
  for (const code_item& item : items) {
    if (item.is_raw) continue;
    // Decode again: the encoded words count, not the source text.
    isa::tesla::decode_error error;
    const auto decoded = isa::tesla::decode(item.instruction.words[0], item.instruction.words[1], error);
    if (!decoded) throw input_error(file_, item.line, error.reason);
    const isa::tesla::instruction& i = *decoded;
    if (i.capability > capability)
      throw input_error(file_, item.line,
                        fmt::format("this instruction needs sm_{}, the target is sm_{}", i.capability, capability));
    if (i.op == isa::tesla::opcode::bar) highest_barrier = std::max<std::uint32_t>(highest_barrier, i.barrier_id);
    const std::uint32_t end = registers_written(i);
    if (registers_ && end > *registers_)
      throw input_error(file_, item.line, fmt::format("writes $r{}, but .registers is {}", end - 1, *registers_));
    registers = std::max(registers, end);
  }
  if (barriers_ && highest_barrier > *barriers_)
    throw input_error(
        file_, line_,
        fmt::format("'{}' uses barrier {}, but .barriers is {}", kernel_.name, highest_barrier, *barriers_));
  kernel_.registers = registers_.value_or(registers);
  kernel_.barriers = barriers_.value_or(highest_barrier);
}

cubin::kernel kernel_builder::finish(unsigned capability) {
  if (pending_.empty()) throw input_error(file_, line_, "kernel '" + kernel_.name + "' has no instructions");
  lay_out_shared();
  kernel_.local_bytes = local_bytes_.value_or(0);
  if (generation_.parameters_in_shared)
    build_tesla_code(capability);
  else
    build_fixed_code();
  return std::move(kernel_);
}

void kernel_builder::build_fixed_code() {
  const std::function<std::string(const code_text&)> with_numbers = [this](const code_text& l) {
    return resolve(l);
  };
  const auto assemble_code = is_volta() ? assemble_volta : assemble_fermi;
  fixed_code code = assemble_code(pending_, labels_, with_numbers, kernel_.name, file_);
  if (registers_ && code.registers > *registers_)
    throw input_error(
        file_, code.highest_line,
        fmt::format("writes {}{}, but .registers is {}", is_volta() ? "R" : "$r", code.registers - 1, *registers_));
  if (barriers_ && code.barriers > *barriers_)
    throw input_error(
        file_, line_,
        fmt::format("'{}' uses barrier {}, but .barriers is {}", kernel_.name, code.barriers - 1, *barriers_));
  kernel_.registers = registers_.value_or(code.registers);
  kernel_.barriers = barriers_.value_or(code.barriers);
  kernel_.code = std::move(code.words);
  kernel_.lines = std::move(code.lines);
}

void kernel_builder::build_tesla_code(unsigned capability) {
  std::vector<code_item> items;
  items.reserve(pending_.size());
  for (const code_text& line : pending_) items.push_back(parse_line(line));
  lay_out(items, labels_, file_);
  check_instructions(items, capability);
  if (const code_item* item = runs_past_end(items))
    throw input_error(
        file_, item->line,
        fmt::format("kernel '{}' can run past its last instruction here; end it with exit", kernel_.name));
  kernel_.code = words_of(items);
  if (kernel_.code.size() > cubin::max_code_bytes / 4)
    throw input_error(file_, line_,
                      fmt::format("kernel '{}' is larger than the 16 MB code addresses reach", kernel_.name));
  for (const code_item& item : items) kernel_.lines.push_back({item.address, item.line});
}

}  // namespace gt200::assembler
