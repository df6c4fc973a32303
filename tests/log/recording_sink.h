// A sink that writes down what it hears, a line a call, so that tests can compare whole logs.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "log/decoder.h"
#include "log/sample_index.h"

namespace oriel::log {

template <typename... Values>
std::string line(const Values&... values) {
  std::ostringstream out;
  const char* space = "";
  ((out << space << values, space = " "), ...);
  return out.str();
}

class RecordingSink : public RangeSink {
 public:
  std::vector<std::string> lines;
  std::vector<std::string> problems;
  uint64_t holes = 0;
  std::vector<ClockPair> clocks;
  std::vector<Sample> samples;

  void on_intro(const Intro& r) override {
    lines.push_back(line("intro", r.version, r.runtime, r.flags, r.clock.counter, r.clock.unix_us));
    for (const auto& [key, value] : r.properties) lines.push_back(line("property", key, value));
  }
  void on_load(const Load& r) override {
    lines.push_back(
        line(r.unload ? "unloaded" : "loaded", int{r.kind}, r.start_counter, r.end_counter, r.thread, r.name));
  }
  void on_image(const ImageName& r) override { lines.push_back(line("image", r.id, r.name, r.path, r.assembly)); }
  void on_library_build(const LibraryBuild& r) override { lines.push_back(line("build", r.library, r.build_id)); }
  void on_native_address(const NativeAddress& r) override { lines.push_back(line("address", r.native, r.address)); }
  void on_image_origin(const ImageOrigin& r) override {
    lines.push_back(line("origin", r.image, static_cast<int>(r.origin), r.name));
  }
  void on_method_definition(const MethodDefinition& r) override {
    lines.push_back(line("definition", r.method, r.image, r.row));
  }
  void on_unoptimized_image(const UnoptimizedImage& r) override { lines.push_back(line("unoptimized", r.image)); }
  void on_method_box(const MethodBox& r) override { lines.push_back(line("box", r.method, r.il)); }
  void on_image_symbols(const ImageSymbols& r) override {
    lines.push_back(line("symbols", r.image, r.pdb_id, r.pdb_path));
  }
  void on_class(const ClassName& r) override { lines.push_back(line("class", r.id, r.instance_size, r.image, r.name)); }
  void on_method(const MethodName& r) override {
    lines.push_back(line("method", r.id, r.klass, r.name, "raw", r.raw_name));
  }
  void on_library(const LibraryName& r) override { lines.push_back(line("library", r.id, r.path)); }
  void on_native(const NativeName& r) override { lines.push_back(line("native", r.id, r.library, r.name)); }
  void on_thread(const ThreadName& r) override { lines.push_back(line("thread", r.id, r.os_id, r.managed, r.name)); }
  void on_clock(const ClockPair& r) override { clocks.push_back(r); }
  void on_event(const Event& e) override {
    std::string text = line("event", e.number, "thread", e.thread, "at", e.counter, "values");
    for (uint32_t i = 0; i < e.value_count; ++i) text += " " + std::to_string(e.values[i]);
    if (e.stack != 0) text += " stack " + std::to_string(e.stack);
    if (!e.text.empty()) text += " '" + std::string(e.text) + "'";
    lines.push_back(text);
  }
  void on_stack_node(const StackNode& r) override {
    lines.push_back(
        line("node", r.id, "parent", r.parent, "kind", static_cast<int>(r.kind), "frame", r.frame, r.truncated));
  }
  void on_node_il(uint64_t node, uint32_t il) override { lines.push_back(line("node", node, "il", il)); }
  void on_sample(uint64_t thread, const Sample& r) override {
    samples.push_back(r);
    lines.push_back(line("sample", thread, "at", r.counter, "node", r.node, "periods", r.periods));
  }
  void on_compiling(uint64_t thread, const Compiling& r) override {
    lines.push_back(line("compiling", thread, "at", r.counter, "method", r.method, r.again, "periods", r.periods));
  }
  void on_statistical(const Statistical& r) override {
    std::string text = line("statistical", r.start, r.end, "methods");
    for (const uint64_t id : r.methods) text += " " + std::to_string(id);
    text += " natives";
    for (const uint64_t id : r.natives) text += " " + std::to_string(id);
    lines.push_back(text);
  }
  void on_coverage(const Coverage& r) override {
    lines.push_back(line("coverage", r.label, r.period, r.counts));
    for (const CoverageImage& image : r.images)
      lines.push_back(
          line("covered image", image.number, image.name, image.path, image.mvid, image.pdb_id, image.pdb_path));
    for (const MethodHits& method : r.methods) {
      lines.push_back(line("covered", method.image, method.row, method.name));
      for (const CoverageHit& point : method.points)
        lines.push_back(line(point.is_outcome ? "outcome" : "run", point.il, point.outcome, point.count));
    }
  }
  void on_call_graph(const CallGraph& r) override {
    lines.push_back(line("call graph", r.dump, "thread", r.thread, r.threads, "at", r.counter, r.frames_closed,
                         r.leaves_ignored, r.allocations_lost));
  }
  void on_call_node(const CallNode& r) override {
    std::string text = line("call node", r.id, "parent", r.parent, "method", r.method, r.running ? "runs" : "ended",
                            r.calls, r.ticks, r.exceptions, r.folded);
    for (const CallAllocation& a : r.allocations) text += line(" class", a.klass, a.objects, a.bytes);
    lines.push_back(text);
  }
  void on_call_timing(const CallTiming& r) override {
    lines.push_back(line("call timing", r.node, r.timed, r.timed_ticks, r.longs, r.long_ticks, r.waited_ns));
  }
  void on_options(const OptionChange& r) override {
    lines.push_back(line("options", r.clock.counter, r.clock.unix_us, r.module, r.running, r.options));
    for (const auto& [key, value] : r.properties) lines.push_back(line("property", key, value));
  }
  void on_heap(const HeapSnapshot& r) override {
    lines.push_back(
        line("heap", r.number, r.counter, r.cause, r.frozen_ns, r.walked_ns, r.objects, r.bytes, r.slots, r.missing));
    for (const HeapSpace& space : r.spaces) lines.push_back(line("space", space.generation, space.start, space.bytes));
    for (const HeapType& type : r.types) {
      lines.push_back(
          line("type", type.number, type.klass, type.objects, type.bytes, type.base_size, type.element_size));
      for (const HeapSlot& slot : type.slots) lines.push_back(line("slot", slot.place, slot.field));
      for (const HeapSlot& slot : type.element_slots) lines.push_back(line("element slot", slot.place, slot.field));
    }
    for (const HeapRoot& root : r.roots)
      lines.push_back(line("root", root.kind, root.object, root.holder, root.thread, root.method, root.name));
  }
  void on_heap_objects(const HeapChunk& r) override {
    lines.push_back(line("objects", r.snapshot, r.first, r.count, r.raw_size));
  }
  void on_heap_references(const HeapChunk& r) override {
    lines.push_back(line("references", r.snapshot, r.first, r.count, r.raw_size));
  }
  void on_process(const ProcessUsage& r) override {
    lines.push_back(line("process", r.clock.counter, r.clock.unix_us, r.user_us, r.system_us, r.max_rss_kb));
  }
  void on_lost(const Lost& r) override { lines.push_back(line("lost", r.reason, r.count)); }
  void on_counter(const Counter& r) override { lines.push_back(line("counter", r.name, r.count)); }
  void on_end(const End& r) override { lines.push_back(line("end", r.version, r.clock.counter, r.clock.unix_us)); }
  void on_hole() override { ++holes; }
  void on_problem(uint64_t offset, const std::string& message) override {
    problems.push_back(std::to_string(offset) + ": " + message);
  }
};

}  // namespace oriel::log
