// Changes marked methods while they run: RequestChange(number) adds the profiler's number to what they return, and
// RevertChange(number) reverts that.
#include <mutex>
#include <thread>

#include "guest.h"

namespace {

class Rejitting final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    constexpr uint32_t kModuleLoads = 0x4, kJit = 0x20, kReJit = 0x40000;
    return info_->SetEventMask(kModuleLoads | kJit | kReJit);
  }

  // From 64 on it requests versions of methods that never ran.
  clr::HRESULT ModuleAttachedToAssembly(clr::Id module, clr::Id) override {
    constexpr Number kAtOnce = 64;
    constexpr clr::Token kFirstMethod = 0x06000001, kMost = 200;
    for (clr::Token token = kFirstMethod; number_ >= kAtOnce && token < kFirstMethod + kMost; ++token) {
      const uint8_t* body = nullptr;
      uint32_t size = 0;
      if (info_->GetILFunctionBody(module, token, &body, &size) < 0 || size == 0) continue;
      if (!with_added(body, size, number_).empty()) info_->RequestReJIT(1, &module, &token);
    }
    return clr::S_OK;
  }

  clr::HRESULT JITCompilationStarted(clr::Id function, clr::BOOL) override {
    auto [module, token, body, size] = find(function);
    if (size == 0) return clr::S_OK;
    if (with_added(body, size, number_).empty()) return clr::S_OK;
    const std::lock_guard guard(lock_);
    for (size_t i = 0; i < modules_.size(); ++i)
      if (modules_[i] == module && methods_[i] == token) return clr::S_OK;
    modules_.push_back(module);
    methods_.push_back(token);
    return clr::S_OK;
  }

  clr::HRESULT GetReJITParameters(clr::Id module, clr::Token token, void* control) override {
    const uint8_t* body = nullptr;
    uint32_t size = 0;
    if (info_->GetILFunctionBody(module, token, &body, &size) < 0) return clr::S_OK;
    const std::vector<uint8_t> changed = with_added(body, size, number_);
    if (!changed.empty())
      static_cast<clr::FunctionControl*>(control)->SetILFunctionBody(static_cast<uint32_t>(changed.size()),
                                                                     changed.data());
    return clr::S_OK;
  }

  clr::HRESULT request() {
    const std::lock_guard guard(lock_);
    return info_->RequestReJITWithInliners(1, static_cast<uint32_t>(methods_.size()), modules_.data(), methods_.data());
  }

  clr::HRESULT revert() {
    const std::lock_guard guard(lock_);
    std::vector<clr::HRESULT> results(methods_.size());
    const clr::HRESULT result =
        info_->RequestRevert(static_cast<uint32_t>(methods_.size()), modules_.data(), methods_.data(), results.data());
    for (const clr::HRESULT one : results)
      if (one < 0) return one;
    return result;
  }

 private:
  std::mutex lock_;
  std::vector<clr::Id> modules_;
  std::vector<clr::Token> methods_;
};

Rejitting* made[256];

}  // namespace

Guest* make_guest(Number number) { return made[number] = new Rejitting(number); }

// The runtime accepts requests from profilers' own threads.
template <typename Request>
int32_t on_own_thread(uint8_t number, Request request) {
  int32_t result = -1;
  if (made[number]) std::thread([&] { result = request(*made[number]); }).join();
  return result;
}

extern "C" __attribute__((visibility("default"))) int32_t RequestChange(uint8_t number) {
  return on_own_thread(number, [](Rejitting& guest) { return guest.request(); });
}
extern "C" __attribute__((visibility("default"))) int32_t RevertChange(uint8_t number) {
  return on_own_thread(number, [](Rejitting& guest) { return guest.revert(); });
}
