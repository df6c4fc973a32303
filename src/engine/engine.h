// The engine's face towards runtime adapters: start and stop, the runtime's things, code ranges, raising events.
//
// One engine a process, made on first use and never destroyed: threads may still be in it while the process exits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "engine/raise.h"
#include "engine/runtime.h"
#include "engine/things/entities.h"

namespace oriel {

// Starts the engine for `runtime` (kept, not owned): loads the modules that ORIEL_PROFILERS names ("NAME:args", joined
// by ';'), applies what they want to the runtime and starts the engine's own thread (only if a module was loaded).
// A module that cannot be loaded is said once on stderr and left out. Call once, before managed code runs.
void engine_start(Runtime& runtime);

// Raises runtime_shutdown_end if not yet raised, stops sampling, calls the cleanup callbacks. Further calls do nothing.
void engine_stop();

// The runtime aborts the process next, on this thread and not in a signal handler: raises process_abort and stops the
// engine, so that modules write what they have.
void engine_before_abort();

// Finds the record of a runtime's id, or makes it. `runtime_id` must not be 0. Never in a signal handler.
oriel_domain* intern_domain(uintptr_t runtime_id);
oriel_assembly* intern_assembly(uintptr_t runtime_id);
oriel_image* intern_image(uintptr_t runtime_id);
// An adapter that knows a new record's image and metadata token gives them here; then an unload of the image finds the
// record without asking the runtime.
oriel_class* intern_class(uintptr_t runtime_id, oriel_image* image = nullptr, uint32_t token = 0);
oriel_method* intern_method(uintptr_t runtime_id, oriel_image* image = nullptr, uint32_t token = 0);
// A class known only by image and typeDef token, as a method's class whose exact instantiation has no runtime id.
oriel_class* intern_class(oriel_image* image, uint32_t token);
// A method known only by image and methodDef token. `shared`: it is generic, and this is the definition that its
// instantiations share; otherwise it is the method itself, whose runtime id may come later.
oriel_method* intern_method_definition(oriel_image* image, uint32_t token, bool shared);
// The class or method is made of a type of this image: an element of an array, a generic argument. It goes with that
// image, as with its own. Said where the record's own image is given, or when it is described.
void made_of(oriel_class& klass, oriel_image& image);
void made_of(oriel_method& method, oriel_image& image);
// The record if it exists, else nullptr. Neither locks nor allocates: may be asked for each event, in any context.
oriel_class* find_class(uintptr_t runtime_id);
oriel_method* find_method(uintptr_t runtime_id);
oriel_image* find_image(uintptr_t runtime_id);
oriel_thread* find_thread(uintptr_t runtime_id);

// A thing is about to be unloaded: fetches names still missing (of an image: of its classes and methods too, and of
// those made of its types).
void before_unload(oriel_domain* domain);
void before_unload(oriel_assembly* assembly);
void before_unload(oriel_image* image);
void before_unload(oriel_class* klass);
void before_unload(oriel_method* method);
// It is gone: its runtime id may come again for another. Of an image: what before_unload described, and code too.
void after_unload(oriel_domain* domain);
void after_unload(oriel_assembly* assembly);
void after_unload(oriel_image* image);
void after_unload(oriel_class* klass);
void after_unload(oriel_method* method);

// Managed threads. `thread_attached` on or for the thread once its OS id is known (starts sampling it); a record for
// that live OS thread that is already known becomes managed. `thread_detached` when it ends.
oriel_thread* thread_attached(uintptr_t runtime_id, uint32_t os_id);
void thread_renamed(oriel_thread* thread, const char* utf8_name);
void thread_detached(oriel_thread* thread);

// Code of a method came into being, or goes away (all of its code). What is gone stays resolvable for its time.
void code_added(oriel_method* method, uintptr_t start, size_t size);
void code_removed(oriel_method* method);

// Names, described on first demand; see oriel.h. If another thread is asking the runtime, waits for it, 2 s at most
// (it may itself wait for a lock of the runtime that the caller holds). Afterwards names are known unless that failed:
// check `described`.
void ensure_described(oriel_domain& domain);
void ensure_described(oriel_assembly& assembly);
void ensure_described(oriel_image& image);
void ensure_described(oriel_class& klass);
void ensure_described(oriel_method& method);

// A warning for the user: one line on stderr, "oriel: MESSAGE".
void warn(const char* message);
// What was to be said by the process that gathers several processes' messages, should it have been killed: says it.
void tell_gathered_if_left();

}  // namespace oriel
