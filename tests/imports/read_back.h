// What a log has that an importer made, as a decoder tells it.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "imports/log_maker.h"
#include "log/decoder.h"
#include "log/properties.h"

namespace oriel::imports {

struct ReadBack : log::EventSink {
  struct Taken {
    uint64_t thread = 0;
    uint64_t ns = 0;
    std::string stack;  // outermost first, with ; between frames
    uint64_t periods = 0;
  };

  log::Intro intro;
  std::vector<Taken> samples;
  std::vector<log::Event> events;
  std::vector<log::CallGraph> graphs;
  std::vector<log::GcPart> gc_parts;
  std::map<uint64_t, std::string> classes, images, methods, libraries, natives;
  std::map<uint64_t, log::ThreadName> threads;
  std::map<std::string, uint64_t> lost;
  bool ended = false;
  uint64_t end_ns = 0;

  std::string property(const std::string& name) const {
    for (const auto& [key, value] : intro.properties)
      if (key == name) return value;
    return "";
  }
  // Periods by stack.
  std::map<std::string, uint64_t> stacks() const {
    std::map<std::string, uint64_t> sums;
    for (const Taken& sample : samples) sums[sample.stack] += sample.periods;
    return sums;
  }
  std::vector<log::Event> events_of(uint32_t number) const {
    std::vector<log::Event> found;
    for (const log::Event& event : events)
      if (event.number == number) found.push_back(event);
    return found;
  }

  void on_intro(const log::Intro& read) override { intro = read; }
  void on_image(const log::ImageName& image) override { images[image.id] = image.name; }
  void on_class(const log::ClassName& klass) override {
    classes[klass.id] = klass.name;
    image_of_[klass.id] = klass.image;
  }
  void on_method(const log::MethodName& method) override {
    methods[method.id] = classes[method.klass] + "." + method.name;
    class_of_[method.id] = method.klass;
  }
  void on_library(const log::LibraryName& library) override { libraries[library.id] = library.path; }
  void on_native(const log::NativeName& native) override {
    natives[native.id] = native.name + (native.library == 0 ? "" : "@" + libraries[native.library]);
  }
  void on_thread(const log::ThreadName& thread) override { threads[thread.id] = thread; }
  void on_stack_node(const log::StackNode& node) override {
    const std::string name = node.kind == log::FrameKind::kManaged ? method_name(node.frame) : natives[node.frame];
    stacks_[node.id] = (node.parent == 0 ? (node.truncated ? "…;" : "") : stacks_[node.parent] + ";") + name;
  }
  void on_sample(uint64_t thread, const log::Sample& sample) override {
    samples.push_back({thread, sample.counter, stacks_[sample.node], sample.periods});
  }
  void on_event(const log::Event& event) override { events.push_back(event); }
  void on_call_graph(const log::CallGraph& graph) override { graphs.push_back(graph); }
  void on_call_node(const log::CallNode& node) override { graphs.back().nodes.push_back(node); }
  void on_call_entries(const log::CallEntries& entries) override { graphs.back().entries.push_back(entries); }
  void on_gc_parts(const log::GcParts& parts) override { gc_parts = parts.parts; }
  void on_lost(const log::Lost& one) override { lost[one.reason] = one.count; }
  void on_end(const log::End& end) override { ended = true, end_ns = end.clock.counter; }

 private:
  // Images come behind methods.
  std::string method_name(uint64_t id) {
    const std::string image = images[image_of_[class_of_[id]]];
    return (image.empty() ? "" : image + "!") + methods[id];
  }

  std::map<uint64_t, uint64_t> image_of_, class_of_;
  std::map<uint64_t, std::string> stacks_;
};

inline ReadBack read_back(LogMaker& maker) {
  const int file = memfd_create("test", MFD_CLOEXEC);
  auto writer = log::Writer::create_unnamed(file);
  ReadBack read;
  if (!writer || !maker.write(**writer)) return read;
  (*writer)->close();
  (void)log::decode_file("/proc/self/fd/" + std::to_string(file), read);
  close(file);
  return read;
}

}  // namespace oriel::imports
