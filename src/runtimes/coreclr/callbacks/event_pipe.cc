#include "runtimes/coreclr/callbacks/event_pipe.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/process/kept_errno.h"
#include "base/process/own_thread.h"
#include "base/text/utf16.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/callbacks/managed_event_sources.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/quiet_ends.h"

namespace oriel::coreclr {
namespace {

using Providers = std::vector<RuntimeEvents::Provider>;

Providers of_meters(const Subscriptions& watched, uint16_t major) {
  constexpr uint64_t kValues = 0x2;
  // Event counters come whatever the keywords and the level are. These let nothing else through.
  constexpr uint32_t kCritical = 1;
  if (watched.meters.empty()) return {};
  Providers providers{{kMetersSource, kValues, kInformationalLevel, meters_filter(watched.meters)}};
  for (const std::string& source : event_counter_sources(watched.meters, major))
    providers.push_back({utf16_of(source), 0, kCritical, u"EventCounterIntervalSec=1"});
  return providers;
}

Providers of_activities(const Subscriptions& watched, uint16_t) {
  constexpr uint64_t kEvents = 0x2;
  if (watched.activities.empty()) return {};
  return {{kActivitiesSource, kEvents, kInformationalLevel, activities_filter(watched.activities)}};
}

struct ManagedRow {
  uint32_t ours;
  Providers (*providers)(const Subscriptions& watched, uint16_t major);
  EventGroup kind;
};
constexpr ManagedRow kManagedRows[] = {
    {oriel_event_counter_value, of_meters, {"counters", 8}},
    {oriel_event_activity_stopped, of_activities, {"activities", 6}},
};

std::string too_old_text(const EventGroup& kind) {
  return std::string("this runtime does not report ") + kind.what + " (.NET " + std::to_string(kind.since) +
         " and later do)";
}

std::string refused_text(const EventGroup& kind, HResult answer) {
  return std::string("the runtime refused to report ") + kind.what + " (" + hresult_text(answer) +
         "); they are missing";
}

// A managed source loads libraries of the runtime, each of which takes two descriptors for good. A program with a low
// limit may need them all.
bool has_few_descriptors() {
  constexpr rlim_t kFew = 128;
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < kFew;
}

std::string few_descriptors_text(const EventGroup& kind) {
  return std::string("the limit on open files (ulimit -n) is too low for the runtime to report ") + kind.what +
         " too; they are missing";
}

// The runtime takes no new sessions once it has begun to end, which it reports somewhat later.
bool ends_now() {
  constexpr timespec kNap{0, 1'000'000};
  constexpr int kNaps = 1000;
  for (int i = 0; i < kNaps && !is_ending(); ++i) nanosleep(&kNap, nullptr);
  return is_ending();
}

struct Question {
  const std::function<HResult()>& ask;
  HResult answer = kFail;
};

void* ask_and_end(void* argument) {
  pthread_setname_np(pthread_self(), "oriel-session");
  oriel_thread_attach_tools();
  auto& question = *static_cast<Question*>(argument);
  question.answer = question.ask();
  return nullptr;
}

// The runtime turns the thread that begins or ends a session into a managed thread, and refuses ReJIT requests from
// such threads (CORPROF_E_UNSUPPORTED_CALL_SEQUENCE). The engine's thread makes these requests, so a short-lived thread
// begins and ends sessions in its place.
HResult ask_apart(bool running, const std::function<HResult()>& ask) {
  Question question{ask};
  pthread_t thread;
  if (!running || start_own_thread(thread, ask_and_end, &question) != 0) return ask();
  pthread_join(thread, nullptr);
  return question.answer;
}

}  // namespace

RuntimeEvents::RuntimeEvents(ProfilerInfo& info, uint16_t major, std::function<const char*()> before_managed)
    : info_(info), major_(major), before_managed_(std::move(before_managed)) {
  const auto note = [&](uint32_t event, const EventGroup& kind) {
    if (event != 0 && is_too_old_for(kind)) too_old_.push_back({event, too_old_text(kind)});
  };
  for (const SourceRow& row : source_rows())
    for (const uint32_t event : row.ours)
      if (is_row_of(row, major)) note(event, row.keyword.kind);
  for (const ManagedRow& row : kManagedRows) note(row.ours, row.kind);
}

const char* RuntimeEvents::obstacle(uint32_t event) const {
  const auto found = std::ranges::find(too_old_, event, &TooOld::event);
  return found == too_old_.end() ? nullptr : found->text.c_str();
}

// Always the same number, in the same order. Rows of one keyword share a session, at the highest level that any of them
// needs: the runtime delivers an event once to each session that it matches, and does not say to which.
std::vector<RuntimeEvents::SessionRequest> RuntimeEvents::session_requests(
    const std::bitset<oriel_event_number_end>& wanted, const Subscriptions& watched) const {
  std::vector<SessionRequest> all;
  std::vector<uint64_t> keywords;  // parallel to `all`
  for (const SourceRow& row : source_rows()) {
    const auto at = static_cast<size_t>(std::ranges::find(keywords, row.keyword.bit) - keywords.begin());
    if (at == keywords.size()) keywords.push_back(row.keyword.bit), all.push_back({row.keyword.kind, {}});
    if (!is_row_of(row, major_) || !is_for(row, [&](uint32_t ours) { return wanted[ours]; })) continue;
    Providers& providers = all[at].providers;
    if (providers.empty()) {
      all[at].kind = row.keyword.kind;
      providers.push_back({kRuntimeSource, row.keyword.bit, row.level, u""});
    }
    providers.front().level = std::max(providers.front().level, row.level);
  }
  for (const ManagedRow& row : kManagedRows)
    all.push_back({row.kind, wanted[row.ours] ? row.providers(watched, major_) : Providers()});
  return all;
}

void RuntimeEvents::apply(const std::bitset<oriel_event_number_end>& wanted, const Subscriptions& watched,
                          bool running) {
  std::vector<SessionRequest> all = session_requests(wanted, watched);
  sessions_.resize(all.size());
  for (size_t i = 0; i < all.size(); ++i) turn(all[i], sessions_[i], running);
}

// A session cannot be changed. For another level it ends and begins anew, and events in between are missed. Beginning
// the new one first would deliver events twice.
void RuntimeEvents::turn(SessionRequest& request, Session& session, bool running) {
  if (request.providers == session.providers) return;
  if (!session.providers.empty()) ask_apart(running, [&] { return info_.EventPipeStopSession(session.id); });
  session.providers.clear();
  if (request.providers.empty()) return;
  if (const std::string why = why_not(request); !why.empty()) {
    if (!std::exchange(session.said_refused, true)) warn(why.c_str());
    return;
  }
  const bool too_old = is_too_old_for(request.kind);
  const HResult answer = too_old ? kFail : start(request.providers, session.id, running);
  if (succeeded(answer)) {
    session.providers = std::move(request.providers);
  } else if (!session.said_refused && (too_old || !running || !ends_now())) {
    session.said_refused = true;
    warn((too_old ? too_old_text(request.kind) : refused_text(request.kind, answer)).c_str());
  }
}

// Why a session may not begin; "" if it may.
std::string RuntimeEvents::why_not(const SessionRequest& request) const {
  const auto is_managed = [](const Provider& one) { return is_managed_source(one.name.c_str()); };
  if (std::ranges::none_of(request.providers, is_managed)) return "";
  if (has_few_descriptors()) return few_descriptors_text(request.kind);
  const char* const why = before_managed_();
  return why ? why : "";
}

HResult RuntimeEvents::start(const std::vector<Provider>& providers, uint64_t& session, bool running) {
  std::vector<EventPipeProviderConfig> configs;
  for (const Provider& provider : providers) {
    const char16_t* const filter = provider.filter.empty() ? nullptr : provider.filter.c_str();
    configs.push_back({provider.name.c_str(), provider.keywords, provider.level, filter});
  }
  return ask_apart(running, [&] {
    return info_.EventPipeStartSession(static_cast<uint32_t>(configs.size()), configs.data(), 0, &session);
  });
}

bool comes_by_sessions(uint32_t event) {
  const auto is_it = [&](uint32_t ours) { return ours == event; };
  return std::ranges::any_of(source_rows(), [&](const SourceRow& row) { return is_for(row, is_it); }) ||
         std::ranges::any_of(kManagedRows, is_it, &ManagedRow::ours);
}

HResult Callback::EventPipeEventDelivered(uintptr_t provider, uint32_t event, uint32_t version, uint32_t metadata_size,
                                          const uint8_t* metadata, uint32_t size, const uint8_t* fields, const Guid*,
                                          const Guid*, ThreadID, uint32_t, uintptr_t*) {
  const KeptErrno kept;
  return guarded([&] {
    if (fields == nullptr) return;
    switch (event_sources_.of(provider, info())) {
      case EventSource::kRuntime:
        return deliver_source_event(adapter_->major_version(), event, version, {{fields, size}, adapter_->followed()});
      case EventSource::kMeters:
        return deliver_meter_event(event, {fields, size});
      case EventSource::kActivities:
        return deliver_activity({metadata, metadata_size}, {fields, size});
      case EventSource::kOther:
        return deliver_event_counter(name_of_source(provider, info()), {metadata, metadata_size}, {fields, size});
    }
  });
}

}  // namespace oriel::coreclr
