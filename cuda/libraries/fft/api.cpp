// The functions of cuFFT: arguments, and plans by their numbers.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/libraries/context.h"
#include "cuda/libraries/device.h"
#include "cuda/libraries/fft/plan.h"

namespace gt200_fft {
namespace {

struct all_plans {
  std::mutex mutex;
  std::map<cufftHandle, std::shared_ptr<plan>> plans;
  cufftHandle last = 0;
};

all_plans& library() {
  static all_plans one;
  return one;
}

// Null if there is none, or one of another context.
std::shared_ptr<plan> find(cufftHandle handle) {
  all_plans& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const auto found = all.plans.find(handle);
  if (found == all.plans.end() || found->second->context != gt200_libraries::current_context()) return nullptr;
  return found->second;
}

bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z || type == CUFFT_D2Z ||
         type == CUFFT_Z2D;
}

// A layout as cufftPlanMany() has it. `n`: what a row has of each dimension.
cufftResult own_layout(side& s, int rank, const int* n, const int* embed, int stride, int distance, int batch) {
  if (embed == nullptr) return CUFFT_SUCCESS;
  if (stride < 1 || distance < 0) return CUFFT_INVALID_VALUE;
  s.is_own = true;
  s.own.distance = distance;
  long long apart = stride, last = 0;
  for (int d = rank - 1; d >= 0; --d) {
    if (embed[d] < (d == 0 ? 1 : n[d])) return CUFFT_INVALID_SIZE;
    s.own.steps[3 - rank + d] = static_cast<int>(apart);
    last += apart * (n[d] - 1);
    apart *= embed[d];
    if (last > most_places || apart > most_places) return CUFFT_INVALID_SIZE;
  }
  return last + static_cast<long long>(distance) * (batch - 1) > most_places ? CUFFT_INVALID_SIZE : CUFFT_SUCCESS;
}

struct layout_arguments {
  const int* embed;
  int stride, distance;
};

// What is to be transformed, and its memory.
cufftResult fill(plan& made, int rank, const int* n, layout_arguments in, layout_arguments out, cufftType type,
                 int batch) {
  if (n == nullptr) return CUFFT_INVALID_VALUE;
  if (!is_type(type)) return CUFFT_INVALID_TYPE;
  if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_SIZE;
  made.type = type;
  made.batch = batch;
  // Elements that have room in the memory of the largest board, with the array between the passes.
  const long long most = 1 << 28;
  long long elements = batch;
  for (int d = 0; d < rank; ++d) {
    if (n[d] < 1) return CUFFT_INVALID_SIZE;
    made.n[3 - rank + d] = n[d];
    elements *= n[d];
    if (elements > most) return CUFFT_INVALID_SIZE;
  }
  int in_row[3], out_row[3];
  std::copy(n, n + rank, in_row);
  std::copy(n, n + rank, out_row);
  if (!made.is_of_complex()) (made.is_to_real() ? in_row : out_row)[rank - 1] = n[rank - 1] / 2 + 1;
  cufftResult result = own_layout(made.in, rank, in_row, in.embed, in.stride, in.distance, batch);
  if (result == CUFFT_SUCCESS)
    result = own_layout(made.out, rank, out_row, out.embed, out.stride, out.distance, batch);
  if (result != CUFFT_SUCCESS) return result;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return CUFFT_SETUP_FAILED;
  if (made.is_wide() && !gt200_libraries::device_has_double()) return CUFFT_INVALID_TYPE;
  made.context = gt200_libraries::begun_context();
  result = build(made);
  made.is_made = result == CUFFT_SUCCESS;
  if (!made.is_made) release(made);
  return result;
}

cufftHandle keep(const std::shared_ptr<plan>& made) {
  all_plans& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  all.plans[++all.last] = made;
  return all.last;
}

cufftResult make(cufftHandle* handle, int rank, const int* n, layout_arguments in, layout_arguments out,
                 cufftType type, int batch) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  const auto made = std::make_shared<plan>();
  const cufftResult result = fill(*made, rank, n, in, out, type, batch);
  if (result == CUFFT_SUCCESS) *handle = keep(made);
  return result;
}

