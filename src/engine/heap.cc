#include "engine/heap.h"

#include <cstdio>
#include <memory>
#include <mutex>

#include "engine/lifecycle.h"
#include "engine/or_else.h"
#include "engine/runtime.h"

namespace oriel {
namespace {

std::mutex& one_snapshot_at_a_time() {
  static auto* const made = new std::mutex;
  return *made;
}

Status take(const oriel_heap_visitor& visitor, std::unique_ptr<OwnedHeap>& heap) {
  const std::lock_guard guard(one_snapshot_at_a_time());
  Runtime* const runtime = current_runtime();
  if (runtime == nullptr) return Status::error("the runtime is not there yet, or no longer");
  heap = std::make_unique<OwnedHeap>();
  const Status status = runtime->snapshot(visitor, *heap);
  if (!status) heap = nullptr;
  return status;
}

}  // namespace
}  // namespace oriel

const oriel_heap* oriel_heap_snapshot(const oriel_heap_visitor* visitor, char* message, size_t size) {
  const auto say = [&](const char* text) {
    if (message != nullptr && size > 0) snprintf(message, size, "%s", text);
  };
  say("out of memory");
  return oriel::or_else(static_cast<const oriel_heap*>(nullptr), [&]() -> const oriel_heap* {
    std::unique_ptr<oriel::OwnedHeap> heap;
    const oriel::Status status = oriel::take(*visitor, heap);
    say(status.message().c_str());
    if (heap == nullptr) return nullptr;
    heap->close();
    return heap.release();
  });
}

uint32_t oriel_object_follow(oriel_object* object, uint64_t size) {
  return oriel::or_else(uint32_t{0}, [&] {
    oriel::Runtime* const runtime = oriel::current_runtime();
    return runtime == nullptr ? uint32_t{0} : runtime->follow(object, size);
  });
}

void oriel_heap_free(const oriel_heap* heap) { delete static_cast<const oriel::OwnedHeap*>(heap); }
