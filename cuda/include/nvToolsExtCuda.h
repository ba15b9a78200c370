// Names of devices, contexts, streams and events for a profiler: there is none to see them.
#pragma once

#include "cuda.h"
#include "nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice device, const char* name) { (void)device, (void)name; }
static inline void nvtxNameCuContextA(CUcontext context, const char* name) { (void)context, (void)name; }
static inline void nvtxNameCuStreamA(CUstream stream, const char* name) { (void)stream, (void)name; }
static inline void nvtxNameCuEventA(CUevent event, const char* name) { (void)event, (void)name; }
