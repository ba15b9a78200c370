// Functions of CUDA 4.2 that are not there: graphics, memory shared between processes, three-dimensional copies as
// they were before CUDA 3.2. Each says so once.
#include <cstdio>

#include "cuda.h"

#undef cuMemcpy3D
#undef cuMemcpy3DAsync
#undef cuArray3DCreate
#undef cuArray3DGetDescriptor

#define GT200_MISSING(NAME)                                                   \
  extern "C" CUresult NAME(void) {                                            \
    static bool said = false;                                                 \
    if (!said) std::fprintf(stderr, "gt200: " #NAME " is not implemented\n"); \
    said = true;                                                              \
    return CUDA_ERROR_NOT_SUPPORTED;                                          \
  }
GT200_MISSING(cuIpcGetEventHandle)
GT200_MISSING(cuIpcOpenEventHandle)
GT200_MISSING(cuIpcGetMemHandle)
GT200_MISSING(cuIpcOpenMemHandle)
GT200_MISSING(cuIpcCloseMemHandle)
GT200_MISSING(cuMemcpy3DPeer)
GT200_MISSING(cuMemcpy3DPeerAsync)
GT200_MISSING(cuGraphicsUnregisterResource)
GT200_MISSING(cuGraphicsSubResourceGetMappedArray)
GT200_MISSING(cuGraphicsResourceGetMappedPointer)
GT200_MISSING(cuGraphicsResourceGetMappedPointer_v2)
GT200_MISSING(cuGraphicsResourceSetMapFlags)
GT200_MISSING(cuGraphicsMapResources)
GT200_MISSING(cuGraphicsUnmapResources)
GT200_MISSING(cuGetExportTable)
GT200_MISSING(cuMipmappedArrayCreate)
GT200_MISSING(cuMipmappedArrayGetLevel)
GT200_MISSING(cuMipmappedArrayDestroy)
GT200_MISSING(cuGLInit)
GT200_MISSING(cuGLCtxCreate)
GT200_MISSING(cuGLCtxCreate_v2)
GT200_MISSING(cuGLGetDevices)
GT200_MISSING(cuGLRegisterBufferObject)
GT200_MISSING(cuGLMapBufferObject)
GT200_MISSING(cuGLMapBufferObject_v2)
GT200_MISSING(cuGLMapBufferObjectAsync)
GT200_MISSING(cuGLMapBufferObjectAsync_v2)
GT200_MISSING(cuGLUnmapBufferObject)
GT200_MISSING(cuGLUnmapBufferObjectAsync)
GT200_MISSING(cuGLUnregisterBufferObject)
GT200_MISSING(cuGLSetBufferObjectMapFlags)
GT200_MISSING(cuGraphicsGLRegisterBuffer)
GT200_MISSING(cuGraphicsGLRegisterImage)
GT200_MISSING(cuWGLGetDevice)
GT200_MISSING(cuVDPAUGetDevice)
GT200_MISSING(cuVDPAUCtxCreate)
GT200_MISSING(cuVDPAUCtxCreate_v2)
GT200_MISSING(cuGraphicsVDPAURegisterVideoSurface)
GT200_MISSING(cuGraphicsVDPAURegisterOutputSurface)
GT200_MISSING(cuMemcpy3D)
GT200_MISSING(cuMemcpy3DAsync)
GT200_MISSING(cuArray3DCreate)
GT200_MISSING(cuArray3DGetDescriptor)
