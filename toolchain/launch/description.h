// The work of a launch: buffers, a list of steps, and the expected result. Read from a launch.toml
// (docs/launch.md), with all expressions evaluated; nothing here depends on a loaded program.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "toolchain/launch/condition.h"
#include "toolchain/launch/element_type.h"
#include "toolchain/launch/expression.h"
#include "toolchain/launch/feature.h"
#include "toolchain/launch/launch_parameters.h"
#include "toolchain/launch/texture.h"

namespace gt200::launch {

enum class initial_content : std::uint8_t { zeros, iota, random, values, file, generator };

struct buffer {
  std::string name;
  element_type type = element_type::u32;
  std::uint64_t count = 0;  // elements, at least 1
  initial_content init = initial_content::zeros;
  std::vector<std::uint8_t> values;     // for `values`
  std::string path;                     // for `file`
  std::string generator;                // for `generator`: name of a host function
  std::string random_group;             // for `random`: buffers of one group draw in turn; empty = alone
  std::optional<std::uint32_t> modulo;  // for `random` integers: draw % modulo
  unsigned line = 0;

  std::uint64_t bytes() const { return count * size_of(type); }
};

// Constant memory set by the host, as cudaMemcpyToSymbol does.
struct constant {
  std::string symbol;  // a .const of the program; empty: bank and offset are given
  std::uint8_t bank = 0;
  std::uint32_t offset = 0;  // bytes from the symbol, or from the start of the bank
  buffer content;            // its name is for messages
};

// A scalar, or (when `buffer` is not empty) the address of a buffer plus `offset` bytes.
struct argument {
  std::string buffer;
  std::uint32_t offset = 0;
  element_type type = element_type::u64;
  bool type_given = false;          // an address without a type takes the size the kernel declares, else 8 bytes
  std::vector<std::uint8_t> bytes;  // of the scalar
};

struct launch_step {
  std::string kernel;
  grid_size grid;
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  std::vector<argument> arguments;
};

// The host sets every element of a buffer.
struct fill_step {
  std::string buffer;
  std::vector<std::uint8_t> value;  // one element
};

// The host sets some elements of a buffer, from element `first` on.
struct set_step {
  std::string buffer;
  std::uint64_t first = 0;
  std::vector<std::uint8_t> values;
};

struct step;

// Runs the body `count` times. With a condition, runs it once and again while the condition holds, at most `count`
// times; needing more is an error, because the loop does not end.
struct repeat_step {
  std::uint64_t count = 1;
  std::optional<condition> repeat_while;
  std::vector<step> body;
};

struct step {
  unsigned line = 0;
  std::variant<launch_step, fill_step, set_step, repeat_step> action;
};

enum class expectation_kind : std::uint8_t { values, file, crc32, reference };
// How the error of a number is measured. `scaled`: relative to the scale that the reference function supplies per
// element (for sums: the sum of the magnitudes of the terms).
enum class error_metric : std::uint8_t { exact, absolute, relative, scaled };

// Whether a NaN that is found where one is expected must have its bits. PTX and CUDA do not define them.
enum class nan_rule : std::uint8_t { equal, same_bits };

struct expectation {
  std::string buffer;
  expectation_kind kind = expectation_kind::crc32;
  std::vector<std::uint8_t> values;
  std::string path;
  std::uint32_t crc32 = 0;
  std::string reference;  // name of a host function
  error_metric metric = error_metric::exact;
  double tolerance = 0;
  nan_rule nan = nan_rule::equal;
  bool applies = true;  // false when the parameters differ from those of its `when`
  unsigned line = 0;
};

struct description {
  std::string file;    // for messages
  std::string source;  // path of the program
  std::uint32_t seed = 0;
  named_values parameters;
  std::vector<const feature*> required;
  unsigned required_line = 0;
  bool warp_synchronous = false;  // its kernels rely on the threads of a warp running together
  std::vector<buffer> buffers;
  std::vector<texture> textures;
  std::vector<constant> constants;
  std::vector<step> steps;
  std::vector<expectation> expectations;

  const buffer* find_buffer(const std::string& name) const {
    for (const buffer& b : buffers)
      if (b.name == name) return &b;
    return nullptr;
  }
};

// Changes that a caller may make without editing the file.
struct overrides {
  std::optional<std::string> source;  // relative to the working folder
  std::optional<std::uint32_t> seed;
  std::vector<std::pair<std::string, std::int64_t>> parameters;
};

// Paths inside the file are relative to its folder. Throws input_error with file, line and reason.
description load(const std::string& path, const overrides& changes = {});
description parse(const std::string& text, const std::string& path, const overrides& changes = {});

}  // namespace gt200::launch
