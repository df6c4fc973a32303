#include "runtimes/coreclr/adapter.h"

#include <algorithm>
#include <csignal>
#include <set>
#include <utility>

#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/things/code_map.h"
#include "il/decode.h"
#include "il/probes/boxes.h"
#include "il/trivial.h"
#include "runtimes/coreclr/code_purpose.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/com/module_flags.h"
#include "runtimes/coreclr/exceptions_in_flight.h"
#include "runtimes/coreclr/heap/snapshot.h"
#include "runtimes/coreclr/names/things.h"
#include "runtimes/coreclr/native_code.h"
#include "runtimes/coreclr/object_pins.h"
#include "runtimes/coreclr/unavailable_events.h"

namespace oriel::coreclr {
namespace {

std::string runtime_name(ProfilerInfo& info) {
  uint16_t instance = 0, major = 0, minor = 0, build = 0, revision = 0;
  uint32_t type = 0, length = 0;
  const HResult result =
      info.GetRuntimeInformation(&instance, &type, &major, &minor, &build, &revision, 0, &length, nullptr);
  if (failed(result)) return "CoreCLR";
  return "CoreCLR " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace

Adapter::Adapter(ComPtr<ProfilerInfo> info, OtherProfilers& other_profilers, Coming coming)
    : coming_(coming),
      other_profilers_(other_profilers),
      info_(std::move(info)),
      major_version_(coreclr::major_version(*info_.get())),
      name_(runtime_name(*info_.get())),
      modules_(*info_.get()),
      instrumenter_(names(), [this] { set_mask(); }),
      editor_(names(), instrumenter_),
      exception_clauses_(*info_.get(), instrumenter_.sites),
      object_fields_(*info_.get(), modules_),
      weak_handles_(*info_.get()),
      followed_(weak_handles_),
      quiet_ends_(names(), instrumenter_.bodies.tokens(), other_profilers),
      runtime_events_(*info_.get(), major_version_, [this] { return remove_exit_waits(); }) {}

// The signal by which CoreCLR's PAL interrupts a thread for a suspension. The PAL's fault handler masks it while it
// runs on the alternate stack.
int Adapter::signal_to_share() const { return SIGRTMIN; }

void Adapter::apply(const RuntimeNeeds& needs) {
  const bool running = started_.load(std::memory_order_relaxed);
  {
    const std::lock_guard guard(mask_lock_);
    needs_ = needs;
  }
  code_map_wanted_.store(needs.code_map, std::memory_order_relaxed);
  const bool changes_code = needs.filters && !only_watches();
  if (!changes_code) {
    instrumenter_.compilations.stop();
    any_selected_.store(false, std::memory_order_release);
  }
  set_mask();
  if (changes_code) {
    // After the mask is set, because images that are loaded from now on report themselves.
    if (!follows_compilations() && may_choose_in_loaded()) follow_compilations();
    instrumenter_.compilations.start();
  }
  // A listener that stops following new objects still learns what becomes of those that it follows.
  follow_objects(needs.events.test(oriel_event_gc_allocation_followed) ||
                 needs.events.test(oriel_event_gc_followed_gone));
  runtime_events_.apply(needs.events, needs.watched, running);
  // Covers code that runs already. Repeated at each call until it succeeds, because it may fail for lack of memory.
  if (running && !only_watches() && needs.filter_generation != refiltered_) instrumenter_.refilter.run();
  compile_quiet_ends();
  refiltered_ = needs.filter_generation;
}

void Adapter::catch_up() {
  set_mask();  // unloads are reported, even if nothing is wanted
  learn_code_that_can_go();
}

// Names of code are asked for when they are needed. Code that can be unloaded may be gone by then.
void Adapter::learn_code_that_can_go() {
  std::set<ModuleID> can_go;
  for (const ModuleID module : modules_.all())
    modules_.while_loaded(module, [&] {
      if (can_be_unloaded(info(), module)) can_go.insert(module);
    });
  if (can_go.empty()) return;
  const Held held;  // so that the functions in the list are there
  ComPtr<FunctionEnum> functions;
  if (failed(info_->EnumJITedFunctions2(reinterpret_cast<void**>(functions.receive())))) return;
  JitedFunction jited{};
  uint32_t fetched = 0;
  while (functions->Next(1, &jited, &fetched) == kOk && fetched == 1) {
    const FunctionFacts facts = function_facts(info(), jited.function);
    bool goes = can_go.contains(facts.module);
    for_each_module(info(), facts, [&](ModuleID module) { goes = goes || can_go.contains(module); });
    if (!goes || !is_alive(held, jited.function)) continue;
    oriel_method* const method = method_of(info(), jited.function);
    for (const CodeRegion& region : code_regions(info(), jited.function, jited.version))
      code_found(method, region.code.start, region.code.size);
  }
}

// Unloads are reported until the mask is empty, so the runtime can be asked until then.
Status Adapter::leave() {
  if (!only_watches()) return Status::error("its runtime keeps a profiler that may have changed code");
  followed_.turn(false);
  for (const ModuleID module : modules_.all())
    modules_.while_loaded(module, [&] {
      if (oriel_image* const image = find_image(module); image && can_be_unloaded(info(), module))
        can_go_.push_back(image);
    });
  // Milliseconds: the least time after which the runtime looks whether it can let go. If it were asked to do so
  // earlier, and its thread came late, it would look after five seconds: profdetach.cpp of dotnet/runtime.
  constexpr uint32_t kSoon = 300;
  info_->SetEventMask2(0, 0);
  const HResult asked = info_->RequestProfilerDetach(kSoon);
  if (succeeded(asked)) return Status::ok();
  can_go_.clear();
  {
    const std::lock_guard guard(mask_lock_);
    in_force_ = {};
  }
  set_mask();  // unloads are reported on
  return Status::error("the runtime keeps it (" + hresult_text(asked) + ")");
}

void Adapter::left() {
  for (oriel_image* const image : can_go_) after_unload(image);
  forget_without_image();
  forget_exceptions_in_flight();
  forget_pins();
}

void Adapter::started() {
  const std::lock_guard guard(mask_lock_);
  gc_requested_too_late_.store((ever_in_force_.low & kMonitorGc) == 0, std::memory_order_relaxed);
  started_.store(true, std::memory_order_relaxed);
}

const char* Adapter::code_obstacle() const {
  return only_watches() ? "Oriel was attached only to watch this program, so its code gets no probes; end that, and "
                          "attach it with what needs probes, such as oriel attach PID --calls"
                        : nullptr;
}

const char* Adapter::obstacle(uint32_t event) const {
  if (gc_requested_too_late_.load(std::memory_order_relaxed) && needs_startup_request(event)) return kRequestedTooLate;
  if (const char* const never = why_unavailable(event)) return never;
  // What becomes of objects is reported only for followed objects.
  const bool of_followed = event == oriel_event_gc_followed_gone || event == oriel_event_gc_followed_part;
  return runtime_events_.obstacle(of_followed ? uint32_t{oriel_event_gc_allocation_followed} : event);
}

void Adapter::set_mask() {
  bool threads_are_new = false;
  {
    const std::lock_guard guard(mask_lock_);
    const EventMask wanted = wanted_mask();
    if (wanted == in_force_) return;
    if (failed(info_->SetEventMask2(wanted.low, wanted.high))) {
      warn("the runtime refused to turn events on or off; some will be missing, the program runs on");
      return;
    }
    threads_are_new = (wanted.low & ~in_force_.low & kMonitorThreads) != 0;
    in_force_ = wanted;
    ever_in_force_ = ever_in_force_ | wanted;
  }
  if (threads_are_new && started_.load(std::memory_order_relaxed)) attach_known_threads();
}

// Under mask_lock_.
EventMask Adapter::wanted_mask() {
  EventMask wanted = event_mask(needs_) | lasting_mask(ever_in_force_);
  if (!only_watches()) {
    wanted = wanted | standing_mask();
    if (needs_.filters && follows_compilations()) wanted = wanted | compilation_mask();
    if (instrumenter_.bodies.needs_exception_callbacks()) wanted = wanted | exception_mask();
  }
  if (quiet_ends_.is_wanted() || is_attached()) wanted = wanted | unload_mask();
  if (coming_ == Coming::kToChangeCode) wanted.low |= kEnableReJit;
  wanted = without_late_gc(wanted);
  return is_attached() ? after_attach(wanted) : wanted;
}

void Adapter::follow_compilations() {
  any_selected_.store(true, std::memory_order_release);
  set_mask();
}

void Adapter::image_attached(ModuleID module) {
  if (has_filters() && !follows_compilations() && instrumenter_.sites.concerns(module)) follow_compilations();
  // Precompiled code of new modules is not reported before it is used where Oriel was attached. So it is compiled anew
  // (apply), for which the engine's thread must ask.
  if (is_attached() && !only_watches() && (quiet_ends_.has_changed() || has_filters())) filters_changed();
}

const char* Adapter::remove_exit_waits() {
  if (only_watches())
    return "values of counters and activities can hang the end of a program whose code stays as it is, and Oriel was "
           "attached only to watch this one; they are missing";
  if (!quiet_ends_.want()) return nullptr;
  set_mask();  // modules that are loaded from now on report themselves
  for (const ModuleID module : modules_.all()) modules_.while_loaded(module, [&] { quiet_ends_.look_at(module); });
  compile_quiet_ends();
  return nullptr;
}

// Code that existed before the attach, and precompiled code, which cannot be refused then.
void Adapter::compile_quiet_ends() {
  if (!is_attached()) return;
  for (const MethodKey& key : quiet_ends_.take_changed()) {
    ModuleID module = key.module;
    Token method = key.token;
    modules_.while_loaded(module, [&] { info_->RequestReJIT(Held(), 1, &module, &method); });
  }
}

bool Adapter::may_choose_in_loaded() {
  bool may = false;
  for (const ModuleID module : modules_.all())
    modules_.while_loaded(module, [&] { may = may || ask_image_filters(intern_image(module)); });
  return may;
}

// Not while a guest listens to handles: it would receive Oriel's, for objects that have no class yet.
void Adapter::follow_objects(bool wanted) {
  const bool may = weak_handles_.can_make() && (other_profilers_.mask_in_force().low & kMonitorGc) == 0;
  followed_.turn(wanted && may);
}

// The runtime accepts this bit only if it was set at start-up.
EventMask Adapter::without_late_gc(EventMask wanted) {
  if (!gc_requested_too_late_.load(std::memory_order_relaxed) || (wanted.low & kMonitorGc) == 0) return wanted;
  if (!std::exchange(said_late_gc_, true)) warn(kRequestedTooLate);
  wanted.low &= ~kMonitorGc;
  return wanted;
}

void Adapter::attach_known_threads() {
  ComPtr<ThreadEnum> threads;
  if (failed(info_->EnumThreads(reinterpret_cast<void**>(threads.receive())))) return;
  ThreadID thread = 0;
  uint32_t fetched = 0;
  while (threads->Next(1, &thread, &fetched) == kOk && fetched == 1) {
    uint32_t os_id = 0;
    if (succeeded(info_->GetThreadInfo(thread, &os_id)) && os_id != 0) thread_attached(thread, os_id);
  }
}

// The engine asks late: the thing may be gone by now.
template <typename Thing>
void Adapter::describe_if_there(Thing& thing) {
  const Held held;
  if (is_there(held, thing)) coreclr::describe(names(), thing);
}

std::string Adapter::raw_name(oriel_class& klass) {
  const Held held;
  return is_there(held, klass) ? coreclr::raw_name(names(), klass) : std::string();
}

oriel_class* Adapter::element_of(oriel_class& klass) {
  const Held held;
  return is_there(held, klass) ? coreclr::element_of(names(), klass) : nullptr;
}

oriel_class* Adapter::declaring_class(oriel_method& method) {
  const Held held;
  return is_there(held, method) ? coreclr::declaring_class(names(), method) : nullptr;
}

oriel_method* Adapter::method_at(uintptr_t address, uintptr_t* start, size_t* size) {
  unload::wait_for_unloads();
  const Held held;
  if (held.unload_is_under_way() || !is_handed_out(address)) return nullptr;
  FunctionID function = 0;
  ReJITID version = 0;
  const auto* ip = reinterpret_cast<const uint8_t*>(address);
  if (failed(info_->GetFunctionFromIP3(held, ip, &function, &version)) || function == 0) return nullptr;
  if (!is_alive(held, function)) return nullptr;
  const CodeInfo region = code_region_at(info(), function, version, address);
  if (region.size == 0) return nullptr;
  *start = region.start;
  *size = region.size;
  return method_of(info(), function);
}

Status Adapter::snapshot(const oriel_heap_visitor& visitor, OwnedHeap& heap) {
  return take_snapshot(names(), *this, visitor, heap);
}

std::vector<IlPoint> Adapter::il_map(uintptr_t start) {
  unload::wait_for_unloads();
  const Held held;
  std::vector<IlPoint> points;
  FunctionID function = 0;
  ReJITID version = 0;
  const auto* ip = reinterpret_cast<const uint8_t*>(start);
  if (held.unload_is_under_way() || failed(info_->GetFunctionFromIP3(held, ip, &function, &version)) || function == 0 ||
      !is_alive(held, function))
    return points;
  for (const IlRange& range : il_ranges(info(), start)) {
    if (range.has_il() && range.begin != range.end) points.push_back({range.begin, range.il});
  }
  std::ranges::stable_sort(points, {}, &IlPoint::code);
  return points;
}

// The runtime finds generated code in its own tables; see PrecompiledCode for precompiled code.
bool Adapter::is_handed_out(uintptr_t address) {
  const ExecutableMapping mapping = executable_mapping(address);
  if (mapping.end == 0) return false;
  if (mapping.generated || precompiled_.reaches(info(), mapping.start, address)) return true;
  return is_attached() && precompiled_.search(info(), modules_, mapping.start, address);
}

// Code instantiated over types of an unloaded module goes with that module, even if its method belongs to another.
bool Adapter::is_alive(const Held& held, FunctionID function) {
  if (held.is_gone(function)) return false;
  Bool dynamic = 0;
  if (succeeded(info_->IsFunctionDynamic(held, function, &dynamic)) && dynamic) return true;
  const FunctionFacts facts = function_facts(info(), function);
  bool alive = facts.module != 0 && !held.is_gone(facts.module);
  for_each_module(info(), facts, [&](ModuleID module) { alive = alive && !held.is_gone(module); });
  return alive;
}

const char* Adapter::purpose_of_function(const oriel_native& function) const {
  return coreclr::purpose_of_function(function);
}

const char* Adapter::purpose_of_stub(uintptr_t address) const { return coreclr::purpose_of_stub(address); }

bool Adapter::has_names(oriel_image& image, const char* prefix) {
  const Held held;
  if (!is_there(held, image)) return true;
  if (is_made_by_program(*info_.get(), image.runtime_id)) return true;
  const ModuleMetadata metadata = modules_.metadata(image.runtime_id);
  return !metadata.is_open() || metadata.has_names(prefix);
}

bool Adapter::is_optimized(oriel_image& image) {
  const Held held;
  if (!is_there(held, image)) return true;
  const ModuleMetadata metadata = modules_.metadata(image.runtime_id);
  return !metadata.is_open() || metadata.is_optimized();
}

bool Adapter::is_trivial(oriel_image& image, uint32_t token) {
  const Held held;
  if (!is_there(held, image)) return false;
  const Result<il::Body> body = il::decode(instrumenter_.sites.original_body({image.runtime_id, token}));
  if (!body || (!il::is_trivial(*body) && !il::is_trivial(*body, il::MethodKind::kConstructor))) return false;
  const std::string name = modules_.metadata(image.runtime_id).named_method(token).name;
  if (name == "Main" || name == "<Main>$") return false;
  const bool constructor = name == ".ctor" || name == ".cctor";
  return constructor || il::is_trivial(*body);
}

std::string Adapter::mvid(oriel_image& image) {
  const Held held;
  if (!is_there(held, image)) return {};
  const ModuleMetadata metadata = modules_.metadata(image.runtime_id);
  return metadata.is_open() ? metadata.mvid() : std::string();
}

std::vector<uint32_t> Adapter::boxes(oriel_image& image, uint32_t token) {
  const Held held;
  if (!is_there(held, image)) return {};
  const Result<il::Body> body = il::decode(instrumenter_.sites.original_body({image.runtime_id, token}));
  return body ? il::boxes(*body) : std::vector<uint32_t>();
}

// Read from the object itself, because a thread that runs managed code may ask the runtime very little.
oriel_class* Adapter::class_of(oriel_object* object) {
  if (object == nullptr) return nullptr;
  const uintptr_t klass = object_facts(reinterpret_cast<uintptr_t>(object)).class_id;
  oriel_class* known = find_class(klass);
  return known != nullptr ? known : class_of_id(info(), klass);
}

bool Adapter::field_of(oriel_object* object, const char* name, oriel_value* value) {
  return object_fields_.field_of(object, name, value);
}

size_t Adapter::text_of(oriel_object* object, char* buffer, size_t size) {
  return object_fields_.text_of(object, buffer, size);
}

}  // namespace oriel::coreclr
