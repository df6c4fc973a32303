// A log of what MoarVM's profiles say: a call graph, allocations and collections.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/path.h"
#include "imports/formats.h"
#include "imports/moar_profile.h"
#include "log/properties.h"
#include "oriel/oriel.h"

namespace oriel::imports {
namespace {

constexpr uint64_t kNs = 1000;  // in a microsecond

class MoarWriter {
 public:
  MoarWriter(const MoarProfile& profile, LogMaker& maker) : profile_(profile), maker_(maker) {}

  void write() {
    maker_.runtime = "MoarVM";
    maker_.properties.emplace_back(log::property::kSamplingMode, "none");
    maker_.properties.emplace_back(log::property::kEvents, "gc+threads");
    for (const MoarThread& thread : profile_.threads) {
      thread_of(thread.id);
      maker_.seen_until((thread.start + thread.total) * kNs);
      if (thread.id != 0 && thread.total > 0) tell(oriel_event_thread_started, thread, thread.start);
    }
    add_calls();
    add_allocations();
    for (log::CallGraph& graph : graphs_)
      if (!graph.nodes.empty()) maker_.call_graph(std::move(graph));
    add_collections();
    for (const MoarThread& thread : profile_.threads)
      if (thread.id != 0 && thread.total > 0) tell(oriel_event_thread_stopped, thread, thread.start + thread.total);
    maker_.leave_out("count of freed objects by type", "counts of freed objects by type", profile_.freed);
    maker_.leave_out("count of calls by kind of dispatch", "counts of calls by kind of dispatch", profile_.dispatches);
    maker_.leave_out("thread's time in the specializer", "threads' times in the specializer", profile_.specializing);
    maker_.leave_out("row of calls that no thread has", "rows of calls that no thread has", profile_.of_no_thread);
  }

 private:
  uint64_t thread_of(uint64_t id) {
    return maker_.thread(0, id == 0 ? "[thread not known]" : "thread " + std::to_string(id), true);
  }

  void tell(uint32_t number, const MoarThread& thread, uint64_t us) {
    const uint64_t id = thread_of(thread.id);
    maker_.event(id, us * kNs, number).add(id);
  }

  // The routines of the compiler and of the core setting are not the program's own.
  static bool is_of_rakudo(const std::string& file) {
    return file.starts_with("SETTING::") || file.starts_with("gen/moar/") || file.starts_with("src/vm/moar/") ||
           file.starts_with("NQP::");
  }

  // "fib (small.raku:2)": several routines of a file may have one name, and blocks have none.
  std::string shown_name(const MoarRoutine& routine) {
    std::string name = routine.name.empty() ? "[block]" : routine.name;
    if (routine.file.empty()) return name;
    const std::string place = file_name(routine.file) + ":" + std::to_string(routine.line);
    const std::string& known = file_of_.try_emplace(name + " (" + place, routine.file).first->second;
    return name + " (" + (known == routine.file ? place : routine.file + ":" + std::to_string(routine.line)) + ")";
  }

  uint64_t method_of(uint64_t id) {
    const auto [known, made] = methods_.try_emplace(id, 0);
    if (!made) return known->second;
    const auto routine = profile_.routines.find(id);
    if (routine == profile_.routines.end())
      return known->second = maker_.method(0, "[routine " + std::to_string(id) + "]");
    const std::string& file = routine->second.file;
    if (file.empty()) return known->second = maker_.method(0, shown_name(routine->second));
    const uint64_t image = maker_.image(file);
    maker_.origin(image, is_of_rakudo(file) ? log::Origin::kFramework : log::Origin::kProject,
                  is_of_rakudo(file) ? "Rakudo" : file_name(file));
    return known->second = maker_.method(maker_.klass("", image), shown_name(routine->second));
  }

  uint64_t class_of(uint64_t id) {
    const auto [known, made] = classes_.try_emplace(id, 0);
    if (!made) return known->second;
    const auto type = profile_.types.find(id);
    const bool named = type != profile_.types.end() && !type->second.name.empty();
    return known->second = maker_.klass(named ? type->second.name : "[type " + std::to_string(id) + "]", 0);
  }

  void add_calls() {
    for (const MoarThread& thread : profile_.threads) {
      log::CallGraph graph;
      graph.thread = thread_of(thread.id);
      graphs_.push_back(std::move(graph));
    }
    for (const MoarCalls& calls : profile_.calls) {
      log::CallGraph& graph = graphs_[calls.thread];
      log::CallNode node;
      node.id = graph.nodes.size() + 1;
      node.parent = calls.parent == 0 ? 0 : nodes_[calls.parent - 1];
      node.method = method_of(calls.routine);
      node.calls = calls.entries;
      node.ticks = calls.inclusive * kNs;
      graph.entries.push_back({node.id, calls.exclusive * kNs, calls.specialized, calls.compiled, calls.inlined,
                               calls.replaced, calls.deoptimized, calls.deoptimized_all});
      nodes_.push_back(node.id);
      graph.nodes.push_back(std::move(node));
    }
  }

