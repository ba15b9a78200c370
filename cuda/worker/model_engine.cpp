#include "cuda/worker/model_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "observe/hang_report.h"
#include "sc_models/sm/stall_cause.h"

namespace gt200::cudart {
namespace {

device_options options_of(const config::gpu_config& config, const model_options& options,
                          std::function<void()> on_progress) {
  device_options result;
  result.clocking = clocking_of(config.simulation);
  result.clocking.threads = options.threads;
  result.max_cycles = options.limits.cycles;
  if (options.watch != nullptr) result.stop = options.watch->stop();
  result.explain_hang = observe::explain_hang;
  result.unobserved = true;
  if (options.limits.instructions != 0 || options.on_progress) result.on_progress = std::move(on_progress);
  return result;
}

grid_result::end end_of(end_reason reason) {
  switch (reason) {
    case end_reason::done: return grid_result::end::done;
    case end_reason::fault: return grid_result::end::fault;
    case end_reason::hang: return grid_result::end::hang;
    case end_reason::max_cycles: return grid_result::end::limit;
    case end_reason::stopped: break;
  }
  return grid_result::end::interrupted;
}

}  // namespace

model_engine::model_engine(const config::gpu_config& config, const model_options& options)
    : config_(config), options_(options), device_(config, options_of(config, options, [this] { look(); })) {
  device_.chip().forgo_reset();  // a worker starts anew instead
  statistics_ = std::make_unique<observe::statistics>(device_);
  document_ = std::make_unique<observe::stats_document>(*statistics_);
  if (options_.check) checker_ = std::make_unique<observe::checker>(device_);
  lockstep_ = std::make_unique<observe::lockstep>(device_);
}

model_engine::~model_engine() = default;

void model_engine::take_over(const inventory& all) {
  for (; extents_ < all.extents.size(); ++extents_) {
    const inventory::extent& added = all.extents[extents_];
    if (added.what == heap::kind::linear)
      device_.map(added.address, added.bytes);
    else
      device_.map_array(added.address, added.bytes);
  }
  for (const program& code : all.programs) {
    const auto [known, is_new] = constants_.emplace(&code, code.constants_version);
    if (is_new)
      device_.load(code.module, code.relocations);
    else if (known->second != code.constants_version)
      device_.update_constants(code.module);
    known->second = code.constants_version;
  }
}

void model_engine::write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  device_.poke(address, from, bytes);
}

void model_engine::read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) {
  device_.peek(address, to, bytes);
}

grid_result model_engine::run(const program& code, const launch::launch_parameters& grid,
                              const launch_circumstances& around) {
  // Units are numbered by each program: those of the program before are not for this one.
  for (unsigned unit = 0; unit < textures_; ++unit) device_.bind_texture(unit, {});
  for (const launch::bound_texture& t : code.textures) {
    device_.bind_texture(t.unit, model::texture_binding::of(t.address, t.shape));
    textures_ = std::max(textures_, t.unit + 1);
  }
  // The bytes have been copied: now they go once more, for the time that they take.
  std::vector<std::vector<std::uint8_t>> contents;
  for (const copy_beside& c : around.copies) {
    std::vector<std::uint8_t>& content = contents.emplace_back(c.bytes);
    if (c.way == copy_way::to_device) {
      device_.peek(c.address, content.data(), content.size());
      device_.begin_copy_to_device(c.address, content.data(), content.size());
    } else {
      device_.begin_copy_from_device(c.address, content.data(), content.size());
    }
  }
  if (options_.on_launch) options_.on_launch(grid);
  statistics_->launch_begins();
  issued_before_ = issued();
  const launch_result run = device_.launch(grid);
  statistics_->launch_ended(grid, run);
  if (options_.on_progress) options_.on_progress();
  if (run.reason == end_reason::done) device_.finish_copies();
  grid_result result;
  result.reason = end_of(run.reason);
  if (run.reason == end_reason::fault) result.report = arch_state::describe(run.fault);
  if (run.reason == end_reason::hang) result.report = run.explanation;
  if (run.reason == end_reason::max_cycles)
    result.report =
        fmt::format("the limit of {} core cycles is used up\n{}", options_.limits.cycles, run.explanation);
  if (run.reason == end_reason::stopped) explain_stop(result);
  if (checker_ != nullptr) {
    checker_->launch_ended(run);
    if (checker_->difference()) {
      result.reason = grid_result::end::difference;
      result.report = observe::describe(*checker_->difference());
    }
  }
  if (const auto difference = lockstep_->difference()) {
    result.reason = grid_result::end::difference;
    result.report = difference->describe();
  }
  const observe::launch_record& record = statistics_->launches().back();
  result.cycles = run.cycles;
  result.femtoseconds = run.ended_at - run.began_at;
  result.warp_instructions = record.issued();
  result.ipc = static_cast<double>(record.issued()) /
               static_cast<double>(std::max<std::uint64_t>(1, run.cycles * config_.chip.sms()));
  result.bound_by = cause_of_most_slots();
  return result;
}

std::uint64_t model_engine::issued() const {
  std::uint64_t sum = 0;
  for (model::sm_if* sm : device_.chip().sms()) sum += sm->probe().instructions_issued();
  return sum;
}

void model_engine::look() {
  if (options_.on_progress) options_.on_progress();
  if (options_.limits.instructions == 0) return;
  if (issued() - issued_before_ < options_.limits.instructions) return;
  instructions_used_up_ = true;
  device_.stop_at_window_end();
}

void model_engine::explain_stop(grid_result& result) {
  const bool seconds = options_.watch != nullptr && options_.watch->reason() == stop_reason::seconds_used_up;
  if (!seconds && !instructions_used_up_) {
    result.report = "stopped by a signal\n" + observe::explain_hang(device_.chip());
    return;
  }
  result.reason = grid_result::end::limit;
  result.report = (instructions_used_up_
                       ? fmt::format("the limit of {} warp instructions is used up\n", options_.limits.instructions)
                       : fmt::format("the limit of {} s is used up\n", options_.watch->seconds())) +
                  observe::explain_hang(device_.chip());
}

std::string model_engine::cause_of_most_slots() const {
  const model::slot_counts slots = statistics_->launches().back().slots();
  // From the first cause on in which a warp is there.
  constexpr auto first = static_cast<std::size_t>(model::stall_cause::no_warp) + 1;
  std::size_t most = first;
  for (std::size_t k = first; k < slots.size(); ++k)
    if (slots[k] > slots[most]) most = k;
  for (const model::stall_cause_name& name : model::stall_cause_names)
    if (static_cast<std::size_t>(name.cause) == most) return name.text;
  return "";
}

}  // namespace gt200::cudart
