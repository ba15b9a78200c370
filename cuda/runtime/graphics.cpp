// Graphics beside CUDA: there is none on this device. The functions of cuda_gl_interop.h are here with the types
// that OpenGL's names stand for, so that the library needs no header of OpenGL.
#include "cuda/client/state.h"

using namespace gt200::cudart;

namespace {

cudaError_t refused() {
  return guarded([](process_state&) { return cudaErrorInvalidDevice; });
}
// No resource can have been registered.
cudaError_t unknown() {
  return guarded([](process_state&) { return cudaErrorInvalidResourceHandle; });
}

}  // namespace

extern "C" {

cudaError_t cudaGLSetGLDevice(int) { return refused(); }
cudaError_t cudaGLRegisterBufferObject(unsigned) { return refused(); }
cudaError_t cudaGLUnregisterBufferObject(unsigned) { return refused(); }
cudaError_t cudaGLMapBufferObject(void**, unsigned) { return refused(); }
cudaError_t cudaGLMapBufferObjectAsync(void**, unsigned, cudaStream_t) { return refused(); }
cudaError_t cudaGLUnmapBufferObject(unsigned) { return refused(); }
cudaError_t cudaGLUnmapBufferObjectAsync(unsigned, cudaStream_t) { return refused(); }
cudaError_t cudaGLSetBufferObjectMapFlags(unsigned, unsigned) { return refused(); }
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t*, unsigned, unsigned) { return refused(); }
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t*, unsigned, unsigned, unsigned) { return refused(); }

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) { return unknown(); }
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned) { return unknown(); }
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t) { return unknown(); }
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t) { return unknown(); }
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t) { return unknown(); }
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray**, cudaGraphicsResource_t, unsigned, unsigned) {
  return unknown();
}

}  // extern "C"
