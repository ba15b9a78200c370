#include "sc_models/memory_path/sm_controller.h"

#include <stdexcept>
#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

bool is_texture(const warp_instruction& operation) {
  return operation.instruction->access.space == isa::memory_space::texture;
}

}  // namespace

sm_controller::sm_controller(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                             const config::sm_controller_config& config, unsigned sms, unsigned reply_latency)
    : stage(name, uncore),
      from_sm("from_sm", sms,
              [&](const char* n, std::size_t) {
                return new tlm_bus::pipe_in<memory_operation_token>(
                    n, *this, config.queue_entries + config.latency_cycles - 1, config.latency_cycles);
              }),
      to_sm("to_sm", sms,
            [&](const char* n, std::size_t) { return new tlm_bus::pipe_out<memory_completion_token>(n, *this); }),
      to_address_generation("to_address_generation", *this),
      to_texture("to_texture", *this),
      from_load_store_queue("from_load_store_queue", *this, reply_latency + 1, reply_latency),
      from_texture("from_texture", *this, 2),
      turn_(sms),
      exclusive_(config.exclusive_pipelines) {
  for (unsigned sm = 0; sm < sms; ++sm) queues_.emplace_back("queue_" + std::to_string(sm), from_sm[sm], *this);
}

void sm_controller::tick() {
  return_completions();
  forward();
}

void sm_controller::return_completions() {
  const bool texture_first = texture_returns_first_;
  const auto return_load_store = [&] { return return_oldest(from_load_store_queue, load_store_under_way_); };
  const auto return_texture = [&] { return return_oldest(from_texture, texture_under_way_); };
  bool returned = texture_first ? return_texture() : return_load_store();
  returned |= texture_first ? return_load_store() : return_texture();
  if (returned) texture_returns_first_ = !texture_first;
}

bool sm_controller::return_oldest(tlm_bus::pipe_in<memory_completion_token>& from, std::uint32_t& under_way) {
  const memory_completion_token* token = from.front();
  if (token == nullptr) return false;
  auto& out = to_sm[token->operation->sm];
  if (!out.can_send()) return false;
  out.send(*token);
  const bool sent = token->sent;
  from.pop();
  if (sent) return true;
  --under_way;
  ++completions;
  return true;
}

void sm_controller::forward() {
  // 1. Find the SMs whose oldest instruction can leave.
  std::uint64_t load_store = 0;
  std::uint64_t texture = 0;
  for (unsigned sm = 0; sm < from_sm.size(); ++sm) {
    const memory_operation_token* token = from_sm[sm].front();
    if (token == nullptr) continue;
    if (token->operation->sm != sm) throw std::logic_error(std::string(name()) + ": instruction of another SM");
    (is_texture(*token->operation) ? texture : load_store) |= std::uint64_t{1} << sm;
  }
  if (exclusive_) {
    if (load_store != 0 && texture != 0) (texture_entered_last_ ? texture : load_store) = 0;
    if (texture_under_way_ != 0) load_store = 0;
    if (load_store_under_way_ != 0) texture = 0;
  }
  if (load_store != 0 && !to_address_generation.can_send()) load_store = 0;
  if (texture != 0 && !to_texture.can_send()) texture = 0;
  const std::uint64_t requests = load_store | texture;
  if (requests == 0) return;

  // 2. One of these instructions leaves.
  const int winner = turn_.choose(requests);
  auto& from = from_sm[static_cast<unsigned>(winner)];
  const memory_operation_token token = *from.front();
  if ((texture >> winner & 1) != 0) {
    to_texture.send(token);
    ++texture_operations;
    ++texture_under_way_;
  } else {
    to_address_generation.send(token);
    ++load_store_operations;
    ++load_store_under_way_;
  }
  texture_entered_last_ = (texture >> winner & 1) != 0;
  from.pop();
  turn_.granted(winner);
  if ((requests & ~(std::uint64_t{1} << winner)) != 0) wake_next();
}

void sm_controller::visit_state(tlm_bus::state_image& state) {
  state.fixed(exclusive_);
  state(queues_, turn_, texture_returns_first_, load_store_under_way_, texture_under_way_, texture_entered_last_);
}

}  // namespace gt200::model
