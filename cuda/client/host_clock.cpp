// Clocks of the libraries that programs link: with GT200_HOST_CLOCK=model they give the time that the program's
// calls take on the model (host_time.h), else that of the computer. std::chrono, omp_get_wtime() and the timers of
// the SDK read these.
#include <dlfcn.h>
#include <sys/time.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "cuda/client/host_time.h"

namespace {

constexpr std::uint64_t femtoseconds_per_ns = 1'000'000;
constexpr std::uint64_t ns_per_second = 1'000'000'000;
// All runs begin at the same time: 13 February 2009, 23:31:30 UTC.
constexpr std::uint64_t first_second = 1'234'567'890;

bool shows_the_model() {
  static const bool shows = [] {
    const char* const wanted = std::getenv("GT200_HOST_CLOCK");
    return wanted != nullptr && std::strcmp(wanted, "model") == 0;
  }();
  return shows;
}

template <class function>
function next(function, const char* name) {
  return reinterpret_cast<function>(dlsym(RTLD_NEXT, name));
}

std::uint64_t ns_since_start() { return gt200::cudart::host_time_at_reading() / femtoseconds_per_ns; }

timespec model_time(std::uint64_t begin_second) {
  const std::uint64_t ns = ns_since_start();
  return {static_cast<time_t>(begin_second + ns / ns_per_second), static_cast<long>(ns % ns_per_second)};
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* result) noexcept {
  static const auto real = next(&clock_gettime, "clock_gettime");
  if (!shows_the_model()) return real(clock, result);
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: *result = model_time(first_second); return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: *result = model_time(0); return 0;
    default: return real(clock, result);
  }
}

int timespec_get(timespec* result, int base) noexcept {
  static const auto real = next(&timespec_get, "timespec_get");
  if (!shows_the_model() || base != TIME_UTC) return real(result, base);
  *result = model_time(first_second);
  return base;
}

int gettimeofday(timeval* result, void* zone) noexcept {
  static const auto real = next(&gettimeofday, "gettimeofday");
  if (!shows_the_model()) return real(result, zone);
  const timespec now = model_time(first_second);
  constexpr long ns_per_us = 1000;
  *result = {now.tv_sec, now.tv_nsec / ns_per_us};
  return 0;
}

time_t time(time_t* seconds) noexcept {
  static const auto real = next(&time, "time");
  if (!shows_the_model()) return real(seconds);
  const time_t now = model_time(first_second).tv_sec;
  if (seconds != nullptr) *seconds = now;
  return now;
}

clock_t clock() noexcept {
  static const auto real = next(&clock, "clock");
  if (!shows_the_model()) return real();
  return static_cast<clock_t>(ns_since_start() / (ns_per_second / CLOCKS_PER_SEC));
}

}  // extern "C"
