#include "engine/things/code_map.h"

#include <algorithm>

#include "base/clock.h"
#include "engine/engine.h"
#include "sampling/walk/frame_rule.h"

namespace oriel {
namespace {

void unlink_range(oriel_method& method, const CodeRange* range) {
  CodeRange** link = &method.code;
  while (*link && *link != range) link = &(*link)->next_of_method;
  if (*link) *link = range->next_of_method;
}

}  // namespace

void CodeMap::add(oriel_method* method, uintptr_t start, size_t size, uint64_t now) {
  if (!plausible(start, size)) return;
  auto* range = new CodeRange{start, start + size, method, now, UINT64_MAX, nullptr};
  const std::lock_guard guard(lock_);
  end_overlapping(range->start, range->end, now);
  if (last_death(range->start, range->end) != 0) sampling::forget_rules(range->start, range->end);
  insert(range);
}

void CodeMap::remove(oriel_method* method, uint64_t now) {
  const std::lock_guard guard(lock_);
  removals_.fetch_add(1, std::memory_order_acq_rel);
  while (CodeRange* range = method->code) {
    live_.erase(range->start);
    bury(range, now);
  }
}

CodeMap::Answer CodeMap::find(uintptr_t address, uint64_t when, CodeRange& range) {
  const std::lock_guard guard(lock_);
  const auto above = live_.upper_bound(address);
  const CodeRange* live = above == live_.begin() ? nullptr : std::prev(above)->second;
  if (live && address >= live->end) live = nullptr;
  const CodeRange* found = live && live->born <= when ? live : find_dead(address, when);
  if (!found) return live ? Answer::kNone : Answer::kUnknown;
  range = *found;
  return Answer::kFound;
}

bool CodeMap::learn(oriel_method* method, uintptr_t start, size_t size, uint64_t removals_before, CodeRange& range) {
  if (!plausible(start, size)) return false;
  auto* learnt = new CodeRange{start, start + size, method, 0, UINT64_MAX, nullptr};
  const std::lock_guard guard(lock_);
  learnt->born = last_death(learnt->start, learnt->end);
  range = *learnt;
  const bool removed = removals_.load(std::memory_order_acquire) != removals_before || method->unloaded.load();
  if (removed || overlaps_live(learnt->start, learnt->end)) {
    delete learnt;
  } else {
    insert(learnt);
  }
  return true;
}

void CodeMap::end_overlapping(uintptr_t start, uintptr_t end, uint64_t now) {
  auto it = live_.lower_bound(start);
  if (it != live_.begin() && std::prev(it)->second->end > start) --it;
  while (it != live_.end() && it->first < end) {
    CodeRange* const range = it->second;
    it = live_.erase(it);
    bury(range, now);
  }
}

void CodeMap::bury(CodeRange* range, uint64_t now) {
  unlink_range(*range->method, range);
  range->next_of_method = nullptr;
  range->died = now;
  sampling::forget_rules(range->start, range->end);
  for (uintptr_t page = range->start >> kPageBits; page <= (range->end - 1) >> kPageBits; ++page) {
    std::vector<CodeRange*>& there = dead_[page];
    const auto place = std::upper_bound(there.begin(), there.end(), now,
                                        [](uint64_t time, const CodeRange* it) { return time < it->died; });
    there.insert(place, range);
  }
  dead_in_turn_.push_back(range);
  if (dead_in_turn_.size() > kMostDead) forget_first_dead();
}

void CodeMap::forget_first_dead() {
  CodeRange* const range = dead_in_turn_.front();
  dead_in_turn_.pop_front();
  for (uintptr_t page = range->start >> kPageBits; page <= (range->end - 1) >> kPageBits; ++page) {
    const auto there = dead_.find(page);
    there->second.erase(std::find(there->second.begin(), there->second.end(), range));  // at or near the front
    if (there->second.empty()) dead_.erase(there);
  }
  delete range;
}

void CodeMap::insert(CodeRange* range) {
  range->next_of_method = range->method->code;
  range->method->code = range;
  live_[range->start] = range;
}

bool CodeMap::overlaps_live(uintptr_t start, uintptr_t end) const {
  const auto above = live_.lower_bound(end);
  return above != live_.begin() && std::prev(above)->second->end > start;
}

uint64_t CodeMap::last_death(uintptr_t start, uintptr_t end) const {
  uint64_t last = 0;
  for (uintptr_t page = start >> kPageBits; page <= (end - 1) >> kPageBits; ++page) {
    const auto there = dead_.find(page);
    if (there == dead_.end()) continue;
    const auto latest = std::find_if(there->second.rbegin(), there->second.rend(),
                                     [&](const CodeRange* it) { return it->start < end && it->end > start; });
    if (latest != there->second.rend()) last = std::max(last, (*latest)->died);
  }
  return last;
}

const CodeRange* CodeMap::find_dead(uintptr_t address, uint64_t when) const {
  const auto there = dead_.find(address >> kPageBits);
  if (there == dead_.end()) return nullptr;
  auto it = std::upper_bound(there->second.begin(), there->second.end(), when,
                             [](uint64_t time, const CodeRange* range) { return time < range->died; });
  for (; it != there->second.end(); ++it) {
    const CodeRange& range = **it;
    if (range.born <= when && range.start <= address && address < range.end) return &range;
  }
  return nullptr;
}

CodeMap& code_map() {
  static auto* const made = new CodeMap;
  return *made;
}

void code_added(oriel_method* method, uintptr_t start, size_t size) {
  code_map().add(method, start, size, clock_counter());
}

void code_found(oriel_method* method, uintptr_t start, size_t size) {
  CodeRange range;
  code_map().learn(method, start, size, code_map().removals(), range);
}

void code_removed(oriel_method* method) { code_map().remove(method, clock_counter()); }

}  // namespace oriel
