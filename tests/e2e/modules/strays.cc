// A module for a test of callbacks: "CLASS,MILLISECONDS,PATH". Sets and removes the callback for calls of the class's
// methods, time and again for so long, while one thread of the program calls them; then writes into the file how often
// it did so, how many calls it heard, and how many of them it should not have heard.
#include <oriel/oriel.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>

namespace {

using std::chrono::milliseconds;

std::string prefix, path;
milliseconds lasts{0};
oriel_profiler_handle handle = nullptr;
std::thread* flipper = nullptr;
std::atomic<bool> is_removed{true};
std::atomic<uint32_t> since_removal{0};
std::atomic<uint64_t> heard{0};

uint32_t choose(oriel_profiler*, oriel_method* method) {
  return std::strncmp(oriel_method_raw_name(method), prefix.c_str(), prefix.size()) == 0 ? ORIEL_CALLS_ENTER : 0;
}

void on_enter(oriel_profiler*, oriel_method*, const void*) {
  heard.fetch_add(1, std::memory_order_relaxed);
  if (is_removed.load()) since_removal.fetch_add(1);
}

// One call may be on its way as the callback is removed.
uint32_t strays() {
  const uint32_t late = since_removal.load();
  return late > 1 ? late - 1 : 0;
}

void flip() {
  constexpr milliseconds kEach{2};
  const auto end = std::chrono::steady_clock::now() + lasts;
  uint32_t flips = 0, all_strays = 0;
  for (; std::chrono::steady_clock::now() < end; ++flips) {
    since_removal.store(0);
    is_removed.store(false);
    oriel_profiler_set_method_enter_callback(handle, on_enter);
    std::this_thread::sleep_for(kEach);
    oriel_profiler_set_method_enter_callback(handle, nullptr);
    is_removed.store(true);
    std::this_thread::sleep_for(kEach);
    all_strays += strays();
  }
  FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  std::fprintf(file, "%u %llu %u\n", flips, static_cast<unsigned long long>(heard.load()), all_strays);
  std::fclose(file);
}

void finish(oriel_profiler*) { flipper->join(); }

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_strays(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_strays(const char* args) {
  std::istringstream text(args);
  std::string time;
  std::getline(text, prefix, ',');
  std::getline(text, time, ',');
  std::getline(text, path);
  prefix += '.';
  lasts = milliseconds(std::atoi(time.c_str()));
  handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(handle, choose);
  oriel_profiler_set_method_enter_callback(handle, on_enter);
  oriel_profiler_set_cleanup_callback(handle, finish);
  flipper = new std::thread(flip);
  return 0;
}
