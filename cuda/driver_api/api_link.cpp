// Linking at run time (cuLink...): pieces of PTX become one text, which is compiled when a program loads it.
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

struct CUlinkState_st {
  std::string image;
  bool is_complete = false;
};

namespace {

std::set<CUlinkState>& states() {
  static auto* const all = new std::set<CUlinkState>;  // see process()
  return *all;
}

// Only the first piece says version, target and size of addresses.
std::string without_head(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_head = first != std::string::npos &&
                         (line.compare(first, 8, ".version") == 0 || line.compare(first, 7, ".target") == 0 ||
                          line.compare(first, 13, ".address_size") == 0);
    rest += (is_head ? "" : line) + "\n";
  }
  return rest;
}

CUresult add(CUlinkState state, CUjitInputType type, const std::string& piece) {
  if (states().count(state) == 0) return CUDA_ERROR_INVALID_HANDLE;
  if (state->is_complete) return CUDA_ERROR_ILLEGAL_STATE;
  // What is no PTX cannot be joined with anything, and stands alone.
  if (!state->image.empty() && type != CU_JIT_INPUT_PTX) return CUDA_ERROR_NOT_SUPPORTED;
  state->image += state->image.empty() ? piece : without_head(piece);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return in_context([&](process_state&, board&) {
    if (state == nullptr || (count != 0 && (options == nullptr || values == nullptr)))
      return CUDA_ERROR_INVALID_VALUE;
    // Logs stay empty: what is wrong with the code is said when it is loaded.
    for (unsigned k = 0; k < count; ++k)
      if (const auto which = static_cast<int>(options[k]);
          (which == CU_JIT_INFO_LOG_BUFFER || which == CU_JIT_ERROR_LOG_BUFFER) && values[k] != nullptr)
        *static_cast<char*>(values[k]) = '\0';
    *state = *states().insert(new CUlinkState_st).first;
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes, const char*, unsigned,
                       CUjit_option*, void**) {
  return in_context([&](process_state&, board&) {
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    std::string piece(static_cast<const char*>(data), bytes);
    if (type == CU_JIT_INPUT_PTX) piece.resize(piece.find('\0') == std::string::npos ? bytes : piece.find('\0'));
    return add(state, type, piece);
  });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned, CUjit_option*, void**) {
  return in_context([&](process_state&, board&) {
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream in(path, std::ios::binary);
    if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
    std::ostringstream content;
    content << in.rdbuf();
    return add(state, type, content.str());
  });
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return in_context([&](process_state&, board&) {
    if (states().count(state) == 0) return CUDA_ERROR_INVALID_HANDLE;
    if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (state->image.empty()) return CUDA_ERROR_ILLEGAL_STATE;
    state->is_complete = true;
    *image = state->image.data();
    if (bytes != nullptr) *bytes = state->image.size();
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkDestroy(CUlinkState state) {
  return in_context([&](process_state&, board&) {
    if (states().erase(state) == 0) return CUDA_ERROR_INVALID_HANDLE;
    delete state;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
