// Rows with a unique key, in insertion order: a hash table of indexes beside a vector.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace oriel::profile {

// `Row` has uint64_t hash() const, and bool same(const Row&) const, which compares keys.
template <typename Row>
class HashedRows {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  HashedRows() : slots_(1024, kNone) {}

  // The index of the row with that key; kNone if there is none.
  uint32_t find(const Row& key) const { return slots_[slot_of(key)]; }
  // As find(key), without making a row: the row with that hash for which `is_it(row)` holds.
  template <typename IsIt>
  uint32_t find(uint64_t hash, const IsIt& is_it) const {
    size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != kNone && !is_it(rows_[slots_[slot]])) slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }

  // Adds a row whose key is not in the table yet.
  uint32_t add(Row row) {
    if (rows_.size() * 2 >= slots_.size()) grow();
    const auto index = static_cast<uint32_t>(rows_.size());
    slots_[slot_of(row)] = index;
    rows_.push_back(std::move(row));
    return index;
  }

  // The index of the row with that key; adds the row if there is none.
  uint32_t find_or_add(const Row& row) {
    const uint32_t known = find(row);
    return known == kNone ? add(row) : known;
  }

  Row& operator[](uint32_t index) { return rows_[index]; }
  const Row& operator[](uint32_t index) const { return rows_[index]; }
  uint32_t size() const { return static_cast<uint32_t>(rows_.size()); }

 private:
  // The slot of the key, or the empty one where it would go.
  size_t slot_of(const Row& key) const {
    size_t slot = key.hash() & (slots_.size() - 1);
    while (slots_[slot] != kNone && !rows_[slots_[slot]].same(key)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    std::vector<uint32_t>(slots_.size() * 2, kNone).swap(slots_);
    for (uint32_t i = 0; i < rows_.size(); ++i) slots_[slot_of(rows_[i])] = i;
  }

  std::vector<Row> rows_;
  std::vector<uint32_t> slots_;  // a power of two, at most half of them in use
};

// Mixes two values into a hash whose low bits depend on all their bits.
inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9E37'79B9'7F4A'7C15u;
  h ^= h >> 29;
  h *= 0xBF58'476D'1CE4'E5B9u;
  return h ^ h >> 32;
}

}  // namespace oriel::profile
