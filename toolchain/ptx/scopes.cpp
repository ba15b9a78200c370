#include "toolchain/ptx/scopes.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gt200::ptx {
namespace {

class separation {
 public:
  void run(function& f) {
    for (const variable& v : f.parameters) declared_.insert(v.name);
    for (const variable& v : f.results) declared_.insert(v.name);
    for (statement& s : f.body) {
      switch (s.what) {
        case statement::kind::scope_begin: scopes_.emplace_back(); break;
        case statement::kind::scope_end: scopes_.pop_back(); break;
        case statement::kind::declaration:
          for (variable& v : s.variables) declare(v);
          break;
        case statement::kind::instruction:
          rename(s.guard);
          for (operand& o : s.operands) rename(o);
          break;
        case statement::kind::label: break;
      }
    }
  }

 private:
  void declare(variable& v) {
    if (declared_.insert(v.name).second || v.range != 0 || scopes_.empty()) return;
    const std::string own = v.name + "@" + std::to_string(++renamed_);
    scopes_.back()[v.name] = own;
    v.name = own;
  }

  void rename(std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found == scope->end()) continue;
      name = found->second;
      return;
    }
  }

  void rename(operand& o) const {
    rename(o.name);
    rename(o.second);
    for (operand& e : o.elements) rename(e);
  }

  std::set<std::string> declared_;                         // anywhere in the function so far
  std::vector<std::map<std::string, std::string>> scopes_;  // the open ones inside the function: what got a new name
  unsigned renamed_ = 0;
};

}  // namespace

void separate_names(function& f) { separation().run(f); }

}  // namespace gt200::ptx
