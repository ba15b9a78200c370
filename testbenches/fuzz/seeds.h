// Starting inputs for the fuzz targets, made from the kernels of the project.
#pragma once

#include <string>
#include <vector>

#include "toolchain/cubin/module.h"

namespace gt200::fuzz {

struct seed {
  std::string name;  // usable as the name of a file
  std::string content;
};

std::vector<seed> decoder_seeds();       // the machine words of every kernel
std::vector<seed> cubin_loader_seeds();  // every kernel in every container
std::vector<seed> assembler_seeds();     // the sources
std::vector<seed> launch_description_seeds();
std::vector<seed> configuration_seeds();
std::vector<seed> ptx_seeds();  // the kernels, and random programs
// Instructions of every row of the opcode table of sm_20, as words and as text; a module of both pointer widths.
std::vector<seed> fermi_decoder_seeds();
std::vector<seed> fermi_assembler_seeds();
std::vector<seed> fermi_loader_seeds();
// The same of sm_70; machine words of the kernels that have assembly of sm_70.
std::vector<seed> volta_decoder_seeds();
std::vector<seed> volta_assembler_seeds();
std::vector<seed> volta_lint_seeds();

// Of the targets for stored files and messages. `program`: gt200, which makes runs and studies to begin with.
std::vector<seed> npy_seeds();
std::vector<seed> study_seeds();
std::vector<seed> statistics_seeds(const std::string& program);
std::vector<seed> trace_log_seeds(const std::string& program);
std::vector<seed> rtl_description_seeds();
std::vector<seed> study_state_seeds(const std::string& program);
std::vector<seed> worker_message_seeds();

// One program with all kernels, constants and samplers of the project.
cubin::module every_kernel();

}  // namespace gt200::fuzz
