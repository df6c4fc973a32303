// Asks the runtime for things that it grants and things that it refuses, and prints each answer: first in Initialize,
// then when the program calls Ask(number), finally whether it may detach. Its number selects what it enables at the
// start.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "guest.h"

namespace {

constexpr uint32_t kModuleLoads = 0x4, kJit = 0x20, kReJit = 0x40000, kNoPrecompiledCode = 0x80000000;

// The mask that it sets in Initialize, by its number. The fourth sets nothing that holds until the process ends, the
// fifth is notification-only, the sixth has an old interface.
constexpr uint32_t kMasks[] = {0,
                               kModuleLoads,
                               kModuleLoads | kJit | kReJit,
                               kModuleLoads | kNoPrecompiledCode,
                               kModuleLoads,
                               kModuleLoads,
                               kModuleLoads};
constexpr unsigned kLeaving = 4, kOnlyHearing = 5, kOld = 6;

class Asking final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT QueryInterface(const clr::GUID& id, void** object) override {
    constexpr size_t kOldest = 4;  // IUnknown and three versions
    const bool is_old = std::find(clr::kCallbackIds, clr::kCallbackIds + kOldest, id) != clr::kCallbackIds + kOldest;
    return number_ == kOld && !is_old ? clr::E_NOINTERFACE : Guest::QueryInterface(id, object);
  }

  clr::HRESULT LoadAsNotificationOnly(clr::BOOL* only) override {
    *only = number_ == kOnlyHearing;
    return clr::S_OK;
  }

  clr::HRESULT start() override {
    const clr::HRESULT result = info_->SetEventMask(kMasks[number_]);
    tell("mask", result);
    tell("leave at once", info_->RequestProfilerDetach(0));
    return result;
  }

  clr::HRESULT ModuleLoadFinished(clr::Id module, clr::HRESULT) override {
    last_module_ = module;
    ++(left_ ? heard_after_ : heard_);
    return clr::S_OK;
  }

  clr::HRESULT ProfilerDetachSucceeded() override {
    left_ = true;
    return clr::S_OK;
  }

  void ask() {
    const uint32_t mask = kMasks[number_];
    for (unsigned bit = 0; bit < 32 && number_ != kLeaving; ++bit) {
      tell("bit " + std::to_string(bit), info_->SetEventMask(mask ^ 1u << bit));
      tell("back", info_->SetEventMask(mask));
      tell("high bit " + std::to_string(bit), info_->SetEventMask2(mask, 1u << bit));
      tell("back", info_->SetEventMask(mask));
    }
    tell("hooks", info_->SetEnterLeaveFunctionHooks3(reinterpret_cast<void*>(1), nullptr, nullptr));
    tell("hooks with info", info_->SetEnterLeaveFunctionHooks3WithInfo(reinterpret_cast<void*>(1), nullptr, nullptr));
    tell("hooks of the second kind", info_->SetEnterLeaveFunctionHooks2(nullptr, nullptr, nullptr));
    tell("a mapper", number_ == kOnlyHearing ? info_->SetFunctionIDMapper(nullptr) : clr::S_OK);
    ask_for_versions();
    ask_for_events();
    tell("no body", info_->SetILFunctionBody(last_module_, 0x06000001, nullptr));
    tell("body of nothing", info_->SetILFunctionBody(0, 0x06000001, reinterpret_cast<const uint8_t*>("\x06\x2a")));
  }

  void leave() {
    const clr::HRESULT result = info_->RequestProfilerDetach(100);
    tell("leave", result);
    uint32_t mask = 0;
    tell("ask after that", info_->GetEventMask(&mask));
    tell("leave again", info_->RequestProfilerDetach(100));
    using namespace std::chrono_literals;
    for (int i = 0; result >= 0 && !left_ && i < 1500; ++i) std::this_thread::sleep_for(10ms);
    std::printf("%u left: %s\n", number_, left_ ? "yes" : "no");
    std::fflush(stdout);
  }

 private:
  void tell(const std::string& what, clr::HRESULT result) {
    std::printf("%u %s: %08x\n", number_, what.c_str(), static_cast<uint32_t>(result));
    std::fflush(stdout);
  }

  void ask_for_versions() {
    clr::Id modules[] = {last_module_};
    clr::Token methods[] = {0x06000001};
    clr::HRESULT results[] = {0};
    tell("no versions", info_->RequestReJIT(0, modules, methods));
    tell("versions of nothing", info_->RequestReJIT(1, nullptr, nullptr));
    clr::Id none[] = {0};
    tell("a version of no module", info_->RequestReJIT(1, none, methods));
    clr::Token type[] = {0x02000002};
    tell("a version of a type", info_->RequestReJIT(1, modules, type));
    tell("take back nothing", info_->RequestRevert(0, modules, methods, results));
    tell("take back what it never asked for", info_->RequestRevert(1, modules, methods, results));
    tell("that one", results[0]);
    tell("with callers", info_->RequestReJITWithInliners(0, 0, modules, methods));
  }

  void ask_for_events() {
    uint64_t session = 0;
    tell("events of nobody", info_->EventPipeStartSession(0, nullptr, 0, &session));
    tell("end of no events", info_->EventPipeStopSession(12345));
  }

  std::atomic<clr::Id> last_module_{0};
  std::atomic<bool> left_{false};
  std::atomic<unsigned> heard_{0}, heard_after_{0};
};

Asking* made[256];

}  // namespace

Guest* make_guest(Number number) { return made[number] = new Asking(number); }

// The runtime answers profilers' own threads.
extern "C" __attribute__((visibility("default"))) int32_t Ask(uint8_t number) {
  std::thread([&] { made[number]->ask(); }).join();
  return 0;
}
extern "C" __attribute__((visibility("default"))) int32_t Leave(uint8_t number) {
  std::thread([&] { made[number]->leave(); }).join();
  return 0;
}
