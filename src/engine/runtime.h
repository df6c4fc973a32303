// What the engine needs from a runtime. An adapter in runtimes/NAME implements it and calls engine/engine.h.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/watched.h"
#include "oriel/heap.h"
#include "oriel/oriel.h"

namespace oriel {

// Events with listeners, by number in events.def.
using EventSet = std::bitset<oriel_event_number_end>;

// The needs of the engine itself, apart from listeners.
struct RuntimeNeeds {
  EventSet events;
  // Somebody resolves addresses: methods must be known while their code lives (JIT finished, method freed, unloads).
  bool code_map = false;
  // Somebody samples: threads' starts and ends must be known.
  bool threads = false;
  // Filters select methods for probes; they are asked again when the generation changes.
  bool filters = false;
  uint32_t filter_generation = 0;
  // Subscribed meters and activities, in addition to the events that report them.
  Subscriptions watched;

  bool operator==(const RuntimeNeeds&) const = default;
};

// From this offset in native code on, code was compiled from the IL at that offset on.
struct IlPoint {
  uint32_t code = 0;
  uint32_t il = 0;
};

class CodeEditor;
struct OwnedHeap;

class Runtime {
 public:
  virtual ~Runtime() = default;

  // "CoreCLR 10.0.12". Valid as long as the runtime; any thread.
  virtual const char* name() const = 0;

  // The signal by which this runtime interrupts its own threads, and which it therefore masks where a handler would do
  // harm; samples use it too. 0: none. Any thread.
  virtual int signal_to_share() const { return 0; }

  // Whether the parts of methods that handle exceptions are functions of their own, as walks of stacks must know. Any
  // thread.
  virtual bool has_funclets() const { return true; }

  // Turns on what is needed and off what no longer is. Called on the engine's own thread (and once during start-up on
  // the thread that starts the runtime), never concurrently. Ignores what this runtime cannot raise.
  virtual void apply(const RuntimeNeeds& needs) = 0;

  // Why the program's code stays as it is, whatever filters and rewriters say; nullptr if it does not.
  virtual const char* code_obstacle() const { return nullptr; }
  // Why coverage that begins now finds nothing; nullptr if it may.
  virtual const char* coverage_obstacle() const { return nullptr; }

  // For an engine that was attached to a running program, once after the first `apply`: takes in what exists already,
  // as far as it cannot be asked for later. On the thread that called `apply`.
  virtual void catch_up() {}
  // The engine asks nothing any more: has the runtime let go of it, which ends with engine_detached. An error if the
  // runtime keeps it.
  virtual Status leave() { return Status::error("this runtime keeps it"); }

  // Why an event cannot reach a callback that is set now, as in oriel_event_obstacle; nullptr without an obstacle. The
  // text lives as long as the process. Any thread; async-safe.
  virtual const char* obstacle(uint32_t /*event*/) const { return nullptr; }

  // The method whose code has this address now, or nullptr. For code without a JIT event (precompiled, or compiled
  // before anyone listened). On success also returns the code's range. Any address is allowed, even outside code. Any
  // of the engine's or a module's threads, not during a collection.
  virtual oriel_method* method_at(uintptr_t address, uintptr_t* start, size_t* size) = 0;

  // As oriel_native_purpose and oriel_stub_purpose. Any of the engine's or a module's threads, not during a collection.
  virtual const char* purpose_of_function(const oriel_native& /*function*/) const { return ""; }
  virtual const char* purpose_of_stub(uintptr_t /*address*/) const { return ""; }

  // Of which IL the native code that starts there now was made, by rising `code`; empty if that is not known. As above;
  // the code may be freed meanwhile.
  virtual std::vector<IlPoint> il_map(uintptr_t /*start*/) { return {}; }

  // The method that the calling thread is compiling, nullptr if none or unknown; `*again` says whether the method had
  // code before. Async-safe.
  virtual oriel_method* compiled_method(bool* /*again*/) const { return nullptr; }

  // Fill in the names of a thing (engine/things/entities.h). Called at most once for each, without a lock, on any
  // thread but never in a signal handler.
  virtual void describe(oriel_domain& domain) = 0;
  virtual void describe(oriel_assembly& assembly) = 0;
  virtual void describe(oriel_image& image) = 0;
  virtual void describe(oriel_class& klass) = 0;
  virtual void describe(oriel_method& method) = 0;

  // As oriel_class_raw_name, oriel_class_element and oriel_method_declaring_class. Any thread, except during a
  // collection.
  virtual std::string raw_name(oriel_class&) { return {}; }
  virtual oriel_class* element_of(oriel_class&) { return nullptr; }
  virtual oriel_class* declaring_class(oriel_method&) { return nullptr; }

  // As oriel_image_has_names, for a loaded image. Any thread, except during a collection.
  virtual bool has_names(oriel_image&, const char* /*prefix*/) { return true; }
  // As oriel_image_is_optimized, for a loaded image. Any thread, except during a collection.
  virtual bool is_optimized(oriel_image&) { return true; }
  // As oriel_method_is_trivial, for a loaded image. Any thread, except during a collection.
  virtual bool is_trivial(oriel_image&, uint32_t /*token*/) { return false; }

  // As oriel_image_mvid, for a loaded image. Any thread, except during a collection.
  virtual std::string mvid(oriel_image&) { return {}; }

  // As oriel_method_boxes. Any thread, except during a collection.
  virtual std::vector<uint32_t> boxes(oriel_image&, uint32_t /*token*/) { return {}; }

  // The editor of code (engine/code_editor.h); nullptr if code cannot be changed. Valid as long as the runtime; any
  // thread.
  virtual CodeEditor* code_editor() { return nullptr; }

  // Whether the runtime counts itself how often code runs, because Oriel cannot have code count. Then collect_counts
  // gives hits::add_runs what it counted of the method, or of all methods for nullptr. Any thread, without a lock; not
  // during a collection.
  virtual bool counts_code() const { return false; }
  virtual void collect_counts(const oriel_method* /*method*/) {}

  // As oriel_guests and oriel_guest_add. Any thread.
  virtual std::vector<oriel_guest> guests() { return {}; }
  virtual Status add_guest(const std::string& /*description*/) {
    return Status::error("this runtime takes no other profilers");
  }

  // As oriel_heap_snapshot, one at a time: fills everything in but what `close` does.
  virtual Status snapshot(const oriel_heap_visitor&, OwnedHeap&) {
    return Status::error("this runtime has no snapshots of its heap");
  }

  // As oriel_object_follow.
  virtual uint32_t follow(oriel_object* /*object*/, uint64_t /*size*/) { return 0; }

  // The class of a live object, nullptr if unknown. Only during the callback that received the object.
  virtual oriel_class* class_of(oriel_object* object) = 0;
  // As oriel_object_field and oriel_object_text; also from managed code without a transition.
  virtual bool field_of(oriel_object*, const char* /*name*/, oriel_value*) { return false; }
  virtual size_t text_of(oriel_object*, char* /*buffer*/, size_t /*size*/) { return 0; }
};

}  // namespace oriel
