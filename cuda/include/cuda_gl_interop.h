// OpenGL beside CUDA. There is no graphics on this device: every function returns cudaErrorInvalidDevice, which is
// what the API says of a device that cannot share with OpenGL.
#pragma once

#include <GL/gl.h>

#include "cuda_runtime_api.h"

enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
cudaError_t cudaGLMapBufferObject(void** pointer, GLuint buffer);
cudaError_t cudaGLMapBufferObjectAsync(void** pointer, GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned flags);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, GLuint buffer, unsigned flags);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t* resource, GLuint image, GLenum target,
                                        unsigned flags);

#ifdef __cplusplus
}
#endif
