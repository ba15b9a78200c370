// What the driver API adds to the state of the process: modules, functions, texture references.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cuda.h"
#include "cuda/client/array.h"
#include "cuda/client/state.h"

struct CUtexref_st {
  CUmod_st* module = nullptr;  // null: of cuTexRefCreate, bound to a module's by cuParamSetTexRef
  std::string name;
  textureReference reading = {0, cudaFilterModePoint, {}, {32, 0, 0, 0, cudaChannelFormatKindFloat}, 0, {}};
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  int components = 1;
  unsigned flags = 0;
  gt200::cudart::texture_description bound = {};
  CUarray array = nullptr;
};

struct CUfunc_st {
  CUmod_st* module = nullptr;
  std::string name;
  const gt200::cudart::known_kernel* kernel = nullptr;
  dim3 block = dim3(1, 1, 1);
  size_t shared = 0;
  std::vector<std::uint8_t> parameters;
};

struct CUmod_st {
  std::uint64_t epoch = 0;  // of the board
  gt200::cudart::loaded_module content;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
  std::map<std::string, std::unique_ptr<CUtexref_st>> textures;
};

namespace gt200::cudart {

struct driver_state {
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules;
  std::set<CUfunction> functions;
  std::set<CUtexref> textures;
  std::map<CUtexref, std::unique_ptr<CUtexref_st>> own_textures;  // of cuTexRefCreate
};
driver_state& driver();

CUresult result_of(cudaError_t error);
inline CUresult result_of(status s) { return result_of(error_of(s)); }

template <class body>
CUresult initialised(body call) {
  process_state& all = process();
  const turn one_at_a_time(all);
  if (!all.is_initialised) return CUDA_ERROR_NOT_INITIALIZED;
  try {
    return call(all);
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {  // a message that is too short: the worker is not of this version
    return CUDA_ERROR_UNKNOWN;
  }
}

// The same, for calls that need a current context. The device of the runtime API is one, once it is chosen or in
// use.
template <class body>
CUresult in_context(body call) {
  return initialised([&](process_state& all) {
    const thread_state& own = this_thread();
    if (own.contexts.empty() && !own.has_chosen_device && !all.current().is_in_use())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context_is_destroyed()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return call(all, all.current());
  });
}

// Null, or the object if it is one of the current context.
CUmod_st* find_module(process_state& all, CUmodule module);
CUfunc_st* find_function(process_state& all, CUfunction function);

// One of `arguments` and `extra` is null.
CUresult launch_kernel(CUfunction function, const call_configuration& how, void** arguments, void** extra);

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace gt200::cudart
