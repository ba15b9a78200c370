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
    find_labels(f);
    std::size_t scope = 0;
    for (statement& s : f.body) {
      switch (s.kind) {
        case statement_kind::scope_begin: scopes_.push_back(labels_[scope++]); break;
        case statement_kind::scope_end: scopes_.pop_back(); break;
        case statement_kind::declaration:
          for (variable& v : s.variables) declare(v);
          break;
        case statement_kind::instruction:
          rename(s.guard);
          for (operand& o : s.operands) rename(o);
          break;
        case statement_kind::label: rename(s.name); break;
      }
    }
  }

 private:
  // Collects labels first: they are known in all of their scope, even before their definition.
  void find_labels(const function& f) {
    std::map<std::string, std::size_t> first_scope;  // one more than its number; 0 = the function itself
    std::vector<std::size_t> open;
    for (const statement& s : f.body) {
      if (s.kind == statement_kind::scope_begin) {
        open.push_back(labels_.size());
        labels_.emplace_back();
      } else if (s.kind == statement_kind::scope_end) {
        open.pop_back();
      } else if (s.kind == statement_kind::label) {
        const std::size_t scope = open.empty() ? 0 : open.back() + 1;
        // A label defined twice in one scope is an error that is found later.
        if (first_scope.emplace(s.name, scope).first->second != scope && scope != 0)
          labels_[scope - 1].emplace(s.name, s.name + "@" + std::to_string(++renamed_));
      }
    }
  }

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

  std::vector<std::map<std::string, std::string>>
      labels_;                      // of every scope inside the function: what gets a new name
  std::set<std::string> declared_;  // anywhere in the function so far
  std::vector<std::map<std::string, std::string>>
      scopes_;  // the open ones inside the function: what got a new name
  unsigned renamed_ = 0;
};

}  // namespace

void separate_names(function& f) { separation().run(f); }

}  // namespace gt200::ptx
