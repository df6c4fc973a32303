// Counts all of its callbacks. When the runtime shuts down, writes the counts to COUNTING_FILE, with its number for %n.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "guest.h"

namespace {

using clr::BOOL, clr::GUID, clr::HRESULT, clr::Id, clr::Token, clr::Wide;

class Counting final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    const char* low = std::getenv("COUNTING_MASK");
    const char* high = std::getenv("COUNTING_MASK_HIGH");
    return info_->SetEventMask2(low ? static_cast<uint32_t>(std::strtoul(low, nullptr, 16)) : 0x10002bf,
                                high ? static_cast<uint32_t>(std::strtoul(high, nullptr, 16)) : 0);
  }

#define LIFE(name, arguments)
#define CALLBACK(name, arguments) \
  HRESULT name arguments override { return count(k##name); }
#include "callbacks.def"
#undef CALLBACK

  clr::HRESULT Shutdown() override {
    std::string path = std::getenv("COUNTING_FILE") ? std::getenv("COUNTING_FILE") : "";
    if (const size_t at = path.find("%n"); at != path.npos) path.replace(at, 2, std::to_string(number_));
    FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
    if (file == nullptr) return clr::S_OK;
    for (int i = 0; i < kNumber; ++i)
      if (counts_[i] != 0) std::fprintf(file, "%s %u\n", kNames[i], counts_[i].load());
    std::fclose(file);
    return clr::S_OK;
  }

 private:
  enum Index {
#define CALLBACK(name, arguments) k##name,
#include "callbacks.def"
#undef CALLBACK
    kNumber
  };
  static constexpr const char* kNames[] = {
#define CALLBACK(name, arguments) #name,
#include "callbacks.def"
#undef CALLBACK
#undef LIFE
  };

  HRESULT count(Index index) {
    counts_[index].fetch_add(1, std::memory_order_relaxed);
    return clr::S_OK;
  }

  std::atomic<unsigned> counts_[kNumber]{};
};

}  // namespace

Guest* make_guest(Number number) { return new Counting(number); }
