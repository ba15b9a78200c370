// The compiled kernels of seanbaxter/mgpu_old for sm_20, and the device that their host code needs.
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

#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/load.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/sampling/texel.h"

namespace gt200::compiled {

inline std::string folder() {
  const char* folder = std::getenv("GT200_MGPU");
  return folder != nullptr ? folder : "";
}

class checkout : public testing::Test {
 protected:
  void SetUp() override {
    if (folder().empty()) GTEST_SKIP() << "GT200_MGPU does not name a checkout of seanbaxter/mgpu_old";
  }

  static cubin::module load(const std::string& path) {
    const std::string file = folder() + "/" + path;
    return cubin::read_elf_cubin(cubin::read_file(file), file, cubin::fermi);
  }
  static std::vector<std::string> cubins() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder()))
      if (entry.path().extension() == ".cubin") found.push_back(entry.path().string());
    return found;
  }
};

// Memory and launches as the CUDA driver offers them: an emulator or a chip.
class device {
 public:
  virtual ~device() = default;

  virtual std::uint32_t allocate(std::uint32_t size) = 0;
  virtual void write_bytes(std::uint32_t address, const void* from, std::size_t size) = 0;
  virtual void read_bytes(std::uint32_t address, void* to, std::size_t size) = 0;
  // The texture unit reads linear memory.
  virtual void bind_texels(unsigned unit, std::uint32_t address, std::uint32_t texels,
                           const sampling::texel_layout& texel) = 0;
  // Fails the test if the launch does not end well.
  virtual void run(const cubin::module& module, const gt200::launch::launch_parameters& parameters) = 0;

  template <class T>
  std::uint32_t upload(const std::vector<T>& values, std::size_t room = 0) {
    const std::uint32_t address = allocate(static_cast<std::uint32_t>(sizeof(T) * std::max(room, values.size())));
    if (!values.empty()) write_bytes(address, values.data(), sizeof(T) * values.size());
    return address;
  }
  template <class T>
  std::vector<T> download(std::uint32_t address, std::size_t count) {
    std::vector<T> values(count);
    read_bytes(address, values.data(), sizeof(T) * count);
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
  void launch(const cubin::module& module, const std::string& name, std::uint32_t blocks, std::uint32_t threads,
              const std::vector<argument>& arguments) {
    const cubin::kernel* kernel = module.find(name);
    ASSERT_NE(kernel, nullptr) << name;
    ASSERT_EQ(kernel->parameters.size(), arguments.size()) << name;
    gt200::launch::launch_parameters l;
    l.kernel = kernel;
    l.grid = {blocks};
    l.block = {threads, 1, 1};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const cubin::parameter& p = kernel->parameters[k];
      l.parameter_bytes.resize(std::max<std::size_t>(l.parameter_bytes.size(), p.offset + p.size));
      const void* from = arguments[k].bytes.empty() ? static_cast<const void*>(&arguments[k].value)
                                                    : static_cast<const void*>(arguments[k].bytes.data());
      std::memcpy(l.parameter_bytes.data() + p.offset, from, p.size);
    }
    ASSERT_EQ(gt200::launch::fermi::refusal(l), "") << name;
    run(module, l);
  }
};

}  // namespace gt200::compiled
