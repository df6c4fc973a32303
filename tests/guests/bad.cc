// Does what a profiler must not: its number says what.
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
    constexpr uint32_t kModuleLoads = 0x4;
    if (number_ == 1) return clr::E_FAIL;
    if (number_ == 2) throw std::runtime_error("not today");
    info_->Release();
    info_->Release();
    info_->Release();
    return info_->SetEventMask(kModuleLoads);
  }
  clr::HRESULT ModuleLoadFinished(clr::Id, clr::HRESULT) override {
    if (number_ == 3) throw std::runtime_error("no modules, please");
    return clr::S_OK;
  }
};

}  // namespace

// BAD_LOAD says that it already goes wrong when the library is loaded, and how.
__attribute__((constructor)) static void loaded() {
  const std::string how = std::getenv("BAD_LOAD") ? std::getenv("BAD_LOAD") : "";
  while (how == "hang") sleep(1);
  if (how == "crash") raise(SIGSEGV);
}

Guest* make_guest(Number number) { return number == 6 ? nullptr : new Bad(number); }
