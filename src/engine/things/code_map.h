// Code ranges of methods, each with the time during which it held, and executable mappings.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/things/entities.h"

namespace oriel {

// [start, end) belonged to `method` from `born` until before `died`, in units of oriel_clock.
struct CodeRange {
  uintptr_t start = 0;
  uintptr_t end = 0;
  oriel_method* method = nullptr;
  uint64_t born = 0;
  uint64_t died = UINT64_MAX;
  CodeRange* next_of_method = nullptr;  // while it lives
};

// Live ranges never overlap: adding one ends those in its way. Dead ranges are kept by page and in order of death, so
// that lookups of recent times, the usual case, are short; when there are more than kMostDead, the oldest are
// forgotten. Each operation holds the one lock for about a microsecond; none calls out. Any thread; not async-safe.
class CodeMap {
 public:
  enum class Answer {
    kFound,
    kUnknown,  // no code is known at this address: ask the runtime
    kNone      // the runtime cannot know: the present code came later
  };

  void add(oriel_method* method, uintptr_t start, size_t size, uint64_t now);
  // Ends all live ranges of the method.
  void remove(oriel_method* method, uint64_t now);
  Answer find(uintptr_t address, uint64_t when, CodeRange& range);

  // For caching the runtime's answer: read it before asking, and pass it to `learn` with the answer.
  uint64_t removals() const { return removals_.load(std::memory_order_acquire); }
  // Adds a live range of code that raised no event; it counts from the death of what was there before. Not kept if code
  // was removed meanwhile, as it may be this code. `range` gets the result; false if it is uncertain.
  bool learn(oriel_method* method, uintptr_t start, size_t size, uint64_t removals_before, CodeRange& range);

 private:
  static constexpr unsigned kPageBits = 12;
  static constexpr size_t kMostDead = 1 << 15;  // a program may make and free methods all the time
  // No method is larger; larger ranges are refused.
  static constexpr size_t kMaxSize = size_t{1} << 28;

  static bool plausible(uintptr_t start, size_t size) {
    return size > 0 && size <= kMaxSize && start <= UINTPTR_MAX - size;
  }

  void end_overlapping(uintptr_t start, uintptr_t end, uint64_t now);
  void bury(CodeRange* range, uint64_t now);
  void forget_first_dead();
  void insert(CodeRange* range);
  bool overlaps_live(uintptr_t start, uintptr_t end) const;
  uint64_t last_death(uintptr_t start, uintptr_t end) const;
  const CodeRange* find_dead(uintptr_t address, uint64_t when) const;

  mutable std::mutex lock_;
  std::map<uintptr_t, CodeRange*> live_;                         // by start
  std::unordered_map<uintptr_t, std::vector<CodeRange*>> dead_;  // by page, ascending by died
  std::deque<CodeRange*> dead_in_turn_;                          // those of all pages
  std::atomic<uint64_t> removals_{0};
};

// The process's code map; made on first use, never destroyed.
CodeMap& code_map();

// Executable memory, whatever its code (exec_maps.cc).
struct ExecutableMapping {
  uintptr_t start = 0;
  uintptr_t end = 0;       // 0: none
  bool generated = false;  // anonymous, or of a memory file: the runtime generates code there
};

// The executable mapping that contains the address. Reads /proc/self/maps again if no remembered mapping does. Any
// thread: on a program's thread the file is in the program's descriptor table for a moment. Not async-safe.
ExecutableMapping executable_mapping(uintptr_t address);

// Call when images come or go, as remembered mappings may be stale. Any thread; not async-safe.
void forget_executable_mappings();

}  // namespace oriel
