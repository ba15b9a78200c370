#include "observe/checker/control_contract.h"

#include <fmt/format.h>

#include <algorithm>

namespace gt200::observe {
namespace {

using isa::register_file_kind;

constexpr std::uint64_t cycles_until_a_barrier_is_seen = 2;
constexpr std::uint64_t cycles_until_depbar_holds = 4;

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
  pending_waits_.clear();
  last_issue_ = 0;
  last_set_ = 0;
}

// Instructions of fixed time alone use it. An entry is of the lanes of one path.
void control_contract::use_reuse_cache(const isa::instruction& i) {
  const bool uses = !i.variable_latency && i.unit != isa::unit_class::control;
  for (unsigned k = 0; uses && k < i.operand_count; ++k) {
    const isa::register_transfer& t = i.operands[k];
    const unsigned slot = isa::operand_slot(t);
    if (slot == isa::no_slot || t.count != 1) continue;
    reused& entry = reuse_[t.first % banks][slot];
    const isa::lane_mask path = operation_->active;
    if (entry.valid && entry.index == t.first && entry.written_since && entry.reader.lanes == path)
      breaks(kind::stale_reuse, t.file, t.first, entry.reader);
    entry = {(i.codes.reuse >> slot & 1) != 0, t.first, false, {operation_->id, operation_->pc, path}};
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
  const std::uint64_t now = operation.issued_at.number();
  std::uint8_t waits = i.codes.wait_mask;
  const std::uint8_t unseen = now < last_issue_ + cycles_until_a_barrier_is_seen ? last_set_ : std::uint8_t{0};
  if ((waits & unseen) != 0) {
    breaks(kind::unseen_barrier, register_file_kind::gpr, 0, last_);
    broken_->back().where.count = 0;
  }
  for (const pending_wait& p : pending_waits_)
    if (p.from <= now) waits |= p.barriers;
  pending_waits_.erase(std::remove_if(pending_waits_.begin(), pending_waits_.end(),
                                      [now](const pending_wait& p) { return p.from <= now; }),
                       pending_waits_.end());
  forget(waits & static_cast<std::uint8_t>(~unseen));
  if (!i.dependency.waits) return;
  std::uint8_t later = i.dependency.list;
  if (i.dependency.count == 0) later |= static_cast<std::uint8_t>(1u << i.dependency.barrier);
  pending_waits_.push_back({now + cycles_until_depbar_holds, later});
}

// These barriers have been awaited.
void control_contract::forget(std::uint8_t awaited) {
  if (awaited == 0) return;
  for (resource& r : resources_) {
    r.writing &= static_cast<std::uint8_t>(~awaited);
    r.reading &= static_cast<std::uint8_t>(~awaited);
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
      if (entry.valid && entry.index == n && (entry.reader.lanes & lanes) != 0) entry.written_since = true;
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
