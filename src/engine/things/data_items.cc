#include "engine/things/data_items.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/or_else.h"
#include "engine/profilers.h"
#include "oriel/code.h"

namespace oriel {
namespace {

struct Item {
  oriel_profiler_desc* profiler = nullptr;
  uint32_t key = 0;
  void* data = nullptr;
  oriel_data_cb destroy = nullptr;

  bool is_of(const oriel_profiler_desc* whose, uint32_t which) const { return profiler == whose && key == which; }
};

struct Kept {
  std::mutex lock;  // not held while calling out
  std::unordered_map<const Entity*, std::vector<Item>> items;
  bool ended = false;
};
Kept& kept() {
  static auto* const made = new Kept;
  return *made;
}
// Whether there ever was any: until then unloads skip the lookup.
constinit std::atomic<bool> any{false};

void tell(const Item& item) {
  if (item.destroy && item.data) attempt([&] { item.destroy(item.profiler->profiler, item.data); });
}

// Replaces the item with the same key and returns it; without data, removes it.
Item exchange(std::vector<Item>& items, const Item& item) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& it) { return it.is_of(item.profiler, item.key); });
  if (found == items.end()) {
    if (item.data) items.push_back(item);
    return {};
  }
  const Item before = std::exchange(*found, item);
  if (!item.data) items.erase(found);
  return before;
}

bool set(Entity* thing, const Item& item) {
  if (!thing || !item.profiler) return false;
  Item before;
  {
    any.store(true, std::memory_order_seq_cst);
    const std::lock_guard guard(kept().lock);
    // An unload sets the flag before it takes the lock.
    if (kept().ended || thing->unloaded.load(std::memory_order_seq_cst)) return false;
    std::vector<Item>& items = kept().items[thing];
    before = exchange(items, item);
    if (items.empty()) kept().items.erase(thing);
  }
  tell(before);
  return true;
}

void* get(const Entity* thing, const oriel_profiler_desc* profiler, uint32_t key) {
  if (!thing || !any.load(std::memory_order_seq_cst)) return nullptr;
  const std::lock_guard guard(kept().lock);
  const auto found = kept().items.find(thing);
  if (found == kept().items.end()) return nullptr;
  for (const Item& item : found->second)
    if (item.is_of(profiler, key)) return item.data;
  return nullptr;
}

}  // namespace

void release_data_of(const Entity& thing) {
  if (!any.load(std::memory_order_seq_cst)) return;
  std::vector<Item> gone;
  {
    const std::lock_guard guard(kept().lock);
    const auto found = kept().items.find(&thing);
    if (found == kept().items.end()) return;
    gone = std::move(found->second);
    kept().items.erase(found);
  }
  for (const Item& item : gone) tell(item);
}

void forget_data_of(const void* load) {
  const std::lock_guard guard(kept().lock);
  for (auto& [thing, items] : kept().items)
    std::erase_if(items, [&](const Item& item) { return item.profiler->load == load; });
}

void release_all_data() {
  if (!any.load(std::memory_order_seq_cst)) return;
  std::unordered_map<const Entity*, std::vector<Item>> all;
  {
    const std::lock_guard guard(kept().lock);
    all.swap(kept().items);
    kept().ended = true;
  }
  for (const auto& [thing, items] : all)
    for (const Item& item : items) tell(item);
}

}  // namespace oriel

#define ORIEL_DEFINE_DATA(kind)                                                                             \
  bool oriel_##kind##_set_data(oriel_##kind* thing, oriel_profiler_handle handle, uint32_t key, void* data, \
                               oriel_data_cb destroy) {                                                     \
    return oriel::or_else(false, [&] { return oriel::set(thing, {handle, key, data, destroy}); });          \
  }                                                                                                         \
  void* oriel_##kind##_data(const oriel_##kind* thing, oriel_profiler_handle handle, uint32_t key) {        \
    return oriel::or_else<void*>(nullptr, [&] { return oriel::get(thing, handle, key); });                  \
  }
ORIEL_DEFINE_DATA(domain)
ORIEL_DEFINE_DATA(assembly)
ORIEL_DEFINE_DATA(image)
ORIEL_DEFINE_DATA(method)
#undef ORIEL_DEFINE_DATA
