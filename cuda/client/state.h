// What a process and each of its threads have of CUDA; shared by the runtime and the driver API.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda/client/board.h"
#include "cuda/client/call_order.h"
#include "cuda/client/mapped_memory.h"
#include "cuda/client/registry.h"
#include "cuda/client/thread_names.h"
#include "cuda_runtime_api.h"

struct cudaArray {
  std::uint64_t epoch = 0;  // of the board
  std::uint64_t number = 0;
  cudaChannelFormatDesc description{};
  size_t width = 0, height = 0, depth = 0;  // 0: a dimension that the array lacks
  unsigned flags = 0;                       // cudaArrayLayered, cudaArrayCubemap

  unsigned channels() const {
    return (description.x != 0) + (description.y != 0) + (description.z != 0) + (description.w != 0);
  }
  size_t texel_bytes() const { return static_cast<size_t>(description.x) / 8 * channels(); }
  size_t rows() const { return height != 0 ? height : 1; }
  size_t slices() const { return depth != 0 ? depth : 1; }
  // Layers, or faces; 0: the array has neither.
  std::uint32_t layers() const { return flags != 0 ? static_cast<std::uint32_t>(slices()) : 0; }
};

struct CUevent_st {
  gt200::cudart::board* owner = nullptr;
  bool has_time = true;
  bool is_recorded = false;
  std::uint64_t at = 0;  // femtoseconds
};
struct CUstream_st {
  gt200::cudart::board* owner = nullptr;
  std::uint32_t number = gt200::cudart::default_stream;
  unsigned flags = 0;
  int priority = 0;
};

// A context of the driver API: a device with a worker of its own.
struct CUctx_st {
  explicit CUctx_st(unsigned device) : made(new gt200::cudart::board(device)), own(*made) {}
  // The primary context of a device: the board of the runtime API.
  explicit CUctx_st(gt200::cudart::board& of_runtime) : own(of_runtime) {}
  bool is_primary() const { return made == nullptr; }
  const std::unique_ptr<gt200::cudart::board> made;
  gt200::cudart::board& own;
  unsigned users = 1;  // cuCtxAttach, cuCtxDetach; of a primary one cuDevicePrimaryCtxRetain, ...Release
  // It stays where it is, without its worker: other threads may still have it on their stacks.
  bool is_destroyed = false;
};

namespace gt200::cudart {

struct call_configuration {
  dim3 grid;
  dim3 block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

struct thread_state {
  unsigned device = 0;
  bool has_chosen_device = false;  // by cudaSetDevice()
  cudaError_t last_error = cudaSuccess;
  std::vector<call_configuration> configurations;
  std::vector<std::uint8_t> arguments;  // of cudaSetupArgument
  std::vector<CUctx_st*> contexts;      // of the driver API; the last one is current
  call_context call;                    // that runs
};
thread_state& this_thread();
// The current context of the thread is one that another thread, or it, has destroyed.
inline bool context_is_destroyed() {
  const std::vector<CUctx_st*>& stack = this_thread().contexts;
  return !stack.empty() && stack.back()->is_destroyed;
}

struct process_state {
  std::mutex mutex;
  registry code;
  std::vector<std::unique_ptr<board>> boards;
  std::set<const cudaArray*> arrays;
  std::set<const CUevent_st*> events;
  std::set<const CUstream_st*> streams;
  std::uint32_t last_stream = default_stream;  // number of a stream
  std::set<CUctx_st*> contexts;
  std::vector<std::unique_ptr<CUctx_st>> destroyed;
  mapped_memory mapped;
  bool is_initialised = false;  // by cuInit() or any call of the runtime API
  call_order order;

  process_state();
  // Of the current context if there is one, else of the current device.
  board& current();
  // The current device with all code of the program; an error if its context has been destroyed. Code of libraries
  // is there once it is used.
  cudaError_t ready(board*& device);
  // The same, with the code that holds this.
  cudaError_t ready(board*& device, const registered& used);
  // Managed variables (__managed__) of the device are kept equal with those of the host from here on.
  cudaError_t bind_managed(board& device);
  // Waits for the current device, and shows the host what it has written to mapped memory.
  cudaError_t wait();
  // The same for another device.
  cudaError_t wait(board& device);
  // The worker of this device is gone, and with it its streams, events and copies of mapped memory.
  void forget(const board& device);
  // The same for streams and events alone.
  void forget_handles(const board& device);
};
process_state& process();

inline cudaError_t error_of(status s) { return static_cast<cudaError_t>(static_cast<int>(s)); }

// The turn of a call among those of all threads: it is taken alone, in the order that is to be repeated.
class turn {
 public:
  explicit turn(process_state& all) : all_(all) {
    if (all.order.is_repeated()) all.order.wait_for_turn(name_of_this_thread());
    all.mutex.lock();
    if (all.order.is_kept()) all.order.note(name_of_this_thread());
  }
  ~turn() {
    all_.mutex.unlock();
    if (all_.order.is_repeated()) all_.order.end_turn();
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

 private:
  process_state& all_;
};

// What the commands of a call say about it, until the end of the block.
class call_scope {
 public:
  explicit call_scope(const call_context& call) : before_(this_thread().call) { this_thread().call = call; }
  ~call_scope() { this_thread().call = before_; }
  call_scope(const call_scope&) = delete;
  call_scope& operator=(const call_scope&) = delete;

 private:
  call_context before_;
};
// The call of this thread as one that gives the stream work.
inline call_context in_stream(std::uint32_t stream) {
  call_context call = this_thread().call;
  call.stream = stream;
  return call;
}
// The name of a default stream of the current device is null, cudaStreamLegacy or cudaStreamPerThread.
inline const CUstream_st* own_stream(const CUstream_st* stream) {
  constexpr std::uintptr_t last_name = 2;
  return reinterpret_cast<std::uintptr_t>(stream) <= last_name ? nullptr : stream;
}
inline call_context in_stream(const CUstream_st* stream) {
  const CUstream_st* const own = own_stream(stream);
  return in_stream(own == nullptr ? default_stream : own->number);
}
// An asynchronous copy: what follows in the block returns early.
class returns_early : call_scope {
 public:
  returns_early() : call_scope(changed()) {}

 private:
  static call_context changed() {
    call_context call = this_thread().call;
    call.returns_early = true;
    return call;
  }
};

// An error is what cudaGetLastError() of this thread returns.
template <class body>
cudaError_t guarded(body call) {
  process_state& all = process();
  cudaError_t error = cudaErrorUnknown;
  {
    const turn one_at_a_time(all);
    all.is_initialised = true;
    try {
      error = call(all);
    } catch (const std::bad_alloc&) {
      error = cudaErrorMemoryAllocation;
    } catch (const std::exception&) {  // a message that is too short: the worker is not of this version
      error = cudaErrorUnknown;
    }
  }
  if (error != cudaSuccess) this_thread().last_error = error;
  return error;
}

}  // namespace gt200::cudart
