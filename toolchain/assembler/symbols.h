// Names of addresses and constants, and their replacement by numbers in instruction text.
//
//   s[NAME+4]  s[$a1+NAME]   inside brackets, names of that memory space
//   @NAME  @NAME+4           anywhere else, as immediate: a constant (.equ) or an address of any space
//   0.5  -1.5e3              anywhere else: immediate with these f32 bits
// Names of the block header are predefined in s[]: %gridid %ntid.x .y .z %nctaid.x .y %ctaid.x .y.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gt200::assembler {

class symbol_table {
 public:
  // Spaces are spelled as in operands: "s", "c0", "c1", "c14"; constants of .equ have the space "".
  // False when the name is taken in any space.
  bool define(const std::string& name, const std::string& space, std::int64_t value);

  // Looks in `space` and among the constants.
  std::optional<std::int64_t> find(std::string_view name, std::string_view space) const;
  std::optional<std::int64_t> find_anywhere(std::string_view name) const;

  // Returns the instruction with numbers in place of names; on failure nullopt, with a `reason`.
  std::optional<std::string> resolve(std::string_view instruction, std::string& reason) const;
  // The same in the notation of Volta: "LDG.E.SYS R2, [R4+name]", "MOV R2, c[0x0][name]", "MOV R2, name".
  std::optional<std::string> resolve_names(std::string_view instruction, std::string& reason) const;

 private:
  struct symbol {
    std::string space;
    std::int64_t value = 0;
  };

  std::optional<std::string> resolve_address(std::string_view inner, std::string_view space,
                                             std::string& reason) const;
  std::optional<std::string> resolve_group(std::string_view inner, std::string_view space,
                                           std::string& reason) const;
  std::optional<std::string> resolve_word(std::string_view word, std::string& reason) const;
  std::optional<std::int64_t> sum(std::string_view terms, std::string_view space, bool any_space,
                                  std::string& reason) const;

  std::map<std::string, symbol, std::less<>> symbols_;
};

// Decimal or 0x, optional sign, up to 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace gt200::assembler
