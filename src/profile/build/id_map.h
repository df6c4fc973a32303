// A map keyed by a log's ids. These are small and dense in valid logs, so most values are in a vector; other ids go to
// a hash table, so that a corrupt log cannot cause a huge allocation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace oriel::profile {

template <typename T>
class IdMap {
 public:
  // The value of `id`, or nullptr. Valid until the next call of at().
  const T* find(uint64_t id) const {
    if (id < dense_.size() && present_[id]) return &dense_[id];
    if (sparse_.empty()) return nullptr;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? nullptr : &found->second;
  }

  // The value of `id`, created if there is none; `made` tells whether it was. Valid until the next call.
  T& at(uint64_t id, bool* made = nullptr) {
    if (const T* known = find(id)) {
      if (made) *made = false;
      return const_cast<T&>(*known);
    }
    if (made) *made = true;
    ++count_;
    if (id >= 2 * count_ + 1024) return sparse_[id];
    if (id >= dense_.size()) {
      dense_.resize(id + 1);
      present_.resize(id + 1);
    }
    present_[id] = true;
    return dense_[id];
  }

  uint64_t size() const { return count_; }

 private:
  std::vector<T> dense_;
  std::vector<bool> present_;
  std::unordered_map<uint64_t, T> sparse_;
  uint64_t count_ = 0;
};

}  // namespace oriel::profile
