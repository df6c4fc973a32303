#include "profile/memory/heap_growth.h"
#include "profile/generations.h"

#include <algorithm>
#include <span>
#include <vector>

namespace oriel::profile {
namespace {

bool is_told(const Profile& profile) { return profile.processes.size() <= 1; }

// Whether all of `later` exceed all of `before` by a tenth.
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

uint64_t median(std::vector<uint64_t> sizes) {
  const auto middle = sizes.begin() + static_cast<ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return *middle;
}

// With too few full collections for thirds, collections of older generations (1 and 2) show the live heap too, if the
// full ones confirm them.
bool grows(const std::vector<uint64_t>& full, const Profile& profile) {
  constexpr size_t kThirds = 3, kTwo = 2;
  if (full.size() >= kThirds) return grows_throughout(full);
  if (full.size() < kTwo || full.back() / 5 < full.front() / 4) return false;
  std::vector<uint64_t> sizes;
  for (const Collection& collection : profile.collections)
    if (collection.heap && collection.generation > 0) sizes.push_back(collection.heap->total());
  return grows_throughout(sizes);
}

// Whether these sizes, those of a third of the time, still grew, where their median is so much above that of the third
// before. Growth that goes on as it did is half as much from one half of them to the other; a quarter of that is asked
// for.
bool still_grew(const std::vector<uint64_t>& sizes, uint64_t above) {
  constexpr size_t kEnough = 4;
  constexpr double kHalf = 0.5, kPart = 0.25;
  if (sizes.size() < kEnough) return true;  // nothing says that it did not
  const auto middle = sizes.begin() + static_cast<ptrdiff_t>(sizes.size() / 2);
  const auto first = static_cast<double>(median({sizes.begin(), middle})),
             second = static_cast<double>(median({middle, sizes.end()}));
  return second - first > kHalf * kPart * static_cast<double>(above);
}

// A program that loads its data first and then works on it may have no full collection later. Then the sizes after all
// collections tell whether the heap still grows; it does not if there are none any more.
bool grows_to_the_end(const Profile& profile, int64_t from_ns) {
  constexpr int64_t kParts = 3;
  std::vector<uint64_t> sizes[kParts];
  int64_t last_ns = profile.wall_ns;
  for (const Collection& collection : profile.collections) last_ns = std::max(last_ns, collection.start_ns);
  const int64_t part_ns = (last_ns - from_ns) / kParts + 1;
  for (const Collection& collection : profile.collections)
    if (collection.heap && collection.start_ns >= from_ns)
      sizes[std::min((collection.start_ns - from_ns) / part_ns, kParts - 1)].push_back(collection.heap->total());
  const auto &middle = sizes[1].empty() ? sizes[0] : sizes[1], &end = sizes[2];
  if (middle.empty() || end.empty()) return false;
  const uint64_t before = median(middle), after = median(end);
  return after / 11 > before / 10 && still_grew(end, after - before);
}

}  // namespace

std::optional<HeapHistory> heap_history(const Profile& profile) {
  std::optional<HeapHistory> run;
  if (!is_told(profile)) return run;
  for (const Collection& collection : profile.collections) {
    if (!collection.heap) continue;
    if (!run) run = HeapHistory{*collection.heap, {}, {}};
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
    if (!collection.heap || collection.generation < oldest_generation(profile)) continue;
    last_ns = collection.start_ns;
    if (sizes.empty()) first_ns = last_ns;
    sizes.push_back(collection.heap->total());
  }
  if (sizes.empty()) return std::nullopt;
  const bool goes_on = grows(sizes, profile) && grows_to_the_end(profile, first_ns);
  return HeapGrowth{sizes.front(), sizes.back(), sizes.size(), last_ns - first_ns, goes_on};
}

}  // namespace oriel::profile
