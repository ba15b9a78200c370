// Idioms by which threads wait for each other, as public programs have them. Each kernel must end, and with the right
// count. Arguments: "blocks", also those in which blocks wait for each other; "lanes", also those that need threads with
// program counters of their own; "fair", also those in which a thread that takes a lock again and again must not keep all
// others out.
#include <cstdio>
#include <cstring>

constexpr int blocks = 2;
constexpr int threads = 64;

struct shared_data {
  int lock, count, ticket, turn, arrived, phase, head, tail, flag, value;
  int slots[64];
};

// The cure for the naive lock that forums give: taken and released within one branch of the loop.
__global__ void mutex_in_a_branch(shared_data* d) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&d->lock, 0, 1) == 0) {
      *(volatile int*)&d->count = *(volatile int*)&d->count + 1;
      __threadfence();
      atomicExch(&d->lock, 0);
      done = true;
    }
  }
}

// With the lock in functions, and a loop that is left by break: a compiler sees the naive lock, because the way from the
// lock does not come back to the loop, and has to bring it back.
__device__ bool try_lock(int* lock) { return atomicExch(lock, 1) == 0; }
__device__ void unlock(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void mutex_with_break(shared_data* d) {
  for (;;) {
    if (try_lock(&d->lock)) {
      volatile int* count = &d->count;
      *count += 1;
      unlock(&d->lock);
      break;
    }
  }
}

// The same with goto, and from within a function that returns out of its loop.
__global__ void mutex_with_goto(shared_data* d) {
again:
  if (atomicCAS(&d->lock, 0, 1) == 0) {
    *(volatile int*)&d->count = *(volatile int*)&d->count + 1;
    unlock(&d->lock);
  } else {
    goto again;
  }
}
__device__ int count_up(shared_data* d) {
  while (true) {
    if (!try_lock(&d->lock)) {
      d->value = 1;
    } else {
      const int before = *(volatile int*)&d->count;
      if (before >= 0) *(volatile int*)&d->count = before + 1;
      unlock(&d->lock);
      return 1;
    }
  }
}
__global__ void mutex_with_return(shared_data* d) {
  for (int k = 0; k < 2; ++k)
    if (count_up(d) != 1) d->count = -1000000;
}

// With a lock that is a variable, and released by a store.
__device__ volatile int lock_variable;
__global__ void mutex_released_by_a_store(shared_data* d) {
  for (;;) {
    if (atomicExch((int*)&lock_variable, 1) == 0) {
      *(volatile int*)&d->count = *(volatile int*)&d->count + 1;
      __threadfence();
      lock_variable = 0;
      break;
    }
  }
}

// A do loop with the flag the other way round.
__global__ void mutex_in_do_loop(shared_data* d) {
  int waits = 1;
  do {
    if (atomicCAS(&d->lock, 0, 1) == 0) {
      volatile int* count = &d->count;
      *count += 1;
      unlock(&d->lock);
      waits = 0;
    }
  } while (waits);
}

// One thread of a warp after the other takes a naive lock.
__global__ void lock_by_lane(shared_data* d) {
  for (int lane = 0; lane < 32; ++lane) {
    if ((threadIdx.x & 31) != lane) continue;
    while (atomicCAS(&d->lock, 0, 1) != 0) {
    }
    volatile int* count = &d->count;
    *count += 1;
    unlock(&d->lock);
  }
}

// Taken by the first thread of a block for all of it.
__global__ void lock_of_a_block(shared_data* d) {
  if (threadIdx.x == 0)
    while (atomicCAS(&d->lock, 0, 1) != 0) {
    }
  __syncthreads();
  if (threadIdx.x == 5) {
    volatile int* count = &d->count;
    *count += threads;
  }
  __syncthreads();
  if (threadIdx.x == 0) unlock(&d->lock);
}

__global__ void ticket_lock(shared_data* d) {
  const int own = atomicAdd(&d->ticket, 1);
  bool done = false;
  while (!done) {
    if (*(volatile int*)&d->turn == own) {
      volatile int* count = &d->count;
      *count += 1;
      __threadfence();
      atomicAdd(&d->turn, 1);
      done = true;
    }
  }
}

// All blocks meet, three times; they are all resident.
__global__ void barrier_of_blocks(shared_data* d) {
  for (int k = 1; k <= 3; ++k) {
    if (threadIdx.x == 0) {
      __threadfence();
      if (atomicAdd(&d->arrived, 1) == blocks * k - 1) atomicExch(&d->phase, k);
      while (*(volatile int*)&d->phase < k) {
      }
    }
    __syncthreads();
    if (threadIdx.x % 3 == 0) atomicAdd(&d->count, 1);
  }
}

// The first warp of a block produces what the others consume.
__global__ void producer_and_consumers(shared_data* d) {
  if (blockIdx.x != 0) return;
  if (threadIdx.x < 32) {
    d->slots[threadIdx.x] = threadIdx.x + 1;
    __threadfence();
    if (threadIdx.x == 0) atomicExch(&d->flag, 1);
  } else {
    while (*(volatile int*)&d->flag == 0) {
    }
    atomicAdd(&d->count, *(volatile int*)&d->slots[threadIdx.x - 32]);
  }
}

// A ring of four places: threads of one warp put numbers in, those of another one take them out. Within a warp the
// same thread may get the lock again and again.
__global__ void queue_of_four(shared_data* d) {
  if (threadIdx.x % 32 >= 8) return;
  const bool puts = threadIdx.x < 32;
  bool done = false;
  while (!done) {
    if (atomicCAS(&d->lock, 0, 1) == 0) {
      volatile shared_data* q = d;
      if (puts && q->tail - q->head < 4) {
        q->slots[q->tail % 4] = 1;
        q->tail = q->tail + 1;
        done = true;
      } else if (!puts && q->tail != q->head) {
        q->count = q->count + q->slots[q->head % 4];
        q->head = q->head + 1;
        done = true;
      }
      unlock(&d->lock);
    }
  }
}

// No lock: an exchange that is tried until nobody came between.
__global__ void sum_by_exchange(shared_data* d) {
  int seen = d->count;
  int before;
  do {
    before = seen;
    seen = atomicCAS(&d->count, before, before + 1);
  } while (seen != before);
}

__global__ void naive_lock(shared_data* d) {
  while (atomicCAS(&d->lock, 0, 1) != 0) {
  }
  volatile int* count = &d->count;
  *count += 1;
  unlock(&d->lock);
}

__global__ void naive_lock_in_shared_memory(shared_data* d) {
  __shared__ int lock;
  __shared__ volatile int sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  while (atomicExch(&lock, 1) != 0) {
  }
  sum = sum + 1;
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&d->count, sum);
}

