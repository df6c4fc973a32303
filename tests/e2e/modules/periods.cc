// A module for tests of coverage: begins anew every few milliseconds and adds up what each period had.
// "count,CLASS,MILLISECONDS,PATH" or "hit,…": from so many milliseconds on; at the end writes the sums of all methods
// of the class to the file, one a line: name, offset of the run, sum.
#include <oriel/oriel.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace {

std::string prefix, path;
std::chrono::milliseconds begins{0};
bool counts = false;
oriel_profiler_handle handle = nullptr;
std::mutex lock;  // the next
std::set<oriel_method*> methods;
std::map<std::pair<oriel_method*, uint32_t>, uint64_t> sums;
std::atomic<bool> ends{false};
std::thread* beginner = nullptr;

bool choose(oriel_profiler*, oriel_method* method) {
  if (std::strncmp(oriel_method_raw_name(method), prefix.c_str(), prefix.size()) != 0) return false;
  const std::lock_guard guard(lock);
  methods.insert(method);
  return true;
}

void add(oriel_profiler*, const oriel_coverage_data* data) {
  if (data->outcome == ORIEL_NO_OUTCOME) sums[{data->method, data->il_offset}] += data->count;
}

void add_period(oriel_profiler*) {
  const std::lock_guard guard(lock);
  if (counts) {
    for (oriel_method* const method : methods) oriel_get_coverage_data(handle, method, add);
  } else {
    oriel_get_coverage_data(handle, nullptr, add);  // of all methods what ran
  }
}

void reset_period() {
  oriel_thread_attach_tools();
  std::this_thread::sleep_for(begins);
  while (!ends.load()) {
    oriel_coverage_reset(handle, add_period);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

void finish(oriel_profiler*) {
  ends.store(true);
  beginner->join();
  oriel_coverage_reset(handle, add_period);
  FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  for (const auto& [place, sum] : sums)
    std::fprintf(file, "%s %u %llu\n", oriel_method_raw_name(place.first), place.second,
                 static_cast<unsigned long long>(sum));
  std::fclose(file);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_periods(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_periods(const char* args) {
  std::istringstream text(args);
  std::string mode, after;
  std::getline(text, mode, ',');
  std::getline(text, prefix, ',');
  std::getline(text, after, ',');
  std::getline(text, path);
  prefix += '.';
  begins = std::chrono::milliseconds(std::atoi(after.c_str()));
  counts = mode == "count";
  handle = oriel_profiler_create(nullptr);
  if (!oriel_enable_coverage(handle, counts ? ORIEL_COVERAGE_COUNT : ORIEL_COVERAGE_HIT)) return 1;
  if (begins.count() == 0) oriel_coverage_reset(handle, nullptr);  // methods keep their probes
  oriel_profiler_set_coverage_filter_callback(handle, choose);
  oriel_profiler_set_cleanup_callback(handle, finish);
  beginner = new std::thread(reset_period);
  return 0;
}
