// What the object files of a program register before main: containers of device code, kernels, variables, textures.
// Nothing here needs a device.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gt200::cudart {

struct binary {
  const void* container = nullptr;
  std::uint64_t bytes = 0;
  bool of_library = false;  // not of the program itself: a device loads it with the first use of what it holds
};

struct registered {
  const binary* code = nullptr;
  std::string name;  // in the device code
  std::uint64_t bytes = 0;
  bool normalised_values = false;  // of a texture
};

class registry {
 public:
  binary* add_binary(const void* wrapper);
  void remove_binary(const binary* code);
  void add_kernel(const binary* code, const void* host, const char* name) {
    kernels_[host] = {code, name, 0, false};
  }
  void add_variable(const binary* code, const void* host, const char* name, std::uint64_t bytes) {
    variables_[host] = {code, name, bytes, false};
  }
  // Variables of the host between these addresses are managed: host and device have the same content.
  void add_managed_range(const void* begin, const void* end) { managed_[begin] = end; }
  bool is_managed(const void* host) const {
    const auto after = managed_.upper_bound(host);
    return after != managed_.begin() && host < std::prev(after)->second;
  }
  bool has_managed() const { return !managed_.empty(); }
  const std::map<const void*, registered>& variables() const { return variables_; }
  void add_texture(const binary* code, const void* host, const char* name, bool normalised_values) {
    textures_[host] = {code, name, 0, normalised_values};
  }

  const std::vector<std::unique_ptr<binary>>& binaries() const { return binaries_; }
  const registered* kernel(const void* host) const { return find(kernels_, host); }
  // By the host's variable, else by its name.
  const registered* variable(const void* host_or_name) const;
  const registered* texture(const void* host) const { return find(textures_, host); }
  const void* texture_named(const char* name) const;

 private:
  using table = std::map<const void*, registered>;
  static const registered* find(const table& t, const void* host) {
    const auto found = t.find(host);
    return found == t.end() ? nullptr : &found->second;
  }

  std::vector<std::unique_ptr<binary>> binaries_;
  std::map<const void*, const void*> managed_;
  table kernels_;
  table variables_;
  table textures_;
};

}  // namespace gt200::cudart
