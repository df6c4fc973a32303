#include "plugins/info/data_items.h"

#include <cstring>
#include <mutex>

namespace oriel::plugins {
namespace {

// One lock for all containers: items are few, and nothing is called under it.
std::mutex& changing() {
  static std::mutex lock;
  return lock;
}

}  // namespace

DataItems::DataItems() = default;
DataItems::~DataItems() = default;

bool DataItems::Before::operator()(const std::pair<Guid, Guid>& a, const std::pair<Guid, Guid>& b) const {
  const int first = std::memcmp(&a.first, &b.first, sizeof a.first);
  return first != 0 ? first < 0 : std::memcmp(&a.second, &b.second, sizeof a.second) < 0;
}

HResult DataItems::set(const Guid* component, const Guid* object, IUnknown* item) {
  if (component == nullptr || object == nullptr) return kPointerError;
  ComPtr<IUnknown> kept = share(item);  // the previous item is released after the lock
  const std::lock_guard guard(changing());
  if (!items_) items_ = std::make_unique<Map>();
  std::swap((*items_)[{*component, *object}], kept);
  if (item == nullptr) items_->erase({*component, *object});
  return kOk;
}

HResult DataItems::get(const Guid* component, const Guid* object, IUnknown** item) {
  if (component == nullptr || object == nullptr || item == nullptr) return kPointerError;
  const std::lock_guard guard(changing());
  if (!items_) return kFail;
  const auto found = items_->find({*component, *object});
  return found == items_->end() ? kFail : give(found->second, item);
}

}  // namespace oriel::plugins
