// Properties that must hold for any input: one function per entrance for outside data. A violated property is
// thrown as `finding`. Any other exception than input_error that escapes the code under test, and any crash, is a
// finding too.
#pragma once

#include <stdexcept>
#include <string_view>

namespace gt200::fuzz {

class finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Pairs of machine words: words that decode can be printed, and their text assembles to the same operation.
void decoder(std::string_view input);

// A program in any container: loaded or refused. A loaded program survives the ELF container and can be printed.
void cubin_loader(std::string_view input);

// Assembly source: assembled or refused. An assembled program's listing assembles to the same module.
void assembler(std::string_view input);

// A launch description: read or refused. A description that was read is prepared for a program with every kernel of
// the project, or refused then.
void launch_description(std::string_view input);

// A configuration file beside those of configs/, or, without a line end, the text of one --set: accepted or
// refused. An accepted configuration is printed and read back unchanged.
void configuration(std::string_view input);

// PTX: compiled with and without optimisation, or refused. The compiled code decodes and survives the ELF
// container.
void ptx(std::string_view input);

// sm_20. Pairs of machine words as above, which also encode to the same operation.
void fermi_decoder(std::string_view input);
// Lines with one instruction each: assembled or refused. The listing of an assembled one has the same words.
void fermi_assembler(std::string_view input);
// ELF cubins with 32 and 64 bits: loaded or refused. A loaded program survives our container.
void fermi_loader(std::string_view input);

// sm_70. Four machine words at a time, as sm_20's, with control codes.
void volta_decoder(std::string_view input);
// Lines with one instruction each: assembled or refused. The listing of an assembled one has the same words.
void volta_assembler(std::string_view input);
// Machine words of a kernel: lint ends, and findings are in order. With the codes that instructions without codes
// get, nothing is found but ends of paths.
void volta_lint(std::string_view input);

// A file of NumPy: read or refused. What was read is the same through a file of our own.
void npy(std::string_view input);
// A study file: read or refused. Every point has a value on each axis.
void study(std::string_view input);
// stats.json of a run of gt200_small: shown and compared with itself, or refused.
void statistics(std::string_view input);
// Chunks of a trace log, each a length of 32 bits and its records; they get right checksums. All views are made, or
// refuse it.
void trace_log(std::string_view input);
// A description of RTL, with the files block.sv and pins.h beside it: read or refused.
void rtl_description(std::string_view input);
// What a study or campaign goes on from, by the first byte: s a sweep, e an ending, f figures, c the plan of a
// campaign, r its results, any other: messages between its processes. Two files have a byte 0 between them.
void study_state(std::string_view input);
// A chip (1 byte) and messages to its worker: number of the command, factor of a wrong length (0: a right one),
// length of 16 bits, content. The worker answers or hangs up.
void worker_messages(std::string_view input);

}  // namespace gt200::fuzz
