// Listens to exceptions. With an odd number it sleeps in filters' callbacks, while collections run. With an even number
// it asks for the class of each exception: a caught exception must be of a class that was thrown on the thread. Writes
// what it received to YIELDING_FILE.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "guest.h"

namespace {

class Yielding final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    constexpr uint32_t kMonitorExceptions = 0x40;
    return info_->SetEventMask(kMonitorExceptions);
  }

  clr::HRESULT ExceptionThrown(clr::Id exception) override {
    ++thrown_;
    if (!sleeps()) classes().insert(class_of(exception));
    return clr::S_OK;
  }

  clr::HRESULT ExceptionSearchFilterEnter(clr::Id) override {
    if (sleeps()) usleep(1000);
    return clr::S_OK;
  }

  clr::HRESULT ExceptionCatcherEnter(clr::Id, clr::Id exception) override {
    ++caught_;
    if (!sleeps() && !classes().contains(class_of(exception))) ++wrong_;
    return clr::S_OK;
  }

  clr::HRESULT Shutdown() override {
    const char* path = std::getenv("YIELDING_FILE");
    FILE* file = path == nullptr || sleeps() ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return clr::S_OK;
    std::fprintf(file, "%s, %u wrong\n", thrown_ >= caught_ && caught_ > 0 ? "heard" : "deaf", wrong_.load());
    std::fclose(file);
    return clr::S_OK;
  }

 private:
  bool sleeps() const { return number_ % 2 == 1; }
  clr::Id class_of(clr::Id object) {
    clr::Id klass = 0;
    if (info_->GetClassFromObject(object, &klass) < 0) ++wrong_;
    return klass;
  }
  static std::set<clr::Id>& classes() {
    thread_local std::set<clr::Id> of_thread;
    return of_thread;
  }

  std::atomic<unsigned> thrown_{0}, caught_{0}, wrong_{0};
};

}  // namespace

Guest* make_guest(Number number) { return new Yielding(number); }
