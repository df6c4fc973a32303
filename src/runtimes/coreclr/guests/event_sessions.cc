#include "runtimes/coreclr/guests/event_sessions.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtimes/coreclr/quiet_ends.h"

namespace oriel::coreclr {
namespace {

template <typename T>
T read(std::span<const uint8_t> bytes, size_t at) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Each session receives this provider's event about the process, which is raised when a session ends.
constexpr const char16_t* kOwnProvider = u"Microsoft-DotNETCore-EventPipe";

// Every EventSource sets these keywords in each event; the runtime ignores them.
constexpr uint64_t kKeywordsOfSessions = 0xf00000000000;

// A limit for events that got fewer calls than there are sessions for them, because sessions began or ended meanwhile.
constexpr size_t kMostDeliveries = 1024;

}  // namespace

// Metadata: the event's number, its name, keywords, version, level, and more (the runtime's documentation of the
// NetTrace format, "MetadataBlock").
EventKind kind_of_event(std::span<const uint8_t> metadata) {
  size_t at = sizeof(uint32_t);
  while (at + sizeof(char16_t) <= metadata.size() && read<char16_t>(metadata, at) != 0) at += sizeof(char16_t);
  at += sizeof(char16_t);
  return {read<uint64_t>(metadata, at), read<uint32_t>(metadata, at + sizeof(uint64_t) + sizeof(uint32_t))};
}

void EventSessions::before_managed(const std::function<void()>& wanted) {
  bool now = false;
  {
    const std::lock_guard guard(lock_);
    before_managed_ = wanted;
    now = managed_session_announced_;
  }
  if (now) wanted();
}

void EventSessions::announce_managed_session() {
  std::function<void()> wanted;
  {
    const std::lock_guard guard(lock_);
    managed_session_announced_ = true;
    wanted = before_managed_;
  }
  if (wanted) wanted();
}

// Events arrive before the runtime returns the session's number: a collection that the session asks for runs within the
// call. Until then the session has a number that no session of the runtime has.
HResult EventSessions::start(const Guest& guest, uint32_t count, EventPipeProviderConfig* providers, Bool rundown,
                             uint64_t* session) {
  const std::span<const EventPipeProviderConfig> all(providers, providers != nullptr ? count : 0);
  if (std::ranges::any_of(all, [](const auto& one) { return is_managed_source(one.name); })) announce_managed_session();
  Session starting{0, guest.bit(), {}};
  for (const EventPipeProviderConfig& one : all)
    starting.asked.push_back({one.name ? one.name : u"", one.keywords, one.level});
  starting.asked.push_back({kOwnProvider, UINT64_MAX, 0});
  uint64_t provisional = 0;
  {
    const std::lock_guard guard(lock_);
    provisional = starting.number = next_provisional_--;
    starting.began = now_;
    sessions_.push_back(std::move(starting));
    sessions_changed();
  }
  const HResult result = runtime_.EventPipeStartSession(count, providers, rundown, session);
  const std::lock_guard guard(lock_);
  if (failed(result))
    std::erase_if(sessions_, [&](const Session& one) { return one.number == provisional; }), sessions_changed();
  else if (Session* started = find(provisional))
    started->number = *session;
  return result;
}

HResult EventSessions::add(uint64_t session, const EventPipeProviderConfig& provider) {
  if (is_managed_source(provider.name)) announce_managed_session();
  const HResult result = runtime_.EventPipeAddProviderToSession(session, provider);
  if (failed(result) || provider.name == nullptr) return result;
  const std::lock_guard guard(lock_);
  if (Session* found = find(session))
    found->asked.push_back({provider.name, provider.keywords, provider.level, now_ + 1});
  return result;
}

// The runtime first raises its own provider's events and then stops the session's events; most of the call comes after
// that.
HResult EventSessions::stop(uint64_t session) {
  {
    const std::lock_guard guard(lock_);
    if (Session* found = find(session)) found->ending = true;
  }
  const HResult result = runtime_.EventPipeStopSession(session);
  const std::lock_guard guard(lock_);
  if (Session* found = find(session); found != nullptr && failed(result))
    found->ending = false;
  else
    std::erase_if(sessions_, [&](const Session& one) { return one.number == session; });
  sessions_changed();
  return result;
}

bool EventSessions::has_any_of(const Guest& guest) {
  const std::lock_guard guard(lock_);
  return std::ranges::any_of(sessions_, [&](const Session& one) { return one.guest == guest.bit(); });
}

void EventSessions::leave_out(const Guest& guest) {
  std::vector<uint64_t> numbers;
  {
    const std::lock_guard guard(lock_);
    for (const Session& one : sessions_)
      if (one.guest == guest.bit()) numbers.push_back(one.number);
  }
  for (const uint64_t number : numbers) stop(number);
}

// Under lock_.
void EventSessions::sessions_changed() {
  only_session_guest_.store(sessions_.size() == 1 ? sessions_.front().guest : 0, std::memory_order_release);
}

EventSessions::Session* EventSessions::find(uint64_t number) {
  const auto found = std::ranges::find(sessions_, number, &Session::number);
  return found == sessions_.end() ? nullptr : &*found;
}

bool EventSessions::Asked::is_for_all() const {
  constexpr uint32_t kVerbose = 5;
  return name == u"*" && keywords == UINT64_MAX && level == kVerbose && added == 0;
}

// Follows the runtime (native/eventpipe: ep-config.c, ep-provider.c). A session for all providers gets those that exist
// when it begins; a provider that is added to a session counts only for instances created later. Of several entries for
// one provider the first counts, and an entry for all precedes any other.
bool EventSessions::Session::wants(const Provider& provider, const EventKind& kind) const {
  if (ending && provider.name != kOwnProvider) return false;
  const auto all = std::ranges::find_if(asked, &Asked::is_for_all);
  const auto named = std::ranges::find(asked, provider.name, &Asked::name);
  const bool has_all = all != asked.end() && provider.made <= began;
  const bool has_it = named != asked.end() && provider.made >= named->added;
  if (!has_all && !has_it) return false;
  const Asked& counts = all != asked.end() ? *all : *named;
  return kind.level <= counts.level && (kind.keywords == 0 || (kind.keywords & counts.keywords) != 0);
}

// The order in which the runtime serves the sessions does not matter, because the calls are the same for all of them.
uint32_t EventSessions::next_session_guest(const DeliveredEvent& event) {
  if (const uint32_t only = only_session_guest_.load(std::memory_order_acquire); only != 0) return only;
  const std::shared_ptr<const Provider> provider = provider_of(event.provider);
  EventKind kind = event.kind;
  if (kind.keywords != UINT64_MAX) kind.keywords &= ~kKeywordsOfSessions;
  constexpr size_t kMost = 64;
  uint32_t wanting[kMost];
  size_t count = 0;
  const std::lock_guard guard(lock_);
  for (const Session& session : sessions_)
    if (count < kMost && session.wants(*provider, kind)) wanting[count++] = session.guest;
  if (count < 2) return count == 0 ? 0 : wanting[0];
  return wanting[next_of({std::this_thread::get_id(), event.provider, event.number, event.fields}, count)];
}

// An event that is raised repeatedly may look the same each time. Each time it gets the same number of calls, so it
// does not matter which of them counts as the first.
size_t EventSessions::next_of(const Delivery& delivery, size_t sessions) {
  if (deliveries_.size() == kMostDeliveries) deliveries_.clear();
  const auto found = deliveries_.try_emplace(delivery, 0).first;
  const size_t at = std::min(found->second++, sessions - 1);
  if (found->second >= sessions) deliveries_.erase(found);
  return at;
}

// A provider with the same id as an earlier one replaces it.
void EventSessions::provider_created(uintptr_t provider) {
  {
    const std::lock_guard guard(lock_);
    providers_.erase(provider);
  }
  Provider made = *provider_of(provider);
  const std::lock_guard guard(lock_);
  made.made = ++now_;
  providers_[provider] = std::make_shared<const Provider>(std::move(made));
}

// The name is empty if the runtime reports none.
std::shared_ptr<const EventSessions::Provider> EventSessions::provider_of(uintptr_t provider) {
  {
    const std::lock_guard guard(lock_);
    if (const auto known = providers_.find(provider); known != providers_.end()) return known->second;
  }
  auto unknown = std::make_shared<const Provider>();
  uint32_t length = 0;
  runtime_.EventPipeGetProviderInfo(provider, 0, &length, nullptr);  // fails for lack of room, but returns the length
  if (length == 0) return unknown;
  std::u16string name(++length, u'\0');  // it needs room for one more than it returns
  if (failed(runtime_.EventPipeGetProviderInfo(provider, length, &length, name.data()))) return unknown;
  name.resize(name.find(u'\0'));
  auto known = std::make_shared<const Provider>(Provider{std::move(name)});
  const std::lock_guard guard(lock_);
  return providers_.try_emplace(provider, std::move(known)).first->second;
}

}  // namespace oriel::coreclr
