// The log module: writes what happens to a file while the program runs. Its parts: options, recorder (callbacks on the
// program's threads), ears (what is theirs), listening and chosen_probes (which events and methods), event_buffer,
// sample_rings and call_buffer (on the way), event_writer, sample_writer and call_writer with names and stack_tree (out
// of these), log_file (into the file), written_files (which of these stay), flight_recorder with triggers and
// signal_trigger (when it saves) and saving (how), pacing with budget and spending (how much Oriel takes).

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "call_buffer.h"
#include "chosen_probes.h"
#include "ears.h"
#include "flight_recorder.h"
#include "heap_snapshots.h"
#include "listening.h"
#include "log/stream.h"
#include "log_file.h"
#include "modules/module.h"
#include "modules/process_info.h"
#include "modules/worker.h"
#include "obstacles.h"
#include "options.h"
#include "pacing.h"
#include "recorder.h"

namespace oriel::log_module {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFlushEvery{200};
constexpr milliseconds kFlushAtLeast{1'000};  // at a slow pace
constexpr milliseconds kDrainAtMost{100};
constexpr milliseconds kDrainAtLeast{2};
// How often the log's tail is written, and looked for after a second without news: what is not in it when the process
// is killed is lost.
constexpr milliseconds kTailEvery{10}, kTailWhenIdle{25};
// Of a flight recorder: what is not in its file when the process is killed is lost.
constexpr milliseconds kRecorderFlushEvery{100};
constexpr milliseconds kRecorderDrainAtMost{50};
constexpr milliseconds kWaitAtExit{2'000};
constexpr milliseconds kWaitAtStop{20'000};  // stopping does not delay the program's end

// Drains often while the rings fill fast, and rarely while little happens.
milliseconds next_pause(milliseconds pause, unsigned fullest_percent) {
  if (fullest_percent >= 100) return kDrainAtLeast;
  if (fullest_percent > 30) return std::max(pause / 2, kDrainAtLeast);
  return fullest_percent < 10 ? std::min(pause + milliseconds(5), kDrainAtMost) : pause;
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
  // Takes a snapshot of the heap; returns what there is to say about it.
  Result<std::string> snapshot(const std::string& cause);
  // What a recorder holds, for a person; "" if it is none.
  std::string details() const { return flight_.details(); }
  Status stop();
  void finish();
  bool is_stuck() const { return ears().is_stuck; }

 private:
  explicit Log(Options options)
      : options_(std::move(options)),
        snapshots_({[this] { return file(); }, [this](const auto& action) { return on_writer(action); }}) {}

  Status start_writer();
  void sample(oriel_sample_mode mode);
  static void apply_room(const Options& options);
  std::optional<log::OptionChange> change_of_text(const Options& options);
  void change_file(const Options& options);
  bool end_writer(milliseconds wait);
  Status on_writer(const std::function<Status(LogFile&)>& action);
  // On the writer's thread.
  Status open_file(const log::Intro& intro, uint64_t since);
  milliseconds write();
  Result<milliseconds> write_some();
  void drop_events();
  milliseconds flush_interval() const;
  milliseconds longest_pause(uint64_t round_ns) const;
  milliseconds tail_interval() const;
  bool is_rotation_due() const;
  Status begin_segment();
  Status go_on_in(std::unique_ptr<LogFile> next);
  Status rotate();
  void keep_newest(size_t most);
  void write_rest();
  Status finish_file();
  void give_up(const char* message);

  Options options_;         // as started, with the current text, without the patterns
  std::string first_path_;  // of the first file, from the root
  mutable std::mutex path_lock_;
  std::string path_;                  // of the current one, likewise; guarded by path_lock_
  std::optional<ClockPair> stopped_;  // nullopt: it was not stopped
  ChosenProbes chosen_;
  Listening listening_;
  FlightRecorder flight_;  // runs where the options have one
  HeapSnapshots snapshots_;
  std::unique_ptr<LogFile> file_;
  std::atomic<bool> given_up_{false};
  modules::Worker writer_;
  // For the writer's thread only.
  bool any_call_ = false;  // a call was logged; for messages at the end
  Pacing pacing_;
  FilePlan now_;        // as in force, for the next file, with its path once it has one
  uint64_t since_ = 0;  // of LogFile::open
  std::chrono::steady_clock::time_point begun_, may_rotate_;  // the file; may_rotate_: not sooner
  bool dropped_events_ = false;                               // for the budget, until the options change
  bool any_rotation_failed_ = false, any_removal_failed_ = false;
  milliseconds pause_{20};
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point tailed_, news_ = flushed_;  // the tail was written; there was something new
};

// Ends logging after an error: reports it once and leaves the program alone from then on.
void Log::give_up(const char* message) {
  let_threads_encode(false);
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
  listening_.want(*options);
  oriel_warn(
      "log: even with hardly any samples Oriel takes more than its budget; exceptions, locks, sampled allocations "
      "and counters are logged no more. Give a larger --budget to have them");
}

milliseconds Log::flush_interval() const {
  if (flight_.runs()) return kRecorderFlushEvery;
  return std::min(kFlushEvery * kFullPace / pacing_.pace(), kFlushAtLeast);
}

milliseconds Log::tail_interval() const {
  constexpr std::chrono::seconds kIdle{1};
  return std::chrono::steady_clock::now() - news_ >= kIdle ? kTailWhenIdle : kTailEvery;
}

// Rounds that take so long use at most a hundredth of a processor.
milliseconds Log::longest_pause(uint64_t round_ns) const {
  constexpr uint64_t kShare = 100;
  const milliseconds most = flight_.runs() ? kRecorderDrainAtMost : kDrainAtMost;
  if (!file_->has_tail()) return most;
  const milliseconds spared(round_ns * kShare / 1'000'000);
  return std::min(std::max(tail_interval() * kFullPace / pacing_.pace(), spared), most);
}

// One round of the writer. Returns the time until the next one.
Result<milliseconds> Log::write_some() {
  const auto begun = std::chrono::steady_clock::now();
  const uint64_t cpu_begun = clock_thread_cpu_ns();
  const bool urgent = ears().recorder().urgent.exchange(false);
  pause_ = next_pause(pause_, file_->drain());
  listening_.add_on_demand(*file_);
  snapshots_.note_size(file_->heap_bytes());
  if (pacing_.keep_to(now_.budget)) drop_events();
  if (is_rotation_due()) {
    if (Status status = rotate(); !status) return status;
  }
  const bool has_news = file_->has_news();
  if (has_news) news_ = begun;
  bool flushes = file_->wants_flush() || (urgent && !file_->has_tail()) || begun - flushed_ >= flush_interval();
  if (!flushes && has_news && (urgent || begun - std::max(flushed_, tailed_) >= tail_interval() / 2)) {
    flushes = !file_->write_tail();
    tailed_ = begun;
  }
  if (flushes) {
    if (Status status = file_->flush(); !status) return status;
    flushed_ = begun;
  }
  pause_ = std::min(pause_, longest_pause(clock_thread_cpu_ns() - cpu_begun));
  if (!flight_.runs()) return pause_;
  if (flight_.is_segment_due(*file_)) {
    if (Status status = begin_segment(); !status) return status;
  }
  flight_.save_if_due(*file_);
  flight_.note_held();
  return pause_;
}

bool Log::is_rotation_due() const {
  const auto now = std::chrono::steady_clock::now();
  const modules::FileLimits& limits = now_.rotation;
  if (!limits.any() || now < may_rotate_ || snapshots_.is_writing()) return false;
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
  if (Status status = flight_.runs() ? file_->finish_segment() : file_->finish(); !status) return status;
  if (Status status = next->begin(now_, intro, file_.get()); !status) return status;
  any_call_ |= file_->has_calls();
  file_ = std::move(next);
  flushed_ = std::chrono::steady_clock::now();
  return Status::ok();
}

Status Log::begin_segment() {
  flight_.say_if_dropped(*file_);
  auto next = LogFile::open(now_, ears().recorder(), since_, flight_.ring());
  if (!next) return next.status();
  flight_.watch(**next);
  return go_on_in(std::move(*next));
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

// The writer's last round.
void Log::write_rest() {
  if (given_up_) return;
  try {
    close_call_buffers();  // else running threads would add more and more
    let_threads_encode(false);
    Status status = file_->write_all();
    if (stopped_)
      file_->add({.clock = *stopped_, .module = kTable.module, .running = false, .options = {}, .properties = {}});
    if (status) status = finish_file();
    if (!status) oriel_warn(status.message().c_str());
  } catch (...) {
    oriel_warn("log: out of memory; the log lacks its end");
  }
}

// Of a recorder's log: what did not fit is said in one more segment.
Status Log::finish_file() {
  if (flight_.runs()) {
    if (Status status = file_->flush(); !status) return status;
    if (file_->has_dropped()) {
      if (Status status = begin_segment(); !status) return status;
    }
  }
  return file_->finish();
}

// Returns whether the writer ended in time. It closes the file, because only its thread has it open
// (base/files/own_files.h).
bool Log::end_writer(milliseconds wait) {
  const bool is_rid_of_snapshots = snapshots_.end();
  const auto last = [this] {
    write_rest();
    any_call_ |= file_->has_calls();
    file_.reset();
    flight_.close();
  };
  const bool ended = writer_.stop(wait, last);
  ears().is_stuck = !ended || !is_rid_of_snapshots;
  const std::lock_guard guard(ears().recorder().lock);
  ears().recorder().writer = nullptr;
  return ended;
}

void Log::finish() {
  snapshots_.give_up();
  if (!end_writer(kWaitAtExit)) {
    oriel_warn("log: the file could not be written in time at the program's end; the log lacks its end");
    return;
  }
  if (given_up_) return;  // it is not known what would have been logged
  try {
    chosen_.say_complaints(any_call_);
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

// Runs first on the writer's thread.
Status Log::open_file(const log::Intro& intro, uint64_t since) {
  if (since != 0) forget_lost(ears().recorder());
  if (now_.held.any()) {
    if (Status status = flight_.open(now_, path_, intro); !status) return status;
  }
  auto file = LogFile::create(now_, ears().recorder(), intro, since, flight_.ring());
  if (!file) return file.status();
  file_ = std::move(*file);
  if (flight_.runs()) flight_.watch(*file_);
  now_.path.clear();
  since_ = since;
  begun_ = std::chrono::steady_clock::now();
  ears().files.add(path_);
  if (now_.keep != 0 && !flight_.runs()) keep_newest(now_.keep);
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
  tell_obstacles(options);
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
  const std::string wanted = modules::expand_for_process(out);
  its.out = modules::next_file(wanted);
  if (its.out != wanted && log::is_stream(wanted))
    return Status::error("log: " + wanted + " has taken a log of this process, and a pipe or a socket takes one");
  log->first_path_ = log->path_ = modules::path_from_root(its.out);
  log->now_ = plan_of(its);
  apply_room(its);
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
  const bool has_probes = its.calls || its.async || its.allocations || !its.allocations_followed.empty();
  log->chosen_.choose(its);
  log->listening_.want(its);
  if (has_probes) set_filters(ears().handle, ears().recorder());
  if (sampling) log->sample(its.sample_mode);
  // Last, because the writer undoes all of this if the log cannot be written.
  log->writer_.run_periodically(log->pause_, [its_log = log.get()] { return its_log->write(); });
  if (const Status status = log->snapshots_.apply(its.heap_when); !status)
    oriel_warn(("log: there are no snapshots of the heap: " + status.message()).c_str());
  oriel_profiler_set_cleanup_callback(ears().handle, [](oriel_profiler*) { modules::owner<Log>().finish(); });
  return log;
}

void Log::apply_room(const Options& options) {
  set_room(options.room, options.when_full);
  set_event_room(options.room);
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
      if (flight_.runs()) flight_.apply(now_);
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
  tell_obstacles(options);
  options.events.set(oriel_event_process_abort);
  if ((options.calls || options.allocations) && !ears().watch_suspensions())
    return Status::error("log: out of memory; nothing has changed");
  apply_room(options);
  change_file(options);
  chosen_.choose(options);
  listening_.want(options);
  set_filters(ears().handle, ears().recorder());
  sample(options.sample_mode);
  return snapshots_.apply(options.heap_when);
}

// Where there is more in the buffers than a round takes, it takes more of them.
Status Log::flush() {
  const auto result = std::make_shared<Status>(Status::error("log: out of memory; not all is in the file"));
  const auto write = [this, result] {
    if (given_up_) return;
    try {
      *result = file_->write_all();
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
        *result = flight_.save(*file_, {"ctl", "somebody asked for it"}, path);
    } catch (...) {  // as it says already
    }
  };
  if (!writer_.do_now(save, kWaitAtStop))
    return Status::error("log: the recorder could not be saved in time; it goes on trying");
  return *result;
}

Result<std::string> Log::snapshot(const std::string& cause) {
  if (options_.held.any())
    return Status::error("a flight recorder's file has no place for snapshots of the heap; begin a log without one");
  return snapshots_.take(cause);
}

// Does it on the writer's thread, and waits for it.
Status Log::on_writer(const std::function<Status(LogFile&)>& action) {
  const auto result = std::make_shared<Status>(Status::error("the log could not be written any more"));
  const auto act = [this, result, action] {
    try {
      if (!given_up_) *result = action(*file_);
    } catch (...) {
      *result = Status::error("out of memory");
    }
  };
  if (!writer_.do_now(act, kWaitAtStop)) return Status::error("the log could not be written in time");
  return *result;
}

Status Log::stop() {
  stopped_ = clock_pair();
  const oriel_profiler_handle handle = ears().handle;
  listening_.close();
  oriel_profiler_set_call_instrumentation_filter_callback(handle, nullptr);
  oriel_profiler_set_allocation_filter_callback(handle, nullptr);
  oriel_profiler_set_full_allocation_filter_callback(handle, nullptr);
  oriel_profiler_set_image_filter_callback(handle, nullptr);
  if (ears().watcher) stop_listening(ears().watcher, EventSet().set());
  suspension_ends();
  oriel_set_sample_mode(handle, ORIEL_SAMPLE_NONE, 0);
  oriel_set_meters(handle, nullptr);
  oriel_set_activities(handle, nullptr);
  ears().recorder().counts_time = false;
  const bool ended = end_writer(kWaitAtStop);
  Pacing::end();
  ChosenProbes::clear();
  if (!ended) return Status::error("log: the file could not be written in time; the log lacks its end");
  return given_up_ ? Status::error("log: the log could not be written to its end") : Status::ok();
}

}  // namespace
}  // namespace oriel::log_module

ORIEL_BUILT_IN_MODULE(log, oriel::log_module::Log, "nothing is logged")
ORIEL_MODULE_THAT_SAVES(log, oriel::log_module::Log)
ORIEL_MODULE_WITH_SNAPSHOTS(log, oriel::log_module::Log)
