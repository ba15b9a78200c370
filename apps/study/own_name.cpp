#include "apps/study/own_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "toolchain/ended_process.h"

namespace gt200::apps::study {
namespace {

// Without dots, which separate the parts of a name.
std::string host() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string text = name.data();
  return text.substr(0, text.find('.'));
}

}  // namespace

std::string own_name() {
  static unsigned number = 0;
  return fmt::format("{}.{}.{}", host(), getpid(), number++);
}

bool is_left_over(const std::string& name) {
  const std::size_t number_at = name.rfind('.');
  if (number_at == std::string::npos || number_at == 0) return false;
  const std::size_t process_at = name.rfind('.', number_at - 1);
  if (process_at == std::string::npos || process_at == 0) return false;
  const std::string before = name.substr(0, process_at), here = host();
  if (before != here && (before.size() <= here.size() + 1 ||
                         before.compare(before.size() - here.size() - 1, std::string::npos, "." + here) != 0))
    return false;
  pid_t process = 0;
  const char* const end = name.data() + number_at;
  const auto [stopped, error] = std::from_chars(name.data() + process_at + 1, end, process);
  return error == std::errc() && stopped == end && has_ended(process);
}

}  // namespace gt200::apps::study
