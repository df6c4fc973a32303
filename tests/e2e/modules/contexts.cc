// A module for tests of call context: has one method of the program told with its values and not told in turn, over and
// over; writes to the file that its argument names how often it was rewritten and compiled, and how many layouts its
// contexts had.
#include <oriel/oriel.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "engine/call_context.h"

namespace {

constexpr uint64_t kRewritings = 100;
std::string out;
oriel_profiler_handle profiler;
std::atomic<bool> compiled{false};
std::atomic<uint64_t> told{0}, begun{0}, done{0};
std::atomic<const oriel::CallLayout*> layouts[1000];

void note(oriel_profiler*, oriel_method*, const void* context) {
  if (!context) return;
  const oriel::CallLayout* layout = static_cast<const oriel::CallContext*>(context)->layout;
  for (auto& place : layouts) {
    const oriel::CallLayout* there = nullptr;
    if (place.compare_exchange_strong(there, layout) || there == layout) break;
  }
  told.fetch_add(1);
}

bool is_meant(oriel_method* method) {
  return std::strcmp(oriel_method_name(method), "Exits.Spin.Collatz(long, int)") == 0;
}

uint32_t which(oriel_profiler*, oriel_method* method) {
  return is_meant(method) ? ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_LEAVE_CONTEXT : ORIEL_CALLS_NONE;
}

uint64_t rewritings() {
  uint64_t outcomes[ORIEL_INSTRUMENTATION_OUTCOMES];
  oriel_instrumentation_counts(outcomes);
  return outcomes[ORIEL_INSTRUMENTED];
}

// Begins when the method is compiled: had its first body probes already, taking them out would be the rewriting.
void switch_filter() {
  oriel_thread_attach_tools();
  while (!compiled.load()) usleep(1000);
  while (rewritings() < kRewritings) {
    const uint64_t before = told.load();
    oriel_profiler_set_call_instrumentation_filter_callback(profiler, which);
    while (told.load() == before) usleep(1000);
    oriel_profiler_set_call_instrumentation_filter_callback(profiler, nullptr);
    usleep(5000);
  }
}

void write_counts(oriel_profiler*) {
  FILE* file = std::fopen(out.c_str(), "w");
  if (!file) return;
  int seen = 0;
  for (const auto& place : layouts) seen += place.load() != nullptr;
  std::fprintf(file, "rewritings %" PRIu64 "\nlayouts %d\nbegun %" PRIu64 "\ndone %" PRIu64 "\n", rewritings(), seen,
               begun.load(), done.load());
  std::fclose(file);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_contexts(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_contexts(const char* args) {
  out = args;
  profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_callback(profiler, note);
  oriel_profiler_set_method_leave_callback(profiler, note);
  oriel_profiler_set_jit_begin_callback(profiler, [](oriel_profiler*, oriel_method* method) {
    if (is_meant(method)) begun.fetch_add(1);
  });
  oriel_profiler_set_jit_done_callback(profiler, [](oriel_profiler*, oriel_method* method, const void*, uint64_t) {
    if (!is_meant(method)) return;
    done.fetch_add(1);
    compiled.store(true);
  });
  oriel_profiler_set_cleanup_callback(profiler, write_counts);
  std::thread(switch_filter).detach();
  return 0;
}
