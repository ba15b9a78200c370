// Arrays and texture references.
#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

namespace {

int bits_of(CUarray_format format) {
  switch (static_cast<int>(format)) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16: return 16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return 32;
    default: return 0;  // CU_AD_FORMAT_HALF: no texel of this model
  }
}

cudaChannelFormatDesc description_of(CUarray_format format, unsigned components) {
  const int bits = bits_of(format);
  cudaChannelFormatDesc d = {bits, components > 1 ? bits : 0, components > 2 ? bits : 0, components > 3 ? bits : 0,
                             cudaChannelFormatKindFloat};
  if (format < CU_AD_FORMAT_SIGNED_INT8)
    d.f = cudaChannelFormatKindUnsigned;
  else if (format < CU_AD_FORMAT_HALF)
    d.f = cudaChannelFormatKindSigned;
  return d;
}

CUarray_format format_of(const cudaChannelFormatDesc& d) {
  if (d.f == cudaChannelFormatKindFloat) return CU_AD_FORMAT_FLOAT;
  const int step = d.x == 8 ? 0 : d.x == 16 ? 1 : 2;
  const int first = d.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return static_cast<CUarray_format>(first + step);
}

CUresult create(process_state& all, CUarray* array, CUarray_format format, unsigned components, size_t width,
                size_t height, size_t depth, unsigned flags) {
  if (array == nullptr ||
      (flags & ~(CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0 ||
      bits_of(format) == 0)
    return CUDA_ERROR_INVALID_VALUE;
  const cudaChannelFormatDesc description = description_of(format, components);
  return result_of(allocate_array(all, array, &description, width, height, depth, flags));
}

// Binds what the reference was given, as it is to be read now.
CUresult bind(board& device, CUtexref_st& t) {
  if (t.module == nullptr || t.bound.memory == texture_memory::unbound) return CUDA_SUCCESS;
  const cudaChannelFormatDesc description = description_of(t.format, static_cast<unsigned>(t.components));
  const bool is_float =
      (t.flags & CU_TRSF_READ_AS_INTEGER) == 0 && t.format != CU_AD_FORMAT_FLOAT && bits_of(t.format) != 32;
  return result_of(
      bind_texture(device, t.module->content.number, t.name, t.reading, &description, is_float, t.bound));
}

template <class body>
CUresult with_texture(CUtexref texture, body call) {
  return in_context([&](process_state& all, board& device) {
    if (driver().textures.count(texture) == 0 ||
        (texture->module != nullptr && find_module(all, texture->module) == nullptr))
      return CUDA_ERROR_INVALID_HANDLE;
    return call(all, device, *texture);
  });
}

}  // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* d) {
  return in_context([&](process_state& all, board&) {
    return d == nullptr ? CUDA_ERROR_INVALID_VALUE
                        : create(all, array, d->Format, d->NumChannels, d->Width, d->Height, 0, 0);
  });
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  return in_context([&](process_state& all, board&) {
    return d == nullptr ? CUDA_ERROR_INVALID_VALUE
                        : create(all, array, d->Format, d->NumChannels, d->Width, d->Height, d->Depth, d->Flags);
  });
}
CUresult cuArrayDestroy(CUarray array) {
  return in_context([&](process_state& all, board&) {
    return array == nullptr ? CUDA_ERROR_INVALID_HANDLE : result_of(free_array(all, array));
  });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* d, CUarray array) {
  return in_context([&](process_state& all, board&) {
    if (d == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_alive(all, array)) return CUDA_ERROR_INVALID_HANDLE;
    *d = {array->width,      array->height, array->depth, format_of(array->description),
          array->channels(), array->flags};
    return CUDA_SUCCESS;
  });
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* d, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR all;
  const CUresult result = cuArray3DGetDescriptor(d == nullptr ? nullptr : &all, array);
  if (result == CUDA_SUCCESS) *d = {all.Width, all.Height, all.Format, all.NumChannels};
  return result;
}

