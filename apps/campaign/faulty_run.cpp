#include "apps/campaign/faulty_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/host_table.h"
#include "observe/checker/checker.h"
#include "sc_models/interconnect/address_map.h"
#include "toolchain/error.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::apps::campaign {

// Thrown to end the steps of a description.
struct faulty_run::ended_early {
  launch_result result;
};

namespace {

device_options options_of(const config::gpu_config& config, std::uint64_t max_cycles) {
  device_options options;
  options.clocking = clocking_of(config.simulation);
  options.max_cycles = max_cycles;
  return options;
}

// The physical address of a bit of a DRAM. In the pages of arrays it is another one.
std::optional<std::uint64_t> address_of(const model::chip& chip, const inject::injection& i) {
  for (unsigned p = 0; p < chip.partitions.size(); ++p) {
    const std::string below = std::string(chip.partitions[p].name()) + ".";
    if (i.at.module.compare(0, below.size(), below) != 0) continue;
    const config::gpu_config& c = chip.config;
    return model::address_map(c.chip.partitions, c.partition.interleave_bytes, c.partition.hash)
        .physical({p, i.at.bit / 8});
  }
  return std::nullopt;
}

}  // namespace

std::string first_difference(const output_buffers& expected, const output_buffers& got) {
  for (std::size_t b = 0; b < expected.size(); ++b) {
    const auto& [name, bytes] = expected[b];
    const auto differs = std::mismatch(bytes.begin(), bytes.end(), got[b].bytes.begin());
    if (differs.first == bytes.end()) continue;
    std::size_t all = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) all += bytes[i] != got[b].bytes[i];
    return fmt::format("{} byte{} of {} differ{}, the first at {:#x}", all, all == 1 ? "" : "s", name,
                       all == 1 ? "s" : "", differs.first - bytes.begin());
  }
  return {};
}

faulty_run::faulty_run(workload& work, const config::gpu_config& config, std::uint64_t max_cycles)
    : work_(work), target_(config, options_of(config, max_cycles)) {
  target_.chip().forgo_reset();
  prepare(work_, target_.allocator(), config.tpc.sm.limits.threads_per_block);
  target_.load(work_.prepared);
  access_.write = [this](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
    target_.poke(address, bytes, size);
  };
  access_.read = [this](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
    target_.peek(address, bytes, size);
  };
  access_.launch = [this](const launch::launch_parameters& parameters) { launch(parameters); };
}

faulty_run::~faulty_run() = default;

void faulty_run::launch(const launch::launch_parameters& parameters) {
  const launch_result result = target_.launch(parameters);
  const tlm_bus::femtoseconds core = target_.chip().core.period();
  launches_.push_back({(result.began_at + core - 1) / core, (result.ended_at + core - 1) / core});
  cycles_ += result.cycles;
  if (result.reason != end_reason::done) throw ended_early{result};
}

output_buffers faulty_run::outputs_named(const std::vector<std::string>& names) {
  output_buffers outputs;
  for (const std::string& name : names) {
    const launch::placed_bytes& placed = work_.prepared.buffer_at(name);
    outputs.push_back({name, std::vector<std::uint8_t>(placed.initial.size())});
    target_.peek(placed.address, outputs.back().bytes.data(), outputs.back().bytes.size());
  }
  return outputs;
}

golden_run faulty_run::run_golden() {
  try {
    launch::upload(work_.prepared, access_);
    launch::execute(work_.prepared, access_);
  } catch (const ended_early& early) {
    throw input_error(work_.launch.file, 0,
                      std::string("does not end without a fault: ") + name_of(early.result.reason) +
                          (early.result.fault ? ", " + arch_state::describe(early.result.fault) : ""));
  }
  const launch::check_result check = launch::check(work_.prepared, kernels::host_table(), access_);
  if (!check.passed)
    throw input_error(work_.launch.file, 0, "leaves a wrong result without a fault: " + check.message);
  std::set<std::string> expected;
  for (const launch::expectation& e : work_.launch.expectations) expected.insert(e.buffer);
  std::vector<std::string> names;
  for (const launch::placed_bytes& placed : work_.prepared.buffers) {
    std::vector<std::uint8_t> bytes(placed.initial.size());
    target_.peek(placed.address, bytes.data(), bytes.size());
    if (expected.count(placed.name) != 0 || bytes != placed.initial) names.push_back(placed.name);
  }
  if (names.empty()) throw input_error(work_.launch.file, 0, "changes no buffer: there is nothing to compare");
  return {cycles_, launches_, outputs_named(names)};
}

run_end faulty_run::run(const std::vector<inject::site>& sites, const golden_run& golden, bool with_checker) {
  inject::fault_injector injector(target_, sites);
  std::optional<observe::checker> checker;
  if (with_checker) {
    checker.emplace(target_);
    // The checker reads memory when it is first needed; by then it may be damaged.
    injector.call_before([this, &checker](const inject::injection& i) {
      if (const auto address = address_of(target_.chip(), i)) checker->remember(*address);
    });
    access_.launch = [this, &checker](const launch::launch_parameters& parameters) {
      const launch_result result = target_.launch(parameters);
      checker->launch_ended(result);
      if (checker->difference() || result.reason != end_reason::done) throw ended_early{result};
    };
  }
  run_end end;
  try {
    launch::upload(work_.prepared, access_);
    launch::execute(work_.prepared, access_);
    std::vector<std::string> names;
    for (const output_buffer& output : golden.outputs) names.push_back(output.name);
    end.message = first_difference(golden.outputs, outputs_named(names));
    if (!end.message.empty()) end.what = outcome::silent;
    if (cycles_ > hang_factor * golden.cycles) {
      end.what = outcome::hang;
      end.message = fmt::format("took more than {} times the cycles", hang_factor);
    }
  } catch (const ended_early& early) {
    const bool faulted = early.result.reason == end_reason::fault;
    end.what = faulted ? outcome::detected : outcome::hang;
    end.message = faulted ? arch_state::describe(early.result.fault)
                  : early.result.reason == end_reason::max_cycles
                      ? fmt::format("took more than {} times the cycles", hang_factor)
                      : "nothing moves any more";
  } catch (const input_error& error) {
    // The host waits for a condition that the kernel never brings about.
    end.what = outcome::hang;
    end.message = error.what();
  }
  end.cycles = cycles_;
  end.injections = injector.injections();
  if (checker) end.difference = checker->difference();
  return end;
}

}  // namespace gt200::apps::campaign
