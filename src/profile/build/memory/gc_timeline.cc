#include "profile/build/memory/gc_timeline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "oriel/oriel.h"

namespace oriel::profile {
namespace {

// Indexes of oriel_event_gc_phases's values.
enum TimeIndex : size_t {
  kBackground,
  kRoots,
  kWeakTime,
  kFinalization,
  kPlanTime,
  kRelocateTime,
  kCompactTime,
  kSweepTime
};

GcPhase phase_of_roots(uint64_t roots) {
  switch (roots) {
    case ORIEL_GC_ROOTS_STACKS:
      return GcPhase::kMarkStacks;
    case ORIEL_GC_ROOTS_HANDLES:
    case ORIEL_GC_ROOTS_SIZED_REFERENCES:
    case ORIEL_GC_ROOTS_DEPENDENT_HANDLES:
      return GcPhase::kMarkHandles;
    case ORIEL_GC_ROOTS_FINALIZER_QUEUE:
    case ORIEL_GC_ROOTS_NEW_FINALIZABLE:
      return GcPhase::kMarkFinalizers;
    case ORIEL_GC_ROOTS_OLDER_GENERATIONS:
      return GcPhase::kMarkOlder;
    default:
      return GcPhase::kMarkOthers;
  }
}

struct Mark {
  int64_t ns = 0;  // when it was done
  uint32_t thread = 0;
  uint64_t heap = 0;
  GcPhase phase = GcPhase::kMarkOthers;
};

// A collection's pause, as far as it is known.
struct OpenPause {
  Pause pause;
  int64_t filled_ns = 0;  // its phases reach until then
  int64_t begun_ns = -1;  // begin of a collection that has not reported times yet; -1: none
  bool full = false;      // a full collection
  std::vector<Mark> marks;
  std::vector<GcStretch> stretches;

  void fill(int64_t end_ns, GcPhase phase) {
    if (end_ns <= filled_ns) return;
    stretches.push_back({filled_ns, end_ns, phase});
    filled_ns = end_ns;
  }

  // Fills the marking of roots up to `end_ns`: for all threads, each kind of root lasted from the previous one that the
  // first heap reported; in addition, each thread's own.
  void fill_roots(int64_t end_ns) {
    const int64_t start_ns = filled_ns;
    std::map<uint32_t, int64_t> threads;  // the end of each thread's last mark
    for (const Mark& mark : marks) {
      int64_t& told = threads.try_emplace(mark.thread, start_ns).first->second;
      if (mark.ns > told) stretches.push_back({told, mark.ns, mark.phase, 0, mark.thread});
      told = std::max(told, mark.ns);
      if (mark.heap == 0) fill(std::min(mark.ns, end_ns), mark.phase);
    }
    fill(end_ns, GcPhase::kMarkOthers);
    marks.clear();
  }

  // `values` are oriel_event_gc_phases's, reported at `told_ns`.
  void fill_phases(const uint64_t* values, int64_t told_ns) {
    int64_t all = 0;
    const auto time = [&](size_t index) {
      return static_cast<int64_t>(std::min<uint64_t>(values[index], uint64_t{1} << 50));  // for corrupt logs
    };
    for (size_t i = kRoots; i <= kSweepTime; ++i) all += time(i);
    fill(std::min(std::max(begun_ns, filled_ns), told_ns - all), GcPhase::kOther);
    const auto fill_next = [&](size_t index, GcPhase phase) {
      fill(std::min(filled_ns + time(index), told_ns), phase);
    };
    fill_roots(std::min(filled_ns + time(kRoots), told_ns));
    fill_next(kWeakTime, GcPhase::kWeak);
    fill_next(kFinalization, GcPhase::kMarkFinalizers);
    fill_next(kPlanTime, GcPhase::kPlan);
    fill_next(kRelocateTime, GcPhase::kRelocate);
    fill_next(kCompactTime, GcPhase::kCompact);
    fill_next(kSweepTime, GcPhase::kSweep);
    begun_ns = -1;
  }
};

class Timeline {
 public:
  Timeline(bool told, const ClockMap& clock, Profile& profile) : told_(told), clock_(clock), profile_(profile) {}

  void add(const GcRecord& record) {
    const int64_t now = clock_.ns(record.counter);
    switch (record.event) {
      case oriel_event_suspend_begin:
        if (!is_for_collection(record.values[0])) return;
        open_.emplace();
        open_->pause = {now, 0, record.values[0]};
        open_->filled_ns = now;
        return;
      case oriel_event_suspend_end:
        if (open_) open_->fill(now, GcPhase::kStopping);
        return;
      case oriel_event_suspend_aborted:
        open_.reset();
        return;
      case oriel_event_gc_begin:
        if (!open_) return;
        open_->begun_ns = now;
        open_->full = record.values[1] >= kOldestGeneration;
        return;
      case oriel_event_gc_marked:
        if (open_) open_->marks.push_back({now, record.thread, record.values[0], phase_of_roots(record.values[1])});
        return;
      case oriel_event_gc_phases:
        if (record.values[kBackground] != 0)
          end_background(record.values, now);
        else if (open_)
          open_->fill_phases(record.values, now);
        return;
      case oriel_event_resume_end:
        resumed(record, now);
        return;
      default:
        return;
    }
  }

  void finish() {
    if (second_) close(*second_);
    sweep_until(INT64_MAX);
    std::ranges::stable_sort(profile_.gc_stretches, {}, &GcStretch::start_ns);
  }

 private:
  static bool is_for_collection(uint64_t reason) {
    return reason == ORIEL_SUSPEND_GC || reason == ORIEL_SUSPEND_GC_PREPARE;
  }

