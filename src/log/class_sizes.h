// Instance size of each class in a mapping, in bytes. Read for each allocation, so most ids are indices.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace oriel::log {

class ClassSizes {
 public:
  static constexpr uint64_t kUnknown = UINT64_MAX;

  void set(uint64_t id, uint64_t bytes) {
    if (bytes == kUnknown) bytes = 0;
    if (id >= kIndexed) {
      if (others_.size() < kIndexed || others_.contains(id)) others_[id] = bytes;
      return;
    }
    if (id >= sizes_.size()) sizes_.resize(id + id / 2 + 64, kUnknown);
    sizes_[id] = bytes;
  }
  // 0 if sizes vary; kUnknown if no mapping has the class.
  uint64_t of(uint64_t id) const {
    if (id < sizes_.size()) return sizes_[id];
    if (id < kIndexed) return kUnknown;
    const auto known = others_.find(id);
    return known == others_.end() ? kUnknown : known->second;
  }

 private:
  // Bounds the tables against hostile ids: a class beyond has no known size.
  static constexpr uint64_t kIndexed = 1u << 18;

  std::vector<uint64_t> sizes_;
  std::unordered_map<uint64_t, uint64_t> others_;
};

}  // namespace oriel::log
