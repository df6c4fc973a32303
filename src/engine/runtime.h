// What the engine needs of a runtime. An adapter in runtimes/NAME implements it and calls engine/engine.h back.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/watched.h"
#include "oriel/oriel.h"

namespace oriel {

// Which events somebody listens to, by number in events.def.
using EventSet = std::bitset<oriel_event_number_end>;

// What the engine itself needs of the runtime, whoever listens.
struct RuntimeNeeds {
  EventSet events;
  // Somebody resolves addresses: methods must be known while their code lives (JIT done, method freed, unloads).
  bool code_map = false;
  // Somebody samples: threads' starts and ends must be known.
  bool threads = false;
  // Filters choose methods to put probes into; which, is asked anew when the generation has changed.
  bool filters = false;
  uint32_t filter_generation = 0;
  // Meters and activities that somebody wants to hear of, beside the events that tell of them.
  Watched watched;

  bool operator==(const RuntimeNeeds&) const = default;
};

// From here on, in bytes from its start, native code was made of the IL from there on.
struct IlPoint {
  uint32_t code = 0;
  uint32_t il = 0;
};

class CodeEditor;

class Runtime {
 public:
  virtual ~Runtime() = default;

  // "CoreCLR 10.0.12". Valid as long as the runtime; any thread.
  virtual const char* name() const = 0;

  // The signal by which this runtime interrupts its own threads, and so masks where a handler would do harm; samples
  // come by it too. 0: none. Any thread.
  virtual int signal_to_share() const { return 0; }

  // Turns on what is needed and off what no longer is. Called on the engine's own thread (and once during start-up on
  // the thread that starts the runtime), never two at a time. What this runtime cannot raise it ignores.
  virtual void apply(const RuntimeNeeds& needs) = 0;

  // Why an event does not come to who asks for it now, as oriel_event_obstacle tells it; nullptr where nothing keeps it
  // from coming. The text lives as long as the process. Any thread; async-safe.
  virtual const char* obstacle(uint32_t /*event*/) const { return nullptr; }

  // The method whose code has this address now, or nullptr. For code that raised no JIT event (precompiled, or
  // compiled before anyone listened). On success also tells the code's range. Any address may be asked for, also one
  // that is nobody's code. Any of the engine's or a module's threads, not during a collection.
  virtual oriel_method* method_at(uintptr_t address, uintptr_t* start, size_t* size) = 0;

  // As oriel_native_purpose and oriel_stub_purpose. Any of the engine's or a module's threads, not during a collection.
  virtual const char* purpose_of_function(const oriel_native& /*function*/) const { return ""; }
  virtual const char* purpose_of_stub(uintptr_t /*address*/) const { return ""; }

  // Of which IL the native code that starts there now was made, by rising `code`; empty if that is not known. As above;
  // the code may be freed meanwhile.
  virtual std::vector<IlPoint> il_map(uintptr_t /*start*/) { return {}; }

  // The method that the calling thread is compiling, nullptr if it is not or that is not known; `*again` says whether
  // the method had code before. Async-safe.
  virtual oriel_method* compiled_method(bool* /*again*/) const { return nullptr; }

  // Fill in the names of a thing (engine/things/entities.h). Called at most once for each, under no lock, on any thread
  // but never in a signal handler.
  virtual void describe(oriel_domain& domain) = 0;
  virtual void describe(oriel_assembly& assembly) = 0;
  virtual void describe(oriel_image& image) = 0;
  virtual void describe(oriel_class& klass) = 0;
  virtual void describe(oriel_method& method) = 0;

  // As oriel_image_has_names, of an image that is not unloaded. Any thread but under a collection.
  virtual bool has_names(oriel_image&, const char* /*prefix*/) { return true; }
  // As oriel_image_is_optimized, of an image that is not unloaded. Any thread but under a collection.
  virtual bool is_optimized(oriel_image&) { return true; }
  // As oriel_method_is_trivial, of an image that is not unloaded. Any thread but under a collection.
  virtual bool is_trivial(oriel_image&, uint32_t /*token*/) { return false; }

  // As oriel_image_mvid, of an image that is not unloaded. Any thread but under a collection.
  virtual std::string mvid(oriel_image&) { return {}; }

  // As oriel_method_boxes. Any thread but under a collection.
  virtual std::vector<uint32_t> boxes(oriel_image&, uint32_t /*token*/) { return {}; }

  // By whom code is changed (engine/code_editor.h); nullptr where none can be. Valid as long as the runtime; any
  // thread.
  virtual CodeEditor* code_editor() { return nullptr; }

  // As oriel_guests and oriel_guest_add. Any thread.
  virtual std::vector<oriel_guest> guests() { return {}; }
  virtual Status add_guest(const std::string& /*description*/) {
    return Status::error("this runtime takes no other profilers");
  }

  // The class of a live object, nullptr if not known. Only during the callback that received the object.
  virtual oriel_class* class_of(oriel_object* object) = 0;
  // As oriel_object_field and oriel_object_text; also from managed code without a transition.
  virtual bool field_of(oriel_object*, const char* /*name*/, oriel_value*) { return false; }
  virtual size_t text_of(oriel_object*, char* /*buffer*/, size_t /*size*/) { return 0; }
};

}  // namespace oriel
