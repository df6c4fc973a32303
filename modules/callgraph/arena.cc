#include "arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "base/process/kept_errno.h"

namespace oriel::callgraph_module {
namespace {

// A thread with few calls needs little.
constexpr size_t kFirstChunk = 16 * 1024;
constexpr size_t kLargestChunk = 256 * 1024;
constexpr size_t kPage = 4096;
constexpr size_t kAlignment = 16;

// 160 MB are more than 1.5 million nodes: enough for one stack of a million frames and everything else.
constinit std::atomic<size_t> budget{160u << 20};
constinit std::atomic<size_t> in_use{0};

constexpr size_t rounded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

void Arena::set_budget(size_t bytes) { budget.store(bytes); }

size_t Arena::taken() { return in_use.load(); }

Arena::~Arena() {
  while (chunks_) {
    Chunk* chunk = chunks_;
    chunks_ = chunk->next;
    in_use.fetch_sub(chunk->size, std::memory_order_relaxed);
    munmap(chunk, chunk->size);
  }
}

bool Arena::add_chunk(size_t least) {
  const KeptErrno kept;
  const size_t usual = chunks_ == nullptr ? kFirstChunk : std::min(2 * chunks_->size, kLargestChunk);
  const size_t size = std::max(usual, rounded(least + rounded(sizeof(Chunk), kAlignment), kPage));
  if (in_use.fetch_add(size, std::memory_order_relaxed) + size <= budget.load(std::memory_order_relaxed)) {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      auto* chunk = static_cast<Chunk*>(memory);
      *chunk = {chunks_, size};
      chunks_ = chunk;
      free_ = static_cast<char*>(memory) + rounded(sizeof(Chunk), kAlignment);
      end_ = static_cast<char*>(memory) + size;
      return true;
    }
  }
  in_use.fetch_sub(size, std::memory_order_relaxed);
  return false;
}

void* Arena::allocate(size_t bytes) {
  const size_t size = rounded(bytes, kAlignment);
  if (static_cast<size_t>(end_ - free_) < size && !add_chunk(size)) return nullptr;
  void* result = free_;
  free_ += size;
  return result;
}

}  // namespace oriel::callgraph_module
