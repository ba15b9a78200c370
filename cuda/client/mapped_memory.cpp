#include "cuda/client/mapped_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/client/state.h"

namespace gt200::cudart {
namespace {

constexpr std::uint64_t page = 4096;
std::uint64_t whole_pages(std::uint64_t bytes) {
  return (std::max<std::uint64_t>(bytes, 1) + page - 1) / page * page;
}

// What moves between host and device without a call of the program.
call_context of_no_call() {
  call_context call = this_thread().call;
  call.page_locked = call.returns_early = call.continues = true;
  return call;
}

// Both sides have changed a byte during one launch.
void report_conflict(const void* place) {
  static bool said = false;
  if (!said)
    std::fprintf(
        stderr,
        "gt200: host and device have both changed the memory at %p during a launch; what the host wrote is "
        "lost\n",
        place);
  said = true;
}

}  // namespace

void mapped_memory::add(void* pointer, std::uint64_t bytes, unsigned flags, bool is_mapped, bool own) {
  blocks_[reinterpret_cast<std::uintptr_t>(pointer)] = {bytes, flags, is_mapped, own, false, false, nullptr, 0};
}

bool mapped_memory::remove(void* pointer, bool own) {
  const auto host = reinterpret_cast<std::uintptr_t>(pointer);
  const auto found = blocks_.find(host);
  if (found == blocks_.end() || found->second.own != own || found->second.is_managed) return false;
  const block gone = found->second;
  blocks_.erase(found);
  // The copies stay allocated until the worker ends: a kernel may still run. They are not kept equal any more.
  copies_.erase(std::remove_if(copies_.begin(), copies_.end(), [&](const copy& c) { return c.host == host; }),
                copies_.end());
  if (own) free_pages(host, gone);
  return true;
}

void mapped_memory::free_pages(std::uintptr_t host, const block& b) {
  if (!b.has_pages) return std::free(reinterpret_cast<void*>(host));
  munmap(reinterpret_cast<void*>(host), whole_pages(b.bytes));
  if (b.home != nullptr) b.home->release(b.allocation);
}

void* mapped_memory::allocate(board& device, std::uint64_t bytes, unsigned flags, bool is_managed, status& result) {
  // Places that the program has taken already are put aside until one is free.
  constexpr unsigned attempts = 8;
  std::vector<std::uint64_t> taken;
  void* pages = MAP_FAILED;
  block made = {bytes, flags, true, true, is_managed, true, &device, 0};
  for (unsigned k = 0; k < attempts && pages == MAP_FAILED; ++k) {
    result = device.allocate(whole_pages(bytes) + page, made.allocation);
    if (result != status::success) break;
    void* const wanted = reinterpret_cast<void*>((made.allocation + page - 1) / page * page);
    pages = mmap(wanted, whole_pages(bytes), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (pages != MAP_FAILED && pages != wanted) {  // a kernel that does not know the flag
      munmap(pages, whole_pages(bytes));
      pages = MAP_FAILED;
    }
    if (pages == MAP_FAILED) taken.push_back(made.allocation);
  }
  for (const std::uint64_t address : taken) device.release(address);
  if (pages == MAP_FAILED) return nullptr;
  blocks_[reinterpret_cast<std::uintptr_t>(pages)] = made;
  std::uint64_t ignored = 0;
  if (is_managed) result = device_address(device, pages, ignored);
  return pages;
}

bool mapped_memory::release_managed(void* pointer) {
  const auto host = reinterpret_cast<std::uintptr_t>(pointer);
  const auto found = blocks_.find(host);
  if (found == blocks_.end() || !found->second.is_managed || !found->second.own) return false;
  const block gone = found->second;
  blocks_.erase(found);
  copies_.erase(std::remove_if(copies_.begin(), copies_.end(), [&](const copy& c) { return c.host == host; }),
                copies_.end());
  free_pages(host, gone);
  return true;
}

status mapped_memory::add_variable(board& device, void* host, std::uint64_t bytes, std::uint64_t address) {
  blocks_[reinterpret_cast<std::uintptr_t>(host)] = {bytes, 0, true, false, true, false, &device, 0};
  copy made;
  made.device = &device;
  made.host = reinterpret_cast<std::uintptr_t>(host);
  made.address = address;
  message_reader reply;
  const status result =
      device.ask(command::read, message_writer().put(memory_rows{address, bytes, bytes, 1}), reply);
  if (result != status::success) return result;
  made.last = reply.bytes();
  auto* const own = static_cast<std::uint8_t*>(host);
  for (std::size_t k = 0; k < made.last.size(); ++k)
    if (own[k] == 0) own[k] = made.last[k];
  copies_.push_back(std::move(made));
  return status::success;
}

bool mapped_memory::is_shared(std::uint64_t address) const {
  std::uintptr_t begin = 0;
  const block* known = find(reinterpret_cast<const void*>(address), begin);
  return known != nullptr && known->has_pages;
}

status mapped_memory::prepare(board& device, std::vector<std::uint8_t>& parameters) {
  if (blocks_.empty()) return status::success;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    std::memcpy(&value, parameters.data() + at, sizeof value);
    std::uintptr_t begin = 0;
    if (find(reinterpret_cast<const void*>(value), begin) == nullptr) continue;
    block& known = blocks_.at(begin);
    known.is_mapped = true;
    std::uint64_t address = 0;
    const status result = device_address(device, reinterpret_cast<void*>(value), address);
    if (result != status::success) return result;
    std::memcpy(parameters.data() + at, &address, sizeof address);
  }
  return status::success;
}

const mapped_memory::block* mapped_memory::find(const void* pointer, std::uintptr_t& begin) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  --found;
  if (address - found->first >= std::max<std::uint64_t>(found->second.bytes, 1)) return nullptr;
  begin = found->first;
  return &found->second;
}

