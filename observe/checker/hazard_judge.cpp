#include "observe/checker/hazard_judge.h"

#include <cstring>

#include "toolchain/arch_state/register_transfer.h"
#include "toolchain/bits.h"

namespace gt200::observe {
namespace {

using kind = broken_contract::kind;

bool is_there(const isa::register_transfer& t, const isa::register_range& r) {
  return t.file == r.file && r.first >= t.first && r.first < t.first + t.count;
}

// The row of the register among the transfers, as words; predicates as 0 or 1.
template <class Transfers>
std::optional<isa::lane_words> row_of(const Transfers& transfers, const isa::register_range& r) {
  for (const isa::register_transfer& t : transfers) {
    if (!is_there(t, r)) continue;
    isa::lane_words row;
    if (t.file == isa::register_file_kind::gpr)
      return transfers.template row<const isa::lane_words>(t)[r.first - t.first];
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      row.lane[lane] = transfers.template row<const std::uint8_t>(t)[lane];
    return row;
  }
  return {};
}

}  // namespace

void hazard_judge::started(model::warp_slot warp) {
  warp_state& w = warps_[warp];
  if (!w.contract) w.contract = std::make_unique<control_contract>(table_);
  w.contract->start();
  w.hazards.clear();
}

void hazard_judge::issued(const in_flight& f) {
  warp_state& w = warps_[f.operation->warp];
  found_.clear();
  w.contract->issued(*f.operation, f.record.executed, found_);
  for (const broken_contract& b : found_) {
    ++broken_count_;
    ++places_[describe(b)];
    if (w.hazards.size() == most_hazards) w.hazards.erase(w.hazards.begin());
    w.hazards.push_back({b, {}, {}, 0, 0, false});
  }
}

bool hazard_judge::reads_unawaited(const in_flight& f) const {
  for (const hazard& h : warps_[f.operation->warp].hazards)
    if (h.contract.what == kind::reads_unawaited && h.contract.second_id == f.id) return true;
  return false;
}

void hazard_judge::completed(const in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  const isa::instruction& i = *operation.instruction;
  for (hazard& h : warps_[operation.warp].hazards) {
    if (h.contract.what != kind::reads_unawaited || h.harmless) continue;
    if (h.contract.second_id == f.id) {
      const arch_state::register_writes sources = {i.operands.data(), i.operand_count, &operation.values};
      h.read = row_of(sources, h.contract.where);
      h.read_lanes = operation.executed;
    } else if (h.contract.first_id == f.id) {
      h.written = row_of(arch_state::results_of(i, operation.values), h.contract.where);
      h.written_lanes = operation.executed;
    } else {
      continue;
    }
    if (!h.read || !h.written) continue;
    for (const unsigned lane : set_bits(h.read_lanes & h.written_lanes))
      if (h.read->lane[lane] != h.written->lane[lane])
        throw difference_found{static_cast<int>(lane), "value read", hex(h.written->lane[lane]),
                               hex(h.read->lane[lane])};
    h.harmless = true;
  }
}

std::optional<broken_contract> hazard_judge::to_blame(const in_flight* f) const {
  std::optional<broken_contract> blamed;
  const auto consider = [&](const warp_state& w) {
    for (const hazard& h : w.hazards)
      if (!h.harmless) blamed = h.contract;
  };
  if (f == nullptr || f->operation == nullptr) {
    for (unsigned warp = 0; warp < model::max_warps; ++warp) consider(warps_[model::warp_slot(warp)]);
    return blamed;
  }
  const warp_state& own = warps_[f->operation->warp];
  // The instruction itself is the first to be asked, then what it reads.
  for (const hazard& h : own.hazards)
    if (h.contract.second_id == f->id || h.contract.first_id == f->id) return h.contract;
  const isa::instruction& i = *f->operation->instruction;
  for (const hazard& h : own.hazards)
    for (unsigned k = 0; k < i.operand_count; ++k)
      if (is_there(i.operands[k], h.contract.where)) blamed = h.contract;
  if (blamed) return blamed;
  consider(own);
  if (blamed) return blamed;
  for (unsigned warp = 0; warp < model::max_warps; ++warp) consider(warps_[model::warp_slot(warp)]);
  return blamed;
}

}  // namespace gt200::observe
