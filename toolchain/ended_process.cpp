#include "toolchain/ended_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace gt200 {
namespace {

// In seconds since the computer was started; negative before that. Nothing if it is not known.
std::optional<double> boot_time_of(std::time_t clock) {
  timespec booted{};
  if (clock_gettime(CLOCK_BOOTTIME, &booted) != 0) return std::nullopt;
  return static_cast<double>(booted.tv_sec) - static_cast<double>(std::time(nullptr) - clock);
}

}  // namespace

bool has_ended(pid_t process, std::time_t left_at) {
  if (process <= 0) return false;
  if (kill(process, 0) != 0 && errno == ESRCH) return true;
  std::string text;
  if (std::ifstream stat(fmt::format("/proc/{}/stat", process)); !std::getline(stat, text)) return false;
  // "12 (name) S 1 ...": a name may hold brackets. The state is the third field, the start the 22nd.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream fields(text.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  if (state == "Z" || state == "X") return true;
  for (int k = 4; k < 22; ++k) fields >> skipped;
  double ticks = 0;
  if (left_at == 0 || !(fields >> ticks)) return false;
  constexpr double slack = 2;  // both are rounded
  const std::optional<double> left = boot_time_of(left_at);
  return left && ticks / static_cast<double>(sysconf(_SC_CLK_TCK)) > *left + slack;
}

}  // namespace gt200