status mapped_memory::device_address(board& device, void* pointer, std::uint64_t& address) {
  std::uintptr_t begin = 0;
  const block* known = find(pointer, begin);
  if (known == nullptr || !known->is_mapped) return status::invalid_value;
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(pointer) - begin;
  for (const copy& c : copies_)
    if (c.device == &device && c.host == begin) {
      address = c.address + offset;
      return status::success;
    }
  copy made;
  made.device = &device;
  made.host = begin;
  if (known->home == &device && known->own)
    made.address = begin;
  else if (const status result = device.allocate(std::max<std::uint64_t>(known->bytes, 1), made.address);
           result != status::success)
    return result;
  const auto* content = reinterpret_cast<const std::uint8_t*>(begin);
  made.last.assign(content, content + known->bytes);
  const memory_rows all = {made.address, known->bytes, known->bytes, 1};
  if (known->bytes != 0)
    if (const status result =
            device.ask(command::write, message_writer().put(all).bytes(made.last.data(), made.last.size()));
        result != status::success)
      return result;
  address = made.address + offset;
  copies_.push_back(std::move(made));
  return status::success;
}

bool mapped_memory::has_copy_at(const board& device, std::uint64_t address) const {
  return std::any_of(copies_.begin(), copies_.end(),
                     [&](const copy& c) { return c.device == &device && c.address == address; });
}

bool mapped_memory::has_copy_of(const board& device, const void* host) const {
  return std::any_of(copies_.begin(), copies_.end(), [&](const copy& c) {
    return c.device == &device && c.host == reinterpret_cast<std::uintptr_t>(host);
  });
}

status mapped_memory::send(board& device) {
  const call_scope scope(of_no_call());
  // Pages are sent whole: what the device has changed in them comes first.
  if (const status result = fetch(device); result != status::success) return result;
  for (copy& c : copies_) {
    if (c.device != &device) continue;
    const auto* host = reinterpret_cast<const std::uint8_t*>(c.host);
    for (std::uint64_t at = 0; at < c.last.size(); at += page) {
      const std::uint64_t count = std::min<std::uint64_t>(page, c.last.size() - at);
      if (std::memcmp(host + at, c.last.data() + at, count) == 0) continue;
      std::memcpy(c.last.data() + at, host + at, count);
      const memory_rows rows = {c.address + at, count, count, 1};
      if (const status result = device.ask(command::write, message_writer().put(rows).bytes(host + at, count));
          result != status::success)
        return result;
    }
  }
  return status::success;
}

status mapped_memory::fetch(board& device) {
  const call_scope scope(of_no_call());
  for (copy& c : copies_) {
    if (c.device != &device || c.last.empty()) continue;
    const memory_rows rows = {c.address, c.last.size(), c.last.size(), 1};
    message_reader reply;
    if (const status result = device.ask(command::read, message_writer().put(rows), reply);
        result != status::success)
      return result;
    std::size_t count = 0;
    const std::uint8_t* content = reply.bytes(count);
    auto* host = reinterpret_cast<std::uint8_t*>(c.host);
    if (std::memcmp(content, c.last.data(), count) == 0) continue;
    for (std::size_t k = 0; k < count; ++k) {
      if (content[k] == c.last[k]) continue;
      if (host[k] != c.last[k] && host[k] != content[k]) report_conflict(host + k);
      host[k] = c.last[k] = content[k];
    }
  }
  return status::success;
}

void mapped_memory::forget(const board& device) {
  copies_.erase(std::remove_if(copies_.begin(), copies_.end(), [&](const copy& c) { return c.device == &device; }),
                copies_.end());
  for (auto& [host, b] : blocks_)
    if (b.home == &device) b.home = nullptr;
}

}  // namespace gt200::cudart
