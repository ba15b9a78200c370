#include "toolchain/assembler/fixed_assembly.h"
#include "toolchain/assembler/instruction_sets.h"

namespace gt200::assembler {

fixed_code assemble_volta(const std::vector<code_text>& source, const std::map<std::string, code_label>& labels,
                          const std::function<std::string(const code_text&)>& resolve, const std::string& kernel,
                          const std::string& file) {
  return fixed_assembly<volta_set>(source, labels, resolve, kernel, file).run();
}

}  // namespace gt200::assembler
