// The engine's interface for runtime adapters: start and stop, the runtime's things, code ranges, raising events.
//
// There is one engine per process, made on first use and never destroyed: threads may still be in it while the process
// exits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "engine/raise.h"
#include "engine/runtime.h"
#include "engine/things/entities.h"

namespace oriel {

// Starts the engine for `runtime` (kept, not owned): loads the modules in ORIEL_PROFILERS ("NAME:args", joined by ';'),
// applies their needs to the runtime, and starts the engine's own thread (only if a module was loaded). A module that
// cannot be loaded is reported once on stderr and skipped. Call once, before managed code runs.
void engine_start(Runtime& runtime);

// Raises runtime_shutdown_end if it was not raised yet, stops sampling and calls the cleanup callbacks. Idempotent.
void engine_stop();

// Call when the runtime is about to abort the process, on this thread and not in a signal handler: raises process_abort
// and stops the engine, so that modules write their data.
void engine_before_abort();

// Finds or makes the record for a runtime's id. `runtime_id` must not be 0. Never in a signal handler.
oriel_domain* intern_domain(uintptr_t runtime_id);
oriel_assembly* intern_assembly(uintptr_t runtime_id);
oriel_image* intern_image(uintptr_t runtime_id);
// If the adapter passes a new record's image and metadata token, an unload of the image finds the record without asking
// the runtime.
oriel_class* intern_class(uintptr_t runtime_id, oriel_image* image = nullptr, uint32_t token = 0);
oriel_method* intern_method(uintptr_t runtime_id, oriel_image* image = nullptr, uint32_t token = 0);
// A class known only by image and typeDef token, for instance a method's class whose exact instantiation has no runtime
// id.
oriel_class* intern_class(oriel_image* image, uint32_t token);
// A method known only by image and methodDef token. `shared`: it is the definition of a generic method, which its
// instantiations share; otherwise it is the method itself, whose runtime id may come later.
oriel_method* intern_method_definition(oriel_image* image, uint32_t token, bool shared);
// Says that the class or method is constructed from a type of this image (an array element or generic argument), so
// that it is unloaded with that image too. Called when the record gets its own image, or in describe.
void made_of(oriel_class& klass, oriel_image& image);
void made_of(oriel_method& method, oriel_image& image);
// The record if it exists, else nullptr. Neither locks nor allocates: callable for each event, in any context.
oriel_class* find_class(uintptr_t runtime_id);
oriel_method* find_method(uintptr_t runtime_id);
oriel_image* find_image(uintptr_t runtime_id);
oriel_thread* find_thread(uintptr_t runtime_id);

// Call before a thing is unloaded: fetches names still missing (for an image also those of its classes and methods, and
// of those constructed from its types).
void before_unload(oriel_domain* domain);
void before_unload(oriel_assembly* assembly);
void before_unload(oriel_image* image);
void before_unload(oriel_class* klass);
void before_unload(oriel_method* method);
// Call after it is unloaded: its runtime id may be reused. For an image also what before_unload described, and code.
void after_unload(oriel_domain* domain);
void after_unload(oriel_assembly* assembly);
void after_unload(oriel_image* image);
void after_unload(oriel_class* klass);
void after_unload(oriel_method* method);

// The runtime has let go of the engine. Things that no image's unload takes along may go without notice from now on:
// forgets their runtime ids (dynamic methods, arrays).
void forget_without_image();

// Managed threads. Call `thread_attached` on or for the thread once its OS id is known (starts sampling it); an
// existing record for that live OS thread becomes managed. Call `thread_detached` when it ends.
oriel_thread* thread_attached(uintptr_t runtime_id, uint32_t os_id);
void thread_renamed(oriel_thread* thread, const char* utf8_name);
void thread_detached(oriel_thread* thread);

// The runtime has let go of the engine: threads may be renamed from now on without notice.
void forget_names_of_threads();

// A method's code appears, or is freed (all of it). Freed code stays resolvable for the time when it existed.
void code_added(oriel_method* method, uintptr_t start, size_t size);
void code_removed(oriel_method* method);
// A method's code is found that was there before anybody listened.
void code_found(oriel_method* method, uintptr_t start, size_t size);

// Describes the thing on first use; see oriel.h. If another thread is asking the runtime, waits for it, up to 2 s (it
// may itself wait for a runtime lock that the caller holds). Afterwards names are known unless that failed: check
// `described`.
void ensure_described(oriel_domain& domain);
void ensure_described(oriel_assembly& assembly);
void ensure_described(oriel_image& image);
void ensure_described(oriel_class& klass);
void ensure_described(oriel_method& method);

// A warning for the user: one line on stderr, "oriel: MESSAGE".
void warn(const char* message);
// If the process that gathers several processes' messages was killed, prints what it gathered.
void print_orphaned_messages();

}  // namespace oriel
