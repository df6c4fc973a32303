#include "runtimes/coreclr/guests/guest_loader.h"

#include <algorithm>
#include <optional>

#include "base/text/path.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/guest_info.h"

namespace oriel::coreclr {
namespace {

std::string name_of(const GuestSpec& spec) { return file_name(spec.path) + " " + spec.clsid; }

Result<LoadedGuest> loaded_or_fault(const GuestSpec& spec) try { return load_guest(spec); } catch (...) {
  return Status::error("it threw an exception when it was created");
}

void query_notification_only(Guest& guest) {
  Bool only = 0;
  if (succeeded(guest.call<CallbackSlot::kLoadAsNotificationOnly>(&only)) && only != 0) guest.set_notification_only();
}

// A guest that declines this process is not reported.
void does_not_come(Guest& guest, const Status& fault) {
  if (fault)
    guest.retire();
  else
    guest.leave_out(fault.message());
}

}  // namespace

GuestLoader::~GuestLoader() { delete own_; }

Guest& GuestLoader::enter(const GuestSpec& spec, Guest::Kind kind, LoadedGuest loaded) {
  const auto number = static_cast<uint32_t>(guest_host_.guests().size());
  auto* guest = new Guest(name_of(spec), number, std::move(loaded), kind);
  guest_host_.add(*guest);
  return *guest;
}

// A guest that cannot be loaded is listed too, for callers that ask which were expected.
bool GuestLoader::start(const GuestSpec& spec) {
  if (guest_host_.guests().size() + 1 == kMostGuests) {
    warn(("the profiler " + name_of(spec) + ": there are too many; it is left out").c_str());
    return false;
  }
  Result<LoadedGuest> loaded = loaded_or_fault(spec);
  const Status fault = loaded ? Status::ok() : loaded.status();
  Guest& guest = enter(spec, Guest::Kind::kAtStart, loaded ? std::move(*loaded) : LoadedGuest{});
  if (fault && guest.version() > 0) return initialize(guest);
  does_not_come(guest, fault);
  return false;
}

Guest& GuestLoader::enter_own() {
  own_ = new Callback(*this);
  const auto number = static_cast<uint32_t>(guest_host_.guests().size());
  LoadedGuest loaded{ComPtr<ProfilerCallback>(own_), std::size(kCallbackVersions)};
  auto* own = new Guest("Oriel", number, std::move(loaded), Guest::Kind::kOwn);
  guest_host_.add(*own);
  return *own;
}

void GuestLoader::own_has_come(bool alone) {
  guest_host_.default_changed = [callback = own_](const MethodKey& key) { callback->default_changed(key); };
  guest_host_.events.before_managed([callback = own_] { callback->on_managed_session(); });
  if (alone) guest_host_.only.store(own_, std::memory_order_release);
}

bool GuestLoader::start_own(bool alone) {
  if (!initialize(enter_own())) return false;
  own_has_come(alone);
  return true;
}

HResult GuestLoader::attach_own(void* data, uint32_t size) {
  Guest& own = enter_own();
  const HResult result = own.call<CallbackSlot::kInitializeForAttach>(GuestInfo::make(guest_host_, own), data, size);
  if (succeeded(result)) own_has_come(true);
  return result;
}

bool GuestLoader::initialize(Guest& guest) {
  query_notification_only(guest);
  guest.set_starting(true);
  const HResult result = guest.call<CallbackSlot::kInitialize>(GuestInfo::make(guest_host_, guest));
  guest.set_starting(false);
  if (succeeded(result) && !guest.is_out()) return true;
  does_not_come(
      guest, result == kCancelActivation ? Status::ok() : Status::error("Initialize returned " + hresult_text(result)));
  return false;
}

std::vector<oriel_guest> GuestLoader::guests() const {
  std::vector<oriel_guest> all;
  for (const Guest* guest : guest_host_.guests()) {
    if (guest->is_oriel()) continue;
    const EventMask mask = guest->mask();
    all.push_back({guest->name().c_str(), static_cast<uint32_t>(guest->version()), !guest->is_out(), mask.low,
                   mask.high, guest->changed_methods(), guest->nanoseconds()});
  }
  return all;
}

Status GuestLoader::add(const std::string& description) {
  const Result<std::vector<GuestSpec>> specs = parse_guests(description);
  if (!specs) return specs.status();
  if (specs->size() != 1) return Status::error("name one profiler, as {CLSID}=PATH");
  const GuestSpec& spec = specs->front();
  if (Status fault = begin_to_add(spec); !fault) return fault;
  Status fault = load_and_attach(spec);
  const std::lock_guard guard(adding_);
  being_added_.erase(spec.clsid);
  return fault ? fault : Status::error("the profiler " + name_of(spec) + ": " + fault.message() + "; it is left out");
}

Status GuestLoader::begin_to_add(const GuestSpec& spec) {
  const std::lock_guard guard(adding_);
  const auto is_it = [&](const Guest* guest) { return guest->name().ends_with(spec.clsid) && !guest->is_out(); };
  if (std::ranges::any_of(guest_host_.guests(), is_it) || !being_added_.insert(spec.clsid).second)
    return Status::error("the profiler " + name_of(spec) + " is already loaded");
  return Status::ok();
}

// A guest that cannot be loaded leaves no trace.
Status GuestLoader::load_and_attach(const GuestSpec& spec) {
  Result<LoadedGuest> loaded = loaded_or_fault(spec);
  if (!loaded) return loaded.status();
  if (loaded->version == 0) return Status::error("it declined to run in this process");
  Guest* guest = nullptr;
  {
    const std::lock_guard guard(adding_);
    if (guest_host_.guests().size() == kMostGuests)
      return Status::error("there are too many profilers in this process");
    guest_host_.only.store(nullptr, std::memory_order_release);  // before it enables anything
    guest = &enter(spec, Guest::Kind::kAttached, std::move(*loaded));
  }
  Status fault = attach(*guest);
  if (!fault) guest->retire();
  return fault;
}

// As the runtime attaches a profiler that is alone.
Status GuestLoader::attach(Guest& guest) {
  if (guest.version() < version_of(CallbackSlot::kInitializeForAttach))
    return Status::error("it can only be loaded at the start (it has no ICorProfilerCallback3)");
  query_notification_only(guest);
  guest.set_starting(true);
  uint8_t no_data = 0;  // no bytes, but not null
  const HResult result = guest.call<CallbackSlot::kInitializeForAttach>(GuestInfo::make(guest_host_, guest),
                                                                        static_cast<void*>(&no_data), 0u);
  guest.set_starting(false);
  if (failed(result)) return Status::error("InitializeForAttach returned " + hresult_text(result));
  guest.call<CallbackSlot::kProfilerAttachComplete>();
  return guest.is_out() ? Status::error("it threw an exception") : Status::ok();
}

}  // namespace oriel::coreclr
