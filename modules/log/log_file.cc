#include "log_file.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "call_buffer.h"
#include "heap_records.h"
#include "log/properties.h"
#include "log/tail_file.h"
#include "modules/process_info.h"

namespace oriel::log_module {
namespace {

constexpr uint64_t kMostInTail = log::kMostTailBytes / 2;  // what is held may take more bytes there
constexpr uint64_t kPendingPart = 32;                      // of a recorder's file

using Properties = std::vector<std::pair<std::string, std::string>>;

void add_call_properties(const Options& options, Properties& properties) {
  if (options.calls) {
    properties.emplace_back(log::property::kCalls, options.calls->text());
    properties.emplace_back(log::property::kCallsInlining, options.block_inlining ? "block" : "keep");
  }
  if (options.async) properties.emplace_back(log::property::kAsync, options.async->text());
  if (options.allocations_sampled) properties.emplace_back(log::property::kAllocations, "sampled");
  if (options.allocations_sampled || options.allocations_when_grown)
    properties.emplace_back(log::property::kFollowed, options.allocations_sampled ? "start" : "grown");
  if (!options.allocations_followed.empty()) {
    properties.emplace_back(log::property::kFollowed, "types");
    properties.emplace_back(log::property::kFollowedTypes, options.allocations_followed);
  }
  if (options.allocations) {
    properties.emplace_back(log::property::kAllocations, "exact");
    properties.emplace_back(log::property::kAllocationsIn, options.allocations->text());
    if (options.allocation_stacks) properties.emplace_back(log::property::kAllocationsStacks, "yes");
  }
}

// If the requested rate is above the kernel's tick, adds the rate of the tick.
void add_tick(const Options& options, Properties& properties) {
  const int64_t tick_hz = 1'000'000'000 / kernel_tick_ns();
  if (options.sample_mode == ORIEL_SAMPLE_NONE || options.hz <= tick_hz) return;
  properties.emplace_back(log::property::kSamplingTick, std::to_string(tick_hz));
}

const char* mode_name(oriel_sample_mode mode) {
  if (mode == ORIEL_SAMPLE_NONE) return "none";
  return mode == ORIEL_SAMPLE_REAL ? "real" : "process";
}

// What the intro says of the options.
Properties properties_of(const Options& options) {
  Properties properties = {{log::property::kSamplingMode, mode_name(options.sample_mode)},
                           {log::property::kSamplingHz, std::to_string(options.hz)},
                           {log::property::kEvents, event_groups(options.events)}};
  if (options.locks_when_seen || options.events[oriel_event_monitor_acquired])
    properties.emplace_back(log::property::kLocks, options.locks_when_seen ? "seen" : "start");
  if (logs_exception_stacks(options)) properties.emplace_back(log::property::kExceptionsStacks, "yes");
  if (options.sample_mode == ORIEL_SAMPLE_PROCESS_AND_WAITS)
    properties.emplace_back(log::property::kSamplingWaits, std::to_string(ORIEL_WAIT_LOOKS));
  if (!options.meters.empty()) properties.emplace_back(log::property::kCounters, options.meters);
  if (!options.activities.empty()) properties.emplace_back(log::property::kActivities, options.activities);
  if (options.held.any()) {
    properties.emplace_back(log::property::kRecorderSeconds, std::to_string(options.held.time.count()));
    properties.emplace_back(log::property::kRecorderBytes, std::to_string(options.held.bytes));
  }
  add_tick(options, properties);
  add_call_properties(options, properties);
  return properties;
}

}  // namespace

EventSet ever_logged(const Options& options) {
  EventSet events = options.phases_when_paused ? with_phases(options.events) : options.events;
  if (options.locks_when_seen) events.set(oriel_event_monitor_acquired);
  if (options.allocations_when_grown || !options.allocations_followed.empty()) events |= followed_allocations();
  return events;
}

LogFile::LogFile(std::unique_ptr<log::Writer> writer, Recorder& recorder, const FilePlan& plan, uint64_t since,
                 log::RingFile* ring)
    : writer_(std::move(writer)),
      ring_(ring),
      most_pending_(ring ? std::min(kMostPending, plan.held.bytes / kPendingPart) : kMostPending),
      look_period_ns_(1'000'000'000 /
                      (plan.sample_mode == ORIEL_SAMPLE_REAL ? plan.hz : std::min(plan.hz, ORIEL_WAIT_LOOKS))),
      recorder_(recorder),
      stacks_(names_),
      events_(names_, stacks_, *writer_, lost_by_thread_, plan.logged, since),
      samples_(recorder.rings, names_, stacks_, *writer_, lost_by_thread_, since),
      calls_(names_, stacks_, *writer_, lost_by_thread_, recorder, since, plan.compress),
      stacks_of_allocations_(plan.allocation_stacks) {
  if (plan.compress != Compress::kNone) writer_->compress();
  if (ring) calls_.pause_at(most_pending_);
  before_.children_us = said_.children_us = modules::children_cpu().count;  // the process may be older than the log
  if (since == 0) return;
  before_ = losses();
  own_cpu_before_ = own_cpu_.count().count;
}

void LogFile::continue_from(LogFile& before) {
  const uint64_t children_us = ring_ ? before.before_.children_us : before.said_.children_us;
  before_ = before.said_;
  before_.children_us = children_us;  // a recorder counts them since it began
  own_cpu_ = std::move(before.own_cpu_);
  own_cpu_before_ = before.own_cpu_said_;
  costs_ = before.costs_;
  stacks_of_allocations_ = before.stacks_of_allocations_;
  if (ring_) names_.continue_from(before.names_);
  dropped_before_ = before.dropped_before_;
  dropped_before_.add(before.writer_->dropped());
  events_.continue_from(before.events_);
}

// The stacks of threads whose calls are missing are not known any more.
void LogFile::tell_dropped_calls(const LogFile& before) {
  untold_ = before.untold_;
  untold_.add(before.writer_->dropped());
  for (const auto& [thread, calls] : untold_.calls) {
    names_.need_thread(thread);
    writer_->calls(thread, calls.counter, {{{log::CallKind::kLost, 0, calls.count}}});
  }
}

void LogFile::change(uint64_t when, const EventSet& logged, bool stacks_of_allocations) {
  events_.change(when, logged);
  stacks_of_allocations_ = stacks_of_allocations;
  calls_.check_methods(when);
}

void LogFile::add(const log::OptionChange& change) { writer_->options(change); }

Status LogFile::add_blocks(std::span<const uint8_t> blocks) {
  writer_->whole_blocks(blocks);
  return flush();
}

// Names first: a flush writes them.
Status LogFile::add(const oriel_heap& heap, uint64_t number, const std::string& cause) {
  const log::HeapSnapshot snapshot = snapshot_of(heap, number, cause, names_);
  if (Status status = flush(); !status) return status;
  writer_->heap_details(details_of(heap, number));
  writer_->heap(snapshot);
  return flush();
}

bool logs_exception_stacks(const Options& options) {
  return options.events[oriel_event_exception_throw] && options.sample_mode != ORIEL_SAMPLE_NONE;
}

FilePlan plan_of(const Options& options) {
  return {.path = options.out,
          .text = options.text,
          .properties = properties_of(options),
          .sample_mode = options.sample_mode,
          .hz = options.hz,
          .logged = ever_logged(options),
          .allocation_stacks = options.allocation_stacks,
          .rotation = options.rotation,
          .keep = options.keep,
          .held = options.held,
          .save_when = options.save_when,
          .compress = options.compress,
          .budget = options.budget_limit};
}

log::Intro intro_of(const FilePlan& plan) {
  log::Intro intro = modules::new_intro();
  std::ranges::copy(plan.properties, std::back_inserter(intro.properties));
  return intro;
}

void forget_lost(Recorder& recorder) {
  call_buffers.drain([](CallBuffer& buffer) {
    buffer.told_lost = buffer.lost();
    return false;
  });
  event_buffers.drain([](EventBuffer& buffer) {
    buffer.told_lost = buffer.lost();
    return false;
  });
  recorder.rings.forget_lost();
}

log::OptionChange change_to(const Options& options) {
  return {
      .clock = clock_pair(), .module = kTable.module, .options = options.text, .properties = properties_of(options)};
}

Result<std::unique_ptr<LogFile>> LogFile::create(const FilePlan& plan, Recorder& recorder, const log::Intro& intro,
                                                 uint64_t since, log::RingFile* ring) {
  auto file = open(plan, recorder, since, ring);
  if (!file) return file;
  if (Status status = (*file)->begin(plan, intro); !status) return status;
  return file;
}

Result<std::unique_ptr<LogFile>> LogFile::open(const FilePlan& plan, Recorder& recorder, uint64_t since,
                                               log::RingFile* ring) {
  auto writer = ring ? log::Writer::create_in(*ring) : log::Writer::create(plan.path);
  if (!writer) return writer.status();
  return std::unique_ptr<LogFile>(new LogFile(std::move(*writer), recorder, plan, since, ring));
}

Status LogFile::begin(const FilePlan& plan, const log::Intro& intro, LogFile* before) {
  if (before) continue_from(*before);
  writer_->intro(intro);
  add({.clock = intro.clock, .module = kTable.module, .options = plan.text, .properties = {}});
  if (before) tell_dropped_calls(*before);
  begin_tail();
  Status status = flush();
  if (!has_dropped()) untold_ = {};
  return status;
}

// Without a tail the log is as good, except after a kill.
void LogFile::begin_tail() {
  static std::atomic<bool> said{false};
  const Status status = writer_->begin_tail();
  if (!status && !said.exchange(true)) oriel_warn(("log: " + status.message()).c_str());
}

unsigned LogFile::drain() {
  // Events come first: frees of code before a sample must be known before the sample's addresses are resolved.
  const bool code_freed = events_.drain();
  if (code_freed) stacks_.forget_addresses();
  stacks_.remember_addresses(!code_freed);
  events_.find_nodes();
  const unsigned rings = samples_.drain();
  return std::max({rings, calls_.drain(), events_.some_left() ? 100u : 0u});
}

// A round gets nowhere while much is pending, as no blocks are taken then that threads made, and while a thread that
// encodes its own calls has no processor.
Status LogFile::write_all() {
  constexpr int kMostRounds = 1000;
  uint64_t before = bytes();
  for (int round = 0; drain() >= 100 && round < kMostRounds; ++round) {
    if (wants_flush()) {
      if (Status status = flush(); !status) return status;
    } else if (bytes() == before) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    before = bytes();
  }
  return flush();
}

bool LogFile::wants_flush() const {
  return writer_->bytes_pending() > most_pending_ || (has_tail() && held() > kMostInTail);
}

LogFile::Losses LogFile::losses() const {
  Losses all;
  oriel_sampling_lost(all.samples);
  all.samples[ORIEL_LOST_BUFFER_FULL] += recorder_.rings.lost();
  all.events = events_lost();
  all.calls = calls_lost();
  all.ready_ns = oriel_sampling_ready_ns();
  all.sampling_ns = oriel_sampling_time();
  all.children_us = modules::children_cpu().count;
  for (const log::Dropped* dropped : {&dropped_before_, &writer_->dropped()}) {
    all.dropped_samples += dropped->samples;
    all.dropped_events += dropped->events;
    for (const auto& [thread, calls] : dropped->calls) all.dropped_calls += calls.count;
  }
  return all;
}

std::vector<log::Lost> LogFile::lost_of(const Losses& now) const {
  std::vector<log::Lost> result;
  for (uint32_t reason = 0; reason < ORIEL_LOST_REASONS; reason++) {
    const uint64_t count = now.samples[reason] - before_.samples[reason];
    if (count) result.push_back({oriel_lost_reason_name(reason), count});
  }
  const auto add = [&](const char* reason, uint64_t count, uint64_t before) {
    if (count != before) result.push_back({reason, count - before});
  };
  add(log::lost::EVENTS_NO_MEMORY, now.events.no_memory, before_.events.no_memory);
  add(log::lost::EVENTS_FULL, now.events.full, before_.events.full);
  add(log::lost::CALLS_FULL, now.calls.calls, before_.calls.calls);
  add(log::lost::ALLOCATIONS_FULL, now.calls.allocations, before_.calls.allocations);
  add(log::lost::RECORDER_SAMPLES, now.dropped_samples, before_.dropped_samples);
  add(log::lost::RECORDER_EVENTS, now.dropped_events, before_.dropped_events);
  add(log::lost::RECORDER_CALLS, now.dropped_calls, before_.dropped_calls);
  return result;
}

// What a flush says that does not fit into the recorder's file is left to the next segment.
Status LogFile::flush_with_losses() {
  const Losses now = losses();
  Status status = writer_->flush(lost_of(now));
  if (!has_dropped()) said_ = now;
  return status;
}

// Of this file's time, so that the files of one process add up.
log::Counter LogFile::own_cpu() {
  log::Counter counter = own_cpu_.count();
  own_cpu_said_ = counter.count;
  counter.count -= std::min(counter.count, own_cpu_before_);
  return counter;
}

void LogFile::write_counters() {
  constexpr std::chrono::seconds kOften{1};
  std::vector<log::Counter> counters = modules::instrumentation_counters();
  if (const auto calls = recorder_.calls.filter())
    counters.push_back({log::counter::kCallsTrivial, calls->trivial_left_out()});
  const auto now = std::chrono::steady_clock::now();
  // Counts only grow.
  const bool changed = !std::ranges::equal(counters, outcomes_, {}, &log::Counter::count, &log::Counter::count);
  if (!changed && now < counters_due_) return;
  const bool measured = has_calls() && now >= costs_due_;
  if (measured) costs_due_ = now + kOften;
  counters_due_ = now + kOften;
  outcomes_ = counters;
  counters.push_back(own_cpu());
  if (ring_) counters.push_back({log::counter::kRecorderFull, ring_->held(clock_monotonic_ns()).is_full ? 1u : 0u});
  std::ranges::move(modules::guest_counters(), std::back_inserter(counters));
  std::ranges::move(cpu_group_.counters(), std::back_inserter(counters));
  if (measured) add_probe_costs(counters);
  writer_->counters(counters);
}

void LogFile::add_probe_costs(std::vector<log::Counter>& counters) {
  const bool allocations = calls_.klass() != 0 && !stacks_of_allocations_;
  oriel_class* klass = allocations ? oriel_class_by_id(calls_.klass()) : nullptr;
  costs_.add(measure_costs(oriel_method_by_id(calls_.method()), klass));
  const modules::ProbeCosts typical = costs_.typical();
  if (typical.reading == 0) return;  // no memory for measuring
  for (log::Counter& counter : modules::counters_of(typical)) counters.push_back(std::move(counter));
}

// Writes the time in which threads were ready without a processor, the CPU time of child processes, and, if waiting
// threads were observed less often than requested, how often.
void LogFile::write_time_elsewhere() {
  std::vector<log::Counter> counters;
  if (const uint64_t ready = oriel_sampling_ready_ns() - before_.ready_ns)
    counters.push_back({log::counter::kReadyNs, ready});
  if (const uint64_t samples = (oriel_sampling_time() - before_.sampling_ns) / 1000)
    counters.push_back({log::counter::kSamplesCpu, samples});
  if (const uint64_t children = modules::children_cpu().count - before_.children_us)
    counters.push_back({log::counter::kChildrenCpu, children});
  uint64_t rounds = 0, ns = 0;
  oriel_sampling_looks(&rounds, &ns);
  if (ns / 2 > rounds * look_period_ns_) {
    counters.push_back({log::counter::kWaitsRounds, rounds});
    counters.push_back({log::counter::kWaitsNs, ns});
  }
  if (!counters.empty()) writer_->counters(counters);
}

// What the events and the samples refer to.
void LogFile::write_definitions() {
  events_.need_threads();
  samples_.need_threads();
  for (const log::LostOfThread& it : lost_by_thread_.rows()) names_.need_thread(it.thread);
  log::Mapping mapping = names_.take();
  mapping.start = mapping.end = clock_pair();
  writer_->mapping(mapping);
  events_.write_loads();
  writer_->stacks(stacks_.take_new_nodes());
}

void LogFile::write_lost_by_thread() {
  std::vector<log::LostOfThread> threads = lost_by_thread_.take();
  std::erase_if(threads, [](const log::LostOfThread& it) { return it.thread == 0; });
  writer_->losses(threads);
}

bool LogFile::write_tail() {
  write_definitions();
  const bool written = writer_->write_tail(lost_of(losses()), [this] {
    events_.copy_to_tail();
    samples_.copy_to_tail();
  });
  in_tail_ = held();
  return written;
}

Status LogFile::flush() {
  write_definitions();
  in_tail_ = 0;
  events_.write();
  samples_.write();
  write_lost_by_thread();
  write_counters();
  write_time_elsewhere();
  writer_->process(modules::process_usage());
  return flush_with_losses();
}

Status LogFile::finish_segment() {
  counters_due_ = costs_due_ = {};
  return flush();
}

Status LogFile::finish() {
  counters_due_ = costs_due_ = {};
  if (Status status = flush(); !status) return status;
  writer_->end({.clock = clock_pair()});
  Status status = flush_with_losses();
  writer_->close();
  return status;
}

}  // namespace oriel::log_module
