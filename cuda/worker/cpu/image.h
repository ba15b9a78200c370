// Device code for the host's processor, loaded: a shared object that `gt200 nvcc -cpu` has made.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace gt200::cudart {

class cpu_image {
 public:
  // `variables`: where the device has those of global memory; the code finds them there. Throws input_error.
  cpu_image(const std::string& bytes, const std::map<std::string, std::uint32_t>& variables);
  ~cpu_image();
  cpu_image(const cpu_image&) = delete;
  cpu_image& operator=(const cpu_image&) = delete;

  // A function or variable of the code; null if it has none of this name.
  void* find(const std::string& name) const;

 private:
  void bind(const std::map<std::string, std::uint32_t>& variables);

  void* handle_ = nullptr;
};

}  // namespace gt200::cudart