  void resumed(const GcRecord& record, int64_t now) {
    if (!open_) return;
    Pause& pause = open_->pause;
    const Pause told = pause_of(record, pause.start_ns, now);
    pause.start_ns = told.start_ns;
    pause.ns = told.ns;
    if (!open_->stretches.empty()) open_->stretches.front().start_ns = pause.start_ns;
    if (pause.reason == ORIEL_SUSPEND_GC_PREPARE && marking_since_ >= 0) {
      beside(marking_since_, pause.start_ns, GcPhase::kBackgroundMark);
      if (second_) close(*second_);
      second_ = std::move(open_);
      if (!told_) end_untold();
    } else {
      if (open_->begun_ns >= 0 && open_->full) begin_background(*open_);
      close(*open_);
    }
    open_.reset();
  }

  void begin_background(OpenPause& first) {
    sweep_until(first.pause.start_ns);
    if (told_) first.fill(first.begun_ns, GcPhase::kOther);
    if (!first.marks.empty()) first.fill_roots(first.marks.back().ns);
    marking_since_ = first.pause.start_ns + first.pause.ns;
    background_ = collection_of(first.pause, profile_.collections);
    // A short collection that begins with it comes after it.
    if (background_ && background_ != profile_.collections.data() && background_->generation < kOldestGeneration &&
        background_[-1].start_ns == background_->start_ns)
      --background_;
  }

  void end_background(const uint64_t* values, int64_t now) {
    if (!second_) return;
    const int64_t end_ns = second_->pause.start_ns + second_->pause.ns;
    second_->begun_ns = second_->filled_ns;
    second_->fill_phases(values, end_ns);
    close(*second_);
    second_.reset();
    beside(end_ns, now, GcPhase::kBackgroundSweep);
    marking_since_ = -1;
    if (background_) background_->end_ns = std::max(background_->end_ns, now);
    background_ = nullptr;
  }

  // The end of sweeping is not known. The background threads do nothing else until the next full collection.
  void end_untold() {
    close(*second_);
    sweeping_since_ = second_->pause.start_ns + second_->pause.ns;
    second_.reset();
    marking_since_ = -1;
  }

  void sweep_until(int64_t end_ns) {
    if (sweeping_since_ >= 0 && end_ns > sweeping_since_)
      profile_.gc_stretches.push_back({sweeping_since_, end_ns, GcPhase::kBackgroundSweep});
    sweeping_since_ = -1;
  }

  void beside(int64_t start_ns, int64_t end_ns, GcPhase phase) {
    if (end_ns <= start_ns) return;
    profile_.gc_stretches.push_back({start_ns, end_ns, phase});
    if (background_) background_->phases[static_cast<size_t>(phase)] += end_ns - start_ns;
  }

  // The rest of the pause has no phase; phases outside of the pause do not count.
  void close(OpenPause& open) {
    const int64_t end_ns = open.pause.start_ns + open.pause.ns;
    open.fill(end_ns, told_ ? GcPhase::kOther : GcPhase::kCollecting);
    Collection* collection = collection_of(open.pause, profile_.collections);
    for (GcStretch& stretch : open.stretches) {
      stretch.end_ns = std::min(stretch.end_ns, end_ns);
      if (stretch.end_ns <= stretch.start_ns) continue;
      profile_.gc_stretches.push_back(stretch);
      if (!collection || stretch.thread != GcStretch::kAllThreads) continue;
      collection->phases[static_cast<size_t>(stretch.phase)] += stretch.end_ns - stretch.start_ns;
    }
  }

  const bool told_;  // the log has the phases' times
  const ClockMap& clock_;
  Profile& profile_;
  std::optional<OpenPause> open_;
  std::optional<OpenPause> second_;  // of a background collection that is still sweeping
  int64_t marking_since_ = -1;       // start of a background collection's concurrent marking; -1: none
  int64_t sweeping_since_ = -1;      // likewise of its sweeping, if its end is not reported
  Collection* background_ = nullptr;
};

}  // namespace

Pause pause_of(const GcRecord& resume_end, int64_t stopped_ns, int64_t resumed_ns) {
  const auto paused = static_cast<int64_t>(std::min<uint64_t>(resume_end.values[1], static_cast<uint64_t>(resumed_ns)));
  const int64_t latest = resumed_ns - paused;
  const int64_t start = stopped_ns >= 0 ? std::min(stopped_ns, latest) : latest;
  return {start, paused > 0 ? paused : resumed_ns - start, resume_end.values[0]};
}

Collection* collection_of(const Pause& pause, std::vector<Collection>& collections) {
  const int64_t end = pause.start_ns + pause.ns;
  const auto after =
      std::upper_bound(collections.begin(), collections.end(), end,
                       [](int64_t ns, const Collection& collection) { return ns < collection.start_ns; });
  // Only a concurrent collection can be far back, and there is at most one at a time.
  constexpr ptrdiff_t kReach = 1000;
  const auto first = after - std::min(kReach, after - collections.begin());
  for (auto at = after; at != first;) {
    --at;
    if (at->end_ns < 0 || at->end_ns >= pause.start_ns) return &*at;
  }
  return nullptr;
}

void add_gc_phases(std::span<const GcRecord> records, const ClockMap& clock, Profile& profile) {
  const bool told = std::ranges::find(records, uint32_t{oriel_event_gc_phases}, &GcRecord::event) != records.end();
  Timeline timeline(told, clock, profile);
  for (const GcRecord& record : records) timeline.add(record);
  timeline.finish();
}

}  // namespace oriel::profile
