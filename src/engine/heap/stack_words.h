// The words on the stacks of stopped threads, in search of references.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/stopped_threads.h"
#include "engine/heap/walk_bounds.h"

namespace oriel {

// Pieces that NativeMemory can make ready.
template <typename Visit>
void for_each_piece(uintptr_t start, uintptr_t end, WalkBounds& bounds, Visit visit) {
  for (uintptr_t next = 0; start < end && !bounds.are_reached_now(); start = next) {
    next = std::min(end, (start | (NativeMemory::kPiece - 1)) + 1);
    visit(start, next);
  }
}

// Calls visit(place, word, code) for each word, which returns whether it knows what it is. Otherwise it may be an
// address of code that is no native library's; `code` is the last of these so far. Locals and arguments of a frame lie
// above the return address into its code. The stack of a thread that runs is looked at as a whole: what it has left
// behind below its frames counts too. Which words these are is not known, nor therefore whose frame a word is in:
// `code` is 0 then.
template <typename Visit>
void for_each_stack_word(const StoppedThread& thread, const MemoryArea& stack, const MemoryAreas& areas,
                         NativeMemory& memory, WalkBounds& bounds, Visit visit) {
  constexpr uintptr_t kWordBytes = sizeof(uintptr_t);
  uintptr_t code = 0;
  const auto look_at = [&](uintptr_t start, uintptr_t end) {
    for (uintptr_t place = start; place < end; place += kWordBytes) {
      const auto value = memory.at<uintptr_t>(place);
      if (visit(place, value, thread.is_running ? 0 : code)) continue;
      const MemoryArea* const area = areas.around(value);
      if (area != nullptr && area->is_executable && !area->is_native_library) code = value;
    }
  };
  const auto look = [&](uintptr_t start, uintptr_t end) {
    for_each_piece(start, end, bounds, [&](uintptr_t at, uintptr_t next) {
      if (memory.take(at, next)) look_at(at, next);
    });
  };
  if (thread.is_running)
    PresentPages().for_each(stack, look);
  else
    look(thread.in_stack & ~(kWordBytes - 1), stack.end);
}

}  // namespace oriel
