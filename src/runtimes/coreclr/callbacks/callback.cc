#include "runtimes/coreclr/callbacks/callback.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/process/selected_process.h"
#include "base/process/task_limit.h"
#include "base/redact/redact.h"
#include "engine/attached.h"
#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/modules.h"
#include "runtimes/coreclr/object_pins.h"
#include "runtimes/coreclr/own_environment.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

// The interfaces that Callback implements.
constexpr Guid kCallbackIds[] = {
    kIUnknownId,
#define ORIEL_INTERFACE(name, ...) k##name##Id,
#define ORIEL_SLOT(...)
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE
};

// Older runtimes can be profiled too, but that was never tested.
bool is_too_old(ProfilerInfo& info) {
  constexpr uint16_t kOldest = 8;
  const uint16_t version = major_version(info);
  return version != 0 && version < kOldest;
}

// A runtime that cannot start a thread fails or aborts, so a process with few threads left keeps them for the program.
// "": there are enough.
std::string lack_of_threads() {
  const std::optional<TaskRoom> room = task_room();
  const auto missing = room ? tasks_missing(*room, static_cast<uint64_t>(sysconf(_SC_NPROCESSORS_ONLN))) : std::nullopt;
  if (!missing) return "";
  return "this process may have " + std::to_string(room->free) + " more tasks, but the runtime with Oriel needs " +
         std::to_string(room->free + *missing);
}

}  // namespace

HResult Callback::QueryInterface(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  for (const Guid& known : kCallbackIds) {
    if (id == known) {
      AddRef();
      *object = static_cast<ProfilerCallback*>(this);
      return kOk;
    }
  }
  *object = nullptr;
  return kNoInterface;
}

// Counted as COM requires but not freed by the last release: threads may be in a callback while the process exits.
uint32_t Callback::AddRef() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
uint32_t Callback::Release() { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }

HResult Callback::Initialize(IUnknown* info) {
  HResult result = kCancelActivation;
  guarded([&] { result = initialize(info); });
  guarded([&] { take_own_environment_out(*info); });
  return result;
}

HResult Callback::initialize(IUnknown* info) {
  if (!is_selected_process()) return kCancelActivation;
  ComPtr<ProfilerInfo> newest;
  if (failed(info->QueryInterface(kICorProfilerInfo9Id, reinterpret_cast<void**>(newest.receive())))) {
    warn("this runtime is too old, and Oriel works with .NET 8 and later: the program runs without Oriel");
    return kCancelActivation;
  }
  if (is_too_old(*newest.get())) {
    warn(("this is .NET " + std::to_string(major_version(*newest.get())) +
          ", and Oriel works with .NET 8 and later: the program runs without Oriel")
             .c_str());
    return kCancelActivation;
  }
  read_wanted_modules();
  redacts();  // reads the environment now, because it must not be read later
  if (const std::string lack = lack_of_threads(); !lack.empty()) {
    warn((lack + ": the program runs without Oriel; raise the limit (ulimit -u, or pids.max of its control group)")
             .c_str());
    return kCancelActivation;
  }
  adapter_ = new Adapter(std::move(newest), other_profilers_, Adapter::Coming::kAtStart);
  set_instrumentation_possible();
  engine_start(*adapter_);
  adapter_->started();
  // The runtime does not call Shutdown if native code calls exit().
  std::atexit(engine_stop);
  return kOk;
}

HResult Callback::Shutdown() {
  return guarded([] {
    raise_runtime_shutdown_begin();
    engine_stop();
  });
}

HResult Callback::LoadAsNotificationOnly(Bool* notification_only) {
  *notification_only = 0;
  return kOk;
}

// If it is refused, the runtime passes that to the attaching tool, which says so, and calls nothing else. Another tool
// would not know why.
HResult Callback::InitializeForAttach(IUnknown* info, void* data, uint32_t size) {
  HResult result = kNotAttachable;
  guarded([&] {
    const std::string_view text(static_cast<const char*>(data), data ? size : 0);
    const Result<AttachData> from_tool = parse_attach_data(text);
    if (!from_tool) warn(("cannot be attached: " + from_tool.message() + "; use oriel attach").c_str());
    if (from_tool && attach(info, *from_tool)) result = kOk;
  });
  return result;
}

// The engine's own thread does the rest, once the runtime calls back.
bool Callback::attach(IUnknown* info, const AttachData& data) {
  ComPtr<ProfilerInfo> newest;
  if (failed(info->QueryInterface(kICorProfilerInfo9Id, reinterpret_cast<void**>(newest.receive())))) return false;
  if (is_too_old(*newest.get()) || !lack_of_threads().empty()) return false;
  redacts();
  unload::begin_anew();
  forget_thread_states();
  initialized_raised_ = true;
  adapter_ = new Adapter(std::move(newest), other_profilers_,
                         data.changes_code ? Adapter::Coming::kToChangeCode : Adapter::Coming::kToWatch);
  if (data.changes_code) set_instrumentation_possible();
  adapter_->started();
  return engine_attach(*adapter_, data);
}

HResult Callback::ProfilerAttachComplete() {
  return guarded([] { engine_attached(); });
}

HResult Callback::ProfilerDetachSucceeded() {
  return guarded([&] {
    adapter_->left();
    engine_detached();
  });
}

}  // namespace oriel::coreclr
