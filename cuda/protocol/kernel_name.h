// Names of kernels as their source has them.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace gt200::cudart {

// "scan(int*, int)" of "_Z4scanPii"; a name that is not mangled stays as it is.
inline std::string readable_kernel(const std::string& name) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed),
                                                     std::free);
  return failed == 0 && plain != nullptr ? plain.get() : name;
}

}  // namespace gt200::cudart
