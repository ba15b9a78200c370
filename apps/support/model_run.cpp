#include "apps/support/model_run.h"

#include <stdexcept>

#include "apps/support/interrupt.h"
#include "kernels/host_table.h"
#include "toolchain/error.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::apps {
namespace {

// Thrown to end the steps of a description early.
struct launch_not_done {
  launch_outcome outcome;
};

std::string message_of(const launch_result& result) {
  if (result.reason == end_reason::fault) return arch_state::describe(result.fault);
  return (result.reason == end_reason::max_cycles ? "the limit of cycles is used up\n" : "") + result.explanation;
}

verdict verdict_of_end(const launch_result& result) {
  switch (result.reason) {
    case end_reason::fault: return {exit_code::fault, "FAULT: " + arch_state::describe(result.fault)};
    case end_reason::hang: return {exit_code::hang, "HANG\n" + result.explanation};
    case end_reason::max_cycles: return {exit_code::limit, "not checked: " + message_of(result)};
    case end_reason::stopped: return {exit_code::interrupted, "not checked: interrupted"};
    case end_reason::done: break;
  }
  throw std::logic_error("a launch that is done has no verdict of its own");
}

launch_outcome difference(const launch_result& launch, const std::string& message,
                          const char* title = "DIFFERENCE: ") {
  return {launch, end_reason::stopped, message, {exit_code::check_failed, title + message}};
}

}  // namespace

launch_outcome launch_on_model(device& target, const launch::launch_parameters& parameters,
                               const run_observers& observers, const observe::lockstep& rtl) {
  if (observers.progress != nullptr) observers.progress->launch_begins(parameters);
  observers.statistics.launch_begins();
  const launch_result result = [&] {
    const interruptible_simulation running;
    return target.launch(parameters);
  }();
  observers.statistics.launch_ended(parameters, result);
  if (observers.checker != nullptr) {
    observers.checker->launch_ended(result);
    if (observers.checker->difference()) {
      if (observers.recorder != nullptr) observers.recorder->mismatch_found();
      return difference(result, observe::describe(*observers.checker->difference()));
    }
  }
  if (const auto found = rtl.difference()) {
    if (observers.recorder != nullptr) observers.recorder->mismatch_found();
    const bool alone = found->what == model::lockstep_difference::kind::protocol;
    return difference(result, found->describe(), alone ? "WRONG RTL: " : "DIFFERENCE: ");
  }
  // Results that have been computed stay; closing the recorder reports the error.
  if (observers.recorder != nullptr) {
    try {
      observers.recorder->require_written();
    } catch (const input_error& error) {
      return {result,
              end_reason::stopped,
              error.what(),
              {exit_code::bad_input, std::string("not checked: ") + error.what()}};
    }
  }
  if (result.reason == end_reason::done) return {result, end_reason::done, "", {exit_code::ok, ""}};
  return {result, result.reason, message_of(result), verdict_of_end(result)};
}

run_outcome run_on_model(device& target, const workload& work, const run_observers& observers, bool timed_copies) {
  const observe::lockstep rtl(target);
  launch::device access;
  access.write = [&](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
    timed_copies ? target.copy_to_device(address, bytes, size) : target.poke(address, bytes, size);
  };
  access.read = [&](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
    timed_copies ? target.copy_from_device(address, bytes, size) : target.peek(address, bytes, size);
  };
  access.launch = [&](const launch::launch_parameters& parameters) {
    const launch_outcome one = launch_on_model(target, parameters, observers, rtl);
    if (one.result.code != exit_code::ok) throw launch_not_done{one};
  };
  run_outcome outcome;
  try {
    launch::upload(work.prepared, access);
    launch::execute(work.prepared, access);
  } catch (const launch_not_done& early) {
    outcome.end = early.outcome.end;
    outcome.message = early.outcome.message;
    outcome.result = early.outcome.result;
    outcome.lockstep = rtl.summary();
    return outcome;
  } catch (const launch::repetitions_used_up& loop) {
    outcome.end = end_reason::stopped;
    outcome.message = loop.what();
    outcome.result = {exit_code::limit, std::string("not checked: ") + loop.what()};
    outcome.lockstep = rtl.summary();
    return outcome;
  }
  outcome.files.make([&] { write_buffers(work, access); });
  outcome.check = launch::check(work.prepared, kernels::host_table(), access);
  outcome.result = verdict_of(outcome.check);
  outcome.lockstep = rtl.summary();
  return outcome;
}

}  // namespace gt200::apps
