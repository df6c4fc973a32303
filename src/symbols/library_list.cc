#include "symbols/library_list.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <exception>

#include "symbols/elf_image.h"

namespace oriel::symbols {
namespace {

std::string program_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

LoadedLibrary describe(const dl_phdr_info& info) {
  LoadedLibrary library;
  library.bias = info.dlpi_addr;
  library.image.low = UINTPTR_MAX;
  for (const ElfW(Phdr)* segment = info.dlpi_phdr; segment != info.dlpi_phdr + info.dlpi_phnum; segment++) {
    const Range range{info.dlpi_addr + segment->p_vaddr, info.dlpi_addr + segment->p_vaddr + segment->p_memsz};
    if (segment->p_type == PT_NOTE && library.build_id.empty()) {
      library.build_id = build_id_of_notes(reinterpret_cast<const uint8_t*>(range.low), segment->p_memsz);
    }
    if (segment->p_type != PT_LOAD) continue;
    library.image.low = std::min(library.image.low, range.low);
    library.image.high = std::max(library.image.high, range.high);
    if (segment->p_flags & PF_X) library.code.push_back(range);
  }
  if (library.image.low != 0 && library.image.low == getauxval(AT_SYSINFO_EHDR)) {
    library.path = "[vdso]";
  } else {
    library.path = info.dlpi_name && *info.dlpi_name ? std::string(info.dlpi_name) : program_path();
  }
  return library;
}

}  // namespace

ListVersion library_list_version() {
  ListVersion version;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<ListVersion*>(data) = {info->dlpi_adds, info->dlpi_subs};
        return 1;
      },
      &version);
  return version;
}

std::vector<LoadedLibrary> loaded_libraries() {
  struct Gathered {
    std::vector<LoadedLibrary> libraries;
    std::exception_ptr error;
  } gathered;
  // No exception may pass through the dynamic linker's code.
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& to = *static_cast<Gathered*>(data);
        try {
          to.libraries.push_back(describe(*info));
        } catch (...) {
          to.error = std::current_exception();
          return 1;
        }
        return 0;
      },
      &gathered);
  if (gathered.error) std::rethrow_exception(gathered.error);
  return std::move(gathered.libraries);
}

}  // namespace oriel::symbols
