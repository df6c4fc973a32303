#include "runtimes/coreclr/instrument/allocation_probe.h"

#include "base/kept_errno.h"
#include "engine/engine.h"
#include "engine/probes.h"

namespace oriel::coreclr {
namespace {

// The runtime's layout of objects, which tests compare with what it answers when asked: the first word of an object is
// its class (MethodTable, the same as ClassID) with two bits of the collector's; the class begins with two 32-bit
// words: flags, of which the low half is the size of an array's or string's element, and the size of an instance with
// none; the length follows the first word of an array or string.
struct MethodTable {
  uint32_t flags;
  uint32_t base_size;
};
constexpr uint32_t kHasElements = 0x80000000, kElementSize = 0xffff;
constexpr uintptr_t kCollectorBits = 7;

template <typename T>
T read(uintptr_t address) {
  return *reinterpret_cast<const T*>(address);
}

}  // namespace

ObjectFacts object_facts(uintptr_t object) {
  const uintptr_t class_id = read<uintptr_t>(object) & ~kCollectorBits;
  const auto table = read<MethodTable>(class_id);
  size_t size = table.base_size;
  if (table.flags & kHasElements) size += size_t{table.flags & kElementSize} * read<uint32_t>(object + sizeof(void*));
  return {class_id, size};
}

// No exception may leave into managed code: interning a class allocates the first time it is met.
extern "C" __attribute__((visibility("hidden"))) void report_allocation(uintptr_t object, oriel_method* site) {
  const ProbeTarget* target = probe_cell(oriel_event_gc_allocation).load(std::memory_order_acquire);
  if (object == 0 || target == nullptr) return;
  const ObjectFacts facts = object_facts(object);
  oriel_class* klass = find_class(facts.class_id);
  if (__builtin_expect(klass == nullptr, 0)) {
    const KeptErrno kept;
    try {
      klass = intern_class(facts.class_id);
    } catch (...) {
      return;
    }
  }
  const auto callback =
      reinterpret_cast<oriel_gc_allocation_cb>(const_cast<void*>(target->code.load(std::memory_order_acquire)));
  callback(target->profiler, klass, facts.size, reinterpret_cast<oriel_object*>(object), site);
}

}  // namespace oriel::coreclr
