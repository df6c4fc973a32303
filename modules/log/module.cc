// The log module: writes what happens to a file while the program runs. Its parts: options, recorder (callbacks on the
// program's threads), event_buffer, sample_rings and call_buffer (on the way), event_writer, sample_writer and
// call_writer with names and stack_tree (out of these), log_file (into the file), written_files (which of these stay),
// triggers and signal_trigger (when a flight recorder saves), saving (how).

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "budget.h"
#include "call_buffer.h"
#include "log/event.h"
#include "log_file.h"
#include "modules/module.h"
#include "modules/process_info.h"
#include "modules/worker.h"
#include "options.h"
#include "recorder.h"
#include "saving.h"
#include "spending.h"
#include "triggers.h"
#include "written_files.h"

namespace oriel::log_module {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFlushEvery{200};
constexpr milliseconds kFlushAtLeast{1'000};  // at a slow pace
constexpr uint32_t kFullPace = 1000;
constexpr milliseconds kDrainAtMost{100};
constexpr milliseconds kDrainAtLeast{2};
// Of a flight recorder: what is not in its file when the process is killed is lost.
constexpr milliseconds kRecorderFlushEvery{100};
constexpr milliseconds kRecorderDrainAtMost{50};
constexpr milliseconds kWaitAtExit{2'000};
constexpr milliseconds kWaitAtStop{20'000};  // stopping does not delay the program's end

// The callbacks' state, which logs share one after another. It lives as long as the process, because callbacks may
// run at any time.
struct Ears {
  oriel_profiler profiler;
  oriel_profiler_handle handle = oriel_profiler_create(&profiler);
  oriel_profiler_handle watcher = nullptr;  // for suspensions only; created when needed
  bool any_log = false;                     // a log has begun before
  bool is_stuck = false;                    // a log's writer did not end in time; it keeps its log
  WrittenFiles files, saved;

  Recorder& recorder() { return profiler.recorder; }

  bool watch_suspensions() {
    if (!watcher) watcher = oriel_profiler_create(nullptr);
    if (watcher) log_module::watch_suspensions(watcher);
    return watcher != nullptr;
  }
};

Ears& ears() {
  static auto* const made = new Ears;
  return *made;
}

// The events that a log receives: those of its options, and those that the writer adds while they are worth their
// cost.
class Listening {
 public:
  // Sets the events of the options; of the added ones, those in `may_be` stay. Opens it until close(). All functions:
  // any thread.
  void want(const EventSet& events, const EventSet& may_be, bool stacks) {
    const std::lock_guard guard(lock_);
    const EventSet before = heard();
    wanted_ = events;
    added_ &= may_be;
    stacks_ = stacks;
    is_open_ = true;
    update(before);
  }
  void add(const EventSet& events, bool on) {
    const std::lock_guard guard(lock_);
    if (!is_open_) return;
    const EventSet before = heard();
    added_ = on ? added_ | events : added_ & ~events;
    update(before);
  }
  void close() {
    const std::lock_guard guard(lock_);
    is_open_ = false;
    wanted_ = added_ = {};
    oriel::log_module::stop_listening(ears().handle, EventSet().set());
  }

 private:
  EventSet heard() const { return wanted_ | added_; }
  void update(const EventSet& before) {
    const EventSet now = heard();
    listen(ears().handle, now & ~before);
    oriel::log_module::stop_listening(ears().handle, before & ~now);
    if (!now[oriel_event_gc_allocation]) return;
    if (stacks_)
      listen_with_stacks(ears().handle);
    else
      listen(ears().handle, EventSet().set(oriel_event_gc_allocation));
  }

  std::mutex lock_;
  EventSet wanted_, added_;
  bool stacks_ = false;
  bool is_open_ = false;
};

// Drains often while the rings fill fast, and rarely while little happens.
milliseconds next_pause(milliseconds pause, unsigned fullest_percent) {
  if (fullest_percent >= 100) return kDrainAtLeast;
  if (fullest_percent > 30) return std::max(pause / 2, kDrainAtLeast);
  return fullest_percent < 10 ? std::min(pause + milliseconds(5), kDrainAtMost) : pause;
}

// The first walk makes the engine load what walks need.
void prepare_walks() {
  const uintptr_t* frames = nullptr;
  oriel_stack_walk_here(&frames, nullptr);
}

// Whether any event has stacks, so that frees of code must be received. Exceptions do not count: they have stacks
// only with sampling, which receives frees anyway.
bool has_stacks(const Options& options) {
  const auto has_stack = [&](const log::EventDescription& event) {
    const bool of_exceptions = event.number == oriel_event_exception_throw || event.number == oriel_event_process_abort;
    return event.has_stack && options.events[event.number] && !of_exceptions;
  };
  return options.allocation_stacks || std::ranges::any_of(log::all_events(), has_stack);
}

// The events to receive: those to log, and those needed for stacks.
EventSet heard(const Options& options, bool stacks) {
  EventSet events = options.events;
  const bool sampling = options.sample_mode != ORIEL_SAMPLE_NONE;
  if (sampling) events.set(oriel_event_sample_hit);
  if (!sampling && !stacks && !options.allocations_when_grown) return events;
  // The stack tree must know when code is freed.
  return events.set(oriel_event_method_free).set(oriel_event_image_unloaded);
}

std::string text_of(const std::optional<MethodPatterns>& patterns) { return patterns ? "=" + patterns->text() : ""; }

std::unique_ptr<modules::MethodFilter> filter_of(std::optional<MethodPatterns>& patterns, bool with_trivial) {
  using modules::MethodFilter;
  if (!patterns) return nullptr;
  const auto trivial = with_trivial ? MethodFilter::Trivial::kIn : MethodFilter::Trivial::kLeftOut;
  return std::make_unique<MethodFilter>(std::move(*patterns), trivial);
}

void set_pace(const oriel_pace& pace) {
  ears().recorder().pace = pace.pace;
  oriel_set_sampling_pace(ears().handle, &pace);
}

// One log, from its intro to its end.
class Log {
 public:
  using Options = log_module::Options;
  static const modules::OptionTable& table() { return kTable; }
  static Result<Options> parse(const std::string& text) { return parse_options(text); }
  static Result<std::unique_ptr<Log>> start(Options options);

  Options& options() { return options_; }
  // A log has one sampling rate and mode, because readers count by them. Sampling may be off for a while. A
  // recorder's file keeps its size.
  bool can_apply(const Options& options) const {
    if (options.held != options_.held) return false;
    if (options.sample_mode == ORIEL_SAMPLE_NONE) return true;
    return options.sample_mode == options_.sample_mode && options.hz == options_.hz;
  }
  Status apply(Options options);
  Status flush();
  std::string file() const {
    const std::lock_guard guard(path_lock_);
    return path_;
  }
  // Of a flight recorder. Saves what it holds, in the file of that name, or of one that says when; returns its name.
  Result<std::string> save(const std::string& path);
  // What a recorder holds, for a person; "" if it is none.
  std::string details() const;
  Status stop();
  void finish();
  bool is_stuck() const { return ears().is_stuck; }

 private:
  // The patterns as last applied.
  struct Chosen {
    std::string calls, async, allocations;
    bool trivial = false;
  };

  explicit Log(Options options) : options_(std::move(options)) {}

  Status start_writer();
  void choose(Options& options);
  void listen_as(const Options& options);
  void sample(oriel_sample_mode mode);
  std::optional<log::OptionChange> change_of_text(const Options& options);
  void change_file(const Options& options);
  bool end_writer(milliseconds wait);
  // On the writer's thread.
  Status open_file(const log::Intro& intro, uint64_t since);
  milliseconds write();
  Result<milliseconds> write_some();
  void listen_on_demand();
  void keep_within_budget();
  void drop_events();
  milliseconds flush_interval() const;
  bool is_rotation_due() const;
  bool is_segment_due() const;
  Status begin_segment();
  Status go_on_in(std::unique_ptr<LogFile> next);
  Result<std::string> save_now(const SaveCause& cause, const std::string& path);
  void save_if_due();
  void note_held();
  Status rotate();
  void keep_newest(size_t most);
  void write_rest();
  void give_up(const char* message);
  void say_complaints();

  Options options_;         // as started, with the current text, without the patterns
  std::string first_path_;  // of the first file, from the root
  mutable std::mutex path_lock_;
  std::string path_;                  // of the current one, likewise; guarded by path_lock_
  log::RingFile::Held held_;          // by a recorder, as last known; guarded by path_lock_
  std::string saved_;                 // the file that was saved last; guarded by path_lock_
  uint32_t times_saved_ = 0;          // guarded by path_lock_
  std::optional<ClockPair> stopped_;  // nullopt: it was not stopped
  Chosen chosen_;
  Listening listening_;
  std::unique_ptr<log::RingFile> ring_;  // of a flight recorder; made and ended on the writer's thread
  std::unique_ptr<LogFile> file_;
  std::atomic<bool> given_up_{false};
  bool allocations_chosen_ = false;
  modules::Worker writer_;
  // Events that are received only when they are worth their cost.
  std::atomic<bool> awaits_locks_{false}, awaits_pauses_{false}, awaits_growth_{false};
  // For the writer's thread only.
  bool hears_allocations_ = false;
  bool any_call_ = false;  // a call was logged; for messages at the end
  Triggers triggers_;
  std::optional<Budget> budget_;
  Spending spending_;
  std::chrono::steady_clock::time_point budget_due_;
  FilePlan now_;        // as in force, for the next file, with its path once it has one
  uint64_t since_ = 0;  // of LogFile::open
  std::chrono::steady_clock::time_point begun_, may_rotate_;  // the file; may_rotate_: not sooner
  bool dropped_events_ = false;                               // for the budget, until the options change
  bool any_rotation_failed_ = false, any_removal_failed_ = false, any_save_failed_ = false, any_dropped_ = false;
  milliseconds pause_{20};
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

// Ends logging after an error: reports it once and leaves the program alone from then on.
void Log::give_up(const char* message) {
  given_up_ = true;
  close_call_buffers();
  oriel_profiler_set_call_instrumentation_filter_callback(ears().handle, nullptr);
  oriel_profiler_set_allocation_filter_callback(ears().handle, nullptr);
  listening_.close();
  oriel_warn(message);
  try {
    oriel_set_sample_mode(ears().handle, ORIEL_SAMPLE_NONE, options_.hz);
  } catch (...) {  // if this fails, samples fill the rings and are dropped
  }
}

// Starts listening on demand. The runtime needs time to start reporting locks and phases of collections, which a
// program that does not need them should not pay; and sampled allocations are of interest only while the heap grows.
void Log::listen_on_demand() {
  constexpr uint64_t kMuch = 100'000'000;  // nanoseconds
  if (file_->saw_lock_wait() && awaits_locks_.exchange(false))
    listening_.add(EventSet().set(oriel_event_monitor_acquired), true);
  if (ears().recorder().gc_paused_ns.load(std::memory_order_relaxed) >= kMuch && awaits_pauses_.exchange(false))
    listening_.add(with_phases({}), true);
  const bool hear_allocations = awaits_growth_ && file_->heap_grows();
  if (hear_allocations == hears_allocations_) return;
  hears_allocations_ = hear_allocations;
  // The lifetimes of objects sampled earlier stay on.
  if (hear_allocations)
    listening_.add(followed_allocations(), true);
  else
    listening_.add(EventSet().set(oriel_event_gc_allocation_followed), false);
}

// Once a second. Without a budget nothing is counted.
void Log::keep_within_budget() {
  constexpr std::chrono::seconds kOften{1};
  if (now_.budget != (budget_ ? budget_->limit() : 0)) {
    budget_.reset();
    if (now_.budget != 0) budget_.emplace(now_.budget);
    spending_.take(ears().recorder());
    ears().recorder().counts_time = now_.budget != 0;
    if (now_.budget != 0) oriel_enable_sampling(ears().handle);
    set_pace({kFullPace, 0, now_.budget});
    budget_due_ = std::chrono::steady_clock::now() + kOften;
  }
  if (!budget_ || std::chrono::steady_clock::now() < budget_due_) return;
  budget_due_ = std::chrono::steady_clock::now() + kOften;
  budget_->take(spending_.take(ears().recorder()));
  set_pace({budget_->pace(), budget_->used(), budget_->limit()});
  if (budget_->is_hopeless()) drop_events();
}

// Samples hardly take anything any more: it is the events. The log says that they end, as it does of any change.
void Log::drop_events() {
  constexpr const char* kKept = "events=runtime+loads+threads+gc";
  constexpr const char* kDropped = "alloc,locks,gc-phases,counters,activities";
  if (std::exchange(dropped_events_, true)) return;
  auto options = parse_options(modules::changed_text(kTable, now_.text, kKept, kDropped));
  if (!options) return;
  options->events.set(oriel_event_process_abort);
  file_->add(change_to(*options));
  file_->change(oriel_clock(), ever_logged(*options), false);
  now_.logged = ever_logged(*options);
  now_.properties = plan_of(*options).properties;
  listen_as(*options);
  oriel_warn(
      "log: even with hardly any samples Oriel takes more than its budget; exceptions, locks, sampled allocations "
      "and counters are logged no more. Give a larger --budget to have them");
}

milliseconds Log::flush_interval() const {
  if (ring_) return kRecorderFlushEvery;
  return budget_ ? std::min(kFlushEvery * kFullPace / budget_->pace(), kFlushAtLeast) : kFlushEvery;
}

// One round of the writer. Returns the time until the next one.
Result<milliseconds> Log::write_some() {
  const bool urgent = ears().recorder().urgent.exchange(false);
  pause_ = next_pause(pause_, file_->drain());
  listen_on_demand();
  keep_within_budget();
  if (is_rotation_due()) {
    if (Status status = rotate(); !status) return status;
  }
  if (urgent || file_->wants_flush() || std::chrono::steady_clock::now() - flushed_ >= flush_interval()) {
    if (Status status = file_->flush(); !status) return status;
    flushed_ = std::chrono::steady_clock::now();
  }
  if (!ring_) return pause_;
  if (is_segment_due()) {
    if (Status status = begin_segment(); !status) return status;
  }
  save_if_due();
  note_held();
  return std::min(pause_, kRecorderDrainAtMost);
}

bool Log::is_rotation_due() const {
  const auto now = std::chrono::steady_clock::now();
  const modules::FileLimits& limits = now_.rotation;
  if (!limits.any() || now < may_rotate_) return false;
  return (limits.bytes != 0 && file_->bytes() >= limits.bytes) ||
         (limits.time.count() != 0 && now - begun_ >= limits.time);
}

// Ends the file and begins the next one, on the writer's own thread: callbacks, probes and buffers stay as they are,
// so what happens meanwhile waits in the buffers for the next file. If the next file cannot be created, the log goes
// on in this one.
Status Log::rotate() {
  constexpr std::chrono::seconds kRest{1}, kTryAgain{10};
  if (now_.keep != 0) keep_newest(now_.keep - 1);  // first, as that may make room on the disk
  if (now_.path.empty()) now_.path = modules::next_file(first_path_);
  const auto now = std::chrono::steady_clock::now();
  auto next = LogFile::open(now_, ears().recorder(), since_);
  may_rotate_ = now + (next ? kRest : kTryAgain);
  if (!next) {
    if (!std::exchange(any_rotation_failed_, true))
      oriel_warn((next.message() + "; the log goes on in the file that it has").c_str());
    return Status::ok();
  }
  if (Status status = go_on_in(std::move(*next)); !status) return status;
  begun_ = now;
  any_rotation_failed_ = false;
  const std::string path = std::exchange(now_.path, "");
  ears().files.add(path);
  const std::lock_guard guard(path_lock_);
  path_ = path;
  return Status::ok();
}

Status Log::go_on_in(std::unique_ptr<LogFile> next) {
  // Before the last drain, so that the next file does not begin after its first event.
  const log::Intro intro = intro_of(now_);
  file_->drain();
  if (Status status = ring_ ? file_->finish_segment() : file_->finish(); !status) return status;
  if (Status status = next->begin(now_, intro, file_.get()); !status) return status;
  any_call_ |= file_->has_calls();
  file_ = std::move(next);
  flushed_ = std::chrono::steady_clock::now();
  return Status::ok();
}

// Eight segments cover a recorder's time, or its bytes: the oldest goes as a whole.
bool Log::is_segment_due() const {
  constexpr uint64_t kSegments = 8;
  if (!ring_) return false;
  const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(now_.held.time) / kSegments;
  return file_->has_dropped() || ring_->segment_bytes() >= now_.held.bytes / kSegments ||
         ring_->segment_ns(clock_monotonic_ns()) >= static_cast<uint64_t>(time.count());
}

Status Log::begin_segment() {
  if (file_->has_dropped() && !std::exchange(any_dropped_, true))
    oriel_warn(
        "log: the recorder has left out what did not fit into its size at once; give it more, such as "
        "--recorder 60s/256MB");
  auto next = LogFile::open(now_, ears().recorder(), since_, ring_.get());
  if (!next) return next.status();
  (*next)->watch_with(&triggers_);
  return go_on_in(std::move(*next));
}

void Log::note_held() {
  const std::lock_guard guard(path_lock_);
  held_ = ring_->held(clock_monotonic_ns());
}

std::string Log::details() const {
  const std::lock_guard guard(path_lock_);
  return options_.held.any() ? held_text(held_, options_.held, times_saved_, saved_) : "";
}

// Saves on the writer's thread. The mark says in the log why.
Result<std::string> Log::save_now(const SaveCause& cause, const std::string& path) {
  oriel_mark(("recorder: " + cause.why).c_str());
  for (int round = 0; file_->drain() >= 100 && round < 100; ++round) {
  }
  if (Status status = file_->flush(); !status) return status;
  const std::string place = path.empty() ? name_of_saved(first_path_, cause.word) : path;
  if (Status status = save_ring(*ring_, place, [this] { file_->drain(); }); !status) return status;
  ears().saved.add(place);
  const uint32_t keep = now_.keep != 0 ? now_.keep : kKeptByDefault;
  if (const Status status = ears().saved.keep(keep); !status && !std::exchange(any_removal_failed_, true))
    oriel_warn(("log: " + status.message()).c_str());
  const std::lock_guard guard(path_lock_);
  saved_ = place;
  ++times_saved_;
  return place;
}

void Log::save_if_due() {
  const std::optional<SaveCause> cause = triggers_.due(std::chrono::steady_clock::now());
  if (!cause) return;
  const Result<std::string> saved = save_now(*cause, "");
  if (saved)
    oriel_warn(("log: the recorder saved " + *saved + ": " + cause->why).c_str());
  else if (!any_save_failed_)
    oriel_warn(("log: the recorder could not save: " + saved.message()).c_str());
  any_save_failed_ = !saved;
}

void Log::keep_newest(size_t most) {
  const Status status = ears().files.keep(most);
  if (!status && !std::exchange(any_removal_failed_, true)) oriel_warn(("log: " + status.message()).c_str());
}

milliseconds Log::write() {
  constexpr milliseconds kNever{-1};
  if (given_up_) return kNever;
  try {
    const Result<milliseconds> pause = write_some();
    if (pause) return *pause;
    give_up((pause.message() + "; the log ends here, the program runs on").c_str());
  } catch (...) {
    give_up("log: out of memory; the log ends here, the program runs on");
  }
  return kNever;
}

// Reports what the user requested and did not get.
void Log::say_complaints() {
  const Recorder& recorder = ears().recorder();
  const auto calls = recorder.calls.filter(), async = recorder.async.filter(),
             allocations = recorder.allocations.filter();
  if (!calls && !async && !allocations) return;
  if (!oriel_instrumentation_possible()) {
    oriel_warn("log: calls, awaits and allocations cannot be logged in this process: its code cannot be changed");
    return;
  }
  const auto say = [](const modules::MethodFilter& filter, const char* option, bool any) {
    for (const std::string& complaint : filter.complaints(option, any)) oriel_warn(complaint.c_str());
  };
  if (calls) say(*calls, "--calls", any_call_);
  if (async) say(*async, "--async", true);
  if (allocations && allocations_chosen_) say(*allocations, "--alloc-in", true);
}

// The writer's last round.
void Log::write_rest() {
  if (given_up_) return;
  try {
    close_call_buffers();  // else running threads would add more and more
    while (file_->drain() >= 100) {
    }
    if (stopped_)
      file_->add({.clock = *stopped_, .module = kTable.module, .running = false, .options = {}, .properties = {}});
    if (const Status status = file_->finish(); !status) oriel_warn(status.message().c_str());
  } catch (...) {
    oriel_warn("log: out of memory; the log lacks its end");
  }
}

// Returns whether the writer ended in time. It closes the file, because only its thread has it open
// (base/files/own_files.h).
bool Log::end_writer(milliseconds wait) {
  const auto last = [this] {
    write_rest();
    any_call_ |= file_->has_calls();
    file_.reset();
    triggers_.set({}, {});
    ring_.reset();
  };
  const bool ended = writer_.stop(wait, last);
  ears().is_stuck = !ended;
  const std::lock_guard guard(ears().recorder().lock);
  ears().recorder().writer = nullptr;
  return ended;
}

void Log::finish() {
  if (!end_writer(kWaitAtExit)) {
    oriel_warn("log: the file could not be written in time at the program's end; the log lacks its end");
    return;
  }
  if (given_up_) return;  // it is not known what would have been logged
  try {
    say_complaints();
  } catch (...) {
    oriel_warn("log: out of memory; patterns that matched nothing are not reported");
  }
}

// Errors are only warnings, as a log without samples is useful too.
void Log::sample(oriel_sample_mode mode) {
  const oriel_profiler_handle handle = ears().handle;
  if (mode == ORIEL_SAMPLE_NONE) {
    oriel_set_sample_mode(handle, mode, 0);
  } else if (!oriel_enable_sampling(handle)) {
    oriel_warn("log: another module owns sampling; this log has no samples");
  } else if (!oriel_set_sample_mode(handle, mode, options_.hz)) {
    oriel_warn("log: sampling could not be started; this log has no samples");
  }
}

// Applies the patterns that changed, and sets the probes.
void Log::choose(Options& options) {
  Recorder& recorder = ears().recorder();
  const Chosen now{text_of(options.calls), text_of(options.async), text_of(options.allocations), options.trivial_calls};
  if (now.calls != chosen_.calls || now.trivial != chosen_.trivial)
    recorder.calls.choose(filter_of(options.calls, options.trivial_calls));
  if (now.async != chosen_.async) recorder.async.choose(filter_of(options.async, true));
  if (now.allocations != chosen_.allocations) recorder.allocations.choose(filter_of(options.allocations, true));
  chosen_ = now;
  allocations_chosen_ = options.allocations_chosen;
  recorder.call_probes = ORIEL_CALLS_ALL | (options.block_inlining ? uint32_t{ORIEL_CALLS_BLOCK_INLINING} : 0u);
}

void Log::listen_as(const Options& options) {
  const bool stacks = has_stacks(options);
  Recorder& recorder = ears().recorder();
  recorder.all_samples = options.allocations_sampled;
  recorder.exception_stacks = logs_exception_stacks(options);
  awaits_locks_ = options.locks_when_seen;
  awaits_pauses_ = options.phases_when_paused;
  awaits_growth_ = options.allocations_when_grown;
  if (stacks || recorder.exception_stacks || options.locks_when_seen || options.allocations_when_grown) prepare_walks();
  listening_.want(heard(options, stacks), ever_logged(options),
                  options.allocation_stacks && options.events[oriel_event_gc_allocation]);
  oriel_set_meters(ears().handle, options.meters.c_str());
  oriel_set_activities(ears().handle, options.activities.c_str());
}

// Runs first on the writer's thread.
Status Log::open_file(const log::Intro& intro, uint64_t since) {
  if (now_.held.any()) {
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now_.held.time).count();
    auto ring = log::RingFile::create(now_.path, intro, {now_.held.bytes, static_cast<uint64_t>(ns)});
    if (!ring) return ring.status();
    ring_ = std::move(*ring);
    triggers_.set(now_.save_when, now_.held.time);
  }
  auto file = LogFile::create(now_, ears().recorder(), intro, since, ring_.get());
  if (!file) return file.status();
  file_ = std::move(*file);
  if (ring_) file_->watch_with(&triggers_);
  now_.path.clear();
  since_ = since;
  begun_ = std::chrono::steady_clock::now();
  ears().files.add(path_);
  if (now_.keep != 0 && !ring_) keep_newest(now_.keep);
  return Status::ok();
}

// Starts the writer, which opens the file. The intro is made on this thread: it asks the dynamic linker, whose lock
// this thread may hold, so the writer must not wait for it.
Status Log::start_writer() {
  const uint64_t since = ears().any_log ? oriel_clock() : 0;
  const auto open = [this, since, intro = intro_of(now_)] {
    try {
      return open_file(intro, since);
    } catch (...) {
      return Status::error("log: out of memory; nothing is logged");
    }
  };
  return writer_.start("oriel-log", open);
}

Result<std::unique_ptr<Log>> Log::start(Options options) {
  if (!ears().handle) return Status::error("log: out of memory; nothing is logged");
  if (ears().is_stuck)
    return Status::error("log: the log before could not be written to its end, so there can be none");
  const bool sampling = options.sample_mode != ORIEL_SAMPLE_NONE;
  if (sampling && !ears().recorder().rings.reserve()) {
    return Status::error("log: no address space for sample buffers (2 MB); raise the limit (ulimit -v)");
  }
  options.events.set(oriel_event_process_abort);  // the way that a program ends is always logged
  std::unique_ptr<Log> log(new Log(std::move(options)));
  Options& its = log->options_;
  const std::string out = its.out;
  its.out = modules::next_file(modules::expand_for_process(out));
  log->first_path_ = log->path_ = modules::path_from_root(its.out);
  log->now_ = plan_of(its);
  open_call_buffers();
  if ((its.calls || its.allocations) && !ears().watch_suspensions())
    return Status::error("log: out of memory; nothing is logged");
  if (Status status = log->start_writer(); !status) {
    // A writer that waits for a disk may access the log at any time.
    static_cast<void>(log.release());
    return status;
  }
  its.out = out;
  ears().any_log = true;
  ears().recorder().gc_paused_ns = 0;
  ears().recorder().urgent = false;
  {
    const std::lock_guard guard(ears().recorder().lock);
    ears().recorder().writer = &log->writer_;
  }
  const bool has_probes = its.calls || its.async || its.allocations;
  log->choose(its);
  log->listen_as(its);
  if (has_probes) set_filters(ears().handle, ears().recorder());
  if (sampling) log->sample(its.sample_mode);
  // Last, because the writer undoes all of this if the log cannot be written.
  log->writer_.run_periodically(log->pause_, [its_log = log.get()] { return its_log->write(); });
  oriel_profiler_set_cleanup_callback(ears().handle, [](oriel_profiler*) { modules::owner<Log>().finish(); });
  return log;
}

// The block for the log; nullopt if the options have not changed.
std::optional<log::OptionChange> Log::change_of_text(const Options& options) {
  log::OptionChange change = change_to(options);
  if (change.options == std::exchange(options_.text, change.options)) return std::nullopt;
  return change;
}

// Makes the writer log by these options from now on. To be called before new events are received: the writer applies
// it before it takes more.
void Log::change_file(const Options& options) {
  const auto change = [this, when = oriel_clock(), now = plan_of(options), record = change_of_text(options)] {
    if (given_up_) return;
    try {
      const std::string next_file = now_.path;
      now_ = now;
      now_.path = next_file;
      if (ring_) triggers_.set(now_.save_when, now_.held.time);
      dropped_events_ = false;
      if (record) file_->add(*record);
      file_->change(when, now_.logged, now_.allocation_stacks);
    } catch (...) {
      give_up("log: out of memory; the log ends here, the program runs on");
    }
  };
  writer_.do_now(change, kWaitAtExit);
}

Status Log::apply(Options options) {
  if (given_up_) return Status::error("log: the log could not be written any more; stop it, and start another");
  options.events.set(oriel_event_process_abort);
  if ((options.calls || options.allocations) && !ears().watch_suspensions())
    return Status::error("log: out of memory; nothing has changed");
  change_file(options);
  choose(options);
  listen_as(options);
  set_filters(ears().handle, ears().recorder());
  sample(options.sample_mode);
  return Status::ok();
}

// Where there is more in the buffers than a round takes, it takes more of them.
Status Log::flush() {
  const auto result = std::make_shared<Status>(Status::error("log: out of memory; not all is in the file"));
  const auto write = [this, result] {
    if (given_up_) return;
    try {
      for (int round = 0; file_->drain() >= 100 && round < 100; ++round) {
      }
      *result = file_->flush();
    } catch (...) {  // as it says already
    }
  };
  if (given_up_ || !writer_.do_now(write, kWaitAtStop))
    return Status::error("log: the file could not be written in time, or not at all");
  return *result;
}

Result<std::string> Log::save(const std::string& path) {
  if (!options_.held.any())
    return Status::error("no flight recorder runs; begin one: oriel ctl PID start recorder=60s");
  auto result = std::make_shared<Result<std::string>>(Status::error("log: out of memory; nothing is logged"));
  const auto save = [this, result, path] {
    try {
      if (given_up_)
        *result = Status::error("log: the log could not be written any more; stop it, and start another");
      else
        *result = save_now({"ctl", "somebody asked for it"}, path);
    } catch (...) {  // as it says already
    }
  };
  if (!writer_.do_now(save, kWaitAtStop))
    return Status::error("log: the recorder could not be saved in time; it goes on trying");
  return *result;
}

Status Log::stop() {
  stopped_ = clock_pair();
  const oriel_profiler_handle handle = ears().handle;
  listening_.close();
  oriel_profiler_set_call_instrumentation_filter_callback(handle, nullptr);
  oriel_profiler_set_allocation_filter_callback(handle, nullptr);
  oriel_profiler_set_image_filter_callback(handle, nullptr);
  if (ears().watcher) stop_listening(ears().watcher, EventSet().set());
  suspension_ends();
  oriel_set_sample_mode(handle, ORIEL_SAMPLE_NONE, 0);
  oriel_set_meters(handle, nullptr);
  oriel_set_activities(handle, nullptr);
  ears().recorder().counts_time = false;
  const bool ended = end_writer(kWaitAtStop);
  set_pace({kFullPace, 0, 0});
  Recorder& recorder = ears().recorder();
  for (modules::ChosenMethods* methods : {&recorder.calls, &recorder.async, &recorder.allocations})
    methods->choose(nullptr);
  if (!ended) return Status::error("log: the file could not be written in time; the log lacks its end");
  return given_up_ ? Status::error("log: the log could not be written to its end") : Status::ok();
}

}  // namespace
}  // namespace oriel::log_module

ORIEL_BUILT_IN_MODULE(log, oriel::log_module::Log, "nothing is logged")
ORIEL_MODULE_THAT_SAVES(log, oriel::log_module::Log)
