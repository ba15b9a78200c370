#include "observe/observers/claimed_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/error.h"
#include "toolchain/same_file.h"

namespace gt200::observe {
namespace {

struct claim {
  const claimed_files* owner;
  std::string chip;
  std::string file;
};

std::vector<claim>& claims() {
  static std::vector<claim> all;
  return all;
}

std::string refusal_of(const claim& wanted, const claim& held) {
  if (wanted.file != held.file)
    return fmt::format("is the same file as '{}', which is written for {}", held.file, held.chip);
  if (wanted.chip == held.chip) return fmt::format("is written twice for {}", held.chip);
  return fmt::format("is written for {} and for {}: put {{chip}} in its name", held.chip, wanted.chip);
}

}  // namespace

claimed_files::claimed_files(const std::string& chip, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const claim wanted{this, chip, file};
    for (const claim& held : claims()) {
      if (!same_file(file, held.file)) continue;
      const std::string why = refusal_of(wanted, held);
      release();
      throw input_error(file, 0, why);
    }
    claims().push_back(wanted);
  }
}

claimed_files::~claimed_files() { release(); }

void claimed_files::release() const {
  std::vector<claim>& all = claims();
  all.erase(std::remove_if(all.begin(), all.end(), [this](const claim& c) { return c.owner == this; }), all.end());
}

}  // namespace gt200::observe