CUresult cuTexRefCreate(CUtexref* texture) {
  return in_context([&](process_state&, board&) {
    if (texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<CUtexref_st>();
    *texture = made.get();
    driver().textures.insert(*texture);
    driver().own_textures.emplace(*texture, std::move(made));
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefDestroy(CUtexref texture) {
  return in_context([&](process_state&, board&) {
    if (driver().own_textures.count(texture) == 0) return CUDA_ERROR_INVALID_HANDLE;
    driver().textures.erase(texture);
    driver().own_textures.erase(texture);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetArray(CUtexref texture, CUarray array, unsigned flags) {
  return with_texture(texture, [&](process_state& all, board& device, CUtexref_st& t) {
    if (flags != CU_TRSA_OVERRIDE_FORMAT) return CUDA_ERROR_INVALID_VALUE;
    if (!is_alive(all, array)) return CUDA_ERROR_INVALID_HANDLE;
    t.format = format_of(array->description);
    t.components = static_cast<int>(array->channels());
    t.bound = {};
    t.bound.memory = texture_memory::array;
    t.bound.address = array->number;
    t.array = array;
    return bind(device, t);
  });
}

CUresult cuTexRefSetAddress(size_t* offset, CUtexref texture, CUdeviceptr address, size_t bytes) {
  return with_texture(texture, [&](process_state&, board& device, CUtexref_st& t) {
    t.bound = {};
    t.array = nullptr;
    if (address == 0) return CUDA_SUCCESS;
    t.bound.memory = texture_memory::linear;
    if (!split_address(address, offset, t.bound.address)) return CUDA_ERROR_INVALID_VALUE;
    t.bound.bytes = bytes + (address - t.bound.address);
    return bind(device, t);
  });
}

CUresult cuTexRefSetAddress2D(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR* d, CUdeviceptr address, size_t pitch) {
  return with_texture(texture, [&](process_state&, board& device, CUtexref_st& t) {
    constexpr size_t limit = 65536;
    if (d == nullptr || d->Width == 0 || d->Height == 0 || d->Width > limit || d->Height > limit ||
        pitch > limit * 16 || bits_of(d->Format) == 0)
      return CUDA_ERROR_INVALID_VALUE;
    t.bound = {};
    t.array = nullptr;
    t.bound.memory = texture_memory::pitch;
    if (!split_address(address, nullptr, t.bound.address)) return CUDA_ERROR_INVALID_VALUE;
    t.bound.width = static_cast<std::uint32_t>(d->Width);
    t.bound.height = static_cast<std::uint32_t>(d->Height);
    t.bound.pitch = static_cast<std::uint32_t>(pitch);
    t.format = d->Format;
    t.components = static_cast<int>(d->NumChannels);
    return bind(device, t);
  });
}

CUresult cuTexRefSetFormat(CUtexref texture, CUarray_format format, int components) {
  return with_texture(texture, [&](process_state&, board& device, CUtexref_st& t) {
    if (bits_of(format) == 0 || (components != 1 && components != 2 && components != 4))
      return CUDA_ERROR_INVALID_VALUE;
    t.format = format;
    t.components = components;
    return bind(device, t);
  });
}
CUresult cuTexRefSetAddressMode(CUtexref texture, int dimension, CUaddress_mode mode) {
  return with_texture(texture, [&](process_state&, board& device, CUtexref_st& t) {
    if (dimension < 0 || dimension > 2 || mode > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
    t.reading.addressMode[dimension] = static_cast<cudaTextureAddressMode>(mode);
    return bind(device, t);
  });
}
CUresult cuTexRefSetFilterMode(CUtexref texture, CUfilter_mode mode) {
  return with_texture(texture, [&](process_state&, board& device, CUtexref_st& t) {
    if (mode > CU_TR_FILTER_MODE_LINEAR) return CUDA_ERROR_INVALID_VALUE;
    t.reading.filterMode = static_cast<cudaTextureFilterMode>(mode);
    return bind(device, t);
  });
}
CUresult cuTexRefSetFlags(CUtexref texture, unsigned flags) {
  return with_texture(texture, [&](process_state&, board& device, CUtexref_st& t) {
    if ((flags & ~static_cast<unsigned>(CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES)) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    t.flags = flags;
    t.reading.normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
    return bind(device, t);
  });
}

// Kernels read the references of their module; a reference of cuTexRefCreate has no kernel that names it.
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref texture) {
  return with_texture(texture, [&](process_state& all, board& device, CUtexref_st& t) {
    if (find_function(all, function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return t.module != nullptr && unit == CU_PARAM_TR_DEFAULT ? bind(device, t) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuTexRefGetAddress(CUdeviceptr* address, CUtexref texture) {
  return with_texture(texture, [&](process_state&, board&, CUtexref_st& t) {
    if (address == nullptr || t.bound.memory == texture_memory::unbound || t.array != nullptr)
      return CUDA_ERROR_INVALID_VALUE;
    *address = t.bound.address;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetArray(CUarray* array, CUtexref texture) {
  return with_texture(texture, [&](process_state&, board&, CUtexref_st& t) {
    if (array == nullptr || t.array == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *array = t.array;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref texture, int dimension) {
  return with_texture(texture, [&](process_state&, board&, CUtexref_st& t) {
    if (mode == nullptr || dimension < 0 || dimension > 2) return CUDA_ERROR_INVALID_VALUE;
    *mode = static_cast<CUaddress_mode>(t.reading.addressMode[dimension]);
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref texture) {
  return with_texture(texture, [&](process_state&, board&, CUtexref_st& t) {
    if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *mode = static_cast<CUfilter_mode>(t.reading.filterMode);
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetFormat(CUarray_format* format, int* components, CUtexref texture) {
  return with_texture(texture, [&](process_state&, board&, CUtexref_st& t) {
    if (format == nullptr || components == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *format = t.format;
    *components = t.components;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetFlags(unsigned* flags, CUtexref texture) {
  return with_texture(texture, [&](process_state&, board&, CUtexref_st& t) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = t.flags;
    return CUDA_SUCCESS;
  });
}

// Surfaces need compute capability 2.0.
CUresult cuSurfRefSetArray(CUsurfref, CUarray, unsigned) { return CUDA_ERROR_INVALID_HANDLE; }
CUresult cuSurfRefGetArray(CUarray*, CUsurfref) { return CUDA_ERROR_INVALID_HANDLE; }

}  // extern "C"
