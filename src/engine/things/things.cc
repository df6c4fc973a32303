#include "engine/things/things.h"

#include "base/atomic_ref.h"
#include "engine/engine.h"

namespace oriel {
namespace {

template <typename Record>
Record* make(ThingTable<Record>& table, uintptr_t runtime_id) {
  auto* record = new Record;
  record->runtime_id = runtime_id;
  table.ids.append(record);
  return record;
}

template <typename Record>
Record* intern(ThingTable<Record>& table, uintptr_t runtime_id) {
  return table.by_runtime_id.find_or_make(runtime_id, [&] { return make(table, runtime_id); });
}

template <typename Record>
void push(std::atomic<Record*>& list, Record& record) {
  record.listed = true;
  record.next_in_image = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(record.next_in_image, &record, std::memory_order_acq_rel)) {
  }
}

template <typename Record>
void push_guest(std::atomic<Guest<Record>*>& list, Record& record) {
  auto* guest = new Guest<Record>{&record, list.load(std::memory_order_relaxed)};
  while (!list.compare_exchange_weak(guest->next, guest, std::memory_order_acq_rel)) {
  }
}

// A class or method: its known location is filled in before anyone can see the record.
template <typename Record>
Record* make_member(ThingTable<Record>& table, WithoutImage<Record>& homeless, uintptr_t runtime_id, oriel_image* image,
                    uint32_t token) {
  auto* record = new Record;
  record->runtime_id = runtime_id;
  record->image = image;
  record->token = token;
  list_in_image(*record);
  if (!image) homeless.add(record);
  table.ids.append(record);
  return record;
}

}  // namespace

Things& all_things = *new Things;

void list_in_image(oriel_class& klass) {
  if (klass.image && !klass.listed) push(klass.image->classes, klass);
}

void list_in_image(oriel_method& method) {
  if (method.image && !method.listed) push(method.image->methods, method);
}

oriel_domain* intern_domain(uintptr_t runtime_id) { return intern(things().domains, runtime_id); }
oriel_assembly* intern_assembly(uintptr_t runtime_id) { return intern(things().assemblies, runtime_id); }
oriel_image* intern_image(uintptr_t runtime_id) { return intern(things().images, runtime_id); }

oriel_class* intern_class(uintptr_t runtime_id, oriel_image* image, uint32_t token) {
  Things& all = things();
  return all.classes.by_runtime_id.find_or_make(
      runtime_id, [&] { return make_member(all.classes, all.classes_without_image, runtime_id, image, token); });
}

oriel_class* intern_class(oriel_image* image, uint32_t token) {
  Things& all = things();
  return all.classes_by_token.find_or_make(
      token_key(*image, token), [&] { return make_member(all.classes, all.classes_without_image, 0, image, token); });
}

oriel_method* intern_method(uintptr_t runtime_id, oriel_image* image, uint32_t token) {
  Things& all = things();
  return all.methods.by_runtime_id.find_or_make(runtime_id, [&] {
    oriel_method* known = image ? all.methods_by_token.find(token_key(*image, token)) : nullptr;
    if (!known || known->shared) return make_member(all.methods, all.methods_without_image, runtime_id, image, token);
    AtomicRef(known->runtime_id).store(runtime_id, std::memory_order_release);
    return known;
  });
}

oriel_method* intern_method_definition(oriel_image* image, uint32_t token, bool shared) {
  Things& all = things();
  return all.methods_by_token.find_or_make(token_key(*image, token), [&] {
    oriel_method* made = make_member(all.methods, all.methods_without_image, 0, image, token);
    made->shared = shared;
    return made;
  });
}

void made_of(oriel_class& klass, oriel_image& image) {
  if (klass.image != &image) push_guest(image.guest_classes, klass);
}

void made_of(oriel_method& method, oriel_image& image) {
  if (method.image != &image) push_guest(image.guest_methods, method);
}

oriel_class* find_class(uintptr_t runtime_id) { return things().classes.by_runtime_id.find(runtime_id); }
oriel_method* find_method(uintptr_t runtime_id) { return things().methods.by_runtime_id.find(runtime_id); }
oriel_image* find_image(uintptr_t runtime_id) { return things().images.by_runtime_id.find(runtime_id); }
oriel_thread* find_thread(uintptr_t runtime_id) { return things().threads.by_runtime_id.find(runtime_id); }

}  // namespace oriel
