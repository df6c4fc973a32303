// What the copy of a process has found, in the engine's terms: classes, fields, threads and methods instead of
// addresses.
#pragma once

#include <memory>

#include "engine/heap.h"
#include "engine/heap/shared_heap.h"
#include "engine/runtime.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

// Fills in everything but times and spaces. `unloads` is Held::unloads_begun before the program was stopped: if more
// have begun, nothing is asked about types that the engine does not know.
class FoundNames {
 public:
  FoundNames(const Names& names, Runtime& runtime, FoundHeap& found, uint32_t unloads, OwnedHeap& heap);
  ~FoundNames();
  FoundNames(const FoundNames&) = delete;

  // While the copy works: names a few of the types once they are all known, and after the last one tells the copy which
  // values it is to read. Returns whether there was anything to do.
  bool name_some_types();
  // When it has done its work.
  void finish();

 private:
  class State;
  const std::unique_ptr<State> state_;
};

}  // namespace oriel::coreclr
