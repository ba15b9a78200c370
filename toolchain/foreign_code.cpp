#include "toolchain/foreign_code.h"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace gt200 {
namespace {

// Owner of an address: a foreign object by its number, or one of these.
constexpr int of_system = -1;   // the C++ library and others that only pass calls on
constexpr int of_program = -2;  // the program and its own shared libraries

struct mapped_part {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  int owner = of_system;
};

// Objects are only added, so a thread that throws reads those below `count` without a lock. They stay to the end of
// the process, like the objects themselves.
constexpr std::size_t most = 256;
struct known_parts {
  std::mutex adding;
  std::array<mapped_part, most> part;
  std::atomic<std::size_t> count{0};
  std::array<char*, most> name{};
  std::atomic<int> names{0};
};
// Takes no memory when it is needed: what is thrown may be that there is none.
known_parts all_known;
known_parts& known() { return all_known; }

int owner_of(std::uintptr_t address) {
  known_parts& all = known();
  const std::size_t count = all.count.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i)
    if (address >= all.part[i].begin && address < all.part[i].end) return all.part[i].owner;
  return of_system;
}

void add_parts(const dl_phdr_info& object, int owner) {
  known_parts& all = known();
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const std::size_t count = all.count.load(std::memory_order_relaxed);
    if (segment.p_type != PT_LOAD || count == most) continue;
    const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    all.part[count] = {begin, begin + segment.p_memsz, owner};
    all.count.store(count + 1, std::memory_order_release);
  }
}

bool contains(const dl_phdr_info& object, std::uintptr_t address) {
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz) return true;
  }
  return false;
}

int add_program(dl_phdr_info* object, std::size_t, void*) {
  const char* const slash = std::strrchr(object->dlpi_name, '/');
  const char* const file = slash == nullptr ? object->dlpi_name : slash + 1;
  if (*file == '\0' || std::strncmp(file, "libgt200", 8) == 0) add_parts(*object, of_program);
  return 0;
}

struct wanted_object {
  std::uintptr_t inside;
  int owner;
};
int add_wanted(dl_phdr_info* object, std::size_t, void* data) {
  const auto& wanted = *static_cast<wanted_object*>(data);
  if (!contains(*object, wanted.inside)) return 0;
  add_parts(*object, wanted.owner);
  return 1;
}

struct source {
  int object = of_system;
  bool own = false;
};

// The innermost foreign object on the stack, from the frame at `begin` outwards. It is at fault itself if no code
// of the program lies further inside.
struct walk {
  std::uintptr_t begin = 0;
  bool begun = false;
  bool saw_program = false;
  source found;
};
_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* data) {
  walk& w = *static_cast<walk*>(data);
  int before = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(frame, &before);
  w.begun = w.begun || address == w.begin;
  if (!w.begun) return _URC_NO_REASON;
  // A return address may already belong to the function behind.
  const int owner = owner_of(address - (before != 0 ? 0 : 1));
  if (owner == of_program) w.saw_program = true;
  if (owner < 0) return _URC_NO_REASON;
  w.found = {owner, !w.saw_program};
  return _URC_END_OF_STACK;
}

source on_stack(const void* begin) {
  walk w;
  w.begin = reinterpret_cast<std::uintptr_t>(begin);
  _Unwind_Backtrace(look_at, &w);
  return w.found;
}

struct last_throw {
  const void* thrown = nullptr;
  source from;
};
thread_local last_throw last;

bool any_foreign() { return known().names.load(std::memory_order_acquire) != 0; }

}  // namespace

void note_throw(const void* thrown, const void* thrower) {
  last = {thrown, any_foreign() ? on_stack(thrower) : source{}};
}

void note_foreign_object(const std::string& name, void* handle) {
  link_map* object = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &object) != 0) return;
  known_parts& all = known();
  const std::lock_guard<std::mutex> lock(all.adding);
  const int number = all.names.load();
  if (number == static_cast<int>(most)) return;
  const auto address = reinterpret_cast<std::uintptr_t>(object->l_ld);
  if (owner_of(address) >= 0) return;
  if (number == 0) dl_iterate_phdr(add_program, nullptr);
  all.name[static_cast<std::size_t>(number)] = strdup(name.c_str());
  wanted_object wanted{address, number};
  dl_iterate_phdr(add_wanted, &wanted);
  all.names.store(number + 1, std::memory_order_release);
}

foreign_source source_of_exception(const void* thrown) {
  if (last.from.object < 0 || (thrown != nullptr && thrown != last.thrown)) return {};
  return {known().name[static_cast<std::size_t>(last.from.object)], last.from.own};
}

std::string text_of_source(const void* thrown) {
  const foreign_source source = source_of_exception(thrown);
  if (!source) return {};
  return (source.own ? "fault of " : "fault in a call by ") + source.name;
}

foreign_caller foreign_code_at(const void* place) {
  if (!any_foreign()) return {};
  const source found = on_stack(place);
  if (found.object < 0) return {};
  return {known().name[static_cast<std::size_t>(found.object)], found.own};
}

std::string foreign_object_at(const void* address) {
  const int owner = owner_of(reinterpret_cast<std::uintptr_t>(address));
  return owner < 0 ? std::string() : known().name[static_cast<std::size_t>(owner)];
}

}  // namespace gt200
