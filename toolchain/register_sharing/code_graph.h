// The machine code of a Tesla kernel as a graph: what follows each instruction, and where the paths of a warp meet
// again behind a branch.
//
// The graph is that of one thread. Paths meet at the target of the innermost joinat or breakaddr that is open at
// the branch, or, where the stack is that of PDOM, at the immediate post-dominator; both count here.
#pragma once

#include <bitset>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::register_sharing {

// Why a kernel cannot share registers, as one sentence. Not an error of the input.
class refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int nowhere = -1;

struct code_node {
  isa::tesla::instruction instruction;
  isa::code_address address = 0;
  int target = nowhere;    // node at the target of a control instruction
  std::vector<int> next;   // the nodes that a thread may execute next
  bool continues = false;  // the following node is one of them
  // For an instruction that only some of the active lanes may follow: where its lanes wait for each other.
  bool may_diverge = false;
  int meeting = nowhere;         // the target of the innermost open joinat or breakaddr
  int post_dominator = nowhere;  // of a branch: the immediate one
  bool meets_at_return = false;  // nothing is open but a call
};

struct code_graph {
  std::vector<code_node> nodes;   // in the order of the code
  std::vector<int> behind_calls;  // where functions return to

  explicit code_graph(const cubin::kernel& kernel);  // throws refusal

  std::size_t size() const { return nodes.size(); }
  // Nodes on a path from `from` without passing `barrier`; these two are not among them unless a path leads there.
  std::vector<bool> reachable_behind(int from, int barrier) const;

 private:
  void find_successors();
  void find_meetings();
  void find_post_dominators();
};

}  // namespace gt200::register_sharing
