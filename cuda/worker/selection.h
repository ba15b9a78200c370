// Which launches of a program run on the model, and which on the emulator.
//
//   model            all on the model (default)
//   emulator         none
//   auto             the first launch of every kernel
//   cpu              none; all on the host's processor, as far as their code was compiled for it (-cpu), else on
//   the
//                    emulator
//   bfs*:3-5,scan:1  these: a kernel by its name, with * and ?, and the numbers of its launches, counted from 1 for
//                    every kernel; without numbers all of them
//   cpu,scan:1       these; the others on the host's processor
//
// A name is that of the source, without parameters and namespaces, or the mangled one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cuda/protocol/kernel_name.h"

namespace gt200::cudart {

enum class engine_kind { model, emulator, cpu };
const char* name_of(engine_kind engine);

class selection {
 public:
  // Throws input_error with the part that cannot be understood.
  explicit selection(const std::string& text);

  struct choice {
    std::uint64_t number = 0;  // of this kernel's launches
    engine_kind engine = engine_kind::model;
  };
  // The next launch of this kernel. `has_cpu_code`: it can run on the host's processor, and does if nothing else is
  // wanted.
  choice next(const std::string& kernel, bool has_cpu_code = false);
  // The same, which stays the next one.
  choice peek(const std::string& kernel, bool has_cpu_code = false) const;
  // Parts of the text that have chosen no launch so far: names of kernels that are spelt wrong, for example.
  std::vector<std::string> unmatched() const;

 private:
  struct rule {
    std::string pattern;
    std::uint64_t first = 1;
    std::uint64_t last = UINT64_MAX;
    std::string text{};  // as the user wrote it
    bool is_used = false;

    bool chooses(const std::string& kernel, std::uint64_t number) const;
  };
  static rule rule_of(const std::string& text);
  bool is_selected(const std::string& kernel, std::uint64_t number) const;

  bool is_default_ = false;  // nothing is wanted
  bool all_on_model_ = false;
  engine_kind others_ = engine_kind::emulator;
  std::vector<rule> rules_;
  std::map<std::string, std::uint64_t> launches_;
};

// The name as its source has it, without parameters, template arguments and namespaces.
std::string short_kernel(const std::string& name);
bool matches(const std::string& pattern, const std::string& text);

}  // namespace gt200::cudart
