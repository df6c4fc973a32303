#include "runtimes/coreclr/callbacks/weak_handles.h"

#include "runtimes/coreclr/asked_elsewhere.h"

namespace oriel::coreclr {

RuntimeWeakHandles::RuntimeWeakHandles(ProfilerInfo& info) {
  // On failure info_ stays empty.
  info.QueryInterface(kICorProfilerInfo13Id, reinterpret_cast<void**>(info_.receive()));
}

uintptr_t RuntimeWeakHandles::make(ObjectID object) {
  constexpr uint32_t kWeak = 1;  // corprof.idl: COR_PRF_HANDLE_TYPE
  uintptr_t handle = 0;
  return succeeded(answer_to([&] { return info_->CreateHandle(object, kWeak, &handle); })) ? handle : 0;
}

bool RuntimeWeakHandles::is_empty(uintptr_t handle) {
  ObjectID object = 0;
  return failed(info_->GetObjectIDFromHandle(handle, &object)) || object == 0;
}

void RuntimeWeakHandles::free(uintptr_t handle) {
  answer_to([&] { return info_->DestroyHandle(handle); });
}

}  // namespace oriel::coreclr
