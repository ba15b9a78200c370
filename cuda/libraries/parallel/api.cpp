// The functions of CUDPP: arguments, and plans by their handles.
#include <map>
#include <memory>
#include <mutex>

#include "cuda/libraries/context.h"
#include "cuda/libraries/parallel/primitives.h"

namespace gt200_parallel {
namespace {

struct plan {
  CUDPPConfiguration config = {};
  int n = 0, rows = 1, pitch = 0;
  unsigned* memory = nullptr;
  uint64_t context = 0;

  ~plan() { gt200_libraries::free_in(context, memory); }
  bool has(unsigned option) const { return (config.options & option) != 0; }
  scan_way way() const {
    return {config.op, config.datatype, has(CUDPP_OPTION_BACKWARD), has(CUDPP_OPTION_INCLUSIVE)};
  }
  bool fits(size_t elements) const { return elements <= static_cast<size_t>(n); }
};

struct all_plans {
  std::mutex mutex;
  std::map<CUDPPHandle, std::shared_ptr<plan>> plans;
  CUDPPHandle last = 0;
};

all_plans& library() {
  static all_plans one;
  return one;
}

// Null if there is none, or one of another algorithm or context.
std::shared_ptr<plan> find(CUDPPHandle handle, CUDPPAlgorithm algorithm) {
  all_plans& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const auto found = all.plans.find(handle);
  if (found == all.plans.end() || found->second->config.algorithm != algorithm ||
      found->second->context != gt200_libraries::current_context())
    return nullptr;
  return found->second;
}

CUDPPResult result_of(cudaError_t error) { return error == cudaSuccess ? CUDPP_SUCCESS : CUDPP_ERROR_UNKNOWN; }

bool is_possible(const CUDPPConfiguration& c) {
  const auto both = [&](unsigned a, unsigned b) { return (c.options & a) != 0 && (c.options & b) != 0; };
  const bool is_here = c.algorithm == CUDPP_SCAN || c.algorithm == CUDPP_SEGMENTED_SCAN ||
                       c.algorithm == CUDPP_COMPACT || c.algorithm == CUDPP_REDUCE ||
                       c.algorithm == CUDPP_SORT_RADIX;
  const bool has_operator =
      c.algorithm == CUDPP_SCAN || c.algorithm == CUDPP_SEGMENTED_SCAN || c.algorithm == CUDPP_REDUCE;
  return is_here && c.datatype >= CUDPP_INT && c.datatype <= CUDPP_FLOAT &&
         (!has_operator || (c.op >= CUDPP_ADD && c.op <= CUDPP_MAX)) &&
         !both(CUDPP_OPTION_FORWARD, CUDPP_OPTION_BACKWARD) &&
         !both(CUDPP_OPTION_INCLUSIVE, CUDPP_OPTION_EXCLUSIVE) &&
         !both(CUDPP_OPTION_KEYS_ONLY, CUDPP_OPTION_KEY_VALUE_PAIRS);
}

// Words of device memory that the launches of a plan share.
size_t words_of(const plan& p) {
  const size_t n = static_cast<size_t>(p.n);
  switch (p.config.algorithm) {
    case CUDPP_SCAN: return totals_of(p.n, p.rows);
    case CUDPP_SEGMENTED_SCAN: return 3 * totals_of(p.n, 1);
    case CUDPP_COMPACT: return n + totals_of(p.n, 1);
    case CUDPP_SORT_RADIX: {
      const int counts = digits * tiles_of(p.n);
      return (p.has(CUDPP_OPTION_KEYS_ONLY) ? 1 : 2) * n + static_cast<size_t>(counts) + totals_of(counts, 1);
    }
    default: return most_partials;
  }
}

}  // namespace
}  // namespace gt200_parallel

using namespace gt200_parallel;

