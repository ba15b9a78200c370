// The files that observers of this simulation write: two of them in one file destroy each other.
#pragma once

#include <string>
#include <vector>

namespace gt200::observe {

class claimed_files {
 public:
  // Claims the files of a chip, until the end of the object. Throws input_error if one of them is the same file,
  // under any name, as another one of them or of observers that live.
  claimed_files(const std::string& chip, const std::vector<std::string>& files);
  ~claimed_files();
  claimed_files(const claimed_files&) = delete;
  claimed_files& operator=(const claimed_files&) = delete;

 private:
  void release() const;
};

}  // namespace gt200::observe
