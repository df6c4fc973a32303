#include "event_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "base/varint.h"

namespace oriel::log_module {
namespace {

// Loads and unloads become blocks: an opening event and the event that closes it.
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

// Texts that are redacted here. Activities, counters and threads' names are redacted when they are received.
bool is_free_text(uint32_t event) { return event == oriel_event_exception_message; }

// Redacts an event's last field, a text that begins at `text`.
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

}  // namespace

EventWriter::EventWriter(NameTable& names, StackTree& stacks, log::Writer& writer, LostByThread& lost,
                         const EventSet& logged, uint64_t since)
    : names_(names), stacks_(stacks), writer_(writer), lost_(lost), since_(since), logged_(logged) {}

void EventWriter::change(uint64_t when, const EventSet& logged) {
  logged_until_.emplace_back(when, logged_);
  logged_ = logged;
}

void EventWriter::continue_from(EventWriter& before) {
  logged_ = before.logged_;
  logged_until_ = std::move(before.logged_until_);
  open_loads_ = std::move(before.open_loads_);
  heap_ = before.heap_;
  heap_after_ = before.heap_after_;
}

const EventSet& EventWriter::logged_at(uint64_t counter) const {
  for (const auto& [until, events] : logged_until_) {
    if (counter < until) return events;
  }
  return logged_;
}

bool EventWriter::drain() {
  bool code_freed = false;
  some_left_ = false;
  event_buffers.drain([&](EventBuffer& buffer) {
    // A thread that raises events faster than they are taken must not delay the others. An ended thread's buffer is
    // read to its end, because it is deleted afterwards.
    size_t left = buffer.finished.load(std::memory_order_acquire) ? SIZE_MAX : kMostAtOnce;
    EventHeader header{};
    const uint8_t* fields = nullptr;
    while (left != 0 && buffer.next(header, fields)) {
      --left;
      code_freed |= header.number == oriel_event_method_free || header.number == oriel_event_image_unloaded;
      if (header.counter >= since_) take_event(buffer.thread_id(), header, fields);
    }
    some_left_ |= left == 0;
    const uint64_t lost = buffer.lost(), told = std::exchange(buffer.told_lost, lost);
    if (lost != told) lost_.of(buffer.thread_id()).events += lost - told;
    return left != 0;
  });
  return code_freed || some_left_;
}

void EventWriter::take_event(uint32_t thread, const EventHeader& header, const uint8_t* fields) {
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
  if (triggers_) show_triggers(header, values, at, end);
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

// The stack lies behind the fields, unaligned.
void EventWriter::show_triggers(const EventHeader& header, const uint64_t (&values)[log::kMaxFields],
                                const uint8_t* text, const uint8_t* end) {
  std::array<uintptr_t, 64> stack;
  const size_t frames = std::min<size_t>(header.frames, stack.size());
  if (frames != 0) std::memcpy(stack.data(), end, frames * sizeof(uintptr_t));
  const auto* const begin = reinterpret_cast<const char*>(text);
  triggers_->see({header.number,
                  header.counter,
                  values,
                  {begin, strnlen(begin, static_cast<size_t>(end - text))},
                  std::span(stack).first(frames)});
}

// The sizes of the heap come right before the collection's end, on the same thread.
void EventWriter::watch_heap(uint32_t event, const uint64_t (&values)[log::kMaxFields]) {
  constexpr size_t kFirstPart = 1, kLastPart = 6;
  if (event == oriel_event_gc_heap)
    heap_after_ = {values[0], std::accumulate(values + kFirstPart, values + kLastPart + 1, uint64_t{0})};
  if (event == oriel_event_gc_end && heap_after_.first == values[0])
    heap_.add(static_cast<uint32_t>(values[1]), heap_after_.second);
}

void EventWriter::find_nodes() {
  for (const EventStack& stack : event_stacks_) {
    const SampleView view{stack.counter, 0, 1, stack.truncated, stack.frames.data(), stack.frames.size()};
    events_[stack.thread].events[stack.event].stack = stacks_.node_of_allocation(view, false);
  }
  event_stacks_.clear();
}

bool EventWriter::take_load(uint32_t thread, const EventHeader& header, uint64_t id) {
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

void EventWriter::copy_to_tail() {
  for (auto& [thread, events] : events_) {
    for (size_t i = 0; i < events.events.size(); i++) {
      const auto [offset, size] = events.fields[i];
      events.events[i].fields = {events.bytes.data() + offset, size};
    }
    writer_.events(thread, events.events);
  }
}

void EventWriter::write() {
  copy_to_tail();
  events_.clear();
}

size_t EventWriter::bytes() const {
  size_t all = 0;
  for (const auto& [thread, events] : events_) all += events.bytes.size() + events.events.size();
  return all;
}

void EventWriter::need_threads() {
  for (const auto& [thread, events] : events_) names_.need_thread(thread);
}

void EventWriter::write_loads() {
  for (const log::Load& load : loads_) writer_.load(load);
  loads_.clear();
}

}  // namespace oriel::log_module
