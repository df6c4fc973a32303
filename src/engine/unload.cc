// Unloads: names are fetched while the runtime still has them, and its ids are forgotten so that they may come again.
#include "engine/engine.h"
#include "engine/things.h"

namespace oriel {
namespace {

template <typename Record>
void describe_list(Record* first) {
  for (Record* it = first; it; it = it->next_in_image) {
    if (!it->unloaded.load(std::memory_order_acquire)) ensure_described(*it);
  }
}

template <typename Record>
void describe_homeless(Homeless<Record>& homeless) {
  for (Record* it : homeless.pending()) {
    if (!it->unloaded.load(std::memory_order_acquire)) ensure_described(*it);
  }
}

// Whether this call made it unloaded.
template <typename Record>
bool forget(ThingTable<Record>& table, Record& record) {
  if (record.unloaded.exchange(true, std::memory_order_acq_rel)) return false;
  if (record.runtime_id) table.by_runtime_id.forget(record.runtime_id, &record);
  return true;
}

}  // namespace

void before_unload(oriel_domain* domain) { ensure_described(*domain); }
void before_unload(oriel_assembly* assembly) { ensure_described(*assembly); }
void before_unload(oriel_class* klass) { ensure_described(*klass); }
void before_unload(oriel_method* method) { ensure_described(*method); }

void before_unload(oriel_image* image) {
  ensure_described(*image);
  // Methods first: describing one may meet a class for the first time.
  describe_homeless(things().homeless_methods);
  describe_list(image->methods.load(std::memory_order_acquire));
  describe_homeless(things().homeless_classes);
  describe_list(image->classes.load(std::memory_order_acquire));
}

void after_unload(oriel_domain* domain) { forget(things().domains, *domain); }
void after_unload(oriel_assembly* assembly) { forget(things().assemblies, *assembly); }

void after_unload(oriel_class* klass) {
  if (!forget(things().classes, *klass) || klass->runtime_id) return;
  things().classes_by_token.forget(uint64_t{klass->image->id} << 32 | klass->token, klass);
}

void after_unload(oriel_method* method) {
  if (forget(things().methods, *method)) code_removed(method);
}

void after_unload(oriel_image* image) {
  oriel_method* method = image->methods.load(std::memory_order_acquire);
  for (; method; method = method->next_in_image) after_unload(method);
  oriel_class* klass = image->classes.load(std::memory_order_acquire);
  for (; klass; klass = klass->next_in_image) after_unload(klass);
  forget(things().images, *image);
}

}  // namespace oriel
