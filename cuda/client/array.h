// Arrays, their copies row by row, and the binding of textures, of either API.
#pragma once

#include "cuda/client/copy.h"

namespace gt200::cudart {

// No array has more.
constexpr size_t most_bytes_of_array = size_t{1} << 32;

// True if texels of this form exist: one, two or four components of 8, 16 or 32 bits.
bool is_format(const cudaChannelFormatDesc& d);

// Heights and depths of 0 are dimensions that the array lacks. With cudaArrayLayered or cudaArrayCubemap, which are
// `flags` here, the depth counts layers or faces.
cudaError_t allocate_array(process_state& all, cudaArray** array, const cudaChannelFormatDesc* description,
                           size_t width, size_t height, size_t depth, unsigned flags = 0);
cudaError_t free_array(process_state& all, cudaArray* array);

// Between memory and an array; rows begin at byte x of row y.
cudaError_t copy_rows_to_array(process_state& all, cudaArray* array, size_t x, size_t y, const void* from,
                               size_t pitch, const box& size, cudaMemcpyKind kind);
cudaError_t copy_rows_from_array(process_state& all, void* to, size_t pitch, const cudaArray* array, size_t x,
                                 size_t y, const box& size, cudaMemcpyKind kind);
// `bytes` bytes that begin at byte x of row y and go on in the next rows.
cudaError_t copy_to_array(process_state& all, cudaArray* array, size_t x, size_t y, const void* from, size_t bytes,
                          cudaMemcpyKind kind);
cudaError_t copy_from_array(process_state& all, void* to, const cudaArray* array, size_t x, size_t y, size_t bytes,
                            cudaMemcpyKind kind);

// Textures begin at multiples of this many bytes. The rest of an address is `offset`, for the program to add to its
// coordinates; false if there is a rest and the program does not ask for it.
bool split_address(std::uint64_t address, size_t* offset, std::uint64_t& base);
// Completes `wanted` with the form of the texels and with how they are read, and binds the texture.
// `wanted` with the format of texels and how they are read. An error if there is no such format.
cudaError_t describe_texture(const textureReference& reading, const cudaChannelFormatDesc* description,
                             bool normalised_values, texture_description& wanted);
cudaError_t bind_texture(board& device, std::uint32_t module, const std::string& name,
                         const textureReference& reading, const cudaChannelFormatDesc* description,
                         bool normalised_values, texture_description wanted);

}  // namespace gt200::cudart
