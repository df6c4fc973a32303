#include "runtimes/coreclr/guests/event_sessions.h"

#include <algorithm>
#include <cstring>

namespace oriel::coreclr {
namespace {

template <typename T>
T read(std::span<const uint8_t> bytes, size_t at) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

// The event's number, its name, keywords, version, level; more follows (the runtime's documentation of the NetTrace
// format, "MetadataBlock").
EventKind kind_of_event(std::span<const uint8_t> metadata) {
  size_t at = sizeof(uint32_t);
  while (at + sizeof(char16_t) <= metadata.size() && read<char16_t>(metadata, at) != 0) at += sizeof(char16_t);
  at += sizeof(char16_t);
  return {read<uint64_t>(metadata, at), read<uint32_t>(metadata, at + sizeof(uint64_t) + sizeof(uint32_t))};
}

// Events may come before the runtime has told the session's number: it is noted under no lock that it needs.
HResult EventSessions::start(const Guest& guest, uint32_t count, EventPipeProviderConfig* providers, Bool rundown,
                             uint64_t* session) {
  const HResult result = runtime_.EventPipeStartSession(count, providers, rundown, session);
  if (failed(result)) return result;
  Session started{guest.bit(), {}};
  for (const EventPipeProviderConfig& one : std::span(providers, count))
    started.providers.push_back({one.name, one.keywords, one.level});
  const std::lock_guard guard(lock_);
  sessions_[*session] = std::move(started);
  return result;
}

HResult EventSessions::add(uint64_t session, const EventPipeProviderConfig& provider) {
  const HResult result = runtime_.EventPipeAddProviderToSession(session, provider);
  if (failed(result)) return result;
  const std::lock_guard guard(lock_);
  sessions_[session].providers.push_back({provider.name, provider.keywords, provider.level});
  return result;
}

HResult EventSessions::stop(uint64_t session) {
  const HResult result = runtime_.EventPipeStopSession(session);
  const std::lock_guard guard(lock_);
  if (succeeded(result)) sessions_.erase(session);
  return result;
}

uint32_t EventSessions::askers(uintptr_t provider, const EventKind& kind) {
  const std::u16string name = name_of(provider);
  const auto wants = [&](const Provider& one) {
    return one.name == name && kind.level <= one.level &&
           (kind.keywords == 0 || one.keywords == 0 || (kind.keywords & one.keywords) != 0);
  };
  uint32_t guests = 0;
  const std::lock_guard guard(lock_);
  for (const auto& [number, session] : sessions_)
    if (std::ranges::any_of(session.providers, wants)) guests |= session.guest;
  return guests;
}

std::u16string EventSessions::name_of(uintptr_t provider) {
  {
    const std::lock_guard guard(lock_);
    if (const auto known = names_.find(provider); known != names_.end()) return known->second;
  }
  uint32_t length = 0;
  if (failed(runtime_.EventPipeGetProviderInfo(provider, 0, &length, nullptr)) || length == 0) return {};
  std::u16string name(length, u'\0');
  if (failed(runtime_.EventPipeGetProviderInfo(provider, length, &length, name.data()))) return {};
  name.resize(name.find(u'\0'));
  const std::lock_guard guard(lock_);
  return names_[provider] = name;
}

}  // namespace oriel::coreclr
