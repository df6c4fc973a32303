#include "base/process/loaded_library.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>

namespace oriel {

void* loaded_library(const char* file_name) {
  struct Wanted {
    std::string_view name;
    std::string path;
  } wanted{file_name, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* context) {
        auto& its = *static_cast<Wanted*>(context);
        const std::string_view path = library->dlpi_name ? library->dlpi_name : "";
        if (path.substr(path.rfind('/') + 1) != its.name) return 0;
        its.path = path;
        return 1;
      },
      &wanted);
  return wanted.path.empty() ? nullptr : dlopen(wanted.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace oriel
