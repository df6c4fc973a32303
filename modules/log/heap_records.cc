#include "heap_records.h"

#include <algorithm>
#include <span>

#include "base/redact/redact.h"
#include "base/text/utf8.h"
#include "log/event.h"

namespace oriel::log_module {
namespace {

std::vector<log::HeapSlot> slots_of(const oriel_heap_slot* slots, size_t count) {
  std::vector<log::HeapSlot> result;
  result.reserve(count);
  for (const oriel_heap_slot& slot : std::span(slots, count)) result.push_back({uint64_t{slot.offset} + 1, slot.field});
  return result;
}

// Redacted before it is cut: a secret may be recognized only by what comes long after its begin.
std::string shown_text(const char* text) {
  constexpr size_t kMostBytes = 60;
  std::string shown = redacts() ? redact_any(text) : text;
  std::ranges::replace(shown, '\0', ' ');
  shown.resize(utf8_end(shown, kMostBytes));
  return shown;
}

}  // namespace

log::HeapSnapshot snapshot_of(const oriel_heap& heap, uint64_t number, const std::string& cause,
                              modules::NameTable& names) {
  log::HeapSnapshot snapshot;
  snapshot.number = number;
  snapshot.counter = heap.counter;
  snapshot.cause = cause;
  snapshot.frozen_ns = heap.frozen_ns;
  snapshot.walked_ns = heap.walked_ns;
  snapshot.objects = heap.objects;
  snapshot.bytes = heap.bytes;
  snapshot.slots = heap.slots;
  snapshot.missing = heap.missing;
  snapshot.not_copied = heap.not_copied;
  for (const oriel_heap_space& space : std::span(heap.spaces, heap.space_count))
    snapshot.spaces.push_back({uint64_t{space.generation} + 1, space.start, space.bytes});
  for (const oriel_heap_type& type : std::span(heap.types, heap.type_count)) {
    const uint64_t klass = oriel_class_id(type.klass);
    if (klass != 0) names.need(log::FieldKind::kClass, klass);
    snapshot.types.push_back({snapshot.types.size() + 1, klass, type.objects, type.bytes, type.base_size,
                              type.element_size, slots_of(type.slots, type.slot_count),
                              slots_of(type.element_slots, type.element_slot_count)});
  }
  for (const oriel_heap_root& root : std::span(heap.roots, heap.root_count)) {
    const uint64_t thread = oriel_thread_id(root.thread), method = oriel_method_id(root.method);
    if (thread != 0) names.need_thread(thread);
    if (method != 0) names.need(log::FieldKind::kMethod, method);
    snapshot.roots.push_back({static_cast<uint64_t>(root.kind), root.object, root.holder, thread, method, root.name});
  }
  return snapshot;
}

log::HeapDetails details_of(const oriel_heap& heap, uint64_t number) {
  log::HeapDetails details{number, {}, {}};
  for (size_t i = 0; i < heap.type_count; ++i) {
    const oriel_heap_type& type = heap.types[i];
    if (type.kind == ORIEL_HEAP_OTHER && type.value_count == 0) continue;
    log::HeapTypeDetails& told = details.types.emplace_back();
    told.type = i + 1;
    told.kind = static_cast<uint64_t>(type.kind);
    told.values.assign(type.values, type.values + type.value_count);
    told.storage = type.storage == 0 ? 0 : uint64_t{type.storage} + 1;
    told.made_of = type.made_of;
  }
  for (const oriel_heap_text& text : std::span(heap.texts, heap.text_count))
    details.texts.push_back({text.object + 1, shown_text(text.text)});
  return details;
}

}  // namespace oriel::log_module
