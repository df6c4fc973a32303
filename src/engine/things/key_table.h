// Key → record for one writer at a time and lock-free readers: an open-addressing table of atomics.
//
// A cell keeps its key for good; only its record goes, so a reader that finds the key reads a record of that key or
// none. A full table is replaced by a new one without the cells that lost their record. Readers may still be in the old
// one, so it is never freed: that is at most 64 bytes for each key ever put, while a record, which is kept as well,
// takes several times that.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace oriel {

template <typename Record>
class KeyTable {
 public:
  // Any thread, at any time; neither locks nor allocates, async-safe. nullptr if the key has no record.
  Record* find(uint64_t key) const {
    const Cells* cells = cells_.load(std::memory_order_acquire);
    if (!cells) return nullptr;
    for (size_t at = start(key);; ++at) {
      const Cell& cell = cells->cell[at & cells->mask];
      const uint64_t there = cell.key.load(std::memory_order_acquire);
      if (there == key) return cell.record.load(std::memory_order_acquire);
      if (there == kFree) return nullptr;
    }
  }

  // Writer: makes room for one more key, so that the next `put` cannot fail. Throws std::bad_alloc.
  void reserve() {
    const Cells* cells = cells_.load(std::memory_order_relaxed);
    if (!cells || 2 * (used_ + 1) > cells->mask + 1) renew();
  }

  // Writer, after `reserve`: maps the key, any but UINT64_MAX, to this record; nullptr removes it.
  void put(uint64_t key, Record* record) {
    Cell& cell = place_of(*cells_.load(std::memory_order_relaxed), key);
    cell.record.store(record, std::memory_order_release);
    if (cell.key.load(std::memory_order_relaxed) == key) return;
    cell.key.store(key, std::memory_order_release);
    ++used_;
  }

 private:
  static constexpr uint64_t kFree = UINT64_MAX;
  struct Cell {
    std::atomic<uint64_t> key{kFree};
    std::atomic<Record*> record{nullptr};
  };
  struct Cells {
    size_t mask;  // a power of two minus one
    std::unique_ptr<Cell[]> cell;
  };

  // Bits below those that select the shard.
  static size_t start(uint64_t key) { return static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> 26); }

  // The key's cell, or the free one for it.
  static Cell& place_of(const Cells& cells, uint64_t key) {
    size_t at = start(key);
    for (;; ++at) {
      const uint64_t there = cells.cell[at & cells.mask].key.load(std::memory_order_relaxed);
      if (there == key || there == kFree) return cells.cell[at & cells.mask];
    }
  }

  // Replaces the table by one that is at most a quarter full.
  void renew() {
    const Cells* before = cells_.load(std::memory_order_relaxed);
    size_t live = 0, size = 16;
    for (size_t i = 0; before && i <= before->mask; ++i) live += before->cell[i].record.load() != nullptr;
    while (size < 4 * (live + 1)) size *= 2;
    auto fresh = std::make_unique<Cells>(Cells{size - 1, std::make_unique<Cell[]>(size)});
    for (size_t i = 0; before && i <= before->mask; ++i) {
      Record* const record = before->cell[i].record.load(std::memory_order_relaxed);
      if (!record) continue;
      const uint64_t key = before->cell[i].key.load(std::memory_order_relaxed);
      Cell& cell = place_of(*fresh, key);
      cell.record.store(record, std::memory_order_relaxed);
      cell.key.store(key, std::memory_order_relaxed);
    }
    used_ = live;
    cells_.store(fresh.release(), std::memory_order_release);
  }

  std::atomic<const Cells*> cells_{nullptr};
  size_t used_ = 0;  // cells with a key
};

}  // namespace oriel
