#include "sc_models/sm/front_end/icache.h"

#include <algorithm>
#include <cstring>

#include "sc_models/sm/front_end/joined_front_end.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

memory_extension instruction_fill(memory_extension origin) {
  origin.space = memory_space::instruction;
  return origin;
}

// An instruction of which the code holds a part lies outside of it. One that is not aligned is refused by decode.
// Lengths are powers of two.
bool ends_outside(const grid_descriptor& grid, isa::code_address pc, unsigned bytes) {
  return pc + bytes > grid.code_bytes && (pc & (bytes - 1)) == 0;
}

}  // namespace

icache::icache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               decoded_instructions& instructions, const memory_extension& origin, bool perfect)
    : stage(name, domain),
      requests("requests", *this, config.fetch.queue_entries, config.icache.hit_latency_cycles),
      out("out", *this),
      fill("fill", *this),
      instructions_(instructions),
      line_bytes_(config.icache.line_bytes),
      words_per_line_(line_bytes_ / 4),
      lines_(fill, latencies, config.icache, instruction_fill(origin), perfect),
      decoded_(std::size_t{lines_.lines()} * words_per_line_),
      decoded_fills_(lines_.lines()) {
  waiting_.reserve(std::size_t{max_warps} * 16);
}

void icache::invalidate() {
  settle();  // of an earlier one
  lines_.invalidate(cycle());
}

// Forgets the instructions of lines whose words have been replaced.
void icache::forget_replaced() {
  decoded_version_ = lines_.version();
  for (line_index line = 0; line < lines_.lines(); ++line) {
    if (decoded_fills_[line] == lines_.fills(line)) continue;
    const auto first = decoded_.begin() + static_cast<std::ptrdiff_t>(line * words_per_line_);
    std::fill(first, first + words_per_line_, nullptr);
    decoded_fills_[line] = lines_.fills(line);
  }
}

// An instruction that is not aligned to its length may run past the line, whose end cuts it off; it is refused.
const instruction_descriptor& icache::decode(line_index line, std::uint64_t address, isa::code_address pc) {
  const std::uint64_t line_end = (address & ~std::uint64_t{line_bytes_ - 1}) + line_bytes_;
  isa::instruction_words words = {};
  const auto word_at = [&](std::uint64_t at) {
    std::uint32_t word;
    std::memcpy(&word, lines_.data(line, at & ~std::uint64_t{3}), sizeof word);
    return word;
  };
  words[0] = word_at(address);
  const unsigned bytes = instructions_.generation().values().lengths.of(words[0]);
  for (unsigned w = 1; w < bytes / 4; ++w) words[w] = address + 4 * w < line_end ? word_at(address + 4 * w) : 0;
  const instruction_descriptor& found = instructions_.at(pc, words);
  if (is_regular(address, pc)) decoded_[line * words_per_line_ + (address & (line_bytes_ - 1)) / 4] = &found;
  return found;
}

predecoded icache::look_up_code(const grid_descriptor& grid, isa::code_address pc, known_line& known) {
  predecoded result;
  if (pc >= grid.code_bytes) return result;
  const std::uint64_t address = grid.code_base + pc;
  const line_index line = find(address);
  if (line == no_line) return result;
  const instruction_descriptor& instruction = instruction_at(line, address, pc);
  if (!ends_outside(grid, pc, instruction.length))
    result = {instruction.length, line, lines_.version(), &instruction};
  know(grid, address, line, known);
  return result;
}

// Notes what the line at `address` holds of the code. Nothing, where instructions are aligned in it as nowhere
// else.
void icache::know(const grid_descriptor& grid, std::uint64_t address, line_index line, known_line& to) const {
  to.bytes = 0;
  const std::uint64_t first = std::max(address & ~std::uint64_t{line_bytes_ - 1}, grid.code_base);
  if (!is_regular(first, static_cast<isa::code_address>(first - grid.code_base))) return;
  const std::uint64_t end = std::min((address | (line_bytes_ - 1)) + 1, grid.code_base + grid.code_bytes);
  to.first = static_cast<isa::code_address>(first - grid.code_base);
  to.bytes = static_cast<std::uint32_t>(end - first);
  to.line = line;
  to.version = lines_.version();
  to.instructions = &decoded_[line * words_per_line_ + (first & (line_bytes_ - 1)) / 4];
}

// Whether predecoding has said all of the fetch, and the contents are still the same.
inline bool icache::knows(const fetch_token& token) {
  settle();
  return token.predecoded && token.version == lines_.version();
}

// The fields that a fetch hands on.
inline void icache::begin_answer(const fetch_token& token, fetched_token& fetched) {
  fetched.warp = token.warp;
  fetched.epoch = token.epoch;
  fetched.requested = token.count;
  fetched.invalid_pc = false;
  fetched.sequential_known = token.sequential_known;
  fetched.met = token.met;
  fetched.grid = token.grid;
  fetched.pc = token.pc;
}

