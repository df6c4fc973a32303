// A snapshot of the heap (oriel/heap.h) with the memory that it points to.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "oriel/heap.h"

namespace oriel {

struct OwnedHeap : oriel_heap {
  std::string why_missing, why_not_copied;
  std::deque<std::string> kept_texts;  // what `name`, `field`, `made_of` and `text` point to
  std::vector<oriel_heap_slot> all_slots;
  std::vector<oriel_heap_type> all_types;
  std::vector<oriel_heap_root> all_roots;
  std::vector<oriel_heap_space> all_spaces;
  std::vector<oriel_heap_value> all_values;
  std::vector<oriel_heap_text> all_texts;

  // Once all of it is there: points to it.
  void close() {
    missing = why_missing.c_str();
    not_copied = why_not_copied.c_str();
    types = all_types.data();
    type_count = all_types.size();
    roots = all_roots.data();
    root_count = all_roots.size();
    spaces = all_spaces.data();
    space_count = all_spaces.size();
    texts = all_texts.data();
    text_count = all_texts.size();
  }
};

}  // namespace oriel
