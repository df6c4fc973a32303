#include "engine/hits/runtime_counts.h"

#include <algorithm>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/hits/covered_table.h"
#include "engine/lifecycle.h"

namespace oriel::hits {
namespace {

// The part of the method that has a counter for the block, and its place there.
struct Counter {
  CountedMethod* part = nullptr;
  uint32_t number = 0;
};

Counter counter_at(CountedMethod* first, uint32_t il) {
  for (CountedMethod* part = first; part != nullptr; part = part->more) {
    const auto& points = part->places.points;
    const auto found = std::ranges::lower_bound(points, il, {}, &il::CoveragePoint::il);
    if (found != points.end() && found->il == il) return {part, found->counter};
  }
  return {};
}

// The blocks that no part has yet.
Places new_places(CountedMethod* first, std::span<const RunsAt> runs) {
  Places places;
  for (const RunsAt& run : runs) {
    if (counter_at(first, run.il).part != nullptr) continue;
    const auto number = static_cast<uint32_t>(places.points.size());
    places.points.push_back({il::CoveragePoint::Kind::kRun, run.il, 0, number});
  }
  return places;
}

// Behind all other parts. False without memory.
bool add_part(Table& all, CountedMethod*& first, oriel_method& method, const oriel_image& image, uint32_t token,
              const Places& places) {
  CountedMethod** last = &first;
  while (*last != nullptr) last = &(*last)->more;
  *last = add_method(all, method, image, token, places);
  return *last != nullptr;
}

void count(Table& all, const Counter& counter, uint64_t times) {
  if (counter.part == nullptr || times == 0) return;
  if (all.counting) {
    all.counts.count_more(counter.part->first + counter.number, times);
  } else {
    __atomic_store_n(counter.part->hits + counter.number, uint8_t{1}, __ATOMIC_RELAXED);
  }
}

}  // namespace

void add_runs(oriel_method& method, oriel_image& image, uint32_t token, std::span<const RunsAt> runs) {
  ensure_described(image);
  oriel_image_mvid(&image);
  if (image.path.empty()) ensure_described(method);
  Table& all = table();
  const std::lock_guard guard(all.lock);
  const uint64_t key = token_key(image, token);
  const auto known = all.by_place.find(key);
  CountedMethod* first = known == all.by_place.end() ? nullptr : known->second;
  if (const Places places = new_places(first, runs); !places.points.empty())
    if (!add_part(all, first, method, image, token, places) && first == nullptr) return;
  if (first != nullptr) all.by_place[key] = first;
  for (const RunsAt& run : runs) count(all, counter_at(first, run.il), run.times);
}

void collect_runtime_counts(oriel_method* method) {
  if (!has_runtime_counts()) return;
  if (Runtime* const runtime = runtime_to_ask()) runtime->collect_counts(method);
}

bool has_runtime_counts() {
  const Runtime* const runtime = current_runtime();
  return is_enabled() && runtime != nullptr && runtime->counts_code();
}

// Asking takes the longer the more code has run. A program may end soon, and without a notice: what it ran in the last
// half of its time is lost at most, and never more than about a second.
std::chrono::nanoseconds collect_when_due() {
  constexpr uint64_t kFirstPause = 20'000'000, kLongestPause = 1'000'000'000;  // nanoseconds
  constexpr uint64_t kShare = 50;                                              // of its own time, at least
  static uint64_t due = 0, pause = kFirstPause;                                // used on the engine's thread only
  if (is_ending()) return std::chrono::nanoseconds(kLongestPause);
  const uint64_t began = clock_monotonic_ns();
  if (began < due) return std::chrono::nanoseconds(due - began);
  collect_runtime_counts(nullptr);
  const uint64_t took = clock_monotonic_ns() - began;
  const uint64_t next = std::max(pause, took * kShare);
  pause = std::min(pause * 2, kLongestPause);
  due = began + took + next;
  return std::chrono::nanoseconds(next);
}

}  // namespace oriel::hits
