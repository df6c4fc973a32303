// What importers say of a file, and the log that is made of it. Everything is kept until it is written, as names and
// losses are often known last.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/status.h"
#include "log/format.h"
#include "log/writer.h"
#include "profile/hashed_rows.h"

namespace oriel::imports {

class LogMaker {
 public:
  std::string runtime;
  uint64_t unix_us = 0;  // when the file begins; 0: not known
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<log::Lost> lost;

  // Ids, the same for the same arguments. Names may have any bytes. An image may have no name, a class and a native
  // function's library too.
  uint64_t image(const std::string& path);
  uint64_t klass(const std::string& name, uint64_t image);
  uint64_t method(uint64_t klass, const std::string& name, const std::string& raw_name = "");
  uint64_t native(const std::string& name, const std::string& library);
  void origin(uint64_t image, log::Origin origin, const std::string& name);
  uint64_t thread(uint64_t os_id, const std::string& name, bool managed);
  // A thread's id: it is found to run managed code.
  void runs_managed(uint64_t thread) { names_.threads[thread - 1].managed = true; }

  // The node of a frame below another node; 0 is the root.
  uint64_t node(uint64_t parent, log::FrameKind kind, uint64_t frame, bool truncated = false);

  // Times are nanoseconds since the file begins.
  void sample(uint64_t thread, uint64_t ns, uint64_t node, uint64_t periods);
  // Fields are numbers and texts, in the order of events.def.
  class Event;
  Event event(uint64_t thread, uint64_t ns, uint32_t number, uint64_t stack = 0);

  // What one thread called, added up. Its counter is that of the log's end.
  void call_graph(log::CallGraph graph);
  void gc_part(const log::GcPart& part) { gc_parts_.parts.push_back(part); }

  void seen_until(uint64_t ns);
  // That the thread was there until then, where its last sample began earlier.
  void thread_until(uint64_t thread, uint64_t ns);

  // What is not in the log, counted: leave_out("profile of another unit", "profiles of another unit", 3).
  void leave_out(const std::string& one, const std::string& many, uint64_t count = 1);
  // That the file is not whole, and how: a sentence without its full stop.
  void say_cut(std::string sentence) { cut_ = std::move(sentence); }
  std::string left_out() const;

  const std::string& cut() const { return cut_; }
  uint64_t samples() const { return samples_; }
  uint64_t events() const { return events_; }
  uint64_t calls() const { return calls_; }

  // All of the log, up to its end.
  Status write(log::Writer& writer);

 private:
  struct NodeKey {
    uint64_t parent = 0;
    uint64_t frame = 0;  // * 4, + 1 of a native one, + 2 if callers are missing
    uint64_t hash() const { return profile::mix(parent, frame); }
    bool same(const NodeKey& other) const { return parent == other.parent && frame == other.frame; }
  };
  struct Told {
    uint64_t ns = 0;
    uint32_t number = 0;
    uint32_t size = 0;
    size_t at = 0;  // of its fields
    uint64_t stack = 0;
  };
  struct LeftOut {
    std::string one, many;
    uint64_t count = 0;
  };
  struct OfThread {
    std::vector<log::Sample> samples;
    std::vector<Told> events;
  };

  void write_names(log::Writer& writer) const;
  void write_nodes(log::Writer& writer) const;
  Status write_calls(uint64_t end, log::Writer& writer);
  Status write_thread(uint64_t thread, OfThread& of_thread, log::Writer& writer) const;
  ClockPair clock_at(uint64_t ns) const { return {ns, unix_us + ns / 1000}; }

  log::Mapping names_;
  std::set<uint64_t> has_origin_;  // images
  std::map<std::string, uint64_t> images_, libraries_;
  std::map<std::pair<uint64_t, std::string>, uint64_t> classes_, methods_, natives_;
  std::map<std::pair<uint64_t, std::string>, uint64_t> thread_ids_;
  profile::HashedRows<NodeKey> nodes_;
  std::vector<OfThread> threads_;  // by id, from 1
  std::vector<log::CallGraph> call_graphs_;
  log::GcParts gc_parts_;
  std::vector<uint8_t> fields_;
  std::vector<LeftOut> left_out_;
  std::string cut_;
  uint64_t samples_ = 0;
  uint64_t events_ = 0;
  uint64_t calls_ = 0;
  uint64_t end_ns_ = 0;

  friend class Event;
};

// Takes an event's fields: maker.event(…).add(1).add("text").
class LogMaker::Event {
 public:
  Event(LogMaker& maker, uint64_t thread) : maker_(maker), thread_(thread) {}
  Event& add(uint64_t value);
  Event& add(const std::string& text);

 private:
  void keep(const uint8_t* bytes, const uint8_t* end);

  LogMaker& maker_;
  uint64_t thread_;
};

}  // namespace oriel::imports
