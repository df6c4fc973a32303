// A module for tests of coverage: "count,PATH" or "hit,PATH". While the program runs Hot.Round it takes its filter
// away, until nothing more is counted, and gives it back, until something is; then it writes "on off on" into the file,
// or what it waited for in vain.
#include <oriel/oriel.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kMost{30'000};

std::string path;
oriel_profiler_handle handle = nullptr;
std::atomic<oriel_method*> round_{nullptr};
std::thread* switcher = nullptr;

bool choose(oriel_profiler*, oriel_method* method) {
  if (std::strncmp(oriel_method_raw_name(method), "Hot.Round(", 10) != 0) return false;
  round_.store(method);
  return true;
}

thread_local uint64_t sum = 0;

void add(oriel_profiler*, const oriel_coverage_data* data) { sum += data->count; }

uint64_t counted() {
  sum = 0;
  if (round_.load() != nullptr) oriel_get_coverage_data(handle, round_.load(), add);
  return sum;
}

// Whether this comes to pass, asked again and again.
template <typename Condition>
bool wait_for(Condition condition) {
  for (const Clock::time_point end = Clock::now() + kMost; Clock::now() < end;)
    if (condition()) return true;
  return false;
}

bool is_counted() {
  std::this_thread::sleep_for(milliseconds(5));
  return counted() > 0;
}

bool is_counted_no_more() {
  oriel_coverage_reset(handle, nullptr);
  std::this_thread::sleep_for(milliseconds(300));
  return counted() == 0;
}

std::string switched() {
  if (!wait_for(is_counted)) return "never on";
  oriel_profiler_set_coverage_filter_callback(handle, nullptr);
  if (!wait_for(is_counted_no_more)) return "on, never off";
  oriel_profiler_set_coverage_filter_callback(handle, choose);
  return wait_for(is_counted) ? "on off on" : "on off, never on again";
}

void run() {
  oriel_thread_attach_tools();
  const std::string what = switched();
  FILE* const file = std::fopen((path + ".part").c_str(), "w");
  if (file == nullptr) return;
  std::fputs(what.c_str(), file);
  std::fclose(file);
  std::rename((path + ".part").c_str(), path.c_str());
}

void finish(oriel_profiler*) { switcher->join(); }

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_switcher(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_switcher(const char* args) {
  const std::string text = args;
  path = text.substr(text.find(',') + 1);
  handle = oriel_profiler_create(nullptr);
  const auto mode = text.rfind("count,", 0) == 0 ? ORIEL_COVERAGE_COUNT : ORIEL_COVERAGE_HIT;
  if (!oriel_enable_coverage(handle, mode)) return 1;
  oriel_profiler_set_coverage_filter_callback(handle, choose);
  oriel_profiler_set_cleanup_callback(handle, finish);
  switcher = new std::thread(run);
  return 0;
}
