#include "imports/nettrace_events.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imports/sampled_frames.h"
#include "log/properties.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/callbacks/event_numbers.h"

namespace oriel::imports {
namespace {

// Of a suspension of the runtime: for a collection, or for a background one's second pause.
constexpr uint32_t kSuspendForGc = 1, kSuspendForGcPrepare = 6;
constexpr uint32_t kSampleOutside = 1, kSampleManaged = 2;
constexpr uint32_t kBackgroundGc = 1;

}  // namespace

TraceEvents::TraceEvents(TraceNames& names, const TraceHead& head, LogMaker& maker)
    : names_(names), process_(names.process()), head_(head), maker_(maker), stacks_(names.process(), maker, head) {
  periods_ = names.looks().periods(names.looks().hz(head.frequency), head.frequency);
}

uint64_t TraceEvents::ns_of(uint64_t time) const {
  constexpr uint64_t kMost = uint64_t{1} << 55;  // a year
  const uint64_t counts = time > head_.begin ? time - head_.begin : 0;
  const double ns = static_cast<double>(counts) * 1e9 / static_cast<double>(head_.frequency);
  const bool is_ns = head_.frequency == 1'000'000'000;
  return std::min(kMost, is_ns ? counts : static_cast<uint64_t>(std::min(ns, static_cast<double>(kMost))));
}

TraceEvents::OfThread& TraceEvents::of(uint64_t os_id, bool managed) {
  OfThread& thread = threads_[os_id];
  if (thread.id == 0) thread.id = maker_.thread(os_id, thread_names_[os_id], managed);
  return thread;
}

void TraceEvents::on_event(const TraceEvent& event) {
  if (event.process != names_.chosen()) return;
  TraceKinds::Known* const kind = kinds_.find(event);
  if (kind == nullptr) {
    ++unknown_events_;
    return;
  }
  switch (kind->what) {
    case TraceWhat::kOther:
      ++unknown_events_;
      if (!std::exchange(kind->counted, true)) ++unknown_kinds_;
      return;
    case TraceWhat::kIgnored:
    case TraceWhat::kMethodThere:
    case TraceWhat::kModuleThere:
    case TraceWhat::kProcess:
    case TraceWhat::kRuntime:
    case TraceWhat::kProcessName:
    case TraceWhat::kMapping:
    case TraceWhat::kSymbol:
      return;
    default:
      break;
  }
  if (event.stack_number != 0 && !stack_places_.contains(event.stack_number)) {
    stack_places_[event.stack_number] = {stack_bytes_.size(), event.stack.size()};
    stack_bytes_.insert(stack_bytes_.end(), event.stack.begin(), event.stack.end());
  }
  if (!event.name.empty()) thread_names_[event.thread] = event.name;
  kept_.push_back({event.time, event.thread, kind->version, event.stack_number, kind->what, payloads_.size(),
                   event.payload.size()});
  payloads_.insert(payloads_.end(), event.payload.begin(), event.payload.end());
  constexpr size_t kMostKept = 1 << 21;  // more than the runtime writes between two points
  if (kept_.size() >= kMostKept) tell_kept();
}

void TraceEvents::tell_kept() {
  std::ranges::stable_sort(kept_, {}, &Kept::time);
  for (const Kept& kept : kept_) tell(kept);
  kept_.clear();
  payloads_.clear();
}

void TraceEvents::on_point() {
  tell_kept();
  stack_bytes_.clear();
  stack_places_.clear();
  stacks_.forget_numbers();
}

TraceStacks::Leaf TraceEvents::leaf_of(const Told& told, ThreadWas was) {
  const auto place = stack_places_.find(told.kept.stack_number);
  if (told.kept.stack_number == 0 || place == stack_places_.end()) return {};
  const std::span<const uint8_t> bytes = std::span(stack_bytes_).subspan(place->second.at, place->second.size);
  return stacks_.leaf_of(told.kept.stack_number, bytes, told.kept.time, was);
}

void TraceEvents::tell(const Kept& kept) {
  const std::span<const uint8_t> payload = std::span(payloads_).subspan(kept.payload_at, kept.payload_size);
  const bool managed = kept.what != TraceWhat::kCpuSample;
  Told told{kept, ns_of(kept.time), of(kept.thread, managed).id, TraceCursor(payload)};
  switch (kept.what) {
    case TraceWhat::kSample:
      return tell_sample(told);
    case TraceWhat::kCpuSample:
      return tell_cpu_sample(told);
    case TraceWhat::kMethodCompiling:
    case TraceWhat::kMethodLoaded:
    case TraceWhat::kMethodUnloaded:
      return tell_code(told);
    case TraceWhat::kModuleLoaded:
      return tell_module(told);
    case TraceWhat::kGcStart:
      return tell_gc_start(told);
    case TraceWhat::kGcEnd:
      return tell_gc_end(told);
    case TraceWhat::kGcHeap:
      return tell_heap(told);
    case TraceWhat::kSuspendBegin:
    case TraceWhat::kSuspendEnd:
    case TraceWhat::kResumeBegin:
    case TraceWhat::kResumeEnd:
      return tell_pause(told);
    case TraceWhat::kAllocationTick:
      return tell_allocation(told, true);
    case TraceWhat::kAllocationSampled:
      return tell_allocation(told, false);
    case TraceWhat::kThrow:
    case TraceWhat::kCatch:
      return tell_exception(told);
    case TraceWhat::kLockWait:
    case TraceWhat::kLockTaken:
      return tell_lock(told);
    case TraceWhat::kPool:
      return tell_pool(told);
    default:
      return;
  }
}

// How the thread was (32 bits). Its stack was taken while it was stopped.
void TraceEvents::tell_sample(Told& told) {
  const auto was = told.in.number<uint32_t>();
  if (!sampled_.insert(told.kept.thread).second) {
    sampled_ = {told.kept.thread};
    ++look_;
  }
  if (was != kSampleOutside && was != kSampleManaged) {
    ++failed_samples_;
    return;
  }
  const uint64_t node = leaf_of(told, was == kSampleManaged ? ThreadWas::kInManaged : ThreadWas::kOutside).node;
  maker_.sample(told.thread, told.ns, node, look_ < periods_.size() ? periods_[look_] : 1);
}

// How many periods it stands for.
void TraceEvents::tell_cpu_sample(Told& told) {
  constexpr uint64_t kMostPeriods = 1'000'000;
  const uint64_t periods = told.in.varint();
  if (told.in.failed()) return void(++unreadable_);
  const TraceStacks::Leaf leaf = leaf_of(told);
  if (leaf.has_managed) maker_.runs_managed(told.thread);
  maker_.sample(told.thread, told.ns, leaf.node, std::clamp<uint64_t>(periods, 1, kMostPeriods));
}

// MethodJittingStarted: method's id. Loads and unloads: also module's id, address (64 bits each), size, token, flags
// (32 each).
void TraceEvents::tell_code(Told& told) {
  constexpr uint32_t kJitted = 8;
  OfThread& thread = of(told.kept.thread);
  const auto id = told.in.number<uint64_t>();
  if (told.kept.what == TraceWhat::kMethodCompiling) {
    thread.compiling = id;
    thread.compiling_ns = told.ns;
    return;
  }
  told.in.skip(8);
  const auto address = told.in.number<uint64_t>();
  const auto size = told.in.number<uint32_t>();
  told.in.skip(4);
  const auto flags = told.in.number<uint32_t>();
  const uint64_t method = process_.method_id(id, maker_);
  if (told.in.failed() || method == 0 || (flags & kJitted) == 0) return;
  recorded("jit");
  if (told.kept.what == TraceWhat::kMethodUnloaded) {
    maker_.event(told.thread, told.ns, oriel_event_method_free).add(method);
    return;
  }
  const bool began = std::exchange(thread.compiling, 0) == id;
  if (began) maker_.event(told.thread, thread.compiling_ns, oriel_event_jit_begin).add(method);
  maker_.event(told.thread, told.ns, oriel_event_jit_done).add(method).add(address).add(size);
}

void TraceEvents::tell_module(Told& told) {
  recorded("loads");
  const std::string path = process_.module_path(told.in.number<uint64_t>());
  maker_.event(told.thread, told.ns, oriel_event_image_loaded).add(maker_.image(path));
}

// Number, generation, reason, kind (32 bits each).
void TraceEvents::tell_gc_start(Told& told) {
  const auto number = told.in.number<uint32_t>(), generation = told.in.number<uint32_t>(),
             reason = told.in.number<uint32_t>(), kind = told.in.number<uint32_t>();
  if (told.in.failed()) return void(++unreadable_);
  end_gc();
  recorded("gc");
  recorded("phases");
  const oriel_gc_trigger trigger = coreclr::gc_trigger(reason);
  const bool induced = trigger == ORIEL_GC_TRIGGER_INDUCED;
  maker_.event(told.thread, told.ns, oriel_event_gc_begin)
      .add(number)
      .add(generation)
      .add(uint64_t{induced ? ORIEL_GC_REASON_INDUCED : ORIEL_GC_REASON_OTHER});
  maker_.event(told.thread, told.ns, oriel_event_gc_triggered)
      .add(number)
      .add(uint64_t{trigger})
      .add(uint64_t{kind == kBackgroundGc});
}

// Number, generation.
void TraceEvents::tell_gc_end(Told& told) {
  end_gc();
  ended_.thread = told.thread;
  ended_.ns = told.ns;
  ended_.number = told.in.number<uint32_t>();
  ended_.generation = told.in.number<uint32_t>();
  ended_.open = !told.in.failed();
}

void TraceEvents::end_gc() {
  if (!std::exchange(ended_.open, false)) return;
  maker_.event(ended_.thread, ended_.ns, oriel_event_gc_end).add(ended_.number).add(ended_.generation);
}

// For each generation and for large objects their size and the surviving bytes, then bytes and number of objects kept
// by finalizers (64 bits each), pinned objects, sync blocks, handles (32 each), runtime's number (16); from version 2
// on, size and survivors of the pinned object heap.
void TraceEvents::tell_heap(Told& told) {
  if (!ended_.open || ended_.thread != told.thread) return;
  uint64_t size[5] = {}, survived[5] = {};
  for (int i = 0; i < 4; ++i) {
    size[i] = told.in.number<uint64_t>();
    survived[i] = told.in.number<uint64_t>();
  }
  told.in.skip(8);
  const auto kept = told.in.number<uint64_t>();
  const auto pinned_objects = told.in.number<uint32_t>();
  told.in.skip(4);
  const auto handles = told.in.number<uint32_t>();
  if (told.in.failed()) return void(++unreadable_);
  told.in.skip(2);
  if (told.in.left() >= 16) {
    size[4] = told.in.number<uint64_t>();
    survived[4] = told.in.number<uint64_t>();
  }
  LogMaker::Event heap = maker_.event(told.thread, ended_.ns, oriel_event_gc_heap).add(ended_.number);
  for (const uint64_t bytes : size) heap.add(bytes);
  heap.add(uint64_t{0});
  end_gc();
  LogMaker::Event found = maker_.event(told.thread, ended_.ns, oriel_event_gc_survived);
  for (const uint64_t bytes : survived) found.add(bytes);
  found.add(std::min<uint64_t>(kept, UINT32_MAX)).add(pinned_objects).add(handles);
}

// The beginning has the reason (32 bits). Those for samples, which are the recording's own, are left out.
//
// Only one thread at a time holds the program stopped, but several may be on their way to: one that the sampler's
// thread keeps waiting has begun already, and one that has let the program go says so later. So each is kept with its
// thread.
void TraceEvents::tell_pause(Told& told) {
  constexpr uint64_t kReason = ORIEL_SUSPEND_GC;
  OfThread& thread = of(told.kept.thread);
  switch (told.kept.what) {
    case TraceWhat::kSuspendBegin: {
      const auto reason = told.in.number<uint32_t>();
      const bool collects = reason == kSuspendForGc || reason == kSuspendForGcPrepare;
      thread.suspending = {true, collects && !told.in.failed(), told.ns};
      if (!thread.suspending.collects) return;
      recorded("gc");
      maker_.event(told.thread, told.ns, oriel_event_suspend_begin).add(kReason);
      return;
    }
    case TraceWhat::kSuspendEnd:
      stopped_ = std::exchange(thread.suspending, {});
      stopped_.open = true;
      stopped_by_ = told.kept.thread;
      if (stopped_.collects) maker_.event(told.thread, told.ns, oriel_event_suspend_end).add(kReason);
      return;
    case TraceWhat::kResumeBegin:
      thread.resuming = resumed_by(told.kept.thread);
      if (thread.resuming.collects) maker_.event(told.thread, told.ns, oriel_event_resume_begin).add(kReason);
      return;
    default: {
      const bool began = thread.resuming.open;
      const Suspension ended = began ? std::exchange(thread.resuming, {}) : resumed_by(told.kept.thread);
      if (!ended.collects) return;
      maker_.event(told.thread, told.ns, oriel_event_resume_end)
          .add(kReason)
          .add(told.ns - std::min(ended.begun_ns, told.ns));
    }
  }
}

// The suspension that this thread ends: its own. Where a background collection begins, another thread than its own
// stopped the program.
TraceEvents::Suspension TraceEvents::resumed_by(uint64_t os_id) {
  OfThread& thread = of(os_id);
  const bool stopped_it = stopped_.open && stopped_by_ == os_id;
  if (!stopped_it && thread.suspending.open) return std::exchange(thread.suspending, {});  // its end is lost
  return std::exchange(stopped_, {});
}

// A tick: amount, kind (32 bits each), runtime's number (16), amount again (64), class, its name, heap (32), and from
// version 3 on address, from version 4 on size. A sample: kind (32), runtime's number (16), class, its name, address,
// size (64), sampled byte (64).
void TraceEvents::tell_allocation(Told& told, bool is_tick) {
  constexpr double kMeanBytes = 102'400;
  uint64_t size = 0, represented = 0;
  TraceCursor& in = told.in;
  if (is_tick) {
    in.skip(10);
    represented = in.number<uint64_t>();
    in.pointer(head_.pointer_bytes);
  } else {
    in.skip(6);
    in.pointer(head_.pointer_bytes);
  }
  const std::string name = in.text();
  if (is_tick) in.skip(4);
  if (!is_tick || told.kept.version >= 3) in.pointer(head_.pointer_bytes);
  if (!is_tick || told.kept.version >= 4) size = in.number<uint64_t>();
  if (in.failed()) return void(++unreadable_);
  if (!is_tick && size > 0) {
    const double chance = -std::expm1(-static_cast<double>(std::min(size, uint64_t{1} << 50)) / kMeanBytes);
    represented = static_cast<uint64_t>(std::llround(static_cast<double>(size) / chance));
  }
  has_sampled_allocations_ = true;
  recorded("allocations");
  const uint64_t stack = stack_of(told);
  maker_.event(told.thread, told.ns, oriel_event_gc_allocation_sampled, stack)
      .add(type(name))
      .add(size)
      .add(std::max(represented, size));
}

// A throw: type, message. A catch: where it begins, method's id (64 bits each), method.
void TraceEvents::tell_exception(Told& told) {
  OfThread& thread = of(told.kept.thread);
  recorded("exceptions");
  if (told.kept.what == TraceWhat::kThrow) {
    thread.thrown = told.in.text();
    const std::string message = told.in.text();
    if (told.in.failed()) return void(++unreadable_);
    if (!message.empty() && message != "NULL")
      maker_.event(told.thread, told.ns, oriel_event_exception_message).add(type(thread.thrown)).add(message);
    maker_.event(told.thread, told.ns, oriel_event_exception_throw, stack_of(told)).add(type(thread.thrown));
    return;
  }
  told.in.skip(8);
  uint64_t method = process_.method_id(told.in.number<uint64_t>(), maker_);
  const std::string text = told.in.text();
  if (method == 0)
    if (const auto name = method_of_perf_map(text))
      method = imports::method_id(name->method, name->module + ".dll", maker_);
  if (told.in.failed() || thread.thrown.empty() || method == 0) return void(++unreadable_);
  maker_.event(told.thread, told.ns, oriel_event_exception_clause)
      .add(method)
      .add(uint64_t{ORIEL_CLAUSE_CATCH})
      .add(type(thread.thrown))
      .add(uint64_t{ORIEL_NO_CLAUSE_INDEX});
}

// A wait: whether for native code (8 bits), runtime's number (16); from version 2 on the lock, its object, its owner
// (64 each). Its end: the same two, and how long it took (a double). Of waits below a millisecond a log has as many as
// their time makes up milliseconds.
void TraceEvents::tell_lock(Told& told) {
  OfThread& thread = of(told.kept.thread);
  const bool is_native = told.in.number<uint8_t>() != 0;
  told.in.skip(2);
  if (is_native || told.in.failed()) return;
  if (told.kept.what == TraceWhat::kLockWait) {
    thread.lock = thread.owner = 0;
    thread.lock_stack = stack_of(told);
    if (told.kept.version < 2) return;
    thread.lock = told.in.pointer(head_.pointer_bytes);
    told.in.pointer(head_.pointer_bytes);
    thread.owner = told.in.number<uint64_t>();
    return;
  }
  const auto waited = told.in.number<double>();
  constexpr double kMostNs = 1e17;
  if (told.in.failed() || !(waited >= 0 && waited < kMostNs)) return void(++unreadable_);
  recorded("locks");
  auto ns = static_cast<uint64_t>(waited);
  if (ns < log::kWholeLockWait) {
    thread.lock_debt_ns += ns;
    if (thread.lock_debt_ns < log::kWholeLockWait) return;
    thread.lock_debt_ns -= log::kWholeLockWait;
  }
  const uint64_t owner = thread.owner == 0 ? 0 : of(thread.owner).id;
  maker_.event(told.thread, told.ns, oriel_event_monitor_acquired, thread.lock_stack)
      .add(maker_.klass("[a type that the file does not tell]", 0))
      .add(thread.lock)
      .add(owner)
      .add(ns);
}

// Throughput (a double), threads, reason (32 bits each).
void TraceEvents::tell_pool(Told& told) {
  told.in.skip(8);
  const auto threads = told.in.number<uint32_t>(), reason = told.in.number<uint32_t>();
  if (told.in.failed()) return void(++unreadable_);
  recorded("counters");
  maker_.event(told.thread, told.ns, oriel_event_pool_adjusted)
      .add(threads)
      .add(uint64_t{coreclr::pool_reason(reason)});
}

void TraceEvents::finish() {
  on_point();
  end_gc();
  std::string groups;
  for (const std::string& group : groups_) groups += (groups.empty() ? "" : "+") + group;
  using namespace log::property;
  auto& properties = maker_.properties;
  properties.emplace_back(kEvents, groups);
  if (has_sampled_allocations_) {
    properties.emplace_back(kAllocations, "sampled");
    properties.emplace_back(kAllocationsStacks, "yes");
  }
  if (groups_.contains("exceptions")) properties.emplace_back(kExceptionsStacks, "yes");
  if (groups_.contains("locks")) properties.emplace_back(kLocks, "start");
  if (stacks_.deep() > 0) maker_.lost.push_back({"stack-deep", stacks_.deep()});
  maker_.leave_out("sample of a thread that could not be stopped", "samples of threads that could not be stopped",
                   failed_samples_);
  maker_.leave_out("event that is not as the runtime writes it", "events that are not as the runtime writes them",
                   unreadable_);
  const std::string of = " of " + std::to_string(unknown_kinds_) + (unknown_kinds_ == 1 ? " kind" : " kinds") +
                         " that a log does not have";
  maker_.leave_out("event" + of, "events" + of, unknown_events_);
}

}  // namespace oriel::imports
