// The jitdump module: writes the code that the JIT compiler makes to jit-PID.dump, in the folder that its argument
// names or in the working directory. `perf record` notes that the program has mapped that file, and `perf inject --jit`
// puts what is in it into perf's data, so that `perf report` names methods and `perf annotate` shows their code.
//
//   $ perf record -k mono -g oriel run --module jitdump -- dotnet Shop.dll
//   $ perf inject --jit -i perf.data -o shop.data && perf report -i shop.data
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>

#include "base/clock.h"
#include "dump.h"
#include "modules/module.h"
#include "modules/worker.h"
#include "oriel/oriel.h"
#include "records.h"

namespace oriel::jitdump {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{50}, kWaitAtEnd{10'000};
constexpr size_t kHurryAt = 1 << 20, kMostWaiting = 64 << 20;  // bytes that wait to be written

// Lives as long as the process: callbacks may come at any time.
struct Module {
  Dump dump;  // the worker's own
  modules::Worker worker;
  std::atomic<uint64_t> methods{0};
  std::atomic<bool> ends{false};
  std::mutex lock;  // guards the next two
  std::string waiting;
  uint64_t lost = 0;  // methods for which there was no room
};

Module& module() {
  static auto* const made = new Module;
  return *made;
}

void on_jit_done(oriel_profiler*, oriel_method* method, const void* code, uint64_t size) {
  Module& all = module();
  if (all.ends.load() || !modules::is_own_process()) return;
  try {
    const std::string record = load_record({.process = static_cast<uint32_t>(getpid()),
                                            .thread = static_cast<uint32_t>(syscall(SYS_gettid)),
                                            .time_ns = clock_monotonic_ns(),
                                            .number = all.methods.fetch_add(1),
                                            .address = reinterpret_cast<uintptr_t>(code),
                                            .bytes = {static_cast<const uint8_t*>(code), size},
                                            .name = oriel_method_name(method)});
    const std::lock_guard guard(all.lock);
    if (all.waiting.size() + record.size() > kMostWaiting) {
      ++all.lost;
      return;
    }
    all.waiting += record;
    if (all.waiting.size() < kHurryAt) return;
  } catch (...) {  // no memory: this method has no name in perf
    return;
  }
  all.worker.hurry();
}

// The worker's work.
milliseconds write_waiting() {
  Module& all = module();
  std::string records;
  {
    const std::lock_guard guard(all.lock);
    records.swap(all.waiting);
  }
  if (!records.empty()) all.dump.write(records);
  return kPause;
}

void finish(oriel_profiler*) {
  Module& all = module();
  if (!modules::is_own_process() || all.ends.exchange(true)) return;
  const auto last = [&all] {
    write_waiting();
    if (const Status status = all.dump.close(); !status) oriel_warn(status.message().c_str());
    const std::lock_guard guard(all.lock);
    if (all.lost != 0)
      oriel_warn(
          ("jitdump: " + std::to_string(all.lost) + " methods are not in the file, as the disk was slow").c_str());
  };
  if (!all.worker.stop(kWaitAtEnd, last))
    oriel_warn("jitdump: the file could not be written in time at the program's end");
}

Status start(const std::string& folder) {
  Module& all = module();
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(folder.empty() ? "." : folder, error);
  if (error) return Status::error("jitdump: the working directory is gone; give a full path");
  const std::string path = (full / ("jit-" + std::to_string(getpid()) + ".dump")).lexically_normal().string();
  const auto open = [&all, path] { return all.dump.open(path); };
  if (Status status = all.worker.start("oriel-jitdump", open); !status) return status;
  all.worker.run_periodically(kPause, write_waiting);
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_jit_done_callback(handle, on_jit_done);
  oriel_profiler_set_cleanup_callback(handle, finish);
  return Status::ok();
}

}  // namespace
}  // namespace oriel::jitdump

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_jitdump(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_jitdump(const char* args) {
  const auto start = [&] { return oriel::jitdump::start(args ? args : ""); };
  return oriel::modules::initialized("jitdump: out of memory; perf will not know the program's code", start);
}
