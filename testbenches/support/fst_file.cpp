#include "testbenches/support/fst_file.h"

#include <cstdio>
#include <stdexcept>

#ifdef GT200_HAVE_FST
#include "gtkwave/fstapi.h"
#endif

namespace gt200::support {

vcd_file read_fst(const std::string& path, const std::string& scratch) {
#ifdef GT200_HAVE_FST
  void* fst = fstReaderOpen(path.c_str());
  std::FILE* dump = std::fopen(scratch.c_str(), "wb");
  if (fst == nullptr || dump == nullptr) throw std::runtime_error("FST: " + path + " cannot be read");
  fstReaderSetFacProcessMaskAll(fst);
  const bool whole = fstReaderProcessHier(fst, dump) != 0 && fstReaderIterBlocks(fst, nullptr, nullptr, dump) != 0;
  fstReaderClose(fst);
  if (std::fclose(dump) != 0 || !whole) throw std::runtime_error("FST: " + path + " is damaged");
  return read_vcd(scratch);
#else
  throw std::runtime_error("FST: no code to read " + path + " to " + scratch);
#endif
}

}  // namespace gt200::support
