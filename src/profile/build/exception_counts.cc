#include "profile/build/exception_counts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "profile/mono_wrappers.h"
#include "profile/recorded.h"
#include "profile/table/renumber.h"

namespace oriel::profile {
namespace {

// A stack's innermost managed method, except the runtime's own methods for throwing, and Mono's code around methods;
// nullptr if there is none.
const Function* thrower(uint32_t stack, const Profile& profile) {
  for (uint32_t at = stack; at != 0; at = profile.nodes[at].parent) {
    const Function& function = profile.functions[profile.nodes[at].function];
    const bool is_of_runtime = function.name.starts_with("System.Runtime.EH.") || mono_wrapper(function.name);
    if (function.managed && !is_of_runtime) return &function;
  }
  return nullptr;
}

bool is_by(std::string_view method, uint32_t stack, const Profile& profile) {
  const Function* const by = thrower(stack, profile);
  return by != nullptr && by->name.starts_with(method);
}

// Whether a stored exception is rethrown: by an await, or by code that passes it to another thread.
bool is_thrown_again(uint32_t stack, const Profile& profile) {
  return is_by("System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(", stack, profile);
}

}  // namespace

ExceptionCounts::Place ExceptionCounts::place_of(const Incoming& told) const {
  return {keeps_stacks_ ? told.stack : 0, told.thread, told.event.counter};
}

void ExceptionCounts::take_message(const Incoming& told) { by_thread_[told.thread].message = told.event.text; }

void ExceptionCounts::add_abort(const Incoming& told) {
  constexpr size_t kMost = 16;  // with catches; a process has one
  const OfThread& thread = by_thread_[told.thread];
  aborts_.push_back({place_of(told), {}, {}});
  if (aborts_.size() <= kMost) aborts_.back().caught_in = thread.caught_in;
  if (!thread.thrown.empty()) aborts_.back().thrown = thread.thrown.back();
}

void ExceptionCounts::add_throw(const Incoming& told) {
  constexpr size_t kMost = 64;  // exceptions that native code catches are never removed
  const uint64_t klass = told.event.values[0];
  const Place place = place_of(told);
  OfThread& thread = by_thread_[told.thread];
  Counts& counts = by_class_[klass];
  ++counts.thrown;
  counts.thrown_at.push_back(place);
  if (place.stack != 0) {
    Counts::Last& last = counts.last_thrown[place.stack];
    if (place.counter >= last.place.counter) last = {place, thread.message};
  }
  const bool is_new = !thread.message.empty() && std::ranges::find(counts.messages, thread.message,
                                                                   &Counts::Message::text) == counts.messages.end();
  if (is_new && counts.messages.size() < ExceptionMessage::kMost) counts.messages.push_back({thread.message, place});
  if (thread.thrown.size() == kMost) thread.thrown.erase(thread.thrown.begin());
  thread.thrown.push_back({klass, place, std::exchange(thread.message, {})});
}

void ExceptionCounts::add_catch(const Incoming& told) {
  const log::Event& event = told.event;
  if (event.values[1] != ORIEL_CLAUSE_CATCH) return;
  OfThread& thread = by_thread_[told.thread];
  Counts& counts = by_class_[event.values[2]];
  ++counts.caught;
  ++counts.caught_in[event.values[0]];
  // Exceptions that were thrown later and not caught are gone with it.
  const auto known = std::ranges::find(thread.thrown.rbegin(), thread.thrown.rend(), event.values[2], &Thrown::klass);
  if (known == thread.thrown.rend()) return;
  thread.caught_in[event.values[0]] = std::move(*known);
  thread.thrown.erase(known.base() - 1, thread.thrown.end());
}

// Takes the last exception of its class before: the log does not identify objects.
void ExceptionCounts::add_first_throw(uint64_t before, const Counts& counts, const Profile& profile,
                                      const NodeOf& node_of, Abort& abort) {
  const Counts::Last* latest = nullptr;
  for (const auto& [stack, last] : counts.last_thrown) {
    const uint64_t at = last.place.counter;
    if (at > before || (latest && at < latest->place.counter) || is_thrown_again(stack, profile)) continue;
    latest = &last;
  }
  if (!latest) return;
  abort.first_at = node_of(latest->place);
  if (abort.message.empty()) abort.message = latest->message;
}

// Mono leaves all methods before it ends the process for an exception, so that no stack of that has one.
std::optional<ExceptionCounts::CaughtByMono> ExceptionCounts::caught_by_mono(const AbortEvent& event,
                                                                             const Names& names,
                                                                             const Profile& profile) const {
  std::optional<CaughtByMono> latest;
  if (!is_of_mono(profile) || !keeps_stacks_ || thrower(event.place.stack, profile) != nullptr) return latest;
  for (const auto& [method, thrown] : event.caught_in) {
    const std::string name = names.method_name(method);
    const std::optional<MonoWrapper> wrapper = mono_wrapper(name);
    if (!wrapper || wrapper->kind != "runtime-invoke") continue;
    if (!latest || thrown.place.counter > latest->thrown.place.counter) latest = {method, thrown};
  }
  return latest;
}

void ExceptionCounts::forget_catches_by_mono(const Names& names, const Profile& profile) {
  for (AbortEvent& event : aborts_) {
    const std::optional<CaughtByMono> caught = caught_by_mono(event, names, profile);
    if (is_of_mono(profile)) event.thrown.reset();  // it ended within methods, for another reason
    if (!caught) continue;
    event.thrown = caught->thrown;
    Counts& counts = by_class_.at(caught->thrown.klass);
    const auto known = counts.caught_in.find(caught->method);
    if (known == counts.caught_in.end()) continue;
    --counts.caught;
    if (--known->second == 0) counts.caught_in.erase(known);
  }
}

Abort ExceptionCounts::abort_of(const AbortEvent& event, const Names& names, const Profile& profile,
                                const NodeOf& node_of) const {
  Abort abort{.type = {}, .message = {}, .stack = node_of(event.place), .thread = event.place.thread};
  if (is_by("System.Environment.FailFast(", event.place.stack, profile)) {
    abort.cause = Abort::Cause::kFailFast;
    return abort;
  }
  if (!event.thrown) return abort;
  abort.cause = Abort::Cause::kException;
  abort.type = names.class_name(event.thrown->klass);
  abort.message = event.thrown->message;
  const bool is_in_method = thrower(event.place.stack, profile) != nullptr;
  const Place& place = is_in_method ? event.place : event.thrown->place;
  abort.stack = node_of(place);
  const Counts& counts = by_class_.at(event.thrown->klass);
  if (is_thrown_again(place.stack, profile)) add_first_throw(event.place.counter, counts, profile, node_of, abort);
  if (abort.message.empty() && counts.messages.size() == 1) abort.message = counts.messages[0].text;
  return abort;
}

void ExceptionCounts::finish(const Names& names, const ClockMap& clock, LogicalStacks& stacks, Functions& functions,
                             Profile& profile) {
  forget_catches_by_mono(names, profile);
  const NodeOf node_of = [&](const Place& place) {
    return stacks.of(place.thread, clock.ns(place.counter), place.stack);
  };
  // Classes with the same name count as one.
  for (const auto& [id, counts] : by_class_) {
    const std::string type = names.class_name(id);
    profile.exceptions.push_back({type, counts.thrown, counts.caught});
    std::map<uint32_t, uint64_t> thrown_at;
    const uint32_t function = counts.thrown_at.empty() ? 0 : functions.add(names.type(id));
    for (const Place& place : counts.thrown_at) {
      const uint32_t node = place.stack != 0 ? node_of(place) : 0;
      if (place.stack != 0) ++thrown_at[node];
      profile.throws.push_back({clock.ns(place.counter), place.thread, function, node});
    }
    for (const auto& [node, thrown] : thrown_at) profile.thrown_at.push_back({type, node, thrown});
    for (const auto& [method, count] : counts.caught_in)
      profile.caught_in.push_back({type, names.method_name(method), count});
    for (const Counts::Message& message : counts.messages)
      profile.exception_messages.push_back({type, message.text, node_of(message.place)});
  }
  std::ranges::stable_sort(profile.exceptions, {}, &ExceptionType::type);
  const auto order = [](auto& rows) {
    table::add_up(rows);
    table::sort(rows);
  };
  order(profile.exceptions);
  order(profile.thrown_at);
  order(profile.caught_in);
  order(profile.exception_messages);
  table::sort(profile.throws);
  for (const AbortEvent& event : aborts_) profile.aborts.push_back(abort_of(event, names, profile, node_of));
}

}  // namespace oriel::profile
