#include "runtimes/coreclr/callbacks/event_sources.h"

#include <iterator>
#include <string_view>

#include "base/text/utf16.h"

namespace oriel::coreclr {
namespace {

struct Name {
  char16_t text[256] = {};  // longer than any name that is looked for
};
Name ask(uintptr_t provider, ProfilerInfo& info) {
  Name name;
  uint32_t length = 0;
  if (failed(info.EventPipeGetProviderInfo(provider, std::size(name.text), &length, name.text))) return {};
  return name;
}

EventSource source_of(uintptr_t provider, ProfilerInfo& info) {
  const Name name = ask(provider, info);
  const std::u16string_view text(name.text);
  if (text == kRuntimeSource) return EventSource::kRuntime;
  if (text == kMetersSource) return EventSource::kMeters;
  return text == kActivitiesSource ? EventSource::kActivities : EventSource::kOther;
}

}  // namespace

std::string name_of_source(uintptr_t provider, ProfilerInfo& info) { return utf8_of(ask(provider, info).text); }

EventSource EventSources::of(uintptr_t provider, ProfilerInfo& info) {
  for (const Known& known : known_) {
    const uintptr_t its = known.provider.load(std::memory_order_acquire);
    if (its == provider) return known.source;
    if (its == 0) break;
  }
  const EventSource source = source_of(provider, info);
  if (used_.load(std::memory_order_relaxed) >= known_.size()) return source;
  const size_t at = used_.fetch_add(1, std::memory_order_relaxed);
  if (at >= known_.size()) return source;
  known_[at].source = source;
  known_[at].provider.store(provider, std::memory_order_release);
  return source;
}

}  // namespace oriel::coreclr
