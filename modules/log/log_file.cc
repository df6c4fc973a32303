#include "log_file.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/clock.h"
#include "base/varint.h"
#include "call_buffer.h"
#include "log/properties.h"
#include "modules/process_info.h"

namespace oriel::log_module {
namespace {

// Loads and unloads become blocks of their own: an opening event and the one that closes it.
struct LoadPair {
  uint32_t opens;
  uint32_t closes;
  uint8_t kind;
  bool unload;
};
const LoadPair kLoadPairs[] = {
    {oriel_event_domain_loading, oriel_event_domain_loaded, log::kLoadDomain | log::kLoadSuccess, false},
    {oriel_event_domain_unloading, oriel_event_domain_unloaded, log::kLoadDomain | log::kLoadSuccess, true},
    {oriel_event_assembly_loading, oriel_event_assembly_loaded, log::kLoadAssembly | log::kLoadSuccess, false},
    {oriel_event_assembly_unloading, oriel_event_assembly_unloaded, log::kLoadAssembly | log::kLoadSuccess, true},
    {oriel_event_image_loading, oriel_event_image_loaded, log::kLoadModule | log::kLoadSuccess, false},
    {oriel_event_image_loading, oriel_event_image_failed, log::kLoadModule | log::kLoadFailure, false},
    {oriel_event_image_unloading, oriel_event_image_unloaded, log::kLoadModule | log::kLoadSuccess, true},
};

std::string loaded_name(uint8_t kind, uint64_t id) {
  const auto small = static_cast<uint32_t>(id);
  if (kind & log::kLoadDomain) {
    oriel_domain* domain = oriel_domain_by_id(small);
    return domain ? oriel_domain_name(domain) : "";
  }
  if (kind & log::kLoadAssembly) {
    oriel_assembly* assembly = oriel_assembly_by_id(small);
    return assembly ? oriel_assembly_name(assembly) : "";
  }
  oriel_image* image = oriel_image_by_id(small);
  if (!image) return "";
  const std::string path = oriel_image_path(image);
  return path.empty() ? oriel_image_name(image) : path;
}

// Calls fill the log fast: what waits in memory is written at this size.
constexpr uint64_t kMostPending = 8u << 20;

void add_call_properties(const Options& options, log::Intro& intro) {
  if (options.calls) {
    intro.properties.emplace_back(log::property::kCalls, options.calls->text());
    intro.properties.emplace_back(log::property::kCallsInlining, options.block_inlining ? "block" : "keep");
  }
  if (options.async) intro.properties.emplace_back(log::property::kAsync, options.async->text());
  if (options.allocations_sampled) intro.properties.emplace_back(log::property::kAllocations, "sampled");
  if (options.allocations_sampled || options.allocations_when_grown)
    intro.properties.emplace_back(log::property::kFollowed, options.allocations_sampled ? "start" : "grown");
  if (options.allocations) {
    intro.properties.emplace_back(log::property::kAllocations, "exact");
    intro.properties.emplace_back(log::property::kAllocationsIn, options.allocations->text());
    if (options.allocation_stacks) intro.properties.emplace_back(log::property::kAllocationsStacks, "yes");
  }
}

// A rate that no timer of the system's can give: what it gives instead.
void add_tick(const Options& options, log::Intro& intro) {
  const int64_t tick_hz = 1'000'000'000 / kernel_tick_ns();
  if (options.sample_mode == ORIEL_SAMPLE_NONE || options.hz <= tick_hz) return;
  intro.properties.emplace_back(log::property::kSamplingTick, std::to_string(tick_hz));
}

// What is redacted here. Activities, counters and threads' names are as they are heard.
bool is_free_text(uint32_t event) { return event == oriel_event_exception_message; }

// An event's fields, the last of which is a text from `text` on, without what is commonly secret in that.
std::vector<uint8_t> redacted(const uint8_t* fields, const uint8_t* text, const uint8_t* end) {
  const auto* const begin = reinterpret_cast<const char*>(text);
  const std::string left = redact_any({begin, strnlen(begin, static_cast<size_t>(end - text))});
  std::vector<uint8_t> result(fields, text);
  const size_t front = result.size();
  result.resize(front + log::kMaxFieldBytes);
  result.resize(static_cast<size_t>(log::encode_field(result.data() + front, left.c_str()) - result.data()));
  return result;
}

constexpr size_t kMostAtOnce = 100'000;  // events of one thread in one drain

const char* mode_name(oriel_sample_mode mode) {
  if (mode == ORIEL_SAMPLE_NONE) return "none";
  return mode == ORIEL_SAMPLE_REAL ? "real" : "process";
}

}  // namespace

EventSet ever_logged(const Options& options) {
  EventSet events = options.phases_when_paused ? with_phases(options.events) : options.events;
  if (options.locks_when_seen) events.set(oriel_event_monitor_acquired);
  if (options.allocations_when_grown) events |= followed_allocations();
  return events;
}

LogFile::LogFile(std::unique_ptr<log::Writer> writer, Recorder& recorder, const Options& options, uint64_t since)
    : writer_(std::move(writer)),
      since_(since),
      logged_(ever_logged(options)),
      look_period_ns_(1'000'000'000 /
                      (options.sample_mode == ORIEL_SAMPLE_REAL ? options.hz : std::min(options.hz, ORIEL_WAIT_LOOKS))),
      recorder_(recorder),
      stacks_(names_),
      calls_(names_, stacks_, *writer_, recorder, since),
      stacks_of_allocations_(options.allocation_stacks) {
  if (since != 0) before_ = losses();
}

void LogFile::change(uint64_t when, const EventSet& logged, bool stacks_of_allocations) {
  logged_until_.emplace_back(when, logged_);
  logged_ = logged;
  stacks_of_allocations_ = stacks_of_allocations;
  calls_.check_methods(when);
}

const EventSet& LogFile::logged_at(uint64_t counter) const {
  for (const auto& [until, events] : logged_until_) {
    if (counter < until) return events;
  }
  return logged_;
}

bool logs_exception_stacks(const Options& options) {
  return options.events[oriel_event_exception_throw] && options.sample_mode != ORIEL_SAMPLE_NONE;
}

log::Intro intro_of(const Options& options) {
  log::Intro intro = modules::new_intro();
  intro.properties.insert(intro.properties.end(), {{log::property::kSamplingMode, mode_name(options.sample_mode)},
                                                   {log::property::kSamplingHz, std::to_string(options.hz)},
                                                   {log::property::kEvents, event_groups(options.events)}});
  if (options.locks_when_seen || options.events[oriel_event_monitor_acquired])
    intro.properties.emplace_back(log::property::kLocks, options.locks_when_seen ? "seen" : "start");
  if (logs_exception_stacks(options)) intro.properties.emplace_back(log::property::kExceptionsStacks, "yes");
  if (options.sample_mode == ORIEL_SAMPLE_PROCESS_AND_WAITS)
    intro.properties.emplace_back(log::property::kSamplingWaits, std::to_string(ORIEL_WAIT_LOOKS));
  if (!options.meters.empty()) intro.properties.emplace_back(log::property::kCounters, options.meters);
  if (!options.activities.empty()) intro.properties.emplace_back(log::property::kActivities, options.activities);
  add_tick(options, intro);
  add_call_properties(options, intro);
  return intro;
}

Result<std::unique_ptr<LogFile>> LogFile::create(const Options& options, Recorder& recorder, const log::Intro& intro,
                                                 uint64_t since) {
  auto writer = log::Writer::create(options.out);
  if (!writer) return writer.status();
  std::unique_ptr<LogFile> file(new LogFile(std::move(*writer), recorder, options, since));
  file->writer_->intro(intro);
  if (Status status = file->flush(); !status) return status;
  return file;
}

unsigned LogFile::drain() {
  // Frees of code first: a free that came before a sample is then known before that sample's addresses are.
  const bool code_freed = drain_events();
  if (code_freed) stacks_.forget_addresses();
  stacks_.remember_addresses(!code_freed);
  take_stacks();
  const unsigned rings = recorder_.rings.drain([this](const SampleView& sample) { take_sample(sample); });
  return std::max({rings, calls_.drain(), events_wait_ ? 100u : 0u});
}

bool LogFile::wants_flush() const { return writer_->bytes_pending() > kMostPending; }

bool LogFile::drain_events() {
  bool code_freed = false;
  events_wait_ = false;
  event_buffers.drain([&](EventBuffer& buffer) {
    // A thread that raises events faster than they are taken must not keep the others waiting. What an ended one left
    // has an end, and its buffer goes after this.
    size_t left = buffer.finished.load(std::memory_order_acquire) ? SIZE_MAX : kMostAtOnce;
    EventHeader header{};
    const uint8_t* fields = nullptr;
    while (left != 0 && buffer.next(header, fields)) {
      --left;
      code_freed |= header.number == oriel_event_method_free || header.number == oriel_event_image_unloaded;
      if (header.counter >= since_) take_event(buffer.thread_id(), header, fields);
    }
    events_wait_ |= left == 0;
    return left != 0;
  });
  return code_freed || events_wait_;
}

void LogFile::take_event(uint32_t thread, const EventHeader& header, const uint8_t* fields) {
  const log::EventDescription* description = log::describe_event(header.number);
  if (!description) return;
  const uint8_t* at = fields;
  const uint8_t* end = fields + header.size;
  uint64_t values[log::kMaxFields] = {};
  for (const log::FieldDescription& field : description->fields) {
    uint64_t& value = values[&field - description->fields.data()];
    if (field.kind == log::FieldKind::kText) break;  // texts come last
    at = read_varint(at, end, value);
    if (!at) return;
    if (&field == description->fields.data() && take_load(thread, header, value)) return;
    names_.need(field.kind, value);
    if (header.number == oriel_event_thread_name) names_.rename_thread(value);
  }
  watch_heap(header.number, values);
  if (!logged_at(header.counter)[header.number]) return;  // heard so that addresses are forgotten
  ThreadEvents& events = events_[thread];
  const size_t begin = events.bytes.size();
  if (redacts_ && is_free_text(header.number)) {
    const std::vector<uint8_t> left = redacted(fields, at, end);
    events.bytes.insert(events.bytes.end(), left.begin(), left.end());
  } else {
    events.bytes.insert(events.bytes.end(), fields, end);
  }
  events.fields.emplace_back(begin, events.bytes.size() - begin);
  events.events.push_back({header.counter, header.number, {}});
  if (!description->has_stack) return;
  EventStack stack{thread, events.events.size() - 1, header.counter, header.truncated, {}};
  stack.frames.resize(header.frames);
  if (header.frames) std::memcpy(stack.frames.data(), end, header.frames * sizeof(uintptr_t));
  event_stacks_.push_back(std::move(stack));
}

// A collection tells the heap's parts right before it ends, on the same thread.
void LogFile::watch_heap(uint32_t event, const uint64_t (&values)[log::kMaxFields]) {
  constexpr size_t kFirstPart = 1, kLastPart = 6;
  if (event == oriel_event_gc_heap)
    heap_after_ = {values[0], std::accumulate(values + kFirstPart, values + kLastPart + 1, uint64_t{0})};
  if (event == oriel_event_gc_end && heap_after_.first == values[0])
    heap_.add(static_cast<uint32_t>(values[1]), heap_after_.second);
}

void LogFile::take_stacks() {
  for (const EventStack& stack : event_stacks_) {
    const SampleView view{stack.counter, 0, 1, stack.truncated, stack.frames.data(), stack.frames.size()};
    events_[stack.thread].events[stack.event].stack = stacks_.node_of_allocation(view, false);
  }
  event_stacks_.clear();
}

bool LogFile::take_load(uint32_t thread, const EventHeader& header, uint64_t id) {
  bool opens = false;
  for (const LoadPair& pair : kLoadPairs) {
    opens |= pair.opens == header.number;
    if (pair.closes != header.number) continue;
    OpenLoad start{header.counter, thread};  // where nobody saw it begin
    if (const auto open = open_loads_.find({pair.opens, id}); open != open_loads_.end()) {
      start = open->second;
      open_loads_.erase(open);
    }
    names_.need_thread(thread);
    loads_.push_back({pair.unload, pair.kind, start.counter, header.counter, thread, loaded_name(pair.kind, id)});
    return true;
  }
  if (opens) open_loads_[{header.number, id}] = {header.counter, thread};
  return opens;
}

uint64_t LogFile::thread_of(uint32_t os_id) {
  oriel_thread* thread = oriel_thread_by_os_id(os_id);
  return thread ? oriel_thread_id(thread) : 0;
}

void LogFile::take_sample(const SampleView& sample) {
  if (sample.counter < since_) return;
  log::Sample logged;
  logged.counter = sample.counter;
  logged.periods = sample.periods;
  logged.node = stacks_.node_of(sample);
  SamplesOfThread& of_thread = samples_[thread_of(sample.os_thread)];
  of_thread.samples.push_back(logged);
  if (sample.compiled == 0) return;
  names_.need(log::FieldKind::kMethod, sample.compiled);
  of_thread.compiling.push_back({sample.counter, sample.compiled, sample.compiled_again, sample.periods});
}

void LogFile::write_events() {
  for (auto& [thread, events] : events_) {
    for (size_t i = 0; i < events.events.size(); i++) {
      const auto [offset, size] = events.fields[i];
      events.events[i].fields = {events.bytes.data() + offset, size};
    }
    writer_->events(thread, events.events);
  }
  events_.clear();
}

void LogFile::write_samples() {
  for (const auto& [thread, taken] : samples_) writer_->samples(thread, taken.samples, taken.compiling);
  samples_.clear();
}

LogFile::Losses LogFile::losses() const {
  Losses all;
  oriel_sampling_lost(all.samples);
  all.samples[ORIEL_LOST_BUFFER_FULL] += recorder_.rings.lost();
  all.events = recorder_.events_lost.load(std::memory_order_relaxed);
  all.calls = calls_lost();
  all.ready_ns = oriel_sampling_ready_ns();
  return all;
}

std::vector<log::Lost> LogFile::lost() const {
  std::vector<log::Lost> result;
  const Losses now = losses();
  for (uint32_t reason = 0; reason < ORIEL_LOST_REASONS; reason++) {
    const uint64_t count = now.samples[reason] - before_.samples[reason];
    if (count) result.push_back({oriel_lost_reason_name(reason), count});
  }
  if (const uint64_t events = now.events - before_.events) result.push_back({log::lost::EVENTS_NO_MEMORY, events});
  if (const uint64_t calls = now.calls - before_.calls) result.push_back({log::lost::CALLS_BUFFER_FULL, calls});
  return result;
}

void LogFile::write_counters() {
  constexpr std::chrono::seconds kOften{1};
  std::vector<log::Counter> counters = modules::instrumentation_counters();
  if (const auto calls = recorder_.calls.filter())
    counters.push_back({log::counter::kCallsTrivial, calls->trivial_left_out()});
  const auto now = std::chrono::steady_clock::now();
  // They only grow.
  const bool changed = !std::ranges::equal(counters, outcomes_, {}, &log::Counter::count, &log::Counter::count);
  if (!changed && now < counters_due_) return;
  const bool measured = has_calls() && now >= costs_due_;
  if (measured) costs_due_ = now + kOften;
  counters_due_ = now + kOften;
  outcomes_ = counters;
  counters.push_back(own_cpu_.count());
  std::ranges::move(modules::guest_counters(), std::back_inserter(counters));
  std::ranges::move(cpu_group_.counters(), std::back_inserter(counters));
  if (measured) add_probe_costs(counters);
  writer_->counters(counters);
}

void LogFile::add_probe_costs(std::vector<log::Counter>& counters) {
  const bool allocations = calls_.klass() != 0 && !stacks_of_allocations_;
  oriel_class* klass = allocations ? oriel_class_by_id(calls_.klass()) : nullptr;
  costs_ = modules::least(costs_, measure_costs(oriel_method_by_id(calls_.method()), klass));
  if (costs_.reading == 0) return;  // there was no memory for it
  for (log::Counter& counter : modules::counters_of(costs_)) counters.push_back(std::move(counter));
}

// What threads lacked a processor for, what other processes did for this one, and, where threads that wait were looked
// at more seldom than asked, how often.
void LogFile::write_time_elsewhere() {
  std::vector<log::Counter> counters;
  if (const uint64_t ready = oriel_sampling_ready_ns() - before_.ready_ns)
    counters.push_back({log::counter::kReadyNs, ready});
  if (const log::Counter children = modules::children_cpu(); children.count > 0) counters.push_back(children);
  uint64_t rounds = 0, ns = 0;
  oriel_sampling_looks(&rounds, &ns);
  if (ns / 2 > rounds * look_period_ns_) {
    counters.push_back({log::counter::kWaitsRounds, rounds});
    counters.push_back({log::counter::kWaitsNs, ns});
  }
  if (!counters.empty()) writer_->counters(counters);
}

Status LogFile::flush() {
  for (const auto& [thread, events] : events_) names_.need_thread(thread);
  for (const auto& [thread, samples] : samples_) names_.need_thread(thread);
  log::Mapping mapping = names_.take();
  mapping.start = mapping.end = clock_pair();
  writer_->mapping(mapping);
  for (const log::Load& load : loads_) writer_->load(load);
  loads_.clear();
  writer_->stacks(stacks_.take_new_nodes());
  write_events();
  write_samples();
  write_counters();
  write_time_elsewhere();
  writer_->process(modules::process_usage());
  return writer_->flush(lost());
}

Status LogFile::finish() {
  counters_due_ = costs_due_ = {};
  if (Status status = flush(); !status) return status;
  writer_->end({.clock = clock_pair()});
  Status status = writer_->flush(lost());
  writer_->close();
  return status;
}

}  // namespace oriel::log_module