  void add_allocations() {
    uint64_t avoided = 0;
    for (const MoarAllocation& one : profile_.allocations) {
      avoided += one.avoided;
      if (one.count == 0) continue;
      const auto type = profile_.types.find(one.type);
      const uint64_t each = type == profile_.types.end() ? 0 : type->second.bytes;
      const uint64_t bytes = each > 0 ? std::min(kMostMoar, each * std::min(one.count, UINT64_MAX / each)) : 0;
      log::CallNode& node = graphs_[profile_.calls[one.calls].thread].nodes[nodes_[one.calls] - 1];
      node.allocations.push_back({class_of(one.type), one.count, bytes});
    }
    maker_.leave_out("object that compiled code did without", "objects that compiled code did without", avoided);
  }

  // All threads stop for a collection, and each collects what it has allocated itself.
  struct Run {
    uint64_t thread = 0;
    uint64_t start = UINT64_MAX;
    uint64_t end = 0;
    bool full = false;
  };

  void add_collections() {
    std::map<uint64_t, Run> runs;
    for (const MoarGc& gc : profile_.gcs) {
      const uint64_t thread = thread_of(gc.thread);
      maker_.gc_part(
          {thread, gc.number, gc.start * kNs, gc.took * kNs, gc.responsible, gc.kept, gc.promoted, gc.freed, gc.roots});
      Run& run = runs[gc.number];
      if (run.thread == 0 || gc.responsible) run.thread = thread;
      run.start = std::min(run.start, gc.start);
      run.end = std::max(run.end, gc.start + gc.took);
      run.full = run.full || gc.full;
    }
    for (const auto& [number, run] : runs) tell(number, run);
  }

  void tell(uint64_t number, const Run& run) {
    constexpr uint64_t kOldest = 2;
    const uint64_t generation = run.full ? kOldest : 0, start = run.start * kNs, end = run.end * kNs;
    maker_.event(run.thread, start, oriel_event_suspend_begin).add(uint64_t{ORIEL_SUSPEND_GC});
    maker_.event(run.thread, start, oriel_event_gc_begin)
        .add(number)
        .add(generation)
        .add(uint64_t{ORIEL_GC_REASON_OTHER});
    maker_.event(run.thread, end, oriel_event_gc_end).add(number).add(generation);
    maker_.event(run.thread, end, oriel_event_resume_end).add(uint64_t{ORIEL_SUSPEND_GC}).add(end - start);
  }

  const MoarProfile& profile_;
  LogMaker& maker_;
  std::vector<log::CallGraph> graphs_;  // by thread
  std::vector<uint64_t> nodes_;         // of the thread's graph, by calls
  std::map<uint64_t, uint64_t> methods_, classes_;
  std::map<std::string, std::string> file_of_;  // by name and place
};

ReadStatements statements_reader = nullptr;

Status read_moar_sql(const std::string& text, MoarProfile& profile, std::string& cut) {
  if (!statements_reader) return Status::error("it is SQL; make a log of it with oriel convert");
  return statements_reader(text, profile, cut);
}

}  // namespace

void read_statements_with(ReadStatements read) { statements_reader = read; }

bool is_moar_sql(std::string_view beginning) {
  return beginning.find("CREATE TABLE routines(") != std::string_view::npos &&
         beginning.find("CREATE TABLE calls(") != std::string_view::npos &&
         beginning.find('\0') == std::string_view::npos;
}

bool is_moar(std::string_view beginning) { return is_moar_json(beginning) || is_moar_sql(beginning); }

Status parse_moar(const std::string& text, LogMaker& maker) {
  constexpr size_t kBeginning = 64u << 10;
  MoarProfile profile;
  std::string cut;
  const bool is_sql = is_moar_sql(std::string_view(text).substr(0, kBeginning));
  if (Status status = is_sql ? read_moar_sql(text, profile, cut) : read_moar_json(text, profile); !status)
    return status;
  if (profile.calls.empty()) return Status::error("it has no calls");
  if (!cut.empty()) maker.say_cut(cut);
  MoarWriter(profile, maker).write();
  return Status::ok();
}

Status read_moar(const InputFile& file, LogMaker& maker, const ImportOptions&) {
  std::string text(file.size(), '\0');
  if (!file.read(0, text.data(), text.size())) return Status::error("it changes while it is read");
  return parse_moar(text, maker);
}

}  // namespace oriel::imports
