// The callgraph module: counts calls, their times and allocations inside the program, so that its output grows with the
// program's code and not with its run time. Its parts: options, recorder (callbacks) with thread_tree, family and arena
// (counting), snapshot, graph_file and dump_pace (into the file).

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "dump_pace.h"
#include "graph_file.h"
#include "modules/method_filter.h"
#include "modules/module.h"
#include "modules/process_info.h"
#include "modules/worker.h"
#include "options.h"
#include "recorder.h"

namespace oriel::callgraph_module {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWaitAtExit{5'000};

// The callbacks' side, which call graphs share, one after another. Lives as long as the process: callbacks may run at
// any time.
struct Ears {
  oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  std::atomic<bool> allocations{false};
  std::atomic<uint32_t> call_probes{ORIEL_CALLS_ALL};
  bool is_stuck = false;  // a dumper did not end, and never will
};

Ears& ears() {
  static auto* const made = new Ears;
  return *made;
}

uint32_t filter_calls(oriel_profiler*, oriel_method* method) {
  try {
    return chosen_methods().wants(method) ? ears().call_probes.load(std::memory_order_relaxed)
                                          : uint32_t{ORIEL_CALLS_NONE};
  } catch (...) {  // no memory for a name
    return ORIEL_CALLS_NONE;
  }
}

bool filter_images(oriel_profiler*, oriel_image* image) {
  try {
    return ears().allocations.load(std::memory_order_relaxed) || chosen_methods().wants_any(image);
  } catch (...) {
    return true;
  }
}

// Everywhere: allocations in code that a selected method calls count as its own.
bool filter_allocations(oriel_profiler*, oriel_method*) { return true; }

// Takes away what start set, but for the cleanup.
void leave_program_alone() {
  stop_listening(ears().handle);
  oriel_profiler_set_call_instrumentation_filter_callback(ears().handle, nullptr);
  oriel_profiler_set_allocation_filter_callback(ears().handle, nullptr);
}

// One call graph, from its first dump to its last.
class Graph {
 public:
  using Options = callgraph_module::Options;
  static const modules::OptionTable& table() { return kTable; }
  static Result<Options> parse(const std::string& text) { return parse_options(text); }
  static Result<std::unique_ptr<Graph>> start(Options options);

  Options& options() { return options_; }
  // A call graph counts the same all the time.
  bool can_apply(const Options& options) const {
    return options.calls.text() == patterns_ && options.trivial == options_.trivial &&
           options.allocations == options_.allocations && options.block_inlining == options_.block_inlining;
  }
  static Status apply(const Options&) { return Status::ok(); }
  Status flush();
  const std::string& file() const { return path_; }
  Status stop();
  void finish();
  bool is_stuck() const { return ears().is_stuck; }

 private:
  explicit Graph(Options options) : options_(std::move(options)), patterns_(options_.calls.text()) {}

  bool end_dumper();
  // The dumper's.
  Status dump(bool last);
  milliseconds dump_now();
  void give_up(const char* message);

