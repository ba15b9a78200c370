#include "rtl_ref/library/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>

#include "rtl_ref/library/cache.h"
#include "rtl_ref/library/compile.h"
#include "rtl_ref/library/files.h"
#include "rtl_ref/library/own_library.h"
#include "toolchain/error.h"
#include "toolchain/foreign_code.h"
#include "toolchain/shared_object.h"

namespace gt200::rtl {
namespace {

// In the folder of a library: what it depends on, and which description asked for it first.
constexpr const char* key_file = "key";
constexpr const char* description_file = "description";

// The hash of the library as it was compiled.
constexpr const char* hash_file = "hash";

constexpr const char* remedy = "'gt200 rtl clear' empties the cache";

void require_whole_in_cache(const std::string& file) {
  try {
    require_whole_shared_object(file);
  } catch (const input_error& error) {
    throw input_error(fmt::format("{}; {}", error.what(), remedy));
  }
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (content_of((folder / hash_file).string()) != hash_of(content_of(file)))
    throw input_error(file, 0, fmt::format("is not what was compiled; {}", remedy));
}

// "verilating scoreboard 32x6 ... 9 s"
class progress {
 public:
  explicit progress(const request& what) : what_(what.text()) {}
  ~progress() {
    if (begun_)
      fmt::print(
          stderr, "{}\n",
          done_ ? fmt::format("{:.0f} s", std::chrono::duration<double>(clock::now() - began_).count()) : "failed");
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void begin(const char* where = "") {
    if (!begun_) fmt::print(stderr, "verilating {}{} ... ", what_, where);
    std::fflush(stderr);
    begun_ = true;
  }
  void done() { done_ = true; }

 private:
  using clock = std::chrono::steady_clock;
  std::string what_;
  clock::time_point began_ = clock::now();
  bool begun_ = false;
  bool done_ = false;
};

// The headers this program was built with and those that a library would be built with must be the same.
void check_interface(const block& of) {
  const std::string root = source_folder();
  std::string now;
  for (const std::string& file : with_included({root + "/" + of.header}, {root})) now += content_of(file);
  if (now != of.built_with)
    throw input_error(root + "/" + of.header, 0,
                      "this header, or one it includes, has changed since the program was built; build again");
}

}  // namespace

std::string build(const request& what) {
  if (is_library(what.description)) {
    require_in_library(what);
    return what.description;
  }
  check_interface(what.of);
  const compilation job(what);
  progress line(what);
  // Libraries from before there were hashes have other names.
  const std::string folder = cached(
      fmt::format("{}-{}-{}", what.of.name, what.size, hash_of(job.key() + hash_file)),
      [&](const std::string& building) {
        line.begin();
        job.run(building);
        write_text(building + "/" + key_file, job.key());
        write_text(building + "/" + description_file, job.description_file());
        write_text(building + "/" + hash_file, hash_of(content_of(building + "/" + library_file)));
      },
      [&] { line.begin(" in another process"); });
  line.done();
  return folder + "/" + library_file;
}

void* factory_of(const request& what) {
  // 30 SMs ask for the same.
  static std::map<std::string, void*> known;
  void*& factory = known[what.text() + '\n' + what.description];
  if (factory != nullptr) return factory;
  const std::string file = build(what);
  if (!is_library(what.description)) require_whole_in_cache(file);
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr && !what.description.empty()) note_foreign_object("RTL " + what.description, library);
  factory = library == nullptr ? nullptr : dlsym(library, factory_name);
  if (factory == nullptr) throw input_error(fmt::format("cannot be loaded: {}; {}", dlerror(), remedy));
  return factory;
}

std::vector<cached_library> cached_libraries() {
  std::vector<cached_library> libraries;
  for (const std::string& folder : cached_with(description_file))
    libraries.push_back(
        {std::filesystem::path(folder).filename().string(), content_of(folder + "/" + description_file)});
  return libraries;
}

}  // namespace gt200::rtl
