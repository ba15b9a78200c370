#include "toolchain/launch/launch_run.h"

#include <fmt/format.h>

#include "toolchain/error.h"

namespace gt200::launch {
namespace {

class executor {
 public:
  executor(const prepared& program, const device& target) : program_(program), target_(target) {}

  void run(const std::vector<step>& steps) {
    for (const step& s : steps) {
      if (const auto* launch = std::get_if<launch_step>(&s.action))
        target_.launch(pack(program_, *launch, s.line, grid_id_++));
      else if (const auto* fill = std::get_if<fill_step>(&s.action))
        run_fill(*fill);
      else if (const auto* set = std::get_if<set_step>(&s.action))
        run_set(*set);
      else
        run_repeat(std::get<repeat_step>(s.action), s.line);
    }
  }

 private:
  void run_fill(const fill_step& fill) const {
    const placed_bytes& placed = program_.buffer_at(fill.buffer);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(placed.initial.size());
    while (bytes.size() < placed.initial.size()) bytes.insert(bytes.end(), fill.value.begin(), fill.value.end());
    target_.write(placed.address, bytes.data(), bytes.size());
    copy_to_arrays(placed);
  }

  void run_set(const set_step& set) const {
    const std::size_t size = size_of(program_.launch->find_buffer(set.buffer)->type);
    const placed_bytes& placed = program_.buffer_at(set.buffer);
    target_.write(placed.address + static_cast<std::uint32_t>(set.first * size), set.values.data(),
                  set.values.size());
    copy_to_arrays(placed);
  }

  // Arrays are copies of a buffer: when the host writes the buffer, it writes them too.
  void copy_to_arrays(const placed_bytes& buffer) const {
    std::vector<std::uint8_t> rows;
    for (const placed_array& a : program_.arrays) {
      if (a.buffer != buffer.name) continue;
      if (rows.empty()) {
        rows.resize(buffer.initial.size());
        target_.read(buffer.address, rows.data(), rows.size());
      }
      const std::vector<std::uint8_t> image = sampling::in_blocks(a.shape, rows.data());
      target_.write(a.address, image.data(), image.size());
    }
  }

  void run_repeat(const repeat_step& repeat, unsigned line) {
    for (std::uint64_t pass = 0; pass < repeat.count; ++pass) {
      run(repeat.body);
      if (repeat.repeat_while && !holds(*repeat.repeat_while)) return;
    }
    if (repeat.repeat_while)
      throw repetitions_used_up(
          program_.launch->file, line,
          fmt::format("'{}' still holds after {} repetitions", repeat.repeat_while->text, repeat.count));
  }

  bool holds(const condition& c) const {
    const element_type type = program_.launch->find_buffer(c.buffer)->type;
    std::vector<std::uint8_t> element(size_of(type));
    target_.read(program_.buffer_at(c.buffer).address + static_cast<std::uint32_t>(c.index * element.size()),
                 element.data(), element.size());
    return c.holds(type, element.data());
  }

  const prepared& program_;
  const device& target_;
  std::uint16_t grid_id_ = 0;
};

}  // namespace

void upload(const prepared& program, const device& target) {
  for (const auto* list : {&program.globals, &program.buffers})
    for (const placed_bytes& placed : *list)
      target.write(placed.address, placed.initial.data(), placed.initial.size());
  for (const placed_array& a : program.arrays) target.write(a.address, a.initial.data(), a.initial.size());
}

void execute(const prepared& program, const device& target) {
  executor(program, target).run(program.launch->steps);
}

}  // namespace gt200::launch
