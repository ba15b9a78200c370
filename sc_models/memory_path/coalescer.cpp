#include "sc_models/memory_path/coalescer.h"

#include <stdexcept>
#include <string>

#include "sc_models/memory_path/cosimulation/watched_coalescer.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"
#include "toolchain/error.h"

namespace gt200::model {

coalescer::coalescer(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                     const config::coalescer_config& config, bool loads_lines)
    : stage(name, uncore),
      from_tlb("from_tlb", *this, config.latency_cycles + 1, config.latency_cycles),
      to_load_store_queue("to_load_store_queue", *this),
      rule_(config.rule),
      join_equal_(config.join_equal),
      loads_lines_(loads_lines),
      policy_(make_coalescing_policy(this->name(), config)),
      config_(config) {}

coalescer::~coalescer() = default;

void coalescer::use(std::unique_ptr<watched_coalescer> rtl) {
  rtl_ = std::move(rtl);
  if (rtl_ != nullptr && policy_ != nullptr)
    throw input_error(std::string(name()) + ": RTL of the coalescing rules and another policy at once");
}

void coalescer::coalesce_by_policy(const lane_group& group) {
  segments_.count = 0;
  policy_->coalesce(group, segments_);
  isa::lane_mask served = 0;
  bool right = segments_.count != 0;
  for (unsigned i = 0; i < segments_.count; ++i) {
    const memory_segment& s = segments_.segment[i];
    right = right && (s.bytes == 32 || s.bytes == 64 || s.bytes == 128) && s.address % s.bytes == 0 &&
            s.lanes != 0 && (s.lanes & (served | ~group.active)) == 0;
    for (const unsigned lane : set_bits(s.lanes & group.active))
      right = right && group.address[lane] - s.address <= s.bytes - group.word_bytes;
    served |= s.lanes;
  }
  if (!right || served != group.active)
    throw std::logic_error(std::string(name()) +
                           ": the coalescing policy gives transactions that do not fit its lanes");
}

std::vector<lockstep_comparison*> coalescer::lockstep_comparisons() const {
  std::vector<lockstep_comparison*> result;
  if (rtl_ != nullptr)
    for (lockstep_comparison& one : rtl_->comparisons()) result.push_back(&one);
  return result;
}

void coalescer::tick() {
  const memory_access_token* token = from_tlb.front();
  if (token == nullptr || !to_load_store_queue.can_send()) return;
  memory_access& access = *token->access;

  // 1. An access without lanes passes unchanged.
  if (access.lanes == 0) {
    transaction_token none;
    none.access = &access;
    none.last = true;
    to_load_store_queue.send(none);
    from_tlb.pop();
    return;
  }

  // 2. One transaction of the current group.
  if (next_segment_ == segments_.count) start_group(access);
  const transaction_token transaction = next_transaction(access);
  to_load_store_queue.send(transaction);
  if (transaction.last) {
    from_tlb.pop();
    group_ = 0;
  } else {
    wake_next();
  }
}

isa::lane_mask coalescer::lanes_of_group(const memory_access& access) const {
  const isa::lane_mask all = ~isa::lane_mask{0} >> (isa::warp_size - group_size_);
  return access.lanes >> (group_ * group_size_) & all;
}

void coalescer::start_group(const memory_access& access) {
  group_size_ = group_lanes(rule_, access.word_bytes);
  while (lanes_of_group(access) == 0) ++group_;
  const isa::lane_mask active = lanes_of_group(access);
  const std::uint32_t* const address = &access.operation->values.address.lane[group_ * group_size_];
  const auto lanes = static_cast<unsigned>(__builtin_popcount(active));
  half_warps += (active & 0xffffu) != 0 && active >> half_warp_size != 0 ? 2 : 1;
  next_segment_ = 0;
  if (rtl_ != nullptr) rtl_->start(access, group_, pass_);
  const bool by_rtl = rtl_ != nullptr && rtl_->alone();
  if (access.kind == memory_kind::atomic) {
    if (!by_rtl) separate(address, active, access.word_bytes, segments_);
    atomics += lanes;
    return;
  }
  const bool reads = access.kind != memory_kind::store;
  if (policy_ != nullptr) {
    coalesce_by_policy({address, active, group_size_, access.word_bytes, reads});
  } else if (rule_ == config::coalescing_rule::cc_2_0) {
    const bool from_lines = loads_lines_ && reads &&
                            (access.space == memory_space::local || !access.operation->instruction->access.past_l1);
    coalesce_lines(address, active, access.word_bytes, from_lines, segments_);
  } else if (!by_rtl) {
    coalesce(rule_, address, static_cast<std::uint16_t>(active), access.word_bytes, segments_,
             join_equal_ && reads);
  }
  if (access.operation->instruction->access.line != isa::line_action::none) return;
  bytes_requested += lanes * access.word_bytes;
}

transaction_token coalescer::next_transaction(memory_access& access) {
  if (rtl_ != nullptr) rtl_->next(segments_, next_segment_);
  const memory_segment& segment = segments_.segment[next_segment_++];
  const unsigned first_lane = group_ * group_size_ + static_cast<unsigned>(__builtin_ctz(segment.lanes));
  transaction_token transaction;
  transaction.access = &access;
  transaction.bytes = segment.bytes;
  transaction.in_sequence = segment.in_sequence;
  transaction.pass = static_cast<std::uint8_t>(pass_);
  transaction.lanes = segment.lanes << (group_ * group_size_);
  // A segment lies within one page. So it starts at the same distance below its first lane in physical and virtual
  // addresses.
  transaction.address = access.physical_address(first_lane) -
                        (access.operation->values.address.lane[first_lane] - segment.address) +
                        std::uint64_t{pass_} * local_pass_stride;
  if (access.kind == memory_kind::load || access.kind == memory_kind::store) {
    ++(segment.bytes == 32 ? transactions_32 : segment.bytes == 64 ? transactions_64 : transactions_128);
    bytes_transferred += segment.bytes;
  }
  if (next_segment_ == segments_.count) {
    if (++pass_ == access.passes) {
      pass_ = 0;
      ++group_;
      const unsigned next_lane = group_ * group_size_;
      transaction.last = next_lane == isa::warp_size || access.lanes >> next_lane == 0;
    }
  }
  return transaction;
}

void coalescer::publish(tlm_bus::signal_writer& to) {
  const bool of_warps = rule_ == config::coalescing_rule::cc_2_0;
  to.number(of_warps ? "group" : "half_warp", of_warps ? 2 : 1, group_);
  to.number("transactions_left", of_warps ? 6 : 5, segments_.count - next_segment_);
  if (rtl_ != nullptr) rtl_->publish(to);
}

void coalescer::visit_state(tlm_bus::state_image& state) {
  if (rtl_ != nullptr && !rtl_->can_be_reset()) state.refuse(*this, "its RTL came from outside");
  state.fixed(rule_, join_equal_, loads_lines_, config_);
  state(rtl_);
  state.remake(policy_, [this] { return make_coalescing_policy(name(), config_); });
  state(segments_, next_segment_, group_size_, group_, pass_);
}

}  // namespace gt200::model
