#include "mono_modules/code_table.h"

#include <new>

namespace oriel::mono_modules {
namespace {

constinit Undying<CodeTable> table;

}  // namespace

CodeTable& code_table() { return table.value; }

// Several profilers are told of the same code.
Code* CodeTable::add(MonoMethod* method, const void* start, uint64_t size) {
  const auto address = reinterpret_cast<uintptr_t>(start);
  const std::lock_guard guard(adding_);
  Code* const known = find(address);
  if (known && known->method == method && known->start == address && known->size == size) return known;
  auto* const code = new (std::nothrow) Code{method, address, size};
  if (!code || size == 0) return code;
  for (uintptr_t page = address >> kPageBits; page <= (address + size - 1) >> kPageBits; ++page) {
    auto* const entry = new (std::nothrow) Entry{code};
    if (entry) by_page_.add(page, entry);
  }
  return code;
}

Code* CodeTable::find(uintptr_t address) const {
  for (const Entry* entry = by_page_.of(address >> kPageBits); entry; entry = entry->before)
    if (address - entry->code->start < entry->code->size) return entry->code;
  return nullptr;
}

}  // namespace oriel::mono_modules
