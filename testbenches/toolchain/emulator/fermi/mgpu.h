// The compiled kernels of seanbaxter/mgpu_old for sm_20, and a device that runs them.
//
// They are not part of this repository. The environment variable GT200_MGPU names a folder with a checkout; without
// it the tests that need them say that they were skipped.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/load.h"
#include "toolchain/emulator/fermi/grid_run.h"

namespace gt200::emulator::fermi {

inline std::string mgpu_folder() {
  const char* folder = std::getenv("GT200_MGPU");
  return folder != nullptr ? folder : "";
}

class mgpu : public testing::Test {
 protected:
  void SetUp() override {
    if (mgpu_folder().empty()) GTEST_SKIP() << "GT200_MGPU does not name a checkout of seanbaxter/mgpu_old";
  }

  static cubin::module load(const std::string& path) {
    const std::string file = mgpu_folder() + "/" + path;
    return cubin::read_elf_cubin(cubin::read_file(file), file, cubin::fermi);
  }
  static std::vector<std::string> cubins() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(mgpu_folder()))
      if (entry.path().extension() == ".cubin") found.push_back(entry.path().string());
    return found;
  }
};

// Memory and launches as the CUDA driver offers them.
class device {
 public:
  device() { memory_.map(first_address, bytes); }

  std::uint32_t allocate(std::uint32_t size) {
    const std::uint32_t address = next_;
    next_ += (size + 255) / 256 * 256;
    return address;
  }
  template <class T>
  std::uint32_t upload(const std::vector<T>& values, std::size_t room = 0) {
    const std::uint32_t address = allocate(static_cast<std::uint32_t>(sizeof(T) * std::max(room, values.size())));
    if (!values.empty()) write(address, values);
    return address;
  }
  template <class T>
  void write(std::uint32_t address, const std::vector<T>& values) {
    ASSERT_TRUE(memory_.write(address, values.data(), sizeof(T) * values.size()));
  }
  template <class T>
  std::vector<T> download(std::uint32_t address, std::size_t count) const {
    std::vector<T> values(count);
    EXPECT_TRUE(memory_.read(address, values.data(), sizeof(T) * count));
    return values;
  }

  // A parameter: a number that takes the size that the kernel gives it, or bytes.
  struct argument {
    template <class number, class = std::enable_if_t<std::is_integral_v<number>>>
    argument(number n) : value(static_cast<std::uint64_t>(n)) {}
    argument(std::vector<std::uint8_t> b) : bytes(std::move(b)) {}
    std::uint64_t value = 0;
    std::vector<std::uint8_t> bytes;
  };
  // Fails the test if the launch faults.
  void launch(const cubin::module& module, const std::string& name, std::uint32_t blocks, std::uint32_t threads,
              const std::vector<argument>& arguments) {
    const cubin::kernel* kernel = module.find(name);
    ASSERT_NE(kernel, nullptr) << name;
    ASSERT_EQ(kernel->parameters.size(), arguments.size()) << name;
    launch::fermi::launch_parameters l;
    l.kernel = kernel;
    l.grid = {blocks, 1, 1};
    l.block = {threads, 1, 1};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const cubin::parameter& p = kernel->parameters[k];
      l.parameter_bytes.resize(std::max<std::size_t>(l.parameter_bytes.size(), p.offset + p.size));
      const void* from = arguments[k].bytes.empty() ? static_cast<const void*>(&arguments[k].value)
                                                    : static_cast<const void*>(arguments[k].bytes.data());
      std::memcpy(l.parameter_bytes.data() + p.offset, from, p.size);
    }
    ASSERT_EQ(launch::fermi::refusal(l), "") << name;
    const std::vector<std::uint8_t> variables =
        launch::fermi::variable_addresses(module, [this](const std::string&) { return allocate(4096); });
    const run_result r = run(module, l, variables, generation_, memory_, options_);
    ASSERT_FALSE(r.fault) << arch_state::describe(r.fault);
    warp_instructions += r.warp_instructions;
  }

  std::uint64_t warp_instructions = 0;

 private:
  // The loops of the scan read shared memory behind their last barrier: no warp may get a whole round ahead of the
  // others, as none does on the hardware.
  static run_options in_step() {
    run_options o;
    o.turn = 1;
    return o;
  }
  run_options options_ = in_step();
  static constexpr std::uint32_t first_address = 0x10000000;
  static constexpr std::uint32_t bytes = 0x10000000;
  arch_state::fermi::generation generation_;
  arch_state::memory memory_;
  std::uint32_t next_ = first_address;
};

}  // namespace gt200::emulator::fermi
