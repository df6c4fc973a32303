// Counts what it is told, and writes it where COUNTING_FILE says, %n for its number, when the runtime shuts down.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "guest.h"

namespace {

class Counting final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    const char* low = std::getenv("COUNTING_MASK");
    const char* high = std::getenv("COUNTING_MASK_HIGH");
    return info_->SetEventMask2(low ? static_cast<uint32_t>(std::strtoul(low, nullptr, 16)) : 0x10002bf,
                                high ? static_cast<uint32_t>(std::strtoul(high, nullptr, 16)) : 0);
  }

#define COUNTED(name, arguments) \
  clr::HRESULT name arguments override { return count(#name); }
  COUNTED(AppDomainCreationFinished, (clr::Id, clr::HRESULT))
  COUNTED(AssemblyLoadFinished, (clr::Id, clr::HRESULT))
  COUNTED(ModuleLoadFinished, (clr::Id, clr::HRESULT))
  COUNTED(ModuleUnloadFinished, (clr::Id, clr::HRESULT))
  COUNTED(ModuleAttachedToAssembly, (clr::Id, clr::Id))
  COUNTED(ClassLoadFinished, (clr::Id, clr::HRESULT))
  COUNTED(JITCompilationStarted, (clr::Id, clr::BOOL))
  COUNTED(JITCompilationFinished, (clr::Id, clr::HRESULT, clr::BOOL))
  COUNTED(JITInlining, (clr::Id, clr::Id, clr::BOOL*))
  COUNTED(ReJITCompilationStarted, (clr::Id, clr::Id, clr::BOOL))
  COUNTED(ThreadCreated, (clr::Id))
  COUNTED(ThreadDestroyed, (clr::Id))
  COUNTED(ThreadAssignedToOSThread, (clr::Id, uint32_t))
  COUNTED(ThreadNameChanged, (clr::Id, uint32_t, clr::Wide*))
  COUNTED(RuntimeSuspendStarted, (uint32_t))
  COUNTED(ExceptionThrown, (clr::Id))
  COUNTED(ExceptionCatcherEnter, (clr::Id, clr::Id))
  COUNTED(GarbageCollectionStarted, (int32_t, clr::BOOL*, uint32_t))
  COUNTED(GarbageCollectionFinished, ())

  clr::HRESULT Shutdown() override {
    std::string path = std::getenv("COUNTING_FILE") ? std::getenv("COUNTING_FILE") : "";
    if (const size_t at = path.find("%n"); at != path.npos) path.replace(at, 2, std::to_string(number_));
    FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
    if (file == nullptr) return clr::S_OK;
    const std::lock_guard guard(lock_);
    for (const auto& [name, times] : counts_) std::fprintf(file, "%s %u\n", name.c_str(), times);
    std::fclose(file);
    return clr::S_OK;
  }

 private:
  clr::HRESULT count(const char* name) {
    const std::lock_guard guard(lock_);
    ++counts_[name];
    return clr::S_OK;
  }

  std::mutex lock_;
  std::map<std::string, unsigned> counts_;
};

}  // namespace

Guest* make_guest(Number number) { return new Counting(number); }
