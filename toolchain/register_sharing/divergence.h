// The branches of a kernel that the lanes of a warp may take in different ways, and the code in which a warp is
// then split.
//
// A value is uniform if it is the same in all lanes that execute its instruction together. What depends on the
// number of the thread is not, nor is what is loaded from an address that is not, nor, where the paths of a warp
// have met, what one of them has written.
#pragma once

#include <vector>

#include "toolchain/register_sharing/code_graph.h"

namespace gt200::register_sharing {

struct divergent_branch {
  int node = nowhere;
  // Places at which lanes wait for lanes of other paths: the meeting and the post-dominator of the branch, if it
  // has them.
  std::vector<int> waiting;
  // By node: some lanes may execute it while lanes of another path wait.
  std::vector<bool> region;
};

std::vector<divergent_branch> find_divergence(const code_graph& graph);

}  // namespace gt200::register_sharing
