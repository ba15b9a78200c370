#include "cuda/client/state.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "toolchain/cuda/container_head.h"

namespace gt200::cudart {
namespace {

constexpr unsigned max_devices = 16;

unsigned number_of_devices() {
  const char* text = std::getenv("GT200_DEVICES");
  if (text == nullptr) return 1;
  const unsigned long number = std::strtoul(text, nullptr, 10);
  return static_cast<unsigned>(std::clamp(number, 1ul, static_cast<unsigned long>(max_devices)));
}

}  // namespace

thread_state& this_thread() {
  static thread_local thread_state state;
  return state;
}

// Never destroyed: object files remove their code while the process ends, in an order that nobody knows.
process_state& process() {
  static process_state* const state = new process_state;
  return *state;
}

process_state::process_state() {
  for (unsigned k = 0; k < number_of_devices(); ++k) boards.push_back(std::make_unique<board>(k));
  pthread_atfork([] { process().mutex.lock(); }, [] { process().mutex.unlock(); },
                 [] {
                   for (const auto& b : process().boards) {
                     process().forget(*b);
                     b->forget();
                   }
                   for (CUctx_st* c : process().contexts) {
                     process().forget(c->own);
                     c->own.forget();
                   }
                   process().order.forget();
                   process().mutex.unlock();
                 });
}

board& process_state::current() {
  const thread_state& own = this_thread();
  return own.contexts.empty() ? *boards[own.device] : own.contexts.back()->own;
}

cudaError_t process_state::wait() {
  if (context_is_destroyed()) return cudaErrorIncompatibleDriverContext;
  return wait(current());
}

cudaError_t process_state::wait(board& device) {
  if (!device.is_in_use()) return cudaSuccess;
  const status result = device.ask(command::wait);
  return error_of(result == status::success ? mapped.fetch(device) : result);
}

void process_state::forget(const board& device) {
  mapped.forget(device);
  forget_handles(device);
}

void process_state::forget_handles(const board& device) {
  const auto remove = [&](auto& handles) {
    for (auto at = handles.begin(); at != handles.end();) {
      const auto* handle = *at;
      if (handle->owner != &device) {
        ++at;
        continue;
      }
      at = handles.erase(at);
      delete handle;
    }
  };
  remove(streams);
  remove(events);
}

cudaError_t process_state::ready(board*& device) {
  if (context_is_destroyed()) return cudaErrorIncompatibleDriverContext;
  device = &current();
  std::vector<board::piece> linked;
  for (const auto& code_of_file : code.binaries()) {
    if (code_of_file->bytes == 0) continue;
    if (code_of_file->of_library && !code.has_managed()) {
      if (const status begun = device->begin(); begun != status::success) return error_of(begun);
      continue;
    }
    cuda::container_head head = {};
    if (code_of_file->bytes >= sizeof head) std::memcpy(&head, code_of_file->container, sizeof head);
    if (head.relocatable != 0) {
      linked.push_back({code_of_file->container, code_of_file->bytes});
      continue;
    }
    const status loaded = device->load(code_of_file->container, code_of_file->bytes);
    if (loaded != status::success) return error_of(loaded);
  }
  if (const status loaded = device->load(linked); loaded != status::success) return error_of(loaded);
  return code.has_managed() ? bind_managed(*device) : cudaSuccess;
}

cudaError_t process_state::ready(board*& device, const registered& used) {
  const cudaError_t error = ready(device);
  if (error != cudaSuccess || !used.code->of_library || used.code->bytes == 0) return error;
  return error_of(device->load(used.code->container, used.code->bytes));
}

cudaError_t process_state::bind_managed(board& device) {
  constexpr unsigned fermi = 20;
  device_description d;
  if (const status known = device.describe(d); known != status::success) return error_of(known);
  if (d.capability < fermi) return cudaSuccess;
  for (const auto& [host, entry] : code.variables()) {
    if (!code.is_managed(host) || mapped.has_copy_of(device, host)) continue;
    const known_symbol* symbol = device.symbol(entry.code->container, entry.name);
    if (symbol == nullptr) continue;
    message_reader reply;
    const status asked =
        device.ask(command::symbol_address, message_writer().put(symbol->module).text(entry.name), reply);
    if (asked != status::success) return error_of(asked);
    const status added =
        mapped.add_variable(device, const_cast<void*>(host), entry.bytes, reply.get<std::uint64_t>());
    if (added != status::success) return error_of(added);
  }
  return cudaSuccess;
}

// Workers end what they have begun, and write their results, when the program ends.
__attribute__((destructor)) static void end_workers() {
  for (CUctx_st* c : process().contexts) c->own.reset();
  for (const auto& b : process().boards) b->reset();
  process().order.write();
}

}  // namespace gt200::cudart
