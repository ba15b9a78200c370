// What must hold for any input whatever: one function per entrance for outside data. A violated property is thrown
// as `finding`; any other exception than input_error that escapes the code under test, and any crash, is a finding
// too.
#pragma once

#include <stdexcept>
#include <string_view>

namespace gt200::fuzz {

class finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Pairs of machine words: what decodes can be printed, and its text assembles to the same operation.
void decoder(std::string_view input);

// A program in any container: loaded or refused; what loads survives the ELF container and can be printed.
void cubin_loader(std::string_view input);

// Assembly source: assembled or refused; what assembles is assembled again from its own listing to the same module.
void assembler(std::string_view input);

// A launch description: read or refused; what is read is prepared for a program with every kernel of the project,
// or refused then.
void launch_description(std::string_view input);

// A configuration file beside those of configs/, or the text of one --set when it has no line end: accepted or
// refused; what is accepted is printed and read again to the same configuration.
void configuration(std::string_view input);

// PTX: compiled without and with optimisation, or refused; what compiles decodes and survives the ELF container.
void ptx(std::string_view input);

}  // namespace gt200::fuzz
