// The brackets of a launch, written apart: `kernel < < < grid, block > > > (...)` and `kernel << < grid, block >> >
// (...)`. nvcc takes them; clang wants them in one piece. Joined files are shown to clang in place of the
// originals.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gt200::cuda {

// Joins the brackets. Lines keep their numbers. Comments, texts and everything else stay as they are.
std::string join_launch_brackets(const std::string& source);

// The source and the files that it includes with quotes, found beside the including file and in `folders`: those
// that change when their brackets are joined, by absolute path.
std::map<std::string, std::string> joined_files(const std::string& source, const std::vector<std::string>& folders);

// An overlay for clang's -ivfsoverlay: the first path of each pair is read from the second.
std::string overlay_of(const std::map<std::string, std::string>& replaced);

}  // namespace gt200::cuda