// Reads the instructions of a fetch. Returns false if a line is absent, with its address in `missing_address`.
bool icache::read(const fetch_token& token, reading& result, std::uint64_t& missing_address) {
  fetched_token& fetched = result.fetched;
  begin_answer(token, fetched);
  if (knows(token)) {
    fetched.count = token.count;
    fetched.instructions = token.instructions;
    result.line = token.line;
    return true;
  }
  fetched.count = 0;
  const grid_descriptor& grid = *token.grid;
  isa::code_address pc = token.pc;
  for (unsigned i = 0; i < token.count; ++i) {
    if (pc >= grid.code_bytes) {
      fetched.invalid_pc = i == 0;
      break;
    }
    const std::uint64_t address = grid.code_base + pc;
    const line_index line = find(address);
    if (line == no_line) {
      missing_address = address;
      return false;
    }
    if (i == 0) result.line = line;
    const instruction_descriptor& instruction = instruction_at(line, address, pc);
    if (ends_outside(grid, pc, instruction.length)) {
      fetched.invalid_pc = i == 0;
      break;
    }
    pc += instruction.length;
    fetched.instructions[fetched.count++] = &instruction;
  }
  return true;
}

inline const fetch_token* icache::next_request() {
  return joined_ != nullptr ? joined_->oldest_fetch() : requests.front();
}

inline void icache::take_request() { joined_ != nullptr ? joined_->take_fetch() : requests.pop(); }

inline bool icache::can_hand_on() { return joined_ != nullptr ? joined_->can_arrive() : out.can_send(); }

template <class Fill>
inline void icache::hand_on(const Fill& set) {
  if (joined_ != nullptr)
    set(joined_->next_arrival());
  else
    out.send_filled(set);
}

void icache::deliver(const reading& result) {
  hand_on([&result](fetched_token& fetched) { fetched = result.fetched; });
  if (result.line != no_line) lines_.used(result.line);
}

void icache::set_missing(warp_slot warp, bool value) {
  const warp_mask bit = warp_bit(warp);
  if (((waiting_warps_ & bit) != 0) == value) return;
  waiting_warps_ ^= bit;
  missing_.change(domain()) = waiting_warps_;
}

void icache::take_fill() {
  settle();
  if (lines_.is_idle() || !lines_.take_fill(cycle())) return;
  ++fills;
  wake_next();
}

// Delivers the oldest waiting fetch whose line has arrived. Fetches of one warp stay in order.
bool icache::deliver_waiting() {
  if (waiting_.empty() || !can_hand_on()) return false;
  warp_mask passed = 0;  // warps with an older fetch still waiting
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const fetch_token token = waiting_[i];
    if ((passed & warp_bit(token.warp)) != 0) continue;
    passed |= warp_bit(token.warp);
    reading result;
    std::uint64_t address = 0;
    if (!read(token, result, address)) {
      lines_.start_miss(address, cycle());
      continue;
    }
    deliver(result);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    const bool more =
        std::any_of(waiting_.begin(), waiting_.end(), [&](const fetch_token& t) { return t.warp == token.warp; });
    if (!more) set_missing(token.warp, false);
    if (!waiting_.empty()) wake_next();
    return true;
  }
  return false;
}

// Hands on the oldest new fetch, of which predecoding has said all: nearly always. Returns false if this is another
// one; otherwise there is nothing more to do with it in this cycle.
bool icache::hand_on_known(const fetch_token& token) {
  if ((waiting_warps_ & warp_bit(token.warp)) != 0 || !knows(token)) return false;
  if (!can_hand_on()) return true;
  ++hits;
  hand_on([&token](fetched_token& fetched) {
    begin_answer(token, fetched);
    fetched.count = token.count;
    fetched.instructions = token.instructions;
  });
  if (token.line != no_line) lines_.used(token.line);
  take_request();
  return true;
}

// Looks up the oldest new fetch. `delivered`: a fetch has already been delivered in this cycle.
void icache::look_up_new(bool delivered) {
  const fetch_token* const token = next_request();
  if (token == nullptr) return;
  if (!delivered && hand_on_known(*token)) return;
  reading result;
  std::uint64_t address = 0;
  const bool behind = (waiting_warps_ & warp_bit(token->warp)) != 0;
  if (!behind && read(*token, result, address)) {
    if (!delivered && can_hand_on()) {
      ++hits;
      deliver(result);
      take_request();
    } else if (delivered) {
      wake_next();
    }
    return;
  }
  const l1_lines::miss answer = behind ? l1_lines::miss::merged : lines_.start_miss(address, cycle());
  ++(answer == l1_lines::miss::merged ? merged : misses);
  if (answer == l1_lines::miss::no_mshr) ++mshr_full;
  waiting_.push_back(*token);
  set_missing(token->warp, true);
  take_request();
}

void icache::tick() { step_ != nullptr ? step_->called(*this) : run(); }

void icache::run() {
  // 1. A line arrives; it can be read from the next cycle on.
  take_fill();
  // 2. One fetch is delivered per cycle: the oldest waiting one whose line has arrived, else a new one.
  const bool delivered = deliver_waiting();
  look_up_new(delivered);
  // 3. One miss per cycle goes to the L2.
  if (!lines_.is_idle() && lines_.send_request(cycle() + 1)) wake_next();
}

void icache::publish(tlm_bus::signal_writer& to) {
  const mshr_file& mshrs = lines_.mshrs();
  to.mask("missing", max_warps, missing_.next());
  to.outstanding().mask("mshrs", std::min(mshrs.size(), 64u), mshrs.busy_mask());
  to.outstanding().number("fetches_waiting", 8, waiting_.size());
}

void icache::visit_state(tlm_bus::state_image& state) {
  state.fixed(step_, joined_, line_bytes_, words_per_line_, decoded_version_, decoded_, decoded_fills_);
  state(lines_, waiting_, missing_, waiting_warps_);
}

}  // namespace gt200::model
