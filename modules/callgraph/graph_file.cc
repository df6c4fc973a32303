#include "graph_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "log/place.h"
#include "log/properties.h"
#include "modules/process_info.h"
#include "recorder.h"
#include "snapshot.h"

namespace oriel::callgraph_module {
namespace {

template <typename T>
void move_behind(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

std::vector<log::Lost> lost_events() {
  std::vector<log::Lost> lost;
  if (const uint64_t events = events_without_tree()) lost.push_back({log::lost::EVENTS_NO_MEMORY, events});
  return lost;
}

}  // namespace

GraphFile::GraphFile(const Options& options, std::string path)
    : path_(std::move(path)), intro_(modules::new_intro()), allocations_(options.allocations) {
  const std::string patterns = options.calls.text();
  intro_.properties.insert(intro_.properties.end(),
                           {{log::property::kSamplingMode, "none"},
                            {log::property::kCallgraphCalls, patterns.empty() ? "user code" : patterns},
                            {log::property::kCallgraphInlining, options.block_inlining ? "block" : "keep"},
                            {log::property::kCallgraphAllocations, options.allocations ? "yes" : "no"}});
}

Result<std::unique_ptr<GraphFile>> GraphFile::create(const Options& options) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(options.out, error);
  if (error) return Status::error("callgraph: the working directory is gone; give a full path with out=");
  return std::unique_ptr<GraphFile>(new GraphFile(options, path.string()));
}

Status GraphFile::dump(bool last) {
  const std::string beside = path_ + ".new";
  auto writer = log::Writer::create(beside);
  if (!writer) return writer.status();
  Status status = may_be_replaced();
  if (status) status = write(**writer, last);
  if (status && rename(beside.c_str(), path_.c_str()) != 0) {
    status = Status::error("cannot write " + path_ + ": " + std::strerror(errno) + "; give another path with -o");
  }
  if (!status) {
    unlink(beside.c_str());
    return status;
  }
  writer_ = std::move(*writer);
  if (last) writer_->close();
  lstat(path_.c_str(), &written_);
  return status;
}

// The last dump may be replaced, unless another file is in its place by now: a rename replaces anything but a folder,
// even a link, or a device that the whole machine uses.
Status GraphFile::may_be_replaced() const {
  struct stat place {};
  const bool ours = writer_ && lstat(path_.c_str(), &place) == 0 && place.st_dev == written_.st_dev &&
                    place.st_ino == written_.st_ino;
  return ours ? Status::ok() : log::may_hold_log(path_);
}

// One flush per part: damage to the file then costs at most that part.
Status GraphFile::write(log::Writer& writer, bool last) {
  dumps_++;
  std::vector<log::CallGraph> graphs;
  for_each_tree([&](const ThreadTree& tree) { graphs.push_back(snapshot(tree, dumps_)); });
  for (const log::CallGraph& graph : graphs) need_names(graph);
  take_names();
  writer.compress();
  writer.intro(intro_);
  writer.mapping(mapping_);
  if (Status status = writer.flush({}); !status) return status;
  for (const log::CallGraph& graph : graphs) {
    writer.call_graph(graph);
    if (Status status = writer.flush({}); !status) return status;
  }
  std::vector<log::Counter> counters = modules::instrumentation_counters();
  counters.push_back(own_cpu_.count());
  std::vector<log::Counter> of_guests = modules::guest_counters();
  move_behind(of_guests, counters);
  if (const modules::MethodFilter* methods = methods_)
    counters.push_back({log::counter::kCallsTrivial, methods->trivial_left_out()});
  costs_.add(measure_costs(allocations_));
  std::vector<log::Counter> of_probes = modules::counters_of(costs_.typical());
  move_behind(of_probes, counters);
  writer.counters(counters);
  writer.process(modules::process_usage());
  if (last) {
    writer.end({.clock = clock_pair()});
  }
  return writer.flush(lost_events());
}

void GraphFile::need_names(const log::CallGraph& graph) {
  if (graph.thread != 0) names_.rename_thread(graph.thread);  // it may have been renamed
  for (const log::CallNode& node : graph.nodes) {
    if (node.method != 0) names_.need(log::FieldKind::kMethod, node.method);
    for (const log::CallAllocation& allocation : node.allocations)
      names_.need(log::FieldKind::kClass, allocation.klass);
  }
}

void GraphFile::take_names() {
  log::Mapping fresh = names_.take();
  mapping_.start = mapping_.end = clock_pair();
  mapping_.thread = fresh.thread;
  mapping_.threads = std::move(fresh.threads);
  move_behind(fresh.classes, mapping_.classes);
  move_behind(fresh.methods, mapping_.methods);
  move_behind(fresh.images, mapping_.images);
}

}  // namespace oriel::callgraph_module
