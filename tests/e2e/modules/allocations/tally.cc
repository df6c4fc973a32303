#include "tally.h"

#include <oriel/oriel.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace peer {

Row rows[kRows];

namespace {

std::mutex places_lock;
std::map<std::pair<uintptr_t, std::string>, uint64_t> places;

// "probes ID" with the method's name for its id.
std::string place_text(const std::string& place) {
  unsigned id = 0;
  if (std::sscanf(place.c_str(), "probes %u", &id) != 1) return place;
  return std::string("probes ") + oriel_method_name(oriel_method_by_id(id));
}

}  // namespace

Row& row_of(uintptr_t class_id) {
  uint32_t at = static_cast<uint32_t>((class_id >> 3) * 0x9e3779b97f4a7c15u >> 48) % kRows;
  for (;; at = (at + 1) % kRows) {
    uintptr_t there = rows[at].class_id.load(std::memory_order_relaxed);
    if (there == 0 && rows[at].class_id.compare_exchange_strong(there, class_id)) return rows[at];
    if (there == class_id) return rows[at];
  }
}

void add_place(uintptr_t class_id, std::string place) {
  const std::lock_guard guard(places_lock);
  ++places[{class_id, std::move(place)}];
}

void print(std::string (*name_of)(uintptr_t class_id)) {
  for (Row& row : rows) {
    if (row.class_id == 0) continue;
    std::fprintf(stderr, "class: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", row.runtime.count.load(),
                 row.runtime.bytes.load(), row.probes.count.load(), row.probes.bytes.load(),
                 name_of(row.class_id).c_str());
  }
  const std::lock_guard guard(places_lock);
  for (const auto& [key, count] : places) {
    std::fprintf(stderr, "place: %" PRIu64 " %s: %s\n", count, name_of(key.first).c_str(),
                 place_text(key.second).c_str());
  }
}

}  // namespace peer