// A thread waits for what the next one of its warp does later.
__global__ void flag_within_a_warp(shared_data* d) {
  if (threadIdx.x % 2 == 0)
    while (*(volatile int*)&d->slots[threadIdx.x / 2] < (int)blockIdx.x + 1) {
    }
  else {
    while (*(volatile int*)&d->slots[threadIdx.x / 2] != (int)blockIdx.x) {
    }
    __threadfence();
    atomicAdd(&d->slots[threadIdx.x / 2], 1);
  }
  atomicAdd(&d->count, 1);
}

bool all_right = true;

void expect(const char* name, void (*kernel)(shared_data*), int wanted) {
  shared_data h = {};
  shared_data* d;
  cudaMalloc((void**)&d, sizeof h);
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  kernel<<<blocks, threads>>>(d);
  const cudaError_t error = cudaThreadSynchronize();
  if (error == cudaSuccess) cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess && h.count == wanted) return;
  std::printf("%s: %s, %d instead of %d\n", name, cudaGetErrorString(error), h.count, wanted);
  all_right = false;
}

int main(int count, char** words) {
  bool of_blocks = false, of_lanes = false, is_fair = false;
  for (int k = 1; k < count; ++k) {
    of_blocks |= std::strcmp(words[k], "blocks") == 0;
    is_fair |= std::strcmp(words[k], "fair") == 0;
    of_lanes |= std::strcmp(words[k], "lanes") == 0;
  }
  expect("mutex_in_a_branch", mutex_in_a_branch, blocks * threads);
  expect("mutex_in_do_loop", mutex_in_do_loop, blocks * threads);
  expect("mutex_with_break", mutex_with_break, blocks * threads);
  expect("mutex_with_goto", mutex_with_goto, blocks * threads);
  expect("mutex_with_return", mutex_with_return, 2 * blocks * threads);
  expect("mutex_released_by_a_store", mutex_released_by_a_store, blocks * threads);
  int lock = 1;
  all_right &= cudaMemcpyFromSymbol(&lock, lock_variable, sizeof lock) == cudaSuccess && lock == 0;
  expect("lock_by_lane", lock_by_lane, blocks * threads);
  expect("lock_of_a_block", lock_of_a_block, blocks * threads);
  expect("ticket_lock", ticket_lock, blocks * threads);
  if (of_blocks) expect("barrier_of_blocks", barrier_of_blocks, blocks * 3 * 22);
  expect("producer_and_consumers", producer_and_consumers, 32 * 33 / 2);
  if (is_fair) expect("queue_of_four", queue_of_four, blocks * 8);
  expect("sum_by_exchange", sum_by_exchange, blocks * threads);
  if (of_lanes) {
    expect("naive_lock", naive_lock, blocks * threads);
    expect("naive_lock_in_shared_memory", naive_lock_in_shared_memory, blocks * threads);
    expect("flag_within_a_warp", flag_within_a_warp, blocks * threads);
  }
  return all_right ? 0 : 1;
}
