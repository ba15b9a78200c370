// Initialisation, devices, contexts.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuda/client/attributes.h"
#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

namespace {

CUresult describe(process_state& all, CUdevice device, device_description& d) {
  if (device < 0 || static_cast<size_t>(device) >= all.boards.size()) return CUDA_ERROR_INVALID_DEVICE;
  return result_of(all.boards[static_cast<size_t>(device)]->describe(d));
}

bool is_device(const process_state& all, CUdevice device) {
  return device >= 0 && static_cast<size_t>(device) < all.boards.size();
}

CUresult destroy(process_state& all, CUcontext context) {
  if (all.contexts.count(context) == 0 || context->is_primary()) return CUDA_ERROR_INVALID_CONTEXT;
  all.contexts.erase(context);
  std::vector<CUctx_st*>& stack = this_thread().contexts;
  stack.erase(std::remove(stack.begin(), stack.end(), context), stack.end());
  all.forget(context->own);
  context->own.reset();
  context->is_destroyed = true;
  all.destroyed.emplace_back(context);
  return CUDA_SUCCESS;
}

CUcontext primary_of(const process_state& all, CUdevice device) {
  const auto found = std::find_if(all.contexts.begin(), all.contexts.end(), [&](const CUctx_st* c) {
    return c->is_primary() && c->own.device() == static_cast<unsigned>(device);
  });
  return found == all.contexts.end() ? nullptr : *found;
}

CUctx_st& made_primary(process_state& all, CUdevice device) {
  CUcontext known = primary_of(all, device);
  if (known == nullptr) {
    known = new CUctx_st(*all.boards[static_cast<size_t>(device)]);
    known->users = 0;
    all.contexts.insert(known);
  }
  return *known;
}

void reset_primary(process_state& all, CUctx_st& context) {
  std::vector<CUctx_st*>& stack = this_thread().contexts;
  stack.erase(std::remove(stack.begin(), stack.end(), &context), stack.end());
  all.forget(context.own);
  context.own.reset();
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard<std::mutex> one_at_a_time(process().mutex);
  process().is_initialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return initialised([&](process_state& all) {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(all.boards.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice* device, int number) {
  return initialised([&](process_state& all) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, number)) return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  return initialised([&](process_state& all) {
    if (name == nullptr || bytes < 1) return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const CUresult error = describe(all, device, d); error != CUDA_SUCCESS) return error;
    std::snprintf(name, static_cast<size_t>(bytes), "%s", d.name);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return initialised([&](process_state& all) {
    if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    *uuid = {};
    uuid->bytes[15] = static_cast<char>(device + 1);  // as cudaDeviceProp has it
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return initialised([&](process_state& all) {
    if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const CUresult error = describe(all, device, d); error != CUDA_SUCCESS) return error;
    *major = static_cast<int>(d.capability / 10);
    *minor = static_cast<int>(d.capability % 10);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return initialised([&](process_state& all) {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const CUresult error = describe(all, device, d); error != CUDA_SUCCESS) return error;
    *bytes = d.memory_bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return initialised([&](process_state& all) {
    if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const CUresult error = describe(all, device, d); error != CUDA_SUCCESS) return error;
    CUdevprop& p = *properties;
    p.maxThreadsPerBlock = static_cast<int>(d.threads_per_block);
    for (size_t k = 0; k < 3; ++k) {
      p.maxThreadsDim[k] = static_cast<int>(d.block[k]);
      p.maxGridSize[k] = static_cast<int>(d.grid[k]);
    }
    p.sharedMemPerBlock = static_cast<int>(d.shared_bytes);
    p.totalConstantMemory = static_cast<int>(d.constant_bytes);
    p.SIMDWidth = static_cast<int>(d.warp_size);
    p.memPitch = 0x7fffffff;
    p.regsPerBlock = static_cast<int>(d.registers);
    p.clockRate = static_cast<int>(d.clock_khz);
    p.textureAlign = 256;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return initialised([&](process_state& all) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const CUresult error = describe(all, device, d); error != CUDA_SUCCESS) return error;
    return attribute_of(d, static_cast<unsigned>(device), static_cast<int>(attribute), *value)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuDeviceGetPCIBusId(char* name, int bytes, CUdevice device) {
  return initialised([&](process_state& all) {
    if (name == nullptr || bytes < 1) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<size_t>(bytes), "0000:%02x:00.0", static_cast<unsigned>(device + 1));
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, char* name) {
  return initialised([&](process_state& all) {
    unsigned domain = 0;
    unsigned bus = 0;
    if (device == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (std::sscanf(name, "%x:%x", &domain, &bus) != 2 || domain != 0 || bus == 0 || bus > all.boards.size())
      return CUDA_ERROR_INVALID_DEVICE;
    *device = static_cast<int>(bus) - 1;
    return CUDA_SUCCESS;
  });
}

// Direct access to the memory of another device needs compute capability 2.0.
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return initialised([&](process_state& all) {
    if (can == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, device) || !is_device(all, peer)) return CUDA_ERROR_INVALID_DEVICE;
    *can = 0;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_ERROR_INVALID_DEVICE; }
CUresult cuCtxDisablePeerAccess(CUcontext) { return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED; }

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return initialised([&](process_state& all) {
    if (context == nullptr || (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    auto made = std::make_unique<CUctx_st>(static_cast<unsigned>(device));
    device_description ignored;
    if (const status error = made->own.describe(ignored); error != status::success) return result_of(error);
    *context = made.release();
    all.contexts.insert(*context);
    this_thread().contexts.push_back(*context);
    return CUDA_SUCCESS;
  });
}

// Retained before it is asked for: it has no cost until something is done with it.
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return initialised([&](process_state& all) {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    CUctx_st& known = made_primary(all, device);
    ++known.users;
    *context = &known;
    return CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return initialised([&](process_state& all) {
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    CUcontext known = primary_of(all, device);
    if (known == nullptr || known->users == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--known->users == 0) reset_primary(all, *known);
    return CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return initialised([&](process_state& all) {
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    board& own = *all.boards[static_cast<size_t>(device)];
    all.forget(own);
    own.reset();
    return CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return initialised([&](process_state& all) {
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    return (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) != 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return initialised([&](process_state& all) {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(all, device)) return CUDA_ERROR_INVALID_DEVICE;
    const CUctx_st* known = primary_of(all, device);
    *flags = 0;
    *active =
        (known != nullptr && known->users != 0) || all.boards[static_cast<size_t>(device)]->is_in_use() ? 1 : 0;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetFlags(unsigned* flags) {
  return in_context([&](process_state&, board&) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_CTX_MAP_HOST;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy(CUcontext context) {
  return initialised([&](process_state& all) { return destroy(all, context); });
}

CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  return initialised([&](process_state&) {
    if (context == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (this_thread().contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context_is_destroyed()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *context = this_thread().contexts.back();
    ++(*context)->users;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDetach(CUcontext context) {
  return initialised([&](process_state& all) {
    if (all.contexts.count(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    return --context->users == 0 ? destroy(all, context) : CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return initialised([&](process_state& all) {
    if (all.contexts.count(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    this_thread().contexts.push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return initialised([&](process_state&) {
    if (this_thread().contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = this_thread().contexts.back();
    this_thread().contexts.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return initialised([&](process_state& all) {
    if (context != nullptr && all.contexts.count(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    std::vector<CUctx_st*>& stack = this_thread().contexts;
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) stack.push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return initialised([&](process_state& all) {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const thread_state& own = this_thread();
    *context = nullptr;
    if (!own.contexts.empty())
      *context = own.contexts.back();
    else if (own.has_chosen_device || all.current().is_in_use())
      *context = &made_primary(all, static_cast<CUdevice>(own.device));
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context([&](process_state&, board& b) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = static_cast<CUdevice>(b.device());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize(void) {
  return in_context([](process_state& all, board&) { return result_of(all.wait()); });
}

// The device says which limits it has.
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context([&](process_state&, board& device) {
    return result_of(device.ask(command::set_limit,
                                message_writer().put(static_cast<limit_kind>(limit)).put<std::uint64_t>(value)));
  });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context([&](process_state&, board& device) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    message_reader reply;
    const status result = device.ask(command::limit, message_writer().put(static_cast<limit_kind>(limit)), reply);
    if (result == status::success) *value = reply.get<std::uint64_t>();
    return result_of(result);
  });
}

// Shared memory and L1 are separate on this hardware: there is nothing to prefer.
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return in_context([&](process_state&, board&) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context([&](process_state&, board&) {
    return config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return in_context([&](process_state&, board&) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return in_context([&](process_state&, board&) {
    return config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuProfilerInitialize(const char*, const char*, CUoutput_mode) { return CUDA_SUCCESS; }
CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return initialised([&](process_state& all) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (context != nullptr && all.contexts.count(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    *version = 3020;  // since then functions end in _v2
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
