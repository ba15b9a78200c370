// cpu_kernels SOURCE.cu LAUNCH.toml [NAME=VALUE...]: runs a launch description on the CPU and, as machine code, in
// the emulator. Prints a line with the results of the host's checks and the differences of the buffers. Exit code 1
// when a check fails, when integers differ, or floating-point numbers by more than `max_difference` of the largest
// of their buffer.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "kernels/host_table.h"
#include "testbenches/toolchain/cpu_reference/cpu_device.h"
#include "toolchain/cuda/compile.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"

namespace {

using namespace gt200;

constexpr double max_difference = 1e-5;

struct outcome {
  launch::check_result check;
  std::vector<std::vector<std::uint8_t>> buffers;
};

outcome run(const launch::prepared& prepared, const launch::device& device, const launch::host_table& hosts) {
  launch::upload(prepared, device);
  launch::execute(prepared, device);
  outcome result;
  result.check = launch::check(prepared, hosts, device);
  for (const launch::placed_bytes& b : prepared.buffers) {
    result.buffers.emplace_back(b.initial.size());
    device.read(b.address, result.buffers.back().data(), result.buffers.back().size());
  }
  return result;
}

// The largest difference of two buffers, divided by their largest number.
template <class T>
double difference_of(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double largest = 0;
  double difference = 0;
  for (std::size_t at = 0; at + sizeof(T) <= a.size(); at += sizeof(T)) {
    T x = 0;
    T y = 0;
    std::memcpy(&x, &a[at], sizeof x);
    std::memcpy(&y, &b[at], sizeof y);
    largest = std::max(largest, std::fabs(static_cast<double>(y)));
    difference = std::max(difference, std::fabs(static_cast<double>(x) - static_cast<double>(y)));
  }
  return difference / largest;
}

int compare(const std::string& source, const std::string& file, const launch::overrides& changes) {
  const cubin::module module = cuda::compile(source);
  const launch::description description = launch::load(file, changes);
  const launch::host_table hosts = kernels::host_table();
  launch::device_allocator allocator;
  const launch::prepared prepared = launch::prepare(description, module, hosts, allocator);
  cuda::cpu_device cpu(prepared, source);
  emulator::functional_device emulated(prepared, {});
  const outcome on_cpu = run(prepared, cpu.interface(), hosts);
  const outcome on_emulator = run(prepared, emulated.interface(), hosts);
  bool good = on_cpu.check.passed && on_emulator.check.passed;
  std::string text;
  for (std::size_t k = 0; k < prepared.buffers.size(); ++k) {
    const std::string& name = prepared.buffers[k].name;
    if (on_cpu.buffers[k] == on_emulator.buffers[k]) continue;
    const launch::element_type type = description.find_buffer(name)->type;
    double difference = 1;
    if (type == launch::element_type::f32)
      difference = difference_of<float>(on_cpu.buffers[k], on_emulator.buffers[k]);
    if (type == launch::element_type::f64)
      difference = difference_of<double>(on_cpu.buffers[k], on_emulator.buffers[k]);
    good = good && difference <= max_difference;
    text += fmt::format("{}'{}' by {:.2g}", text.empty() ? "" : ", ", name, difference);
  }
  std::cout << (on_cpu.check.passed ? "correct" : on_cpu.check.message) << " | "
            << (on_emulator.check.passed ? "correct" : on_emulator.check.message) << " | "
            << (text.empty() ? "none" : text) << "\n";
  return good ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "usage: cpu_kernels SOURCE.cu LAUNCH.toml [NAME=VALUE...]\n";
    return 2;
  }
  try {
    launch::overrides changes;
    for (int k = 3; k < count; ++k) {
      const std::string word = words[k];
      const std::size_t equals = word.find('=');
      changes.parameters.emplace_back(word.substr(0, equals), std::stoll(word.substr(equals + 1)));
    }
    return compare(words[1], words[2], changes);
  } catch (const std::exception& error) {
    std::cerr << "cpu_kernels: " << error.what() << "\n";
    return 1;
  }
}
