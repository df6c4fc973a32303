#include "profile/memory/gc_phases.h"

#include <algorithm>

#include "profile/profile.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

struct PhaseWords {
  const char* key;
  const char* name;
};

// In the order of GcPhase.
constexpr PhaseWords kWords[] = {
    {"stop", "stopping threads"},
    {"mark-stacks", "marking from stacks"},
    {"mark-handles", "marking from handles"},
    {"mark-finalizers", "marking for finalizers"},
    {"mark-older", "marking from older generations"},
    {"mark-others", "marking from other roots"},
    {"weak", "clearing weak references"},
    {"plan", "planning"},
    {"relocate", "relocating"},
    {"compact", "compacting"},
    {"sweep", "sweeping"},
    {"other", "other work in pauses"},
    {"collecting", "collecting"},
    {"background-mark", "marking in the background"},
    {"background-sweep", "sweeping in the background"},
};
static_assert(std::size(kWords) == kGcPhases);

const GcPhase* find(const std::map<uint32_t, std::vector<GcStretch>>& all, uint32_t of, int64_t ns) {
  const auto found = all.find(of);
  if (found == all.end()) return nullptr;
  auto after = std::ranges::upper_bound(found->second, ns, {}, &GcStretch::start_ns);
  if (after == found->second.begin()) return nullptr;
  const GcStretch& before = *--after;
  return ns < before.end_ns ? &before.phase : nullptr;
}

}  // namespace

const char* gc_phase_name(GcPhase phase) { return kWords[static_cast<size_t>(phase)].name; }
const char* gc_phase_key(GcPhase phase) { return kWords[static_cast<size_t>(phase)].key; }

GcPhaseFinder::GcPhaseFinder(const Profile& profile) : profile_(profile) {
  for (const GcStretch& stretch : profile.gc_stretches) {
    if (stretch.thread != GcStretch::kAllThreads)
      of_thread_[stretch.thread].push_back(stretch);
    else
      (is_beside_program(stretch.phase) ? background_ : pauses_)[stretch.process].push_back(stretch);
  }
}

const GcPhase* GcPhaseFinder::at(int64_t ns, uint32_t thread) const {
  if (const GcPhase* own = find(of_thread_, thread, ns)) return own;
  const uint32_t process = profile_.threads[thread].process;
  if (const GcPhase* in_pause = find(pauses_, process, ns)) return in_pause;
  const bool collects = category_of_thread(profile_.threads[thread]) == Category::kGc;
  return collects ? find(background_, process, ns) : nullptr;
}

}  // namespace oriel::profile
