// The listing of envydis (envytools) beside ours, with the explained differences removed.
//
// Explained differences:
//   - envydis writes register 63 as 0x0 and predicate 7 as 0x1; "long" marks our forms with 32-bit immediates
//   - numbers: envydis writes negative 64-bit numbers, and targets below zero, with 64 bits
//   - atom: envydis writes ld, or nothing for exch and cas, and single registers for add u64; red add u64: add u64
//   - pset: envydis leaves the operation "and $p0" out
//   - comparisons: envydis shows the negation of "and not $p7" as unknown bits
//   - textures: envydis leaves the unused second source out
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gt200::isa::fermi {

// One line per instruction; the first is at address 0. `program` is the path of envydis. Empty if it does not run.
std::vector<std::string> listed_by_envydis(const std::string& program,
                                           const std::vector<std::uint64_t>& instructions);

// Our listing of words that decode, and envydis's of the same, in a spelling in which both should be equal.
std::string comparable_listing(std::uint64_t words, std::uint32_t at);
std::string comparable_envydis(const std::string& line);

}  // namespace gt200::isa::fermi
