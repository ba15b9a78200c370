// Input generators and reference results written in C++, one pair per folder below kernels/.
//
//   kernels/<name>/inputs.cpp   namespace gt200::kernels::<name> { void inputs(launch::host_context&); }
//   kernels/<name>/check.cpp    namespace gt200::kernels::<name> { launch::reference_result check(
//                                   const launch::host_context&, const std::string& buffer); }
//
// The build writes a table of all of them (kernels/host_table.h). A launch description names them by <name>.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "toolchain/error.h"
#include "toolchain/launch/description.h"
#include "toolchain/launch/random_sequence.h"

namespace gt200::launch {

// Typed access to the buffers of a launch, by name. T is any trivially copyable type whose size divides that of
// the buffer. Unknown names and sizes that do not fit throw input_error.
class host_context {
 public:
  host_context(const description& launch, random_sequence& random) : launch_(launch), random_(random) {}

  std::int64_t parameter(const std::string& name) const {
    const auto found = launch_.parameters.find(name);
    if (found == launch_.parameters.end())
      throw input_error(launch_.file, 0, "host code needs a parameter '" + name + "'");
    return found->second;
  }

  // The generator of the launch description; its draws continue those of random buffers before this one.
  random_sequence& random() { return random_; }

  // Content before the first step.
  template <class T>
  std::vector<T> initial(const std::string& buffer) const {
    return copy_out<T>(known(buffer), initial_);
  }
  // Content after the last step; for checks only.
  template <class T>
  std::vector<T> result(const std::string& buffer) const {
    return copy_out<T>(known(buffer), result_);
  }
  // The value the description gives a symbol of the program; for checks only.
  template <class T>
  std::vector<T> constant(const std::string& symbol) const {
    for (const launch::constant& c : launch_.constants)
      if (c.symbol == symbol && c.offset == 0) return copy_out<T>(c.content, initial_);
    throw input_error(launch_.file, 0, "host code needs a constant '" + symbol + "'");
  }
  // Replaces the initial content; what the values do not fill is zero. For generators only.
  template <class T>
  void set(const std::string& buffer, const std::vector<T>& values) {
    std::vector<std::uint8_t>& bytes = initial_[known(buffer).name];
    bytes.assign(known(buffer).bytes(), 0);
    if (values.size() * sizeof(T) > bytes.size())
      throw input_error(launch_.file, known(buffer).line,
                        "host code has too much data for buffer '" + buffer + "'");
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  }

  // Used by prepare() and check() to hand the images in and out.
  std::map<std::string, std::vector<std::uint8_t>>& initial_images() { return initial_; }
  std::map<std::string, std::vector<std::uint8_t>>& result_images() { return result_; }

 private:
  const buffer& known(const std::string& name) const {
    const buffer* found = launch_.find_buffer(name);
    if (found == nullptr) throw input_error(launch_.file, 0, "host code needs a buffer '" + name + "'");
    return *found;
  }
  template <class T>
  std::vector<T> copy_out(const buffer& what,
                          const std::map<std::string, std::vector<std::uint8_t>>& images) const {
    const auto found = images.find(what.name);
    if (found == images.end()) throw input_error(launch_.file, what.line, "'" + what.name + "' has no content yet");
    if (found->second.size() % sizeof(T) != 0)
      throw input_error(launch_.file, what.line,
                        "'" + what.name + "' does not hold whole elements of the host's type");
    std::vector<T> values(found->second.size() / sizeof(T));
    std::memcpy(values.data(), found->second.data(), found->second.size());
    return values;
  }

  const description& launch_;
  random_sequence& random_;
  std::map<std::string, std::vector<std::uint8_t>> initial_;
  std::map<std::string, std::vector<std::uint8_t>> result_;
};

// The expected content of a buffer. `value` may be shorter than the buffer: the remaining elements are not checked.
struct reference_result {
  std::vector<double> value;
  std::vector<double> scale;  // for the metric `scaled`, one per value; else empty
};

using generator_function = void (*)(host_context&);
using reference_function = reference_result (*)(const host_context&, const std::string& buffer);

struct host_functions {
  std::string name;
  generator_function generator = nullptr;
  reference_function reference = nullptr;
};
using host_table = std::vector<host_functions>;

}  // namespace gt200::launch
