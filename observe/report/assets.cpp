#include "observe/report/assets.h"

// The assembler reads the files, because compilers are slow at long texts. GT200_PAGE_ASSETS is their folder.
#define GT200_ASSET(name, file)                                                                 \
  asm(".pushsection .rodata\n"                                                                  \
      ".hidden " #name "\n.global " #name "\n" #name ":\n.incbin \"" GT200_PAGE_ASSETS "/" file \
      "\"\n"                                                                                    \
      ".hidden " #name "_end\n.global " #name "_end\n" #name "_end:\n.byte 0\n.popsection");    \
  extern "C" __attribute__((visibility("hidden"))) const char name[];                           \
  extern "C" __attribute__((visibility("hidden"))) const char name##_end[];

GT200_ASSET(gt200_page_charts, "charts.js")
GT200_ASSET(gt200_page_script, "explorer.js")
GT200_ASSET(gt200_page_style, "explorer.css")

namespace gt200::observe::report {

std::string_view charts_library() {
  return {gt200_page_charts, static_cast<std::size_t>(gt200_page_charts_end - gt200_page_charts)};
}
std::string_view explorer_script() {
  return {gt200_page_script, static_cast<std::size_t>(gt200_page_script_end - gt200_page_script)};
}
std::string_view explorer_style() {
  return {gt200_page_style, static_cast<std::size_t>(gt200_page_style_end - gt200_page_style)};
}

}  // namespace gt200::observe::report
