#include "runtimes/coreclr/object_pins.h"

#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

// Marks that the thread makes or frees a pin: the runtime reports a handle on the same thread, while it makes or frees
// it. If there is no memory for the thread's state, the handle is passed on.
class Pinning {
 public:
  Pinning() : own_(per_thread_state()) {
    if (own_ != nullptr) own_->is_pinning = true;
  }
  ~Pinning() {
    if (own_ != nullptr) own_->is_pinning = false;
  }
  Pinning(const Pinning&) = delete;
  Pinning& operator=(const Pinning&) = delete;

 private:
  PerThreadState* const own_;
};

}  // namespace

uint16_t major_version(ProfilerInfo& info) {
  uint16_t instance = 0, major = 0, minor = 0, build = 0, revision = 0;
  uint32_t type = 0, length = 0;
  const HResult result =
      info.GetRuntimeInformation(&instance, &type, &major, &minor, &build, &revision, 0, &length, nullptr);
  return failed(result) ? 0 : major;
}

bool has_object_pins(ProfilerInfo& info) {
  ComPtr<ProfilerInfo> with_handles;
  return succeeded(info.QueryInterface(kICorProfilerInfo13Id, reinterpret_cast<void**>(with_handles.receive())));
}

ObjectPin pin_object(ProfilerInfo& info, ObjectID object) {
  constexpr uint32_t kPinned = 3;  // corprof.idl: COR_PRF_HANDLE_TYPE_PINNED
  const Pinning pinning;
  ObjectPin pin = 0;
  return succeeded(info.CreateHandle(object, kPinned, &pin)) ? pin : 0;
}

void unpin_object(ProfilerInfo& info, ObjectPin pin) {
  const Pinning pinning;
  info.DestroyHandle(pin);
}

bool is_pinning() {
  const PerThreadState* const own = per_thread_state_if_any();
  return own != nullptr && own->is_pinning;
}

}  // namespace oriel::coreclr
