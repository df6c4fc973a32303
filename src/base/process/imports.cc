#include "base/process/imports.h"

#include <dlfcn.h>

#include <cstring>
#include <span>

namespace oriel {
namespace {

// The imports in a library's dynamic section.
struct ImportTables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> tables[2] = {};  // for calls, and for addresses
};

ImportTables import_tables(uintptr_t base, const ElfW(Dyn) * dynamic) {
  ImportTables imports;
  const ElfW(Rela) * first[2] = {};
  size_t bytes[2] = {};
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    // glibc relocates most of these to addresses; other loaders leave them as in the file.
    const uintptr_t place = dynamic->d_un.d_ptr + (dynamic->d_un.d_ptr < base ? base : 0);
    switch (dynamic->d_tag) {
      case DT_SYMTAB:
        imports.symbols = reinterpret_cast<const ElfW(Sym)*>(place);
        break;
      case DT_STRTAB:
        imports.names = reinterpret_cast<const char*>(place);
        break;
      case DT_JMPREL:
        first[0] = reinterpret_cast<const ElfW(Rela)*>(place);
        break;
      case DT_PLTRELSZ:
        bytes[0] = dynamic->d_un.d_val;
        break;
      case DT_RELA:
        first[1] = reinterpret_cast<const ElfW(Rela)*>(place);
        break;
      case DT_RELASZ:
        bytes[1] = dynamic->d_un.d_val;
        break;
    }
  }
  for (size_t i = 0; i < 2; ++i)
    if (first[i] != nullptr) imports.tables[i] = {first[i], bytes[i] / sizeof(ElfW(Rela))};
  return imports;
}

// Calls `take` with each relocation that imports something, and its name, until it returns true.
template <typename Take>
void each_import(uintptr_t base, const ElfW(Dyn) * dynamic, Take take) {
  const ImportTables imports = import_tables(base, dynamic);
  if (imports.symbols == nullptr || imports.names == nullptr) return;
  for (const std::span<const ElfW(Rela)> table : imports.tables)
    for (const ElfW(Rela) & entry : table) {
      const ElfW(Sym)& symbol = imports.symbols[ELF64_R_SYM(entry.r_info)];
      if (symbol.st_shndx == SHN_UNDEF && take(entry, imports.names + symbol.st_name)) return;
    }
}

// nullptr for what is no handle.
const link_map* loaded_as(void* library) {
  link_map* loaded = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &loaded) == 0 ? loaded : nullptr;
}

}  // namespace

const ElfW(Rela) * find_import(uintptr_t base, const ElfW(Dyn) * dynamic, const char* function) {
  const ElfW(Rela)* found = nullptr;
  each_import(base, dynamic, [&](const ElfW(Rela) & entry, const char* name) {
    if (std::strcmp(name, function) != 0) return false;
    found = &entry;
    return true;
  });
  return found;
}

std::vector<std::string> imported_names(void* library) {
  std::vector<std::string> names;
  const link_map* const loaded = loaded_as(library);
  if (loaded == nullptr) return names;
  each_import(loaded->l_addr, loaded->l_ld, [&](const ElfW(Rela)&, const char* name) {
    if (*name != '\0') names.emplace_back(name);
    return false;
  });
  return names;
}

bool imports_function(void* library, const char* function) {
  const link_map* const loaded = loaded_as(library);
  return loaded != nullptr && find_import(loaded->l_addr, loaded->l_ld, function) != nullptr;
}

}  // namespace oriel
