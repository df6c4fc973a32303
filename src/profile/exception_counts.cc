#include "profile/exception_counts.h"

#include <algorithm>
#include <utility>

#include "oriel/oriel.h"

namespace oriel::profile {

void add_message(const std::string& text, uint32_t stack, std::vector<Exceptions::Message>& messages) {
  constexpr size_t kMost = 3;
  const bool known = std::ranges::find(messages, text, &Exceptions::Message::text) != messages.end();
  if (!known && messages.size() < kMost) messages.push_back({text, stack});
}

bool ExceptionCounts::add(uint32_t thread, const log::Event& event, uint32_t stack) {
  switch (event.number) {
    case oriel_event_exception_message:
      by_thread_[thread].message = event.text;
      return true;
    case oriel_event_exception_throw:
    case log::Event::kClassException:
      add_throw(by_thread_[thread], event, stack);
      return true;
    case oriel_event_exception_clause:
      if (event.values[1] == ORIEL_CLAUSE_CATCH) add_catch(event);
      return true;
    default:
      return false;
  }
}

void ExceptionCounts::add_throw(OfThread& thread, const log::Event& event, uint32_t stack) {
  Counts& counts = by_class_[event.values[0]];
  ++counts.thrown;
  if (stack != 0) ++counts.thrown_at[stack];
  if (!thread.message.empty()) add_message(std::exchange(thread.message, {}), stack, counts.messages);
}

void ExceptionCounts::add_catch(const log::Event& event) {
  Counts& counts = by_class_[event.values[2]];
  ++counts.caught;
  ++counts.caught_in[event.values[0]];
}

void ExceptionCounts::finish(const Names& names, Profile& profile) const {
  std::map<std::string, Exceptions> by_name;  // classes of one name count as one
  for (const auto& [id, counts] : by_class_) {
    Exceptions& entry = by_name[names.class_name(id)];
    entry.thrown += counts.thrown;
    entry.caught += counts.caught;
    for (const auto& [stack, count] : counts.thrown_at) entry.thrown_at[stack] += count;
    for (const auto& [method, count] : counts.caught_in) entry.caught_in[names.method_name(method)] += count;
    for (const Exceptions::Message& message : counts.messages) add_message(message.text, message.stack, entry.messages);
  }
  for (auto& [name, entry] : by_name) {
    entry.type = name;
    profile.exceptions.push_back(std::move(entry));
  }
  std::stable_sort(profile.exceptions.begin(), profile.exceptions.end(),
                   [](const Exceptions& a, const Exceptions& b) { return a.thrown > b.thrown; });
}

}  // namespace oriel::profile
