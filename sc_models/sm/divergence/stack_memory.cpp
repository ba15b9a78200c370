#include "sc_models/sm/divergence/stack_memory.h"

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

// The access to global memory that moves an entry.
isa::instruction access_of(isa::access_kind kind, unsigned bytes) {
  isa::instruction access;
  access.unit = isa::unit_class::memory;
  access.access.kind = kind;
  access.access.space = isa::memory_space::global;
  access.access.type = bytes == 16 ? isa::data_type::b128 : isa::data_type::b64;
  return access;
}

}  // namespace

stack_memory::stack_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                           const config::sm_config& config, const stack_layout& layout, unsigned sm_in_tpc,
                           unsigned sm_in_chip)
    : core_stage(name, domain),
      in("in", *this, config.operand_collector.control_queue_entries),
      resumed("resumed", *this),
      memory_port("memory_port", *this),
      block_control("block_control"),
      pool("pool"),
      layout_(layout),
      sm_in_tpc_(sm_in_tpc),
      sm_in_chip_(sm_in_chip),
      store_(access_of(isa::access_kind::store, layout.entry_bytes)),
      load_(access_of(isa::access_kind::load, layout.entry_bytes)) {}

// An entry has arrived, or its store has been acknowledged.
void stack_memory::completed(const warp_instruction& access) {
  if (access.instruction != &load_) return;
  warp_state& warp = warps_[access.warp];
  const arch_state::stack_words& sent = warp.sent[layout_.entry_at(access.values.address.lane[0])];
  for (unsigned w = 0; w < layout_.entry_bytes / 4; ++w) {
    if (access.values.destination[w].lane[0] == sent[w]) continue;
    warp_instruction report = access;
    report.fault = arch_state::fault_kind::stack_mismatch;
    report.fault_lanes = report.active;
    block_control->faulted(report);
    return;
  }
  if (--warp.loads != 0) return;
  warp.resumes_at = cycle() + core_cycles(1);
  resuming_ |= warp_bit(access.warp);
  wake_next();
}

void stack_memory::resume_one() {
  for (const warp_slot index : warps_in(resuming_)) {
    warp_state& warp = warps_[index];
    if (warp.resumes_at > cycle()) {
      wake_at(warp.resumes_at);
      continue;
    }
    if (!resumed.can_send()) return;
    resumed.send(warp.resume);
    resuming_ &= ~warp_bit(index);
    if (resuming_ != 0) wake_next();
    return;
  }
}

// Entries pushed out go before entries that are needed; both from the top down.
void stack_memory::send_one(const stack_transfer_token& transfer) {
  warp_state& warp = warps_[transfer.warp];
  const bool stores = sent_ < transfer.spilled;
  const unsigned end = transfer.in_memory + transfer.filled;
  const unsigned entry = stores ? end - 1 : end - 1 - (sent_ - transfer.spilled);
  warp_instruction& access = *pool->get();
  block_control->describe(transfer.warp, access);
  access.id = 0;
  access.sequence = 0;
  access.issued_at = cycle();
  access.instruction = stores ? &store_ : &load_;
  access.resolved_space = isa::memory_space::none;
  access.window_base = 0;
  access.pc = transfer.pc;
  access.sm = static_cast<std::uint8_t>(sm_in_tpc_);
  access.warp = transfer.warp;
  access.active = access.executed = 1;
  access.dependency_entries = 0;
  access.fault = arch_state::fault_kind::none;
  access.fault_lanes = 0;
  access.stack_access = true;
  access.values.address.lane[0] = layout_.address(sm_in_chip_, transfer.warp, entry);
  if (stores) {
    for (unsigned w = 0; w < layout_.entry_bytes / 4; ++w)
      access.values.source[1][w].lane[0] = transfer.spilled_words[w];
    if (warp.sent.size() <= entry) warp.sent.resize(entry + 1);
    warp.sent[entry] = transfer.spilled_words;
    ++spilled;
  } else {
    if (sent_ == transfer.spilled) {
      warp.loads = transfer.filled;
      warp.resume = transfer.resume;
    }
    ++filled;
  }
  memory_port.send({&access});
  ++sent_;
}

void stack_memory::tick() {
  // 1. A warp whose entries have all arrived continues.
  resume_one();
  // 2. The next access of the oldest transfer.
  const stack_transfer_token* transfer = in.front();
  if (transfer == nullptr || !memory_port.can_send()) return;
  send_one(*transfer);
  if (sent_ < static_cast<unsigned>(transfer->spilled + transfer->filled)) {
    wake_next();
    return;
  }
  sent_ = 0;
  in.pop();
}

void stack_memory::publish(tlm_bus::signal_writer& to) { to.mask("resuming", max_warps, resuming_); }

void stack_memory::visit_state(tlm_bus::state_image& state) {
  state.fixed(layout_, sm_in_tpc_, sm_in_chip_, store_, load_);
  state(warps_, resuming_, sent_);
}

}  // namespace gt200::model