extern "C" {

CUDPPResult cudppPlan(CUDPPHandle* planHandle, CUDPPConfiguration config, size_t n, size_t rows, size_t rowPitch) {
  // Elements are counted by int, and a launch has so many rows at most.
  const size_t most = 1 << 30, most_rows = 65535;
  if (planHandle == nullptr) return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  *planHandle = CUDPP_INVALID_HANDLE;
  if (!is_possible(config) || n > most || rows < 1 || rows > most_rows || (rows > 1 && rowPitch < n) ||
      rowPitch > most / rows)
    return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  auto made = std::make_shared<plan>();
  made->config = config;
  made->n = static_cast<int>(n);
  made->rows = static_cast<int>(rows);
  made->pitch = static_cast<int>(rowPitch);
  const size_t bytes = words_of(*made) * sizeof(unsigned);
  if (bytes > 0 && cudaMalloc(reinterpret_cast<void**>(&made->memory), bytes) != cudaSuccess)
    return CUDPP_ERROR_UNKNOWN;
  made->context = gt200_libraries::begun_context();
  all_plans& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  *planHandle = ++all.last;
  all.plans[all.last] = made;
  return CUDPP_SUCCESS;
}

CUDPPResult cudppDestroyPlan(CUDPPHandle handle) {
  all_plans& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const auto found = all.plans.find(handle);
  if (found == all.plans.end()) return CUDPP_ERROR_INVALID_HANDLE;
  const bool was_usable = gt200_libraries::is_alive(found->second->context);
  all.plans.erase(found);
  return was_usable ? CUDPP_SUCCESS : CUDPP_ERROR_INVALID_HANDLE;
}

CUDPPResult cudppMultiScan(CUDPPHandle planHandle, void* d_out, const void* d_in, size_t numElements,
                           size_t numRows) {
  const std::shared_ptr<plan> p = find(planHandle, CUDPP_SCAN);
  if (p == nullptr) return CUDPP_ERROR_INVALID_HANDLE;
  if (d_out == nullptr || d_in == nullptr || !p->fits(numElements) || numRows > static_cast<size_t>(p->rows))
    return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  if (numElements == 0 || numRows == 0) return CUDPP_SUCCESS;
  return result_of(scan(p->way(), static_cast<unsigned*>(d_out), static_cast<const unsigned*>(d_in),
                        static_cast<int>(numElements), static_cast<int>(numRows), p->pitch, p->memory));
}

CUDPPResult cudppScan(CUDPPHandle planHandle, void* d_out, const void* d_in, size_t numElements) {
  return cudppMultiScan(planHandle, d_out, d_in, numElements, 1);
}

CUDPPResult cudppSegmentedScan(CUDPPHandle planHandle, void* d_out, const void* d_idata,
                               const unsigned int* d_iflags, size_t numElements) {
  const std::shared_ptr<plan> p = find(planHandle, CUDPP_SEGMENTED_SCAN);
  if (p == nullptr) return CUDPP_ERROR_INVALID_HANDLE;
  if (d_out == nullptr || d_idata == nullptr || d_iflags == nullptr || !p->fits(numElements))
    return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  if (numElements == 0) return CUDPP_SUCCESS;
  return result_of(segmented_scan(p->way(), static_cast<unsigned*>(d_out), static_cast<const unsigned*>(d_idata),
                                  d_iflags, static_cast<int>(numElements), p->memory));
}

CUDPPResult cudppCompact(CUDPPHandle planHandle, void* d_out, size_t* d_numValidElements, const void* d_in,
                         const unsigned int* d_isValid, size_t numElements) {
  const std::shared_ptr<plan> p = find(planHandle, CUDPP_COMPACT);
  if (p == nullptr) return CUDPP_ERROR_INVALID_HANDLE;
  if (d_out == nullptr || d_numValidElements == nullptr || d_in == nullptr || d_isValid == nullptr ||
      !p->fits(numElements))
    return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  if (numElements == 0) return result_of(cudaMemset(d_numValidElements, 0, sizeof(size_t)));
  return result_of(compact(p->has(CUDPP_OPTION_BACKWARD), static_cast<unsigned*>(d_out), d_numValidElements,
                           static_cast<const unsigned*>(d_in), d_isValid, static_cast<int>(numElements), p->memory,
                           p->memory + numElements));
}

CUDPPResult cudppSort(CUDPPHandle planHandle, void* d_keys, void* d_values, int keybits, size_t numElements) {
  const std::shared_ptr<plan> p = find(planHandle, CUDPP_SORT_RADIX);
  if (p == nullptr) return CUDPP_ERROR_INVALID_HANDLE;
  const bool pairs = !p->has(CUDPP_OPTION_KEYS_ONLY);
  if (d_keys == nullptr || (pairs && d_values == nullptr) || keybits < 0 || keybits > 32 || !p->fits(numElements))
    return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  if (numElements == 0 || keybits == 0) return CUDPP_SUCCESS;
  const int n = static_cast<int>(numElements);
  unsigned* const other_values = p->memory + n;
  unsigned* const counts = pairs ? other_values + n : other_values;
  return result_of(sort(p->config.datatype, keybits, static_cast<unsigned*>(d_keys),
                        pairs ? static_cast<unsigned*>(d_values) : nullptr, n, p->memory, other_values, counts,
                        counts + digits * tiles_of(n)));
}

CUDPPResult cudppReduce(CUDPPHandle planHandle, void* d_out, const void* d_in, size_t numElements) {
  const std::shared_ptr<plan> p = find(planHandle, CUDPP_REDUCE);
  if (p == nullptr) return CUDPP_ERROR_INVALID_HANDLE;
  if (d_out == nullptr || d_in == nullptr || numElements == 0 || !p->fits(numElements))
    return CUDPP_ERROR_ILLEGAL_CONFIGURATION;
  return result_of(reduce(p->config.op, p->config.datatype, static_cast<unsigned*>(d_out),
                          static_cast<const unsigned*>(d_in), static_cast<int>(numElements), p->memory));
}

}  // extern "C"
