#include "apps/support/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "apps/support/message.h"

namespace gt200::apps {
namespace {

constexpr double interval = 0.5;  // seconds between two updates

}  // namespace

progress_line::progress_line(const device& target) : target_(target), terminal_(isatty(STDERR_FILENO) != 0) {}
progress_line::~progress_line() { clear(); }

std::uint64_t progress_line::issued() const {
  std::uint64_t sum = 0;
  for (model::sm_if* sm : target_.chip().sms()) sum += sm->probe().instructions_issued();
  return sum;
}

void progress_line::launch_begins(const launch::launch_parameters& parameters) {
  kernel_ = parameters.kernel->name;
  blocks_ = launch::blocks_in_grid(parameters);
  retired_before_ = target_.chip().work_distributor.blocks_retired.value();
  issued_before_ = issued();
  began_at_ = sc_core::sc_time_stamp().value();
  launched_at_ = watch_.elapsed().wall_seconds;
}

std::string progress_line::text() const {
  if (kernel_.empty()) return "no launch has begun";
  const std::uint64_t retired = target_.chip().work_distributor.blocks_retired.value() - retired_before_;
  const std::string done = fmt::format("{}: {} of {} blocks", kernel_, retired, blocks_);
  if (retired == 0) return done;  // there is no estimate yet
  // Estimates that all blocks take equally long.
  const double passed = watch_.elapsed().wall_seconds - launched_at_;
  return fmt::format("{}, about {:.0f} s left", done,
                     passed * static_cast<double>(blocks_ - retired) / static_cast<double>(retired));
}

void progress_line::update() {
  if (!terminal_) return;
  const double now = watch_.elapsed().wall_seconds;
  if (now - shown_at_ < interval) return;
  const std::uint64_t instructions = issued();
  const tlm_bus::femtoseconds time = sc_core::sc_time_stamp().value() - began_at_;
  const double cycles = static_cast<double>(time) / static_cast<double>(target_.chip().core.period());
  const double ipc =
      static_cast<double>(instructions - issued_before_) / (cycles * target_.chip().config.chip.sms());
  const double rate = (static_cast<double>(instructions) - issued_at_last_) / (now - shown_at_);
  say(fmt::format("\r\x1b[K{}, {:.1f} us, IPC {:.3f}, {:.0f} warp instructions/s", text(),
                  static_cast<double>(time) * 1e-9, ipc, rate));
  shown_at_ = now;
  issued_at_last_ = static_cast<double>(instructions);
  visible_ = true;
}

void progress_line::clear() {
  if (visible_) say("\r\x1b[K");
  visible_ = false;
}

}  // namespace gt200::apps