  Options options_;  // without the patterns
  const std::string patterns_;
  std::string path_;
  std::shared_ptr<const modules::MethodFilter> methods_;
  std::unique_ptr<GraphFile> file_;
  modules::Worker dumper_;
  milliseconds pause_ = kFirstDump;  // the dumper's own
  std::atomic<bool> given_up_{false};
};

// The file cannot be written any more: says so once and leaves the program alone from now on.
void Graph::give_up(const char* message) {
  given_up_ = true;
  leave_program_alone();
  oriel_warn(message);
}

// On the dumper's thread, which has the file.
Status Graph::dump(bool last) {
  try {
    return file_->dump(last);
  } catch (...) {
    return Status::error("callgraph: out of memory");
  }
}

// The dumper's work: returns when to do it again.
milliseconds Graph::dump_now() {
  const uint64_t before = clock_thread_cpu_ns();
  if (const Status status = dump(false); !status) {
    give_up((status.message() + "; nothing more is counted, the program runs on").c_str());
    return milliseconds(-1);
  }
  pause_ = pause_after(pause_, std::chrono::nanoseconds(clock_thread_cpu_ns() - before));
  return pause_;
}

// Whether it ended in time. The file is closed on the thread that has it open (base/files/own_files.h).
bool Graph::end_dumper() {
  const auto last_dump = [this] {
    // There may be room for it now; if not, that has been said.
    if (const Status status = dump(true); !status && !given_up_) {
      given_up_ = true;
      oriel_warn(status.message().c_str());
    }
    file_.reset();
  };
  const bool ended = dumper_.stop(kWaitAtExit, last_dump);
  ears().is_stuck = !ended;
  return ended;
}

void Graph::finish() {
  if (!end_dumper()) {
    oriel_warn("callgraph: the file could not be written in time at the program's end; an earlier version remains");
    return;
  }
  if (given_up_) return;  // what would have been counted later is not known
  try {
    for (const std::string& line : methods_->complaints("--callgraph", has_calls())) oriel_warn(line.c_str());
  } catch (...) {
    oriel_warn("callgraph: out of memory; patterns that matched nothing are not reported");
  }
}

Status Graph::flush() {
  const auto result = std::make_shared<Status>(Status::ok());
  const auto write = [this, result] { *result = dump(false); };
  if (given_up_ || !dumper_.do_now(write, kWaitAtExit))
    return Status::error("callgraph: the file could not be written in time, or not at all");
  return *result;
}

Status Graph::stop() {
  leave_program_alone();
  oriel_profiler_set_image_filter_callback(ears().handle, nullptr);
  if (!end_dumper()) return Status::error("callgraph: the file could not be written in time; an earlier one is left");
  chosen_methods().choose(nullptr);
  retire_trees();
  return given_up_ ? Status::error("callgraph: the file could not be written to its end") : Status::ok();
}

Result<std::unique_ptr<Graph>> Graph::start(Options options) {
  const oriel_profiler_handle handle = ears().handle;
  if (handle == nullptr) return Status::error("callgraph: out of memory; nothing is counted");
  if (ears().is_stuck) return Status::error("callgraph: the file before could not be written, so there can be none");
  std::unique_ptr<Graph> graph(new Graph(std::move(options)));
  Options& its = graph->options_;
  const std::string out = its.out;
  its.out = modules::next_file(modules::expand_for_process(out));
  graph->path_ = modules::path_from_root(its.out);
  auto file = GraphFile::create(its);
  if (!file) return file.status();
  its.out = out;
  graph->file_ = std::move(*file);
  using modules::MethodFilter;
  chosen_methods().choose(std::make_unique<MethodFilter>(
      std::move(its.calls), its.trivial ? MethodFilter::Trivial::kIn : MethodFilter::Trivial::kLeftOut));
  graph->methods_ = chosen_methods().filter();
  graph->file_->tell_of(*graph->methods_);
  ears().allocations = its.allocations;
  ears().call_probes = ORIEL_CALLS_ALL | (its.block_inlining ? uint32_t{ORIEL_CALLS_BLOCK_INLINING} : 0u);
  Graph* const made = graph.get();
  if (Status status = made->dumper_.start("oriel-callgraph", [made] { return made->dump(false); }); !status) {
    // One that waits for a disk may come back to it at any time.
    static_cast<void>(graph.release());
    return status;
  }
  listen(handle, its.allocations);
  oriel_profiler_set_image_filter_callback(handle, filter_images);
  oriel_profiler_set_call_instrumentation_filter_callback(handle, filter_calls);
  if (its.allocations) oriel_profiler_set_allocation_filter_callback(handle, filter_allocations);
  made->dumper_.run_periodically(kFirstDump, [made] { return made->dump_now(); });
  oriel_profiler_set_cleanup_callback(handle, [](oriel_profiler*) { modules::owner<Graph>().finish(); });
  return graph;
}

}  // namespace
}  // namespace oriel::callgraph_module

ORIEL_BUILT_IN_MODULE(callgraph, oriel::callgraph_module::Graph, "nothing is counted")
