#include "runtimes/coreclr/exceptions_in_flight.h"

#include <algorithm>
#include <atomic>

#include "runtimes/coreclr/of_thread.h"

namespace oriel::coreclr {
namespace {

// The calls for one exception come by functions with frames of different sizes. Measured are 3 KB between the first,
// which tells of the throw, and the deepest, of filters; and 13 KB to the first for an exception within a clause, as
// there are three of a processor's contexts in a dispatcher's frames.
constexpr uintptr_t kSamePlace = 6144;

constexpr uint32_t kWeakHandle = 1;  // corprof.idl: COR_PRF_HANDLE_TYPE_WEAK, which keeps nothing alive

std::atomic<ProfilerInfo*> runtime{nullptr};
std::atomic<uint32_t> generation{0};

void release(ExceptionStack::Handle handle) { runtime.load(std::memory_order_relaxed)->DestroyHandle(handle); }

// The calling thread's, nullptr where there is no memory for it.
ExceptionStack* own_stack() {
  OfThread* const own = of_thread();
  if (own == nullptr) return nullptr;
  const uint32_t now = generation.load(std::memory_order_acquire);
  if (own->exceptions.generation != now) own->exceptions.stack.clear(release);
  own->exceptions.generation = now;
  return &own->exceptions.stack;
}

}  // namespace

void ExceptionStack::remove(uint32_t index, Release release) {
  release(entries_[index].exception);
  std::copy(entries_ + index + 1, entries_ + count_, entries_ + index);
  --count_;
}

void ExceptionStack::thrown(Handle exception, uintptr_t place, Release release) {
  forget_deeper_than(place, release);
  if (count_ == kMost) remove(0, release);
  entries_[count_++] = {exception, place};
}

void ExceptionStack::forget_deeper_than(uintptr_t place, Release release) {
  for (uint32_t i = count_; i-- != 0;) {
    if (entries_[i].place + kSamePlace < place) remove(i, release);
  }
}

ExceptionStack::Handle ExceptionStack::called_from(uintptr_t place, Release release) {
  forget_deeper_than(place, release);
  return count_ != 0 && entries_[count_ - 1].place < place + kSamePlace ? innermost() : 0;
}

void ExceptionStack::caught_from(uintptr_t place, Release release) {
  if (called_from(place, release) != 0) remove(count_ - 1, release);
}

void ExceptionStack::clear(Release release) {
  while (count_ != 0) remove(count_ - 1, release);
}

void exception_thrown(ProfilerInfo& info, ObjectID exception, uintptr_t place) {
  runtime.store(&info, std::memory_order_relaxed);
  ExceptionStack* const own = own_stack();
  ExceptionStack::Handle handle = 0;
  if (own == nullptr || failed(info.CreateHandle(exception, kWeakHandle, &handle)) || handle == 0) return;
  own->thrown(handle, place, release);
}

ObjectID exception_called_from(ProfilerInfo& info, uintptr_t place) {
  ExceptionStack* const own = own_stack();
  const ExceptionStack::Handle handle = own != nullptr ? own->called_from(place, release) : 0;
  ObjectID exception = 0;
  return handle != 0 && succeeded(info.GetObjectIDFromHandle(handle, &exception)) ? exception : 0;
}

void exception_caught_from(uintptr_t place) {
  if (ExceptionStack* const own = own_stack()) own->caught_from(place, release);
}

void forget_exceptions_in_flight() { generation.fetch_add(1, std::memory_order_acq_rel); }

oriel_object* innermost_exception() {
  // The runtime answers nobody who comes from managed code: a handle is the address of the reference.
  const ExceptionStack* const own = own_stack();
  const ExceptionStack::Handle handle = own != nullptr ? own->innermost() : 0;
  return handle != 0 ? *reinterpret_cast<oriel_object* const*>(handle) : nullptr;
}

}  // namespace oriel::coreclr
