// Requests versions of all methods of a module as it is loaded, before any of them has run: RequestReJIT in
// ModuleLoadFinished. Marked methods get its number added to what they return; other methods stay unchanged, and so do
// all from number 32 on. From 64 on it reverts all of them as the module is attached to its assembly, before they run.
// RevertChange(number) and RequestChange(number) do so for the marked methods while they run.
#include <mutex>
#include <thread>

#include "guest.h"

namespace {

class Early final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    constexpr uint32_t kModuleLoads = 0x4, kReJit = 0x40000;
    return info_->SetEventMask(kModuleLoads | kReJit);
  }

  clr::HRESULT ModuleLoadFinished(clr::Id module, clr::HRESULT) override {
    Methods all = methods_of(module);
    if (!all.modules.empty()) info_->RequestReJIT(all.count(), all.modules.data(), all.tokens.data());
    return clr::S_OK;
  }

  clr::HRESULT ModuleAttachedToAssembly(clr::Id module, clr::Id) override {
    Methods all = methods_of(module);
    if (number_ >= kTakenBack && !all.modules.empty()) revert(all);
    return clr::S_OK;
  }

  clr::HRESULT GetReJITParameters(clr::Id module, clr::Token token, void* control) override {
    const uint8_t* body = nullptr;
    uint32_t size = 0;
    if (number_ >= kNothing || info_->GetILFunctionBody(module, token, &body, &size) < 0) return clr::S_OK;
    const std::vector<uint8_t> changed = with_added(body, size, number_);
    if (changed.empty()) return clr::S_OK;
    const std::lock_guard guard(lock_);
    marked_.add(module, token);
    return static_cast<clr::FunctionControl*>(control)->SetILFunctionBody(static_cast<uint32_t>(changed.size()),
                                                                          changed.data());
  }

  clr::HRESULT request_marked() {
    Methods marked = marked_so_far();
    return info_->RequestReJIT(marked.count(), marked.modules.data(), marked.tokens.data());
  }

  clr::HRESULT revert_marked() {
    Methods marked = marked_so_far();
    return revert(marked);
  }

 private:
  static constexpr Number kNothing = 32, kTakenBack = 64;

  struct Methods {
    std::vector<clr::Id> modules;
    std::vector<clr::Token> tokens;

    uint32_t count() const { return static_cast<uint32_t>(tokens.size()); }
    void add(clr::Id module, clr::Token token) {
      for (size_t i = 0; i < tokens.size(); ++i)
        if (modules[i] == module && tokens[i] == token) return;
      modules.push_back(module);
      tokens.push_back(token);
    }
  };

  Methods marked_so_far() {
    const std::lock_guard guard(lock_);
    return marked_;
  }

  // Skips modules with thousands of methods, such as the core library.
  Methods methods_of(clr::Id module) {
    constexpr clr::Token kFirst = 0x06000001, kMost = 1500;
    Methods all;
    for (clr::Token token = kFirst; token < kFirst + kMost; ++token) {
      const uint8_t* body = nullptr;
      uint32_t size = 0;
      if (info_->GetILFunctionBody(module, token, &body, &size) < 0 || size == 0) continue;
      all.modules.push_back(module);
      all.tokens.push_back(token);
    }
    return all.tokens.size() < kMost / 2 ? all : Methods{};
  }

  clr::HRESULT revert(Methods& methods) {
    std::vector<clr::HRESULT> results(methods.count());
    return info_->RequestRevert(methods.count(), methods.modules.data(), methods.tokens.data(), results.data());
  }

  std::mutex lock_;  // guards the next
  Methods marked_;
};

Early* made[256];

// The runtime accepts requests from profilers' own threads.
template <typename Request>
int32_t on_own_thread(uint8_t number, Request request) {
  int32_t result = -1;
  if (made[number]) std::thread([&] { result = request(*made[number]); }).join();
  return result;
}

}  // namespace

Guest* make_guest(Number number) { return made[number] = new Early(number); }

extern "C" __attribute__((visibility("default"))) int32_t RequestChange(uint8_t number) {
  return on_own_thread(number, [](Early& guest) { return guest.request_marked(); });
}
extern "C" __attribute__((visibility("default"))) int32_t RevertChange(uint8_t number) {
  return on_own_thread(number, [](Early& guest) { return guest.revert_marked(); });
}
