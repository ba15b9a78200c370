// The part of lowering that all targets share: declarations and scopes, labels and branches, calls (inlined), names
// and literals. A target derives its lowering from this class and adds the instructions.
//
// `machine` says what the target's code is made of:
//
//   machine::function, writer, value, predicate   (see tesla/writer.h)
//   machine::word(word_ref)                       the value of a register
//   machine::architecture                         limits and the place of the parameters (cubin::architecture)
//   machine::windowless                           memories whose generic addresses have a mark (pointee.h)
//   machine::pairs                                64-bit registers of PTX are pairs of words, rather than two words
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/ptx/address_spaces.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/module_layout.h"

namespace gt200::ptx {

struct lowering_options {
  bool ignore_nearest = false;   // .rn on .f32 sums and products does not count as explicit rounding
  bool demote_f64 = false;       // .f64 is computed as .f32 (map_f64_to_f32)
  bool flush_denormals = false;  // .f32 as if .ftz stood everywhere: PTX for sm_1x
  unsigned address_bytes = 8;    // of pointers
};

template <class machine>
class structure {
 public:
  using machine_function = typename machine::function;
  using writer = typename machine::writer;
  using value = typename machine::value;
  using predicate = typename machine::predicate;

  structure(const module_layout& layout, const source_file& file, const lowering_options& options,
            machine_function& target)
      : layout_(layout), file_(file), options_(options), function_(target), out_(target) {}
  virtual ~structure() = default;
  structure(const structure&) = delete;
  structure& operator=(const structure&) = delete;

 protected:
  enum class symbol_kind { reg, memory, parameter_bytes };
  struct symbol {
    symbol_kind kind = symbol_kind::reg;
    scalar type = scalar::none;
    std::vector<word_ref> words;  // reg: 1 or 2 (64 bits); parameter_bytes: one per 4 bytes
    predicate flags;              // reg of type .pred
    state_space space = state_space::none;
    std::uint32_t offset = 0;  // memory
  };
  struct scope {
    std::map<std::string, symbol> symbols;
    std::map<std::string, std::pair<symbol, unsigned>> ranges;  // "%r" of "%r<24>"; the number of registers
  };
  // The scope of an inlined call.
  struct frame {
    const function* code = nullptr;
    std::size_t first_scope = 0;
    std::map<std::string, int> labels;
    address_spaces spaces;  // what the registers of its code point to
    int exit_block = -1;    // of an inlined function; -1 in the kernel
  };
  // Words of an operand: one, or two for 64 bits.
  struct wide {
    value low;
    value high;
  };

  // Functions that a target adds.
  virtual void lower_instruction(const statement& s) = 0;  // fails if it knows none of this name
  virtual wide source_wide(const operand& o, scalar type) = 0;
  virtual predicate inverse(const predicate& p) = 0;

  // Declarations (structure_declarations.h). The parameters end at the returned offset.
  std::uint32_t place_parameters(const function& entry, cubin::kernel& kernel);
  void place_shared(const function& entry);
  void declare_per_thread(const function& entry);
  void declare(const variable& v);

  // Flow (structure_flow.h)
  void lower_body(const function& f, const address_spaces& argument_spaces);
  void lower_statement(const statement& s);
  void lower(const statement& s);
  // Other instructions that the statement stands for; none: it is one itself.
  std::vector<statement> parts_of(const statement& s);
  void lower_branch(const statement& s);
  void lower_return(const statement& s, bool leaves_kernel);
  void lower_call(const statement& s);
  // Code that only the threads whose guard holds execute. The code itself has no guards, and neither has the rest
  // of the statement.
  template <class body>
  void under_guard(body make, bool uniform = false) {
    if (guard_.condition < 0) return make();
    const int inside = out_.add_block();
    const int after = out_.add_block();
    out_.branch(guard_, true, after, inside, uniform);
    out_.continue_in(inside);
    guard_ = {};
    make();
    out_.jump(after);
    out_.continue_in(after);
  }
  void call_library(const std::string& name);  // with the operands of the current statement
  std::vector<operand> call_list(const statement& s, std::size_t index) const;

  // Names and literals (structure_names.h)
  symbol* find(const std::string& name);
  symbol make_register(scalar type);
  void require_plain(const operand& o) const;
  symbol& register_named(const operand& o);
  predicate destination_predicate(const operand& o);
  const predicate& predicate_named(const std::string& name, location where);
  std::uint64_t literal(const operand& o, scalar type) const;
  std::size_t operand_count(std::size_t at_least, std::size_t at_most) const;
  const operand& at(std::size_t k) const { return statement_->operands[k]; }
  bool has(const char* modifier) const;
  scalar type(std::size_t from_end = 0) const;  // the last type among the modifiers, or an earlier one
  // Fails for a name that nothing has declared: a special register that the target lacks, or an error.
  [[noreturn]] void undeclared(const operand& o) const;
  // Fails if the current statement belongs to a feature that no target here has.
  void refuse_features() const;
  // Fails if the instruction has a modifier that nothing here reads: it would be lost.
  void refuse_modifiers() const;
  // Fails: says which target has the instruction, if any is known.
  [[noreturn]] void unknown_instruction() const;
  // Fails if the current statement computes with or compares halves; conversions, moves and accesses know them.
  void refuse_arithmetic_of_halves() const;
  // Fails if the current statement is an access with a memory order, which sm_70 was the first to have.
  void refuse_memory_orders() const;
  // Parts of the current statement, a tex of .1d, .2d or .3d.
  struct texture_parts {
    const placed_variable* texture = nullptr;
    std::vector<operand> coordinates;
    std::vector<operand> results;  // four
    unsigned needed = 4;           // those up to the last one that anything else in the function names
  };
  texture_parts texture_operands() const;
  // Whether another statement of the function, or another operand of this one, names the register.
  bool is_named_elsewhere(const std::string& register_name) const;
  const placed_variable* texture_named(const std::string& name, unsigned depth = 0) const;
  [[noreturn]] void fail(const std::string& reason) const;
  [[noreturn]] void unsupported(const std::string& why) const;

  const module_layout& layout_;
  const source_file& file_;
  lowering_options options_;
  machine_function& function_;
  writer out_;
  std::vector<scope> scopes_;
  std::vector<frame> frames_;
  const statement* statement_ = nullptr;
  predicate guard_;  // of the current statement; condition < 0: none
};

}  // namespace gt200::ptx
