#include "observe/checker/control_contract.h"

#include <fmt/format.h>

namespace gt200::observe {
namespace {

using isa::register_file_kind;

constexpr std::uint64_t cycles_until_a_barrier_is_seen = 2;

std::string name_of(const isa::register_range& r) {
  return fmt::format("{}{}", r.file == register_file_kind::condition ? "P" : "R", r.first);
}

}  // namespace

std::string describe(const broken_contract& b) {
  using kind = broken_contract::kind;
  const std::string where = name_of(b.where);
  switch (b.what) {
    case kind::reads_too_early:
      return fmt::format("{}, written at {:#06x}, is read at {:#06x} {} cycle{} too early", where, b.first_pc,
                         b.second_pc, b.cycles, b.cycles == 1 ? "" : "s");
    case kind::reads_unawaited:
      return fmt::format("{}, written at {:#06x}, is read at {:#06x} without waiting for it", where, b.first_pc,
                         b.second_pc);
    case kind::overwrites_source:
      return fmt::format("{}, read at {:#06x}, is written at {:#06x} without waiting for the reader", where,
                         b.first_pc, b.second_pc);
    case kind::overwrites_result:
      return fmt::format("{}, written at {:#06x}, is written again at {:#06x} without waiting", where, b.first_pc,
                         b.second_pc);
    case kind::stale_reuse:
      return fmt::format("{}, kept for reuse at {:#06x} and written since, is read at {:#06x} in the same slot",
                         where, b.first_pc, b.second_pc);
    case kind::unseen_barrier: break;
  }
  return fmt::format("the barrier set at {:#06x} is not seen yet at {:#06x}", b.first_pc, b.second_pc);
}

void control_contract::start() {
  resources_.assign(registers + predicates, {});
  reuse_ = {};
  last_issue_ = 0;
  last_set_ = 0;
}

// Instructions of fixed time alone use it.
void control_contract::use_reuse_cache(const isa::instruction& i) {
  if (i.variable_latency || i.unit == isa::unit_class::control) return;
  for (unsigned k = 0; k < i.operand_count; ++k) {
    const isa::register_transfer& t = i.operands[k];
    const unsigned slot = isa::operand_slot(t);
    if (slot == isa::no_slot || t.count != 1) continue;
    reused& entry = reuse_[t.first % banks][slot];
    if (entry.valid && entry.index == t.first && entry.written_since)
      breaks(kind::stale_reuse, t.file, t.first, entry.reader);
    entry = {
        (i.codes.reuse >> slot & 1) != 0 && !i.codes.yield, t.first, false, {operation_->id, operation_->pc, 0}};
  }
  if (i.codes.yield) reuse_ = {};
}

void control_contract::breaks(kind what, register_file_kind file, unsigned n, const place& first, unsigned cycles) {
  broken_contract b;
  b.what = what;
  b.where = {file, static_cast<std::uint8_t>(n), 1};
  b.first_id = first.id;
  b.first_pc = first.pc;
  b.second_id = operation_->id;
  b.second_pc = operation_->pc;
  b.cycles = cycles;
  broken_->push_back(b);
}

void control_contract::await(const model::warp_instruction& operation) {
  const isa::instruction& i = *operation.instruction;
  std::uint8_t waits = i.codes.wait_mask;
  if (i.dependency.waits) {
    waits |= i.dependency.list;
    if (i.dependency.count == 0) waits |= static_cast<std::uint8_t>(1u << i.dependency.barrier);
  }
  if (waits == 0) return;
  auto seen = static_cast<std::uint8_t>(~waits);
  const std::uint64_t now = operation.issued_at.number();
  if ((waits & last_set_) != 0 && now < last_issue_ + cycles_until_a_barrier_is_seen) {
    breaks(kind::unseen_barrier, register_file_kind::gpr, 0, last_);
    broken_->back().where.count = 0;
    seen |= last_set_;
  }
  for (resource& r : resources_) {
    r.writing &= seen;
    r.reading &= seen;
  }
}

void control_contract::read(register_file_kind file, unsigned n, std::uint8_t latency_class) {
  const resource& r = resources_[index_of(file, n)];
  const auto concerns = [this](const place& first) { return (first.lanes & operation_->active) != 0; };
  if (r.writing != 0 && concerns(r.varying_writer)) breaks(kind::reads_unawaited, file, n, r.varying_writer);
  const std::uint64_t now = operation_->read_slot.number();
  const auto& table = file == register_file_kind::condition ? table_.predicates : table_.registers;
  for (unsigned c = 0; c < classes; ++c) {
    if (r.written_at[c] == 0 || !concerns(r.writer[c])) continue;
    const std::uint64_t there = r.written_at[c] - 1 + table[c][latency_class];
    if (now < there) breaks(kind::reads_too_early, file, n, r.writer[c], static_cast<unsigned>(there - now));
  }
}

void control_contract::write(register_file_kind file, unsigned n, std::uint8_t latency_class,
                             isa::lane_mask lanes) {
  resource& r = resources_[index_of(file, n)];
  if (r.writing != 0 && (r.varying_writer.lanes & lanes) != 0)
    breaks(kind::overwrites_result, file, n, r.varying_writer);
  if (r.reading != 0 && (r.varying_reader.lanes & lanes) != 0)
    breaks(kind::overwrites_source, file, n, r.varying_reader);
  if (lanes == operation_->active) r.written_at.fill(0);
  const place here = {operation_->id, operation_->pc, lanes};
  if (file == register_file_kind::gpr)
    for (reused& entry : reuse_[n % banks])
      if (entry.valid && entry.index == n) entry.written_since = true;
  if (operation_->instruction->variable_latency) {
    r.writing = bit_of(operation_->instruction->codes.write_barrier);
    r.varying_writer = here;
  } else {
    r.written_at[latency_class] = operation_->read_slot.number() + 1;
    r.writer[latency_class] = here;
  }
}

void control_contract::issued(const model::warp_instruction& operation, isa::lane_mask executed,
                              std::vector<broken_contract>& broken) {
  const isa::instruction& i = *operation.instruction;
  operation_ = &operation;
  broken_ = &broken;
  await(operation);
  const auto for_words = [](const isa::register_transfer& t, auto act) {
    for (unsigned k = 0; k < t.count; ++k) act(t.file, t.first + k, t.latency_class);
  };
  for (unsigned k = 0; k < i.operand_count; ++k) {
    // The sources of an instruction that no lane executes do not matter, its predicates do.
    if (executed == 0 && i.operands[k].file == register_file_kind::gpr) continue;
    for_words(i.operands[k], [&](auto file, unsigned n, std::uint8_t c) { read(file, n, c); });
  }
  use_reuse_cache(i);
  if (i.reads_predicate_file)
    for (unsigned p = 0; p + 1 < predicates; ++p) read(register_file_kind::condition, p, 0);
  if (executed != 0) {
    for (unsigned k = 0; k < i.result_count; ++k)
      for_words(i.results[k], [&](auto file, unsigned n, std::uint8_t c) { write(file, n, c, executed); });
    if (i.writes_predicate_file)
      for (unsigned p = 0; p + 1 < predicates; ++p) write(register_file_kind::condition, p, 0, executed);
  }
  if (i.variable_latency) {
    const std::uint8_t barrier =
        i.codes.read_barrier != isa::control_codes::no_barrier ? i.codes.read_barrier : i.codes.write_barrier;
    for (unsigned k = 0; k < i.operand_count; ++k)
      for_words(i.operands[k], [&](auto file, unsigned n, std::uint8_t) {
        const isa::lane_mask lanes = file == register_file_kind::gpr ? executed : operation.active;
        if (lanes == 0) return;
        resource& r = resources_[index_of(file, n)];
        r.reading |= bit_of(barrier);
        r.varying_reader = {operation.id, operation.pc, lanes};
      });
  }
  last_issue_ = operation.issued_at.number();
  last_set_ = 0;
  for (const std::uint8_t barrier : {i.codes.write_barrier, i.codes.read_barrier})
    if (barrier != isa::control_codes::no_barrier) last_set_ |= bit_of(barrier);
  last_ = {operation.id, operation.pc, executed};
}

}  // namespace gt200::observe
