// A module for tests: where in source files the code is that a program ran. "PREFIX,PATH": at the end writes for each
// run of methods whose names begin so one line: how often, whether the compiler made it up, line, column, file.
#include <oriel/oriel.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::string prefix, path;
oriel_profiler_handle handle = nullptr;
std::mutex lock;  // the next
std::vector<oriel_method*> methods;
FILE* file = nullptr;

bool choose(oriel_profiler*, oriel_method* method) {
  if (std::strncmp(oriel_method_name(method), prefix.c_str(), prefix.size()) != 0) return false;
  const std::lock_guard guard(lock);
  methods.push_back(method);
  return true;
}

void tell(oriel_profiler*, const oriel_coverage_data* data) {
  if (data->outcome != ORIEL_NO_OUTCOME) return;
  oriel_source source;
  if (oriel_method_source(data->method, data->il_offset, &source)) {
    std::fprintf(file, "%llu %d %u %u %s\n", static_cast<unsigned long long>(data->count), source.hidden, source.line,
                 source.column, source.file);
  } else {
    std::fprintf(file, "%llu none\n", static_cast<unsigned long long>(data->count));
  }
}

void finish(oriel_profiler*) {
  file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  for (oriel_method* const method : methods) oriel_get_coverage_data(handle, method, tell);
  std::fclose(file);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_positions(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_positions(const char* args) {
  const std::string text = args;
  prefix = text.substr(0, text.find(','));
  path = text.substr(text.find(',') + 1);
  handle = oriel_profiler_create(nullptr);
  if (!oriel_enable_coverage(handle, ORIEL_COVERAGE_COUNT)) return 1;
  oriel_profiler_set_coverage_filter_callback(handle, choose);
  oriel_profiler_set_cleanup_callback(handle, finish);
  return 0;
}
