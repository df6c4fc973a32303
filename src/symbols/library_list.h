// The libraries that the dynamic linker has loaded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oriel::symbols {

struct Range {
  uintptr_t low = 0;
  uintptr_t high = 0;
};

struct LoadedLibrary {
  std::string path;  // "[vdso]" for the one that the kernel maps
  uintptr_t bias = 0;
  Range image;                    // the whole mapping
  std::vector<Range> code;        // its executable segments
  std::vector<uint8_t> build_id;  // as in memory, empty if it has none
};

// The number of loads and unloads so far: unchanged if the list is.
struct ListVersion {
  uint64_t loads = 0;
  uint64_t unloads = 0;
  bool operator==(const ListVersion&) const = default;
};
ListVersion library_list_version();

std::vector<LoadedLibrary> loaded_libraries();

}  // namespace oriel::symbols
