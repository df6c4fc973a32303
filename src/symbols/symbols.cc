#include "symbols/symbols.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "symbols/library_list.h"
#include "symbols/symbol_table.h"

namespace oriel::symbols {
namespace {

// Never freed: callers keep pointers to its strings.
struct KnownLibrary {
  LoadedLibrary loaded;
  std::mutex mutex;  // guards the rest
  bool read = false;
  SymbolTable table;
};

struct Registry {
  std::mutex mutex;                            // guards the rest; not held while calling out
  std::map<uintptr_t, KnownLibrary*> by_code;  // by the low end of each range of code
  ListVersion version;
};

// Never destroyed: threads may still ask while the process exits.
Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

bool is_same(const KnownLibrary& library, const LoadedLibrary& loaded) {
  return library.loaded.image.low == loaded.image.low && library.loaded.path == loaded.path &&
         library.loaded.build_id == loaded.build_id;
}

// Unloaded libraries stay until another one takes their addresses, which are often asked about later.
void add(Registry& all, LoadedLibrary loaded) {
  for (const Range& range : loaded.code) {
    auto at = all.by_code.upper_bound(range.low);
    if (at != all.by_code.begin()) at--;
    while (at != all.by_code.end() && at->first < range.high) {
      const auto overlaps = [&range](const Range& other) { return other.low < range.high && range.low < other.high; };
      const auto& code = at->second->loaded.code;
      if (std::none_of(code.begin(), code.end(), overlaps)) {
        at++;
      } else if (is_same(*at->second, loaded)) {
        return;
      } else {
        at = all.by_code.erase(at);
      }
    }
  }
  auto* library = new KnownLibrary;
  library->loaded = std::move(loaded);
  for (const Range& range : library->loaded.code) all.by_code[range.low] = library;
}

KnownLibrary* known_library(uintptr_t address) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  auto after = all.by_code.upper_bound(address);
  if (after == all.by_code.begin()) return nullptr;
  KnownLibrary* library = std::prev(after)->second;
  for (const Range& range : library->loaded.code) {
    if (address >= range.low && address < range.high) return library;
  }
  return nullptr;
}

SymbolTable read_table(const LoadedLibrary& library) {
  if (library.path != "[vdso]") return read_symbols(library.path, library.build_id);
  // The kernel maps the whole image, including section headers, in full pages.
  const uintptr_t end = (library.image.high + 4095) & ~uintptr_t{4095};
  return read_symbols(reinterpret_cast<const void*>(library.image.low), end - library.image.low);
}

void describe(KnownLibrary& library, uintptr_t address, Symbol& symbol) {
  symbol = {library.loaded.path.c_str(), nullptr, library.loaded.image.low, 0};
  const std::lock_guard lock(library.mutex);
  if (!library.read) {
    library.read = true;
    library.table = read_table(library.loaded);
  }
  const auto function = library.table.find(address - library.loaded.bias);
  if (!function) return;
  symbol.name = function->name;
  symbol.start = library.loaded.bias + function->start;
  symbol.size = function->size;
}

void refresh_registry() {
  Registry& all = registry();
  const ListVersion version = library_list_version();
  {
    const std::lock_guard lock(all.mutex);
    if (version == all.version) return;
  }
  std::vector<LoadedLibrary> now = loaded_libraries();
  const std::lock_guard lock(all.mutex);
  all.version = version;
  for (LoadedLibrary& library : now) add(all, std::move(library));
}

// nullptr if no library contains the address, even after a refresh.
KnownLibrary* library_of(uintptr_t address) {
  if (KnownLibrary* library = known_library(address)) return library;
  refresh_registry();
  return known_library(address);
}

}  // namespace

bool find(uintptr_t address, Symbol& symbol) {
  symbol = {};
  try {
    KnownLibrary* const library = library_of(address);
    if (!library) return false;
    describe(*library, address, symbol);
    return true;
  } catch (...) {
    // Without memory, return what is known so far.
    return symbol.library != nullptr;
  }
}

bool find_library(uintptr_t address, Library& library) {
  library = {};
  try {
    const KnownLibrary* const known = library_of(address);
    if (!known) return false;
    const std::vector<uint8_t>& id = known->loaded.build_id;
    library = {known->loaded.path.c_str(), known->loaded.bias, id.empty() ? nullptr : id.data(), id.size()};
    return true;
  } catch (...) {
    return false;  // no memory
  }
}

bool read_code(uintptr_t address, void* to, size_t size) {
  try {
    const KnownLibrary* const known = library_of(address);
    return known && read_code(known->loaded.path, address - known->loaded.bias, to, size);
  } catch (...) {
    return false;  // no memory
  }
}

void refresh() {
  try {
    refresh_registry();
  } catch (...) {
    // Without memory: the next unknown address triggers another attempt.
  }
}

}  // namespace oriel::symbols
