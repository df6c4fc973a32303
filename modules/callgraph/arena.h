// Memory for call trees: only grows, given back as a whole. Straight from the system, as it is asked for inside the
// program's own code, and from one budget for the whole process.
#pragma once

#include <cstddef>

namespace oriel::callgraph {

// Not thread-safe: each thread's tree has its own.
class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Zeroed memory, aligned to 16 bytes; nullptr if the budget is spent or the system has no more. errno stays
  // as it is.
  void* allocate(size_t bytes);

  // What all arenas together may take, and have taken. For tests.
  static void set_budget(size_t bytes);
  static size_t taken();

 private:
  struct Chunk {
    Chunk* next;
    size_t size;
  };
  bool add_chunk(size_t least);

  Chunk* chunks_ = nullptr;
  char* free_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace oriel::callgraph
