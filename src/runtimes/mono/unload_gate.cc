#include "runtimes/mono/unload_gate.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace oriel::mono {
namespace {

// Those who ask never wait for one who only wants to have it, as they may ask within a question: it is only ever tried.
std::shared_mutex& gate() {
  static auto* const made = new std::shared_mutex;
  return *made;
}

constexpr useconds_t kNap = 200;  // microseconds

struct Unload {
  uintptr_t image;
  std::thread::id thread;
};

std::atomic<uint32_t> unloads_begun{0};
std::mutex unloads_lock;  // guards the next
std::vector<Unload>& unloads() {
  static auto* const made = new std::vector<Unload>;
  return *made;
}

template <typename Matches>
bool another_unloads(Matches matches) {
  const std::thread::id own = std::this_thread::get_id();
  const std::lock_guard guard(unloads_lock);
  return std::ranges::any_of(unloads(), [&](const Unload& it) { return it.thread != own && matches(it.image); });
}

}  // namespace

Asking::Asking() { gate().lock_shared(); }
Asking::~Asking() { gate().unlock_shared(); }

bool Asking::is_going(uintptr_t image) const {
  return another_unloads([&](uintptr_t it) { return it == image; });
}
bool Asking::any_is_going() const {
  return another_unloads([](uintptr_t) { return true; });
}

namespace unload {

void begins(uintptr_t image) {
  unloads_begun.fetch_add(1);
  const std::lock_guard guard(unloads_lock);
  unloads().push_back({image, std::this_thread::get_id()});
}

void wait_for_questions() {
  constexpr int kMostNaps = 50'000;  // ten seconds; a stopped process loses none
  for (int naps = 0; naps < kMostNaps; ++naps) {
    if (gate().try_lock()) return gate().unlock();
    usleep(kNap);
  }
}

void is_over(uintptr_t image) {
  const std::lock_guard guard(unloads_lock);
  std::erase_if(unloads(), [&](const Unload& it) { return it.image == image; });
}

uint32_t begun_so_far() { return unloads_begun.load(); }

void wait_for_unloads() {
  constexpr int kMostNaps = 250;
  const auto under_way = [] { return another_unloads([](uintptr_t) { return true; }); };
  for (int naps = 0; under_way() && naps < kMostNaps; ++naps) usleep(kNap);
}

}  // namespace unload
}  // namespace oriel::mono
