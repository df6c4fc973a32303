// Memory for call trees: only grows, and is freed as a whole. Mapped directly from the system, as it is needed inside
// the program's own code, with one budget for the whole process.
#pragma once

#include <cstddef>

namespace oriel::callgraph_module {

// Not thread-safe: each thread's tree has its own.
class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Zeroed memory, aligned to 16 bytes; nullptr if the budget is used up or the system has no more. Preserves errno.
  void* allocate(size_t bytes);

  // The limit of all arenas together, and their present size. For tests.
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

}  // namespace oriel::callgraph_module
