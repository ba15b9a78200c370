// write_seeds FOLDER [PROGRAM]: writes the seeds into FOLDER/decoder and so on, a folder per target. With gt200 as
// PROGRAM also those of stored files and messages.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "testbenches/fuzz/seeds.h"

namespace {

void write(const std::filesystem::path& folder, const std::vector<gt200::fuzz::seed>& seeds) {
  std::filesystem::create_directories(folder);
  for (const gt200::fuzz::seed& s : seeds)
    if (!(std::ofstream(folder / s.name, std::ios::binary) << s.content))
      throw std::runtime_error((folder / s.name).string() + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2 && argc != 3) throw std::runtime_error("usage: write_seeds FOLDER [PROGRAM]");
    const std::filesystem::path folder = argv[1];
    write(folder / "decoder", gt200::fuzz::decoder_seeds());
    write(folder / "cubin_loader", gt200::fuzz::cubin_loader_seeds());
    write(folder / "assembler", gt200::fuzz::assembler_seeds());
    write(folder / "launch_description", gt200::fuzz::launch_description_seeds());
    write(folder / "configuration", gt200::fuzz::configuration_seeds());
    write(folder / "ptx", gt200::fuzz::ptx_seeds());
    write(folder / "fermi_decoder", gt200::fuzz::fermi_decoder_seeds());
    write(folder / "fermi_assembler", gt200::fuzz::fermi_assembler_seeds());
    write(folder / "fermi_loader", gt200::fuzz::fermi_loader_seeds());
    write(folder / "volta_decoder", gt200::fuzz::volta_decoder_seeds());
    write(folder / "volta_assembler", gt200::fuzz::volta_assembler_seeds());
    write(folder / "volta_lint", gt200::fuzz::volta_lint_seeds());
    if (argc == 2) return 0;
    const std::string program = argv[2];
    write(folder / "npy", gt200::fuzz::npy_seeds());
    write(folder / "study", gt200::fuzz::study_seeds());
    write(folder / "statistics", gt200::fuzz::statistics_seeds(program));
    write(folder / "trace_log", gt200::fuzz::trace_log_seeds(program));
    write(folder / "rtl_description", gt200::fuzz::rtl_description_seeds());
    write(folder / "study_state", gt200::fuzz::study_state_seeds(program));
    write(folder / "worker_messages", gt200::fuzz::worker_message_seeds());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_seeds: %s\n", error.what());
    return 1;
  }
  return 0;
}
