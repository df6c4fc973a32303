#include "runtimes/coreclr/callbacks/callback.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/process/task_limit.h"
#include "base/redact/redact.h"
#include "engine/engine.h"
#include "engine/filters.h"
#include "runtimes/coreclr/object_pins.h"
#include "runtimes/coreclr/own_environment.h"

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

// ORIEL_PID names the process to profile. Its children inherit the environment, but are profiled only if ORIEL_CHILDREN
// is 1.
bool is_selected_process() {
  const char* pid = std::getenv("ORIEL_PID");
  const char* children = std::getenv("ORIEL_CHILDREN");
  if (pid == nullptr || *pid == '\0') return true;
  return (children != nullptr && std::strcmp(children, "1") == 0) || std::to_string(getpid()) == pid;
}

// Older runtimes can be profiled too, but that was never tested.
bool is_known_runtime(ProfilerInfo& info) {
  constexpr uint16_t kOldest = 8;
  const uint16_t version = major_version(info);
  if (version == 0 || version >= kOldest) return true;
  warn(("this is .NET " + std::to_string(version) +
        ", and Oriel works with .NET 8 and later: the program runs without Oriel")
           .c_str());
  return false;
}

// A runtime that cannot start a thread fails or aborts, so a process with few threads left keeps them for the program.
bool has_room_for_threads() {
  const std::optional<TaskRoom> room = task_room();
  const auto missing = room ? tasks_missing(*room, static_cast<uint64_t>(sysconf(_SC_NPROCESSORS_ONLN))) : std::nullopt;
  if (!missing) return true;
  warn(("this process may have " + std::to_string(room->free) + " more tasks, but the runtime with Oriel needs " +
        std::to_string(room->free + *missing) +
        ": the program runs without Oriel; raise the limit (ulimit -u, or pids.max of its control group)")
           .c_str());
  return false;
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

// Counted as COM requires but never freed: threads may be in a callback while the process exits.
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
  if (!is_known_runtime(*newest.get())) return kCancelActivation;
  redacts();  // reads the environment now, because it must not be read later
  if (!has_room_for_threads()) return kCancelActivation;
  adapter_ = new Adapter(std::move(newest), other_profilers_);
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

// The runtime passes this answer to the attaching tool, unloads the library and calls nothing else.
HResult Callback::InitializeForAttach(IUnknown*, void*, uint32_t) {
  guarded([] { warn("cannot attach to a running program; start it with oriel run"); });
  return kNotAttachable;
}

}  // namespace oriel::coreclr
