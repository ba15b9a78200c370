// The functions of cuRAND: generators and their settings.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "cuda/libraries/context.h"
#include "cuda/libraries/device.h"
#include "cuda/libraries/random/sobol.h"
#include "cuda/libraries/random/xorwow.h"
#include "curand.h"

using namespace gt200_random;

struct curandGenerator_st {
  bool on_host = false;
  bool quasi = false;
  bool philox = false;
  uint64_t seed = 0;
  // Of the next number, as far as it was set; `is_ready` says that the state is there.
  uint64_t offset = 0;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  unsigned dimensions = 1;
  cudaStream_t stream = nullptr;
  bool is_ready = false;
  unsigned phase = 0;
  // States or directions, in the memory that the generator writes to.
  std::vector<unsigned> host;
  unsigned* device = nullptr;
  uint64_t context = 0;  // of the device memory

  ~curandGenerator_st() { gt200_libraries::free_in(context, device); }
  unsigned* memory() { return on_host ? host.data() : device; }
};

namespace {

struct all_generators {
  std::mutex mutex;
  std::set<curandGenerator_t> generators;
};

all_generators& library() {
  static all_generators one;
  return one;
}

// One that this thread can use: its memory is that of the current context.
bool exists(curandGenerator_t generator) {
  all_generators& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  return all.generators.count(generator) != 0 &&
         (generator->on_host || generator->context == gt200_libraries::current_context());
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool quasi = type == CURAND_RNG_QUASI_DEFAULT || type == CURAND_RNG_QUASI_SOBOL32;
  const bool philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  if (!quasi && !philox && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW)
    return CURAND_STATUS_TYPE_ERROR;
  int devices = 0;
  if (!on_host && (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0))
    return CURAND_STATUS_INITIALIZATION_FAILED;
  auto made = std::make_unique<curandGenerator_st>();
  made->on_host = on_host;
  made->quasi = quasi;
  made->philox = philox;
  if (quasi) made->order = CURAND_ORDERING_QUASI_DEFAULT;
  const size_t words = quasi ? 32 * most_dimensions : 6 * sequences;
  made->host.resize(words);
  if (!on_host && cudaMalloc(reinterpret_cast<void**>(&made->device), words * sizeof(unsigned)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  if (!on_host) made->context = gt200_libraries::current_context();
  *generator = made.release();
  all_generators& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  all.generators.insert(*generator);
  return CURAND_STATUS_SUCCESS;
}

// Computes the state for the offset.
curandStatus_t make_ready(curandGenerator_st& g) {
  if (g.is_ready || g.philox) return CURAND_STATUS_SUCCESS;
  if (g.quasi) {
    const std::vector<unsigned> directions = sobol_directions(g.dimensions);
    std::copy(directions.begin(), directions.end(), g.host.begin());
  } else {
    const std::vector<xorwow_state> states = states_of(g.seed, g.offset, g.order == CURAND_ORDERING_PSEUDO_SEEDED);
    for (size_t j = 0; j < states.size(); ++j) {
      for (size_t w = 0; w < 5; ++w) g.host[w * sequences + j] = states[j].v[w];
      g.host[5 * sequences + j] = states[j].d;
    }
    g.phase = static_cast<unsigned>(g.offset % sequences);
  }
  if (!g.on_host &&
      cudaMemcpy(g.device, g.host.data(), g.host.size() * sizeof(unsigned), cudaMemcpyHostToDevice) != cudaSuccess)
    return CURAND_STATUS_LAUNCH_FAILURE;
  g.is_ready = true;
  return CURAND_STATUS_SUCCESS;
}

template <class T>
curandStatus_t generate(curandGenerator_t generator, T* out, size_t n, const wanted_numbers& wanted) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  curandGenerator_st& g = *generator;
  const size_t multiple = g.quasi ? g.dimensions : per_group(wanted.kind);
  if (n > 0x80000000u) return CURAND_STATUS_OUT_OF_RANGE;
  if (n % multiple != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (!g.on_host && cudaPeekAtLastError() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  if (sizeof(T) == sizeof(double) && !g.on_host && !gt200_libraries::device_has_double())
    return CURAND_STATUS_DOUBLE_PRECISION_REQUIRED;
  if (const curandStatus_t ready = make_ready(g); ready != CURAND_STATUS_SUCCESS) return ready;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  const unsigned parts = static_cast<unsigned>(n / multiple);
  cudaError_t error = cudaSuccess;
  if (g.quasi) {
    const sobol_place at = {g.memory(), g.dimensions, static_cast<unsigned>(g.offset)};
    if (g.on_host)
      make_sobol(at, wanted, out, parts);
    else
      error = run_sobol(at, wanted, out, parts, g.stream);
    g.offset += parts;
  } else if (g.philox) {
    const philox_place at = {g.seed, g.offset};
    if (g.on_host)
      make_philox(at, wanted, out, parts);
    else
      error = run_philox(at, wanted, out, parts, g.stream);
    g.offset += n * (sizeof(T) / sizeof(unsigned));
  } else {
    const xorwow_place at = {g.memory(), g.phase};
    if (g.on_host)
      make_xorwow(at, wanted, out, parts);
    else
      error = run_xorwow(at, wanted, out, parts, g.stream);
    g.phase = (g.phase + parts) % sequences;
  }
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create(generator, rng_type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create(generator, rng_type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  all_generators& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  if (all.generators.erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  const bool was_usable = generator->on_host || gt200_libraries::is_alive(generator->context);
  delete generator;
  return was_usable ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->quasi) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->quasi && offset >> 32 != 0) return CURAND_STATUS_OUT_OF_RANGE;
  generator->offset = offset;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  const bool is_possible = generator->quasi
                               ? order == CURAND_ORDERING_QUASI_DEFAULT
                               : order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                                     order == CURAND_ORDERING_PSEUDO_SEEDED;
  if (!is_possible) return CURAND_STATUS_OUT_OF_RANGE;
  generator->order = order;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->quasi) return CURAND_STATUS_TYPE_ERROR;
  if (num_dimensions < 1 || num_dimensions > most_dimensions) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = num_dimensions;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return exists(generator) ? make_ready(*generator) : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* outputPtr, size_t num) {
  return generate(generator, outputPtr, num, {all_words, 0, 0});
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t num) {
  return generate(generator, outputPtr, num, {uniform, 0, 0});
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr, size_t num) {
  return generate(generator, outputPtr, num, {uniform, 0, 0});
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                    float stddev) {
  return generate(generator, outputPtr, n, {normal, mean, stddev});
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n, double mean,
                                          double stddev) {
  return generate(generator, outputPtr, n, {normal, mean, stddev});
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                       float stddev) {
  return generate(generator, outputPtr, n, {log_normal, mean, stddev});
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n, double mean,
                                             double stddev) {
  return generate(generator, outputPtr, n, {log_normal, mean, stddev});
}

}  // extern "C"
