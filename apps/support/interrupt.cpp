#include "apps/support/interrupt.h"

#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <systemc>

#include "toolchain/left_behind.h"

namespace gt200::apps {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t simulating = 0;

constexpr int patience = 10;  // seconds
constexpr int exit_code_of_signals = 130;
// Who ends a process group may tell each process as well, as timeout(1) does: what comes so soon is the same
// signal.
constexpr double one_signal = 0.25;  // seconds

// Seconds since some moment.
double time_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
volatile double interrupted_at = 0;

// The simulated time when the signal came, or ten seconds later, and so on. A run that is only slow gets on.
volatile std::uint64_t time_before = 0;

std::uint64_t simulated_time() { return sc_core::sc_time_stamp().value(); }

void look_again_every(int seconds) {
  time_before = simulated_time();
  itimerval timer{};
  timer.it_value.tv_sec = timer.it_interval.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

[[noreturn]] void end_now() {
  clear_away();
  _exit(exit_code_of_signals);
}

extern "C" void end_at_signal(int) { end_now(); }

extern "C" void note_interrupt(int) {
  if (interrupted != 0) {
    if (time_now() - interrupted_at < one_signal) return;
    end_now();
  }
  interrupted_at = time_now();
  interrupted = 1;
  if (simulating != 0) look_again_every(patience);
}

extern "C" void end_late_simulation(int) {
  if (simulating == 0) return;
  if (const std::uint64_t now = simulated_time(); now != time_before) {
    time_before = now;
    return;
  }
  constexpr const char* text =
      "gt200: interrupted: for 10 seconds no simulated time has passed, as if code of RTL or of a plug-in never "
      "returned; nothing is written\n";
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) end_now();
  end_now();
}

// All of them wait while one is handled.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int other : ending_signals) sigaddset(&action.sa_mask, other);
  struct sigaction before {};
  sigaction(signal, &action, &before);
  // Unless the caller (nohup) has SIGHUP ignored.
  if (signal == SIGHUP && before.sa_handler == SIG_IGN) sigaction(signal, &before, nullptr);
}

}  // namespace

void clear_away_at_signals() {
  for (const int signal : ending_signals) handle(signal, end_at_signal);
}

const volatile std::sig_atomic_t* catch_interrupts() {
  for (const int signal : ending_signals) handle(signal, note_interrupt);
  std::signal(SIGALRM, end_late_simulation);
  return &interrupted;
}

interruptible_simulation::interruptible_simulation() {
  simulating = 1;
  if (interrupted != 0) look_again_every(patience);
}

interruptible_simulation::~interruptible_simulation() {
  simulating = 0;
  look_again_every(0);
}

}  // namespace gt200::apps
