// Enumerators over a snapshot of a list.
#pragma once

#include <utility>
#include <vector>

#include "oriel/plugins/com.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

template <typename Interface, typename Item>
class List final : public Object<Interface> {
 public:
  explicit List(std::vector<ComPtr<Item>> items) : items_(std::move(items)) {}

  HResult Next(uint32_t count, Item** items, uint32_t* fetched) override {
    if (items == nullptr && count > 0) return kPointerError;
    uint32_t given = 0;
    for (uint32_t i = 0; i < count; ++i) items[i] = nullptr;
    for (; given < count && at_ < items_.size(); ++given) give(items_[at_++], &items[given]);
    if (fetched != nullptr) *fetched = given;
    return given == count ? kOk : kFalse;
  }
  HResult Skip(uint32_t count) override {
    at_ += count;
    if (at_ < items_.size()) return kOk;
    at_ = items_.size();
    return kFalse;
  }
  HResult Reset() override {
    at_ = 0;
    return kOk;
  }
  // The copy starts at the beginning.
  HResult Clone(Interface** copy) override {
    if (copy == nullptr) return kPointerError;
    return give(make<List>(items_), copy);
  }
  HResult GetCount(uint32_t* count) override {
    if (count == nullptr) return kPointerError;
    *count = static_cast<uint32_t>(items_.size());
    return kOk;
  }

 private:
  const std::vector<ComPtr<Item>> items_;
  size_t at_ = 0;
};

template <typename Interface, typename Item>
HResult give_list(std::vector<ComPtr<Item>> items, Interface** out) {
  return give(make<List<Interface, Item>>(std::move(items)), out);
}

}  // namespace oriel::plugins
