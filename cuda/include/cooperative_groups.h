// Cooperative groups: blocks, tiles, groups of the active threads, grids. Source: CUDA C Programming Guide,
// "Cooperative Groups".
//
// Tiles of a warp use the functions with a mask of gt200_warp.h. Before compute capability 3.0 there are blocks
// alone.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDA__

namespace cooperative_groups {

#define GT200_GROUP __device__ __inline__ __attribute__((always_inline))

namespace gt200_details {
GT200_GROUP unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
GT200_GROUP unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
GT200_GROUP unsigned lane() { return rank_in_block() % 32; }
}  // namespace gt200_details

class thread_block {
 public:
  GT200_GROUP static void sync() { __syncthreads(); }
  GT200_GROUP static unsigned thread_rank() { return gt200_details::rank_in_block(); }
  GT200_GROUP static unsigned size() { return gt200_details::threads_of_block(); }
  GT200_GROUP static unsigned num_threads() { return size(); }
  GT200_GROUP static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  GT200_GROUP static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  GT200_GROUP static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  GT200_GROUP static dim3 dim_threads() { return group_dim(); }
};
GT200_GROUP thread_block this_thread_block() { return thread_block(); }

#if !defined(GT200_CPU)

// The barrier of a grid: cudaLaunchCooperativeKernel sees to it that all blocks are on the chip at once. Every
// block counts up by one, but the first one by what makes the upper bit flip when all have come.
template <int>
struct gt200_barrier {
  static __device__ unsigned count;
};
template <int n>
__device__ unsigned gt200_barrier<n>::count = 0;

class grid_group {
 public:
  GT200_GROUP static bool is_valid() { return true; }
  GT200_GROUP static unsigned long long size() {
    return static_cast<unsigned long long>(blocks()) * gt200_details::threads_of_block();
  }
  GT200_GROUP static unsigned long long num_threads() { return size(); }
  GT200_GROUP static unsigned num_blocks() { return blocks(); }
  GT200_GROUP static unsigned block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  GT200_GROUP static unsigned long long thread_rank() {
    return static_cast<unsigned long long>(block_rank()) * gt200_details::threads_of_block() +
           gt200_details::rank_in_block();
  }
  GT200_GROUP static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  GT200_GROUP static dim3 dim_blocks() { return group_dim(); }
  GT200_GROUP static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  GT200_GROUP static void sync() {
    __syncthreads();
    if (gt200_details::rank_in_block() == 0) {
      const unsigned top = 0x80000000u;
      const unsigned step = block_rank() == 0 ? top - (blocks() - 1) : 1;
      __threadfence();
      const unsigned before = atomicAdd(&gt200_barrier<0>::count, step);
      while (((before ^ *static_cast<volatile unsigned*>(&gt200_barrier<0>::count)) & top) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  GT200_GROUP static unsigned blocks() { return gridDim.x * gridDim.y * gridDim.z; }
};
GT200_GROUP grid_group this_grid() { return grid_group(); }

// Threads of one warp. `mask_` has their lanes.
class coalesced_group {
 public:
  GT200_GROUP explicit coalesced_group(unsigned mask) : mask_(mask) {}
  GT200_GROUP void sync() const { __syncwarp(mask_); }
  GT200_GROUP unsigned size() const { return __popc(mask_); }
  GT200_GROUP unsigned num_threads() const { return size(); }
  GT200_GROUP unsigned thread_rank() const { return __popc(mask_ & ((1u << gt200_details::lane()) - 1)); }
  GT200_GROUP unsigned meta_group_rank() const { return 0; }
  GT200_GROUP unsigned meta_group_size() const { return 1; }
  template <class T>
  GT200_GROUP T shfl(T v, int rank) const {
    return __shfl_sync(mask_, v, lane_of(rank));
  }
  template <class T>
  GT200_GROUP T shfl_up(T v, int delta) const {
    const int rank = static_cast<int>(thread_rank()) - delta;
    return __shfl_sync(mask_, v, rank < 0 ? static_cast<int>(gt200_details::lane()) : lane_of(rank));
  }
  template <class T>
  GT200_GROUP T shfl_down(T v, int delta) const {
    const int rank = static_cast<int>(thread_rank()) + delta;
    return __shfl_sync(mask_, v,
                       rank >= static_cast<int>(size()) ? static_cast<int>(gt200_details::lane()) : lane_of(rank));
  }
  GT200_GROUP int any(int p) const { return __any_sync(mask_, p); }
  GT200_GROUP int all(int p) const { return __all_sync(mask_, p); }
  GT200_GROUP unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <class T>
  GT200_GROUP unsigned match_any(T v) const {
    return packed(__match_any_sync(mask_, v));
  }
  template <class T>
  GT200_GROUP unsigned match_all(T v, int& agree) const {
    return packed(__match_all_sync(mask_, v, &agree));
  }
  GT200_GROUP unsigned gt200_mask() const { return mask_; }

 private:
  // The lane of a thread of this rank: that of the bit with so many set bits below it.
  GT200_GROUP int lane_of(int rank) const {
    unsigned left = mask_;
    for (int k = 0; k < rank; ++k) left &= left - 1;
    return __ffs(left) - 1;
  }
  // The bits at the lanes of the mask, moved together.
  GT200_GROUP unsigned packed(unsigned bits) const {
    unsigned result = 0;
    unsigned to = 1;
    for (unsigned left = mask_; left != 0; left &= left - 1, to <<= 1)
      if ((bits & left & (0u - left)) != 0) result |= to;
    return result;
  }
  unsigned mask_;
};
GT200_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// `SIZE` neighbouring threads of a block, 1 to 32, a power of two.
template <unsigned SIZE, class PARENT = thread_block>
class thread_block_tile {
  static_assert(SIZE >= 1 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  GT200_GROUP static void sync() { __syncwarp(mask()); }
  GT200_GROUP static constexpr unsigned size() { return SIZE; }
  GT200_GROUP static constexpr unsigned num_threads() { return SIZE; }
  GT200_GROUP static unsigned thread_rank() { return gt200_details::rank_in_block() % SIZE; }
  GT200_GROUP static unsigned meta_group_rank() { return gt200_details::rank_in_block() / SIZE; }
  GT200_GROUP static unsigned meta_group_size() { return (gt200_details::threads_of_block() + SIZE - 1) / SIZE; }
  template <class T>
  GT200_GROUP static T shfl(T v, int rank) {
    return __shfl_sync(mask(), v, rank, SIZE);
  }
  template <class T>
  GT200_GROUP static T shfl_up(T v, int delta) {
    return __shfl_up_sync(mask(), v, delta, SIZE);
  }
  template <class T>
  GT200_GROUP static T shfl_down(T v, int delta) {
    return __shfl_down_sync(mask(), v, delta, SIZE);
  }
  template <class T>
  GT200_GROUP static T shfl_xor(T v, int lanes) {
    return __shfl_xor_sync(mask(), v, lanes, SIZE);
  }
  GT200_GROUP static int any(int p) { return __any_sync(mask(), p); }
  GT200_GROUP static int all(int p) { return __all_sync(mask(), p); }
  GT200_GROUP static unsigned ballot(int p) { return __ballot_sync(mask(), p) >> first_lane() & low_lanes(); }
  template <class T>
  GT200_GROUP static unsigned match_any(T v) {
    return __match_any_sync(mask(), v) >> first_lane() & low_lanes();
  }
  template <class T>
  GT200_GROUP static unsigned match_all(T v, int& agree) {
    return __match_all_sync(mask(), v, &agree) >> first_lane() & low_lanes();
  }
  GT200_GROUP static unsigned gt200_mask() { return mask(); }

 private:
  GT200_GROUP static unsigned first_lane() { return gt200_details::lane() & ~(SIZE - 1); }
  GT200_GROUP static unsigned low_lanes() { return SIZE == 32 ? 0xffffffffu : (1u << SIZE % 32) - 1; }
  GT200_GROUP static unsigned mask() { return low_lanes() << first_lane(); }
};

template <unsigned SIZE, class PARENT>
GT200_GROUP thread_block_tile<SIZE, PARENT> tiled_partition(const PARENT&) {
  return thread_block_tile<SIZE, PARENT>();
}
// Of a number of threads that is known when the kernel runs.
GT200_GROUP coalesced_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned low = size == 32 ? 0xffffffffu : (1u << size) - 1;
  return coalesced_group((low << (gt200_details::lane() & ~(size - 1))) & __activemask());
}
GT200_GROUP coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  unsigned mask = 0;
  unsigned rank = 0;
  for (unsigned left = parent.gt200_mask(); left != 0; left &= left - 1, ++rank)
    if (rank >= first && rank < first + size) mask |= left & (0u - left);
  return coalesced_group(mask);
}
// The threads of the group whose predicate, or label, is that of this one.
template <class GROUP>
GT200_GROUP coalesced_group binary_partition(const GROUP& group, bool p) {
  const unsigned votes = __ballot_sync(group.gt200_mask(), p);
  return coalesced_group((p ? votes : ~votes) & group.gt200_mask());
}
template <class T, class GROUP>
GT200_GROUP coalesced_group labeled_partition(const GROUP& group, T label) {
  return coalesced_group(__match_any_sync(group.gt200_mask(), label));
}

// Any group, behind one type.
class thread_group {
 public:
  GT200_GROUP thread_group(const thread_block&) : mask_(0) {}
  GT200_GROUP thread_group(const coalesced_group& group) : mask_(group.gt200_mask()) {}
  template <unsigned SIZE, class PARENT>
  GT200_GROUP thread_group(const thread_block_tile<SIZE, PARENT>&)
      : mask_(thread_block_tile<SIZE, PARENT>::gt200_mask()) {}
  GT200_GROUP void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  GT200_GROUP unsigned size() const { return mask_ == 0 ? gt200_details::threads_of_block() : __popc(mask_); }
  GT200_GROUP unsigned num_threads() const { return size(); }
  GT200_GROUP unsigned thread_rank() const {
    return mask_ == 0 ? gt200_details::rank_in_block() : __popc(mask_ & ((1u << gt200_details::lane()) - 1));
  }
  GT200_GROUP unsigned gt200_mask() const { return mask_; }

 private:
  unsigned mask_;  // 0: the block
};
GT200_GROUP thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.gt200_mask() == 0) return thread_group(tiled_partition(thread_block(), size));
  return thread_group(tiled_partition(coalesced_group(parent.gt200_mask()), size));
}

// Operations of cooperative_groups::reduce.
template <class T>
struct plus {
  GT200_GROUP T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  GT200_GROUP T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  GT200_GROUP T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  GT200_GROUP T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  GT200_GROUP T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  GT200_GROUP T operator()(T a, T b) const { return a ^ b; }
};
// The value of all threads, in all of them.
template <unsigned SIZE, class PARENT, class T, class OPERATION>
GT200_GROUP T reduce(const thread_block_tile<SIZE, PARENT>& tile, T v, OPERATION combine) {
#pragma unroll
  for (unsigned lanes = SIZE / 2; lanes > 0; lanes /= 2) v = combine(v, tile.shfl_xor(v, lanes));
  return v;
}
template <class T, class OPERATION>
GT200_GROUP T reduce(const coalesced_group& group, T v, OPERATION combine) {
  T sum = group.shfl(v, 0);
  for (unsigned k = 1; k < group.size(); ++k) sum = combine(sum, group.shfl(v, k));
  return sum;
}
// The values of the threads up to this one, or before it.
template <class GROUP, class T, class OPERATION>
GT200_GROUP T inclusive_scan(const GROUP& group, T v, OPERATION combine) {
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T other = group.shfl_up(v, delta);
    if (group.thread_rank() >= delta) v = combine(other, v);
  }
  return v;
}
template <class GROUP, class T>
GT200_GROUP T inclusive_scan(const GROUP& group, T v) {
  return inclusive_scan(group, v, plus<T>());
}
template <class GROUP, class T, class OPERATION>
GT200_GROUP T exclusive_scan(const GROUP& group, T v, OPERATION combine) {
  const T sums = inclusive_scan(group, v, combine);
  const T before = group.shfl_up(sums, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class GROUP, class T>
GT200_GROUP T exclusive_scan(const GROUP& group, T v) {
  return exclusive_scan(group, v, plus<T>());
}
#endif

template <class GROUP>
GT200_GROUP void sync(const GROUP& group) {
  group.sync();
}
template <class GROUP>
GT200_GROUP unsigned thread_rank(const GROUP& group) {
  return group.thread_rank();
}
template <class GROUP>
GT200_GROUP unsigned group_size(const GROUP& group) {
  return group.size();
}
#undef GT200_GROUP

}  // namespace cooperative_groups

#endif
