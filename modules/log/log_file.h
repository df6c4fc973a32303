// From the buffers to the file: what the writer's thread does at each of its rounds.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "call_writer.h"
#include "event_writer.h"
#include "log/writer.h"
#include "modules/control_group.h"
#include "modules/names.h"
#include "modules/probe_costs.h"
#include "modules/process_info.h"
#include "options.h"
#include "recorder.h"
#include "sample_writer.h"
#include "stack_tree.h"

namespace oriel::log_module {

// Whether exceptions are logged with their stacks: where code is followed for samples too.
bool logs_exception_stacks(const Options& options);

// What is logged with these options: from the start, and what may be later.
EventSet ever_logged(const Options& options);

// What a log with these options begins with: the process, when it is, what was asked for.
log::Intro intro_of(const Options& options);

// The block that says that the module has these options from now on.
log::OptionChange change_to(const Options& options);

class LogFile {
 public:
  // Creates the file and writes its intro. What buffers have from before `since` (oriel_clock) is another log's, and is
  // left out; 0: there was none. Errors name the path and the reason. The rest is for the calling thread alone: it may
  // have files of its own.
  static Result<std::unique_ptr<LogFile>> create(const Options& options, Recorder& recorder, const log::Intro& intro,
                                                 uint64_t since = 0);

  // From `when` (oriel_clock) on these events are logged, of what is heard.
  void change(uint64_t when, const EventSet& logged, bool stacks_of_allocations);
  // Logs that the options changed, or that the module was stopped.
  void add(const log::OptionChange& change);

  // Takes what the program's threads have left. Returns how full the fullest of the buffers was, in percent; calls and
  // events may be left where that is 100.
  unsigned drain();
  // Whether so much was taken that it should be written soon.
  bool wants_flush() const;
  // Writes what was taken to the file.
  Status flush();
  // Whether any call was among it.
  bool has_calls() const { return calls_.method() != 0; }
  // Whether a sample met a thread that waited for a lock.
  bool saw_lock_wait() const { return stacks_.saw_lock_wait(); }
  // Whether collections leave more and more.
  bool heap_grows() const { return events_.heap_grows(); }
  // Writes the end of the log and closes it; nothing may follow.
  Status finish();

 private:
  LogFile(std::unique_ptr<log::Writer> writer, Recorder& recorder, const Options& options, uint64_t since);

  void write_counters();
  void write_time_elsewhere();
  void add_probe_costs(std::vector<log::Counter>& counters);
  std::vector<log::Lost> lost() const;

  // What was lost in the process, by reason, and for how long threads were ready to run.
  struct Losses {
    uint64_t samples[ORIEL_LOST_REASONS] = {};
    uint64_t events = 0, calls = 0, ready_ns = 0;
  };
  Losses losses() const;

  std::unique_ptr<log::Writer> writer_;
  uint64_t look_period_ns_;  // of threads that wait
  Recorder& recorder_;
  Losses before_;  // the log
  NameTable names_;
  StackTree stacks_;
  EventWriter events_;
  SampleWriter samples_;
  CallWriter calls_;
  std::vector<log::Counter> outcomes_;  // of instrumentation, as last written
  modules::OwnCpu own_cpu_;
  const modules::CpuGroup cpu_group_;
  bool stacks_of_allocations_;
  modules::ProbeCosts costs_;  // the least so far
  std::chrono::steady_clock::time_point counters_due_, costs_due_;
};

}  // namespace oriel::log_module
