// Headers of CUDA's libraries that are not here: each says in one line what is missing and how to get it.
#pragma once

#include <string>

namespace gt200::cuda {

// Makes the folder and the headers in it. It is to be searched behind all others, so that what the user brings
// counts. Throws input_error.
void write_absent_headers(const std::string& folder);

}  // namespace gt200::cuda