cufftResult make_packed(cufftHandle* handle, int rank, const int* n, cufftType type, int batch) {
  return make(handle, rank, n, {nullptr, 1, 0}, {nullptr, 1, 0}, type, batch);
}

// The second half of cufftCreate(). A plan that has failed can be made with other arguments.
cufftResult make_created(cufftHandle handle, int rank, const int* n, layout_arguments in, layout_arguments out,
                         cufftType type, int batch, size_t* bytes) {
  const std::shared_ptr<plan> created = find(handle);
  if (created == nullptr || created->is_made) return CUFFT_INVALID_PLAN;
  if (bytes == nullptr) return CUFFT_INVALID_VALUE;
  plan made;
  made.stream = created->stream;
  made.compatibility = created->compatibility;
  const cufftResult result = fill(made, rank, n, in, out, type, batch);
  if (result != CUFFT_SUCCESS) return result;
  *created = made;
  *bytes = made.bytes;
  return CUFFT_SUCCESS;
}

cufftResult run(cufftHandle handle, cufftType type, const void* in, void* out, int direction) {
  const std::shared_ptr<plan> p = find(handle);
  if (p == nullptr || !p->is_made) return CUFFT_INVALID_PLAN;
  if (p->type != type) return CUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  return execute(*p, in, out, direction == CUFFT_INVERSE);
}

}  // namespace
}  // namespace gt200_fft

using namespace gt200_fft;

extern "C" {

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return make_packed(plan, 1, &nx, type, batch);
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  const int n[] = {nx, ny};
  return make_packed(plan, 2, n, type, 1);
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  const int n[] = {nx, ny, nz};
  return make_packed(plan, 3, n, type, 1);
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch) {
  return make(plan, rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch);
}

cufftResult cufftCreate(cufftHandle* plan) {
  if (plan == nullptr) return CUFFT_INVALID_VALUE;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return CUFFT_SETUP_FAILED;
  const auto created = std::make_shared<gt200_fft::plan>();
  created->context = gt200_libraries::begun_context();
  *plan = keep(created);
  return CUFFT_SUCCESS;
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes) {
  return make_created(plan, 1, &nx, {nullptr, 1, 0}, {nullptr, 1, 0}, type, batch, bytes);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny};
  return make_created(plan, 2, n, {nullptr, 1, 0}, {nullptr, 1, 0}, type, 1, bytes);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny, nz};
  return make_created(plan, 3, n, {nullptr, 1, 0}, {nullptr, 1, 0}, type, 1, bytes);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes) {
  return make_created(plan, rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch, bytes);
}
cufftResult cufftGetSize(cufftHandle plan, size_t* bytes) {
  const std::shared_ptr<gt200_fft::plan> p = find(plan);
  if (p == nullptr || !p->is_made) return CUFFT_INVALID_PLAN;
  if (bytes == nullptr) return CUFFT_INVALID_VALUE;
  *bytes = p->bytes;
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
  all_plans& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const auto found = all.plans.find(plan);
  if (found == all.plans.end()) return CUFFT_INVALID_PLAN;
  const bool was_usable = gt200_libraries::is_alive(found->second->context);
  release(*found->second);
  all.plans.erase(found);
  return was_usable ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction) {
  return run(plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return run(plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return run(plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata, int direction) {
  return run(plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return run(plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return run(plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  const std::shared_ptr<gt200_fft::plan> p = find(plan);
  if (p == nullptr) return CUFFT_INVALID_PLAN;
  p->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetCompatibilityMode(cufftHandle plan, cufftCompatibility mode) {
  const std::shared_ptr<gt200_fft::plan> p = find(plan);
  if (p == nullptr) return CUFFT_INVALID_PLAN;
  if (mode < CUFFT_COMPATIBILITY_NATIVE || mode > CUFFT_COMPATIBILITY_FFTW_ALL) return CUFFT_INVALID_VALUE;
  p->compatibility = mode;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

}  // extern "C"
