// Unloads: names are fetched while the runtime still has them, and its ids are forgotten, as they may be reused.
#include "engine/code/requests.h"
#include "engine/engine.h"
#include "engine/things/data_items.h"
#include "engine/things/things.h"

namespace oriel {
namespace {

template <typename Record>
void describe_unless_gone(Record& record) {
  if (!record.unloaded.load(std::memory_order_acquire)) ensure_described(record);
}

template <typename Record>
void describe_without_image(WithoutImage<Record>& homeless) {
  for (Record* it : homeless.pending()) describe_unless_gone(*it);
}

// Returns whether this call marked it unloaded.
template <typename Record>
bool forget(ThingTable<Record>& table, Record& record) {
  if (record.unloaded.exchange(true, std::memory_order_seq_cst)) return false;
  if (record.runtime_id) table.by_runtime_id.forget(record.runtime_id, &record);
  release_data_of(record);
  return true;
}

}  // namespace

void before_unload(oriel_domain* domain) { ensure_described(*domain); }
void before_unload(oriel_assembly* assembly) { ensure_described(*assembly); }
void before_unload(oriel_class* klass) { ensure_described(*klass); }
void before_unload(oriel_method* method) { ensure_described(*method); }

void before_unload(oriel_image* image) {
  ensure_described(*image);
  // Methods first: describing one may create a class record.
  describe_without_image(things().methods_without_image);
  for_each_method(*image, [](oriel_method& method) { describe_unless_gone(method); });
  describe_without_image(things().classes_without_image);
  for_each_class(*image, [](oriel_class& klass) { describe_unless_gone(klass); });
}

void after_unload(oriel_domain* domain) { forget(things().domains, *domain); }
void after_unload(oriel_assembly* assembly) { forget(things().assemblies, *assembly); }

void after_unload(oriel_class* klass) {
  if (!forget(things().classes, *klass) || klass->runtime_id) return;
  things().classes_by_token.forget(token_key(*klass->image, klass->token), klass);
}

void after_unload(oriel_method* method) {
  if (forget(things().methods, *method)) code_removed(method);
}

void after_unload(oriel_image* image) {
  for_each_method(*image, [](oriel_method& method) { after_unload(&method); });
  for_each_class(*image, [](oriel_class& klass) { after_unload(&klass); });
  if (forget(things().images, *image)) forget_reverts_in(*image);
}

void forget_without_image() {
  const auto forget_all = [](const auto& ids) {
    for (uint32_t id = 1; id <= ids.count(); ++id) {
      auto* const record = ids.get(id);
      if (record->runtime_id && !record->image && !record->unloaded.load()) after_unload(record);
    }
  };
  forget_all(things().methods.ids);
  forget_all(things().classes.ids);
}

}  // namespace oriel
