// A classic profiler that hears of allocations as the runtime tells them: ICorProfilerCallback::ObjectAllocated. It is
// what Oriel's probes are compared with, in counts and in time. Class id {0B1E57A1-7E57-4A11-0C8E-D0B5E7E0A110}.
//
// ORIEL_PEER is what it does: latent (asks to be able to hear, hears nothing), empty (a callback that returns), count
// (by class), places (by class and by the innermost methods; slow). Beside Oriel it runs as a notification profiler.
#include <cstdlib>
#include <cstring>
#include <string>

#include "names.h"
#include "oriel/oriel.h"
#include "profiler.h"
#include "runtimes/coreclr/com/profiling.h"
#include "tally.h"

namespace peer {

using namespace oriel::coreclr;

bool with_places = false;

namespace {

constexpr Guid kClass = {0x0b1e57a1, 0x7e57, 0x4a11, {0x0c, 0x8e, 0xd0, 0xb5, 0xe7, 0xe0, 0xa1, 0x10}};

bool does(const char* what) {
  const char* told = std::getenv("ORIEL_PEER");
  return told != nullptr && std::strcmp(told, what) == 0;
}

constexpr int kFrames = 5;
struct Frames {
  FunctionID functions[kFrames];
  int count = 0;
};

HResult on_frame(FunctionID function, uintptr_t, uintptr_t, uint32_t, uint8_t*, void* to) {
  auto& frames = *static_cast<Frames*>(to);
  if (function == 0) return kOk;
  frames.functions[frames.count++] = function;
  return frames.count < kFrames ? kOk : kFalse;
}

// The runtime's profiler object: one, static, its reference count of no consequence.
class Profiler final : public ProfilerCallback {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    static constexpr Guid kKnown[] = {kIUnknownId,
                                      kICorProfilerCallbackId,
                                      kICorProfilerCallback2Id,
                                      kICorProfilerCallback3Id,
                                      kICorProfilerCallback4Id,
                                      kICorProfilerCallback5Id,
                                      kICorProfilerCallback6Id,
                                      kICorProfilerCallback7Id,
                                      kICorProfilerCallback8Id,
                                      kICorProfilerCallback9Id,
                                      kICorProfilerCallback10Id,
                                      kICorProfilerCallback11Id};
    *object = nullptr;
    for (const Guid& known : kKnown) {
      if (known == id) *object = this;
    }
    return *object ? kOk : kNoInterface;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult Initialize(IUnknown* runtime) override {
    if (failed(runtime->QueryInterface(kICorProfilerInfo10Id, reinterpret_cast<void**>(&info_)))) return kFail;
    uint32_t mask = kEnableObjectAllocated;
    if (!does("latent")) mask |= kMonitorObjectAllocated;
    with_places = does("places");
    counts_ = does("count") || with_places;
    if (with_places) mask |= kEnableStackSnapshot;
    return info_->SetEventMask2(mask, 0);
  }
  HResult LoadAsNotificationOnly(Bool* yes) override {
    *yes = std::getenv("CORECLR_ENABLE_NOTIFICATION_PROFILERS") != nullptr;
    return kOk;
  }
  HResult Shutdown() override {
    if (counts_) print([](uintptr_t klass) { return class_name(*info_, klass); });
    return kOk;
  }
  HResult ObjectAllocated(ObjectID object, ClassID klass) override {
    if (!counts_) return kOk;
    size_t size = 0;
    info_->GetObjectSize2(object, &size);
    Row& row = row_of(klass);
    row.runtime.add(size);
    if (with_places && has_places(row, klass)) add_place(klass, "runtime " + stack());
    return kOk;
  }

 private:
  static bool has_places(Row& row, ClassID klass) {
    if (row.places == Places::kUnknown) {
      const char* text = std::getenv("ORIEL_PEER_CLASS");
      const bool has = text == nullptr || class_name(*info_, klass).find(text) != std::string::npos;
      row.places = has ? Places::kYes : Places::kNo;
    }
    return row.places == Places::kYes;
  }
  static std::string stack() {
    Frames frames;
    info_->DoStackSnapshot(0, reinterpret_cast<void*>(on_frame), 0, &frames, nullptr, 0);
    std::string text;
    for (int i = 0; i < frames.count; ++i) {
      text += (i == 0 ? "" : " < ") + function_name(*info_, frames.functions[i]);
    }
    return text;
  }

  static inline UngatedProfilerInfo* info_ = nullptr;
  bool counts_ = false;
};

class Factory final : public IClassFactory {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId || id == kIClassFactoryId ? this : nullptr;
    return *object ? kOk : kNoInterface;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  HResult CreateInstance(IUnknown*, const Guid& id, void** object) override {
    static Profiler profiler;
    return profiler.QueryInterface(id, object);
  }
  HResult LockServer(Bool) override { return kOk; }
};

}  // namespace
}  // namespace peer

extern "C" ORIEL_MODULE_EXPORT oriel::coreclr::HResult DllGetClassObject(const oriel::coreclr::Guid& class_id,
                                                                         const oriel::coreclr::Guid& interface_id,
                                                                         void** object) {
  static peer::Factory factory;
  if (!(class_id == peer::kClass)) return oriel::coreclr::kClassNotAvailable;
  return factory.QueryInterface(interface_id, object);
}
