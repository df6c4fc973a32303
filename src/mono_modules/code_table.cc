#include "mono_modules/code_table.h"

#include <new>

namespace oriel::mono_modules {
namespace {

// Made by the compiler: the first to ask may be a handler of samples, which interrupted an allocation. Not destroyed,
// as threads may still ask as the process ends.
union Kept {
  constexpr Kept() : table() {}
  ~Kept() {}
  CodeTable table;
};
constinit Kept kept;

}  // namespace

CodeTable& code_table() { return kept.table; }

// Several profilers are told of the same code.
Code* CodeTable::add(MonoMethod* method, const void* start, uint64_t size) {
  const auto address = reinterpret_cast<uintptr_t>(start);
  const std::lock_guard guard(adding_);
  Code* const known = find(address);
  if (known && known->method == method && known->start == address && known->size == size) return known;
  auto* const code = new (std::nothrow) Code{method, address, size};
  if (!code || size == 0) return code;
  for (uintptr_t page = address >> kPageBits; page <= (address + size - 1) >> kPageBits; ++page) {
    std::atomic<Entry*>& latest = latest_[slot_of(page)];
    auto* const entry = new (std::nothrow) Entry{code, latest.load(std::memory_order_relaxed)};
    if (entry) latest.store(entry, std::memory_order_release);
  }
  return code;
}

Code* CodeTable::find(uintptr_t address) const {
  const Entry* entry = latest_[slot_of(address >> kPageBits)].load(std::memory_order_acquire);
  for (; entry; entry = entry->before)
    if (address - entry->code->start < entry->code->size) return entry->code;
  return nullptr;
}

}  // namespace oriel::mono_modules
