#include "base/process/import_slot.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <span>

#include "base/atomic_ref.h"
#include "base/process/imports.h"

namespace oriel {
namespace {

// A loaded library, as described by elf(5).
struct Loaded {
  uintptr_t base = 0;
  std::span<const ElfW(Phdr)> headers = {};

  const ElfW(Phdr) * segment_of(uintptr_t address, uint32_t type) const {
    for (const ElfW(Phdr) & header : headers)
      if (header.p_type == type && address - base - header.p_vaddr < header.p_memsz) return &header;
    return nullptr;
  }
};

struct Search {
  uintptr_t address;
  Loaded found;
};

Loaded library_at(uintptr_t address) {
  Search search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* context) {
        auto& wanted = *static_cast<Search*>(context);
        const Loaded loaded{info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
        if (!loaded.segment_of(wanted.address, PT_LOAD)) return 0;
        wanted.found = loaded;
        return 1;
      },
      &search);
  return search.found;
}

// The import table's slot for the function; NULL if the library imports no such function.
void** slot_of(const Loaded& library, const char* function) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (const ElfW(Phdr) & header : library.headers)
    if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(library.base + header.p_vaddr);
  const ElfW(Rela)* const entry = find_import(library.base, dynamic, function);
  return entry == nullptr ? nullptr : reinterpret_cast<void**>(library.base + entry->r_offset);
}

// The page that contains a slot.
struct Page {
  uintptr_t begin;
  size_t size;

  explicit Page(void** slot)
      : begin(reinterpret_cast<uintptr_t>(slot)), size(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    begin -= begin % size;
  }
  bool protect(int protection) const { return mprotect(reinterpret_cast<void*>(begin), size, protection) == 0; }
  // The loader write-protects whole pages once it has filled them in.
  bool is_read_only(const Loaded& library) const {
    return library.segment_of(begin + size - 1, PT_GNU_RELRO) != nullptr;
  }
};

}  // namespace

void* replace_import(uintptr_t address, const char* function, void* replacement) {
  const Loaded library = library_at(address);
  void** const slot = slot_of(library, function);
  if (slot == nullptr) return nullptr;
  void* before = AtomicRef<void*>(*slot).load();
  // If the function was never called, the slot holds the address of a stub that would look the function up and
  // overwrite the slot.
  if (library.segment_of(reinterpret_cast<uintptr_t>(before), PT_LOAD) != nullptr)
    before = dlsym(RTLD_DEFAULT, function);
  const Page page(slot);
  const bool read_only = page.is_read_only(library);
  if (before == nullptr || (read_only && !page.protect(PROT_READ | PROT_WRITE))) return nullptr;
  AtomicRef<void*>(*slot).store(replacement);
  if (read_only) page.protect(PROT_READ);
  return before;
}

}  // namespace oriel
