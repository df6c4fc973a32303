// Which method code belongs to, for handlers of samples: found without a lock, which is all that a signal handler may
// do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "mono_modules/mono_api.h"
#include "mono_modules/undying_table.h"

namespace oriel::mono_modules {

struct Code {
  MonoMethod* method = nullptr;
  uintptr_t start = 0;
  uint64_t size = 0;
};

// Code that was compiled since the first module for Mono was loaded; of what lies at the same place the latest.
// Precompiled code is not in it. Never destroyed, and neither is what it finds.
class CodeTable {
 public:
  // Any thread; not async-safe. Without memory it is not added.
  Code* add(MonoMethod* method, const void* start, uint64_t size);
  // nullptr if the address is in no such code. Any thread; async-safe.
  Code* find(uintptr_t address) const;

 private:
  struct Entry {
    Code* code = nullptr;
    Entry* before = nullptr;  // that was added before
  };
  static constexpr unsigned kPageBits = 12;

  std::mutex adding_;
  UndyingTable<Entry, 14> by_page_;
};

CodeTable& code_table();

}  // namespace oriel::mono_modules
