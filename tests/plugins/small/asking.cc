// Calls ICorProfilerInfo 11 to 15, as the engine gives it to plug-ins, in the slots that each version added.
#include <cstdio>
#include <thread>

#include "small.h"

namespace small {
namespace {

// In vtable order, after the three of IUnknown.
enum Slot {
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

  // Versions 11, 12, 14 and 15.
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

  // Version 13, where an object is available.
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

  HResult start() override { return enable_exception_callbacks(manager_); }
  void* other_face(const Guid& id) override {
    return id == IInstrumentationMethodExceptionEvents::kId ? static_cast<IInstrumentationMethodExceptionEvents*>(this)
                                                            : nullptr;
  }

  template <typename... Arguments>
  HResult call(int version, Slot slot, Arguments... arguments) {
    return ask_runtime(manager_, version, slot, arguments...);
  }
};

Asking* one = nullptr;

}  // namespace

IInstrumentationMethod* make_method(Number number) { return one = new Asking(number); }

// The runtime answers some of it only on threads that run no managed code.
extern "C" __attribute__((visibility("default"))) int Ask(int) {
  std::thread([] { one->ask(); }).join();
  return 0;
}

}  // namespace small
