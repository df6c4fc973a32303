// Moves the buffers' contents into the file: the rounds of the writer's thread.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "call_writer.h"
#include "event_writer.h"
#include "log/ring_file.h"
#include "log/writer.h"
#include "modules/control_group.h"
#include "modules/names.h"
#include "modules/probe_costs.h"
#include "modules/process_info.h"
#include "options.h"
#include "oriel/heap.h"
#include "recorder.h"
#include "sample_writer.h"
#include "stack_tree.h"

namespace oriel::log_module {

// Whether exceptions are logged with stacks: only with sampling, which tracks all code anyway.
bool logs_exception_stacks(const Options& options);

// The events that are logged with these options from the start or may be logged later.
EventSet ever_logged(const Options& options);

// What a file begins with, and how it is written. Options themselves cannot be copied.
struct FilePlan {
  std::string path;
  std::string text;                                             // of the options
  std::vector<std::pair<std::string, std::string>> properties;  // of the intro
  oriel_sample_mode sample_mode = ORIEL_SAMPLE_NONE;
  uint32_t hz = 0;
  EventSet logged;
  bool allocation_stacks = false;
  modules::FileLimits rotation;
  uint32_t keep = 0;         // files that stay; 0: all
  modules::FileLimits held;  // by a flight recorder; none: there is none
  modules::SaveWhen save_when;
  Compress compress = Compress::kAuto;
  uint32_t budget = 0;  // Options::budget_limit
};
FilePlan plan_of(const Options& options);

// The intro of such a file: the process, the time, and what was requested.
log::Intro intro_of(const FilePlan& plan);

// What threads have lost so far is another log's, or nobody's. For the writer's thread, before a log begins.
void forget_lost(Recorder& recorder);

// The block that says that the module has these options from now on.
log::OptionChange change_to(const Options& options);

class LogFile {
 public:
  // Opens the file, to be begun next. Buffers' contents from before `since` (oriel_clock) belong to an earlier log and
  // are left out; 0: there was none. Errors name the path and the reason. All members are for the calling thread, which
  // may have a descriptor table of its own.
  // With a `ring`, which must outlive it, it is the next segment of a recorder's file.
  static Result<std::unique_ptr<LogFile>> open(const FilePlan& plan, Recorder& recorder, uint64_t since,
                                               log::RingFile* ring = nullptr);
  // Writes the intro. If the log has had a file `before`, which has been finished, it goes on where that one ended:
  // what that one did not count as lost is counted here.
  Status begin(const FilePlan& plan, const log::Intro& intro, LogFile* before = nullptr);
  // Both.
  static Result<std::unique_ptr<LogFile>> create(const FilePlan& plan, Recorder& recorder, const log::Intro& intro,
                                                 uint64_t since = 0, log::RingFile* ring = nullptr);

  // Changes which of the received events are logged from `when` (oriel_clock) on.
  void change(uint64_t when, const EventSet& logged, bool stacks_of_allocations);
  // Logs that the options changed, or that the module was stopped.
  void add(const log::OptionChange& change);

  // Adds blocks of a snapshot of the heap, whole ones, and writes what is pending; then the snapshot itself.
  Status add_blocks(std::span<const uint8_t> blocks);
  Status add(const oriel_heap& heap, uint64_t number, const std::string& cause);

  // Takes the contents of the threads' buffers. Returns how full the fullest buffer was, in percent; at 100, calls and
  // events may be left.
  unsigned drain();
  // Takes and writes all that the buffers hold, however much, and flushes. Running threads may add more and more, so it
  // ends after a great many rounds.
  Status write_all();
  // The size that the file has once all is flushed.
  uint64_t bytes() const { return writer_->bytes_written() + writer_->bytes_pending(); }
  // Whether enough is pending to be written soon.
  bool wants_flush() const;
  // Whether there is a tail beside the file, and it lacks something that was taken.
  bool has_tail() const { return writer_->has_tail(); }
  bool has_news() const { return has_tail() && held() != in_tail_; }
  // Writes what was taken since the last flush into the tail; false: it could not, a flush is due.
  bool write_tail();
  // Writes the pending data to the file.
  Status flush();
  // Whether a call was logged.
  bool has_calls() const { return calls_.method() != 0; }
  // Whether a sampled thread waited for a lock.
  bool saw_lock_wait() const { return stacks_.saw_lock_wait(); }
  // Whether the heap grows from collection to collection.
  bool heap_grows() const { return events_.heap_grows(); }
  // Its size after the last collection, 0 if none is known.
  uint64_t heap_bytes() const { return events_.heap_bytes(); }
  // Shows these the events that are taken (event_writer.h).
  void watch_with(Triggers* triggers) { events_.watch_with(triggers); }
  // Writes the log's end and closes the file; nothing may follow.
  Status finish();
  // Ends a segment of a recorder's file, which the next one continues.
  Status finish_segment();
  // Whether something did not fit into the recorder's file: it can go on in another segment only, which says what.
  bool has_dropped() const { return writer_->has_dropped(); }
  // What was lost since the file's start, as a flush would say.
  std::vector<log::Lost> lost() const { return lost_of(losses()); }

 private:
  LogFile(std::unique_ptr<log::Writer> writer, Recorder& recorder, const FilePlan& plan, uint64_t since,
          log::RingFile* ring);

  void begin_tail();
  // Bytes that a flush would write, about.
  uint64_t held() const { return writer_->bytes_pending() + events_.bytes() + samples_.bytes(); }
  void write_definitions();
  void write_lost_by_thread();
  void continue_from(LogFile& before);
  void write_counters();
  void write_time_elsewhere();
  void add_probe_costs(std::vector<log::Counter>& counters);
  log::Counter own_cpu();

  // The process's losses by reason, how long threads were ready to run without a processor, what samples took, and what
  // child processes did.
  struct Losses {
    uint64_t samples[ORIEL_LOST_REASONS] = {};
    uint64_t ready_ns = 0, sampling_ns = 0, children_us = 0;
    LostEvents events;
    LostCalls calls;
    uint64_t dropped_samples = 0, dropped_events = 0, dropped_calls = 0;  // by the recorder
  };
  Losses losses() const;
  std::vector<log::Lost> lost_of(const Losses& now) const;
  Status flush_with_losses();
  void tell_dropped_calls(const LogFile& before);

  std::unique_ptr<log::Writer> writer_;
  log::RingFile* const ring_;  // nullptr: it is no recorder's
  const uint64_t most_pending_;
  uint64_t in_tail_ = 0;     // of held()
  uint64_t look_period_ns_;  // of threads that wait
  Recorder& recorder_;
  Losses before_;                         // as of the file's start
  Losses said_;                           // as last written
  log::Dropped dropped_before_, untold_;  // by the segments before; of this, what no segment has told of
  LostByThread lost_by_thread_;
  NameTable names_;
  StackTree stacks_;
  EventWriter events_;
  SampleWriter samples_;
  CallWriter calls_;
  std::vector<log::Counter> outcomes_;  // outcomes of instrumentation, as last written
  modules::OwnCpu own_cpu_;
  uint64_t own_cpu_before_ = 0, own_cpu_said_ = 0;  // as of the file's start, and as last written
  const modules::CpuGroup cpu_group_;
  bool stacks_of_allocations_;
  modules::TypicalCosts costs_;
  std::chrono::steady_clock::time_point counters_due_, costs_due_;
};

}  // namespace oriel::log_module
