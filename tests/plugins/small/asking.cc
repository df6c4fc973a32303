// Asks ICorProfilerInfo 11 to 15, as a plug-in is given it, by the slots that came with each.
#include <cstdio>
#include <thread>

#include "small.h"

namespace small {
namespace {

constexpr Guid kIds[] = {{0x06398876, 0x8987, 0x4154, {0xb6, 0x21, 0x40, 0xa0, 0x0d, 0x6e, 0x4d, 0x04}},
                         {0x27b24ccd, 0x1cb1, 0x47c5, {0x96, 0xee, 0x98, 0x19, 0x0d, 0xc3, 0x09, 0x59}},
                         {0x6e6c7ee2, 0x0701, 0x4ec2, {0x9d, 0x29, 0x2e, 0x87, 0x33, 0xb6, 0x69, 0x34}},
                         {0xf460e352, 0xd76d, 0x4fe9, {0x83, 0x5f, 0xf6, 0xaf, 0x9d, 0x6e, 0x86, 0x2d}},
                         {0xb446462d, 0xbd22, 0x41dd, {0x87, 0x2d, 0xdc, 0x71, 0x4c, 0x49, 0xeb, 0x56}}};
// In the order of the vtable, behind the three of IUnknown.
enum Slot {
  kSetMask = 13,
  kSuspend = 94,
  kResume = 95,
  kGetVariable = 96,
  kSetVariable = 97,
  kCreateProvider = 101,
  kCreateHandle = 105,
  kDestroyHandle = 106,
  kObjectOfHandle = 107,
  kNonGcBounds = 109,
  kHeapObjects = 111
};

class Asking final : public Method, public IInstrumentationMethodExceptionEvents {
 public:
  using Method::Method;

  HResult QueryInterface(const Guid& id, void** object) override { return Method::QueryInterface(id, object); }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  // 11, 12, 14 and 15.
  void ask() {
    char16_t name[] = u"ORIEL_ASKED", value[] = u"yes", read[8] = {};
    uint32_t length = 0, bounds = 0, objects = 0;
    uintptr_t provider = 0;
    say("set", call(11, kSetVariable, static_cast<const char16_t*>(name), static_cast<const char16_t*>(value)));
    say("get", call(11, kGetVariable, static_cast<const char16_t*>(name), 8u, &length, static_cast<char16_t*>(read)));
    std::fprintf(stderr, "it is %s\n", std::u16string(read) == value ? "yes" : "no");
    say("provider", call(12, kCreateProvider, static_cast<const char16_t*>(name), &provider));
    say("bounds", call(14, kNonGcBounds, 0u, &bounds, static_cast<void*>(nullptr)));
    constexpr auto count = [](uintptr_t, void* sum) -> Bool { return ++*static_cast<uint32_t*>(sum) > 0 ? 1 : 0; };
    Bool (*each)(uintptr_t, void*) = count;
    say("suspend", call(11, kSuspend));
    say("objects", call(15, kHeapObjects, reinterpret_cast<void*>(each), static_cast<void*>(&objects)));
    say("resume", call(11, kResume));
    std::fprintf(stderr, "there are %s\n", objects > 100 ? "many" : "few");
  }

  // 13, where an object is at hand.
  HResult ExceptionThrown(uintptr_t object) override {
    uintptr_t handle = 0, same = 0;
    say("handle", call(13, kCreateHandle, object, uint32_t{2}, &handle));
    say("object", call(13, kObjectOfHandle, handle, &same));
    std::fprintf(stderr, "it is %s\n", same == object ? "the same" : "another");
    say("destroy", call(13, kDestroyHandle, handle));
    return kOk;
  }
  HResult ExceptionCatcherEnter(IMethodInfo*, uintptr_t) override { return kOk; }
  HResult ExceptionCatcherLeave() override { return kOk; }
  HResult ExceptionSearchCatcherFound(IMethodInfo*) override { return kOk; }
  HResult ExceptionSearchFilterEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionSearchFilterLeave() override { return kOk; }
  HResult ExceptionSearchFunctionEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionSearchFunctionLeave() override { return kOk; }
  HResult ExceptionUnwindFinallyEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionUnwindFinallyLeave() override { return kOk; }
  HResult ExceptionUnwindFunctionEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionUnwindFunctionLeave() override { return kOk; }

 private:
  static void say(const char* what, HResult result) {
    std::fprintf(stderr, "%s %08x\n", what, static_cast<unsigned>(result));
  }

  HResult start() override {
    constexpr uint32_t kExceptions = 0x40;
    return call(11, kSetMask, kExceptions);
  }
  void* other_face(const Guid& id) override {
    return id == IInstrumentationMethodExceptionEvents::kId ? static_cast<IInstrumentationMethodExceptionEvents*>(this)
                                                            : nullptr;
  }

  template <typename... Arguments>
  HResult call(int version, Slot slot, Arguments... arguments) {
    ComPtr<IUnknown> any, info;
    if (HResult result = manager_->GetCorProfilerInfo(any.receive()); failed(result)) return result;
    if (HResult result = any->QueryInterface(kIds[version - 11], reinterpret_cast<void**>(info.receive()));
        failed(result))
      return result;
    using Function = HResult (*)(IUnknown*, Arguments...);
    return reinterpret_cast<Function>((*reinterpret_cast<void***>(info.get()))[3 + slot])(info.get(), arguments...);
  }
};

Asking* one = nullptr;

}  // namespace

IInstrumentationMethod* make_method(Number number) { return one = new Asking(number); }

// The runtime answers some of it only to threads that run no managed code.
extern "C" __attribute__((visibility("default"))) int Ask(int) {
  std::thread([] { one->ask(); }).join();
  return 0;
}

}  // namespace small
