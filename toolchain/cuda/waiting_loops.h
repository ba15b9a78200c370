// Loops in which threads of a warp wait for each other, as a mutex does:
//
//   bool done = false;
//   while (!done)
//     if (atomicCAS(lock, 0, 1) == 0) { ...; atomicExch(lock, 0); done = true; }
//
// A compiler of scalar code sees that the loop ends behind the exchange, and makes of it the simpler
// `while (atomicCAS(lock, 0, 1) != 0); ...; atomicExch(lock, 0);`. For threads that have one program counter in
// common this is another program: the one with the lock waits behind the loop for those that spin. clang knows that
// for code around convergent operations, so such an operation, which is none of the machine, is put where it must
// not do it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::cuda {

// Whether compiled code has what threads can wait by: atomic operations or volatile loads.
bool may_wait(std::string_view ptx);

// `code`: LLVM's intermediate code as text, before any optimisation. In every loop that a branch on the result of
// an atomic operation or of a volatile load is part of, every branch gets the operation in front. Nothing if there
// is no such loop.
std::optional<std::string> with_kept_loops(const std::string& code);

// For a command line of clang that compiles device code: what to add, so that it leaves the code for
// with_kept_loops(); and what compiles that code as the command line would have. `options`: those of the latter
// that concern the machine code (-Xclang -ffp-contract=..., -mllvm ...).
std::vector<std::string> for_unoptimised_code();
std::vector<std::string> from_unoptimised_code(const std::vector<std::string>& options, unsigned address_bits,
                                               const std::string& chip);

// The machine code of kept loops names the newest version of PTX that clang knows; this is that of `like`.
std::string with_version_of(const std::string& like, const std::string& ptx);

}  // namespace gt200::cuda
