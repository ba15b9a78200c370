#include "cuda/nvcc/absent_headers.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

struct absent {
  const char* reason;
  std::vector<const char*> headers;
};

const std::vector<absent>& all() {
  static const std::vector<absent> list = {
      {"Thrust, CUB and libcu++ are not part of gt200: name the folders of your copy of CCCL or Thrust with -I",
       {"thrust/adjacent_difference.h",
        "thrust/advance.h",
        "thrust/binary_search.h",
        "thrust/complex.h",
        "thrust/copy.h",
        "thrust/count.h",
        "thrust/device_allocator.h",
        "thrust/device_free.h",
        "thrust/device_malloc.h",
        "thrust/device_ptr.h",
        "thrust/device_vector.h",
        "thrust/execution_policy.h",
        "thrust/extrema.h",
        "thrust/fill.h",
        "thrust/find.h",
        "thrust/for_each.h",
        "thrust/functional.h",
        "thrust/gather.h",
        "thrust/generate.h",
        "thrust/host_vector.h",
        "thrust/inner_product.h",
        "thrust/logical.h",
        "thrust/merge.h",
        "thrust/pair.h",
        "thrust/partition.h",
        "thrust/random.h",
        "thrust/reduce.h",
        "thrust/remove.h",
        "thrust/replace.h",
        "thrust/reverse.h",
        "thrust/scan.h",
        "thrust/scatter.h",
        "thrust/sequence.h",
        "thrust/set_operations.h",
        "thrust/sort.h",
        "thrust/swap.h",
        "thrust/system_error.h",
        "thrust/tabulate.h",
        "thrust/transform.h",
        "thrust/transform_reduce.h",
        "thrust/transform_scan.h",
        "thrust/tuple.h",
        "thrust/uninitialized_copy.h",
        "thrust/unique.h",
        "thrust/version.h",
        "thrust/iterator/constant_iterator.h",
        "thrust/iterator/counting_iterator.h",
        "thrust/iterator/discard_iterator.h",
        "thrust/iterator/permutation_iterator.h",
        "thrust/iterator/reverse_iterator.h",
        "thrust/iterator/transform_iterator.h",
        "thrust/iterator/zip_iterator.h",
        "thrust/system/cuda/execution_policy.h",
        "thrust/system/cuda/vector.h",
        "cub/cub.cuh",
        "cub/block/block_load.cuh",
        "cub/block/block_radix_sort.cuh",
        "cub/block/block_reduce.cuh",
        "cub/block/block_scan.cuh",
        "cub/block/block_store.cuh",
        "cub/device/device_radix_sort.cuh",
        "cub/device/device_reduce.cuh",
        "cub/device/device_scan.cuh",
        "cub/device/device_select.cuh",
        "cub/warp/warp_reduce.cuh",
        "cub/warp/warp_scan.cuh",
        "cuda/atomic",
        "cuda/barrier",
        "cuda/functional",
        "cuda/pipeline",
        "cuda/semaphore",
        "cuda/std/array",
        "cuda/std/atomic",
        "cuda/std/complex",
        "cuda/std/cstdint",
        "cuda/std/functional",
        "cuda/std/limits",
        "cuda/std/tuple",
        "cuda/std/type_traits",
        "cuda/std/utility"}},
      {"tensor cores are not modelled: there is no wmma", {"mma.h", "crt/mma.h"}},
      {"kernels cannot launch kernels on these chips", {"cuda_device_runtime_api.h"}},
      {"MTGP32 is not there; curand_kernel.h has XORWOW, MRG32k3a and Philox",
       {"curand_mtgp32_kernel.h", "curand_mtgp32_host.h", "curand_precalc.h"}},
      {"there is no compiler at run time; compile to PTX with `gt200 nvcc -ptx` and load it with cuModuleLoad",
       {"nvrtc.h"}},
      {"cuSPARSE is not there", {"cusparse.h", "cusparse_v2.h"}},
      {"cuSOLVER is not there",
       {"cusolverDn.h", "cusolverSp.h", "cusolver_common.h", "cusolverMg.h", "cusolverRf.h"}},
      {"cuBLASLt is not there; cublas_v2.h has cuBLAS", {"cublasLt.h", "cublasXt.h"}},
      {"callbacks and several devices of cuFFT are not there; cufft.h has the rest", {"cufftXt.h", "cufftw.h"}},
      {"NPP is not there", {"npp.h", "nppi.h", "npps.h", "nppcore.h", "nppdefs.h"}},
      {"nvJPEG is not there", {"nvjpeg.h"}},
      {"NVML is not there: cudaGetDeviceProperties says what the device is", {"nvml.h"}},
      {"CUPTI is not there: `gt200 exec --out` writes counters of every launch", {"cupti.h"}},
      {"graphics is not there", {"cuda_egl_interop.h", "cuda_vdpau_interop.h", "cudaEGL.h", "cudaVDPAU.h"}}};
  return list;
}

}  // namespace

void write_absent_headers(const std::string& folder) {
  namespace fs = std::filesystem;
  for (const absent& library : all())
    for (const char* header : library.headers) {
      const fs::path path = fs::path(folder) / header;
      std::error_code error;
      fs::create_directories(path.parent_path(), error);
      std::ofstream out(path);
      out << "#error \"" << header << ": " << library.reason << "\"\n";
      if (!out.flush()) throw input_error(path.string(), 0, "cannot be written");
    }
}

}  // namespace gt200::cuda
