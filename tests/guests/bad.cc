// Does what a profiler must not do; its number selects what.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "guest.h"

namespace {

class Bad final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    constexpr uint32_t kModuleLoads = 0x4, kJit = 0x20;
    if (number_ == 1) return clr::E_FAIL;
    if (number_ == 2) throw std::runtime_error("not today");
    if (number_ == 4)
      for (int i = 0; i < 3; ++i) info_->Release();
    return info_->SetEventMask(number_ == 5 || number_ == 7 ? kJit : kModuleLoads);
  }
  clr::HRESULT ModuleLoadFinished(clr::Id, clr::HRESULT) override {
    if (number_ == 3) throw std::runtime_error("no modules, please");
    return clr::S_OK;
  }
  // Pops a value from an empty stack, or gives something that is no body.
  clr::HRESULT JITCompilationStarted(clr::Id function, clr::BOOL) override {
    constexpr uint8_t kTwoBytes = 2 << 2 | 2, kPop = 0x26, kReturn = 0x2a;
    static const uint8_t broken[] = {kTwoBytes, kPop, kReturn}, none[] = {0, kPop, kReturn};
    auto [module, token, body, size] = find(function);
    if (size == 0) return clr::S_OK;
    return with_added(body, size, 1).empty() ? clr::S_OK
                                             : info_->SetILFunctionBody(module, token, number_ == 5 ? broken : none);
  }
};

}  // namespace

// BAD_LOAD makes it fail when the library is loaded, and says how.
__attribute__((constructor)) static void loaded() {
  const std::string how = std::getenv("BAD_LOAD") ? std::getenv("BAD_LOAD") : "";
  while (how == "hang") sleep(1);
  if (how == "crash") raise(SIGSEGV);
}

Guest* make_guest(Number number) { return number == 6 ? nullptr : new Bad(number); }
