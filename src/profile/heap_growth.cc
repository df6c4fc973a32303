#include "profile/heap_growth.h"

#include <algorithm>
#include <span>
#include <vector>

namespace oriel::profile {
namespace {

constexpr uint32_t kOldest = 2;

bool is_told(const Profile& profile) { return profile.processes.size() <= 1; }

// Whether all of `later` are greater than all of `before` by a tenth.
bool is_above(std::span<const uint64_t> later, std::span<const uint64_t> before) {
  return std::ranges::min(later) / 11 > std::ranges::max(before) / 10;
}

bool grows_throughout(std::span<const uint64_t> sizes) {
  constexpr uint64_t kMuch = 16u << 20;
  const size_t third = sizes.size() / 3;
  if (third == 0 || sizes.back() < 2 * sizes.front() || sizes.back() - sizes.front() < kMuch) return false;
  const auto begin = sizes.first(third), middle = sizes.subspan(third, sizes.size() - 2 * third),
             end = sizes.last(third);
  return is_above(middle, begin) && is_above(end, middle);
}

}  // namespace

std::optional<HeapOfRun> heap_of_run(const Profile& profile) {
  std::optional<HeapOfRun> run;
  if (!is_told(profile)) return run;
  for (const Collection& collection : profile.collections) {
    if (!collection.heap) continue;
    if (!run) run = HeapOfRun{*collection.heap, {}, {}};
    run->last = *collection.heap;
    if (run->most.total() < run->last.total()) run->most = run->last;
    ++run->collections;
  }
  return run;
}

std::optional<HeapGrowth> heap_growth(const Profile& profile) {
  std::vector<uint64_t> sizes;
  int64_t first_ns = 0, last_ns = 0;
  if (!is_told(profile)) return std::nullopt;
  for (const Collection& collection : profile.collections) {
    if (!collection.heap || collection.generation < kOldest) continue;
    last_ns = collection.start_ns;
    if (sizes.empty()) first_ns = last_ns;
    sizes.push_back(collection.heap->total());
  }
  if (sizes.empty()) return std::nullopt;
  return HeapGrowth{sizes.front(), sizes.back(), sizes.size(), last_ns - first_ns, grows_throughout(sizes)};
}

}  // namespace oriel::profile
