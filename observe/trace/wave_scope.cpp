#include <unordered_map>

#include "observe/trace/wave_writer.h"

namespace gt200::observe {

std::unique_ptr<wave_scope> scopes_of(const std::vector<wave_signal>& signals) {
  auto root = std::make_unique<wave_scope>();
  std::unordered_map<std::string, wave_scope*> known;  // by path
  for (std::size_t number = 0; number < signals.size(); ++number) {
    const std::string& path = signals[number].path;
    wave_scope* scope = root.get();
    std::size_t begin = 0;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
      wave_scope*& below = known[path.substr(0, dot)];
      if (below == nullptr) {
        scope->scopes.push_back(std::make_unique<wave_scope>());
        below = scope->scopes.back().get();
        below->name = path.substr(begin, dot - begin);
      }
      scope = below;
      begin = dot + 1;
    }
    scope->signals.emplace_back(path.substr(begin), number);
  }
  return root;
}

}  // namespace gt200::observe
