// The engine's Runtime for CoreCLR. There is one at a time; it is created in Initialize or InitializeForAttach, and
// destroyed only after the runtime has let go of it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "engine/followed_objects.h"
#include "engine/runtime.h"
#include "runtimes/coreclr/callbacks/event_pipe.h"
#include "runtimes/coreclr/callbacks/exception_clauses.h"
#include "runtimes/coreclr/callbacks/weak_handles.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/instrument/code_editor.h"
#include "runtimes/coreclr/instrument/instrumenter.h"
#include "runtimes/coreclr/loaded_modules.h"
#include "runtimes/coreclr/names/describe.h"
#include "runtimes/coreclr/names/objects.h"
#include "runtimes/coreclr/native_code.h"
#include "runtimes/coreclr/other_profilers.h"
#include "runtimes/coreclr/quiet_ends.h"

namespace oriel::coreclr {

class Adapter final : public Runtime {
 public:
  enum class Coming {
    kAtStart,
    // To a running program, which it only watches: code is not changed, so that the runtime lets go of it again.
    kToWatch,
    // To a running program whose code it may change. The runtime keeps it for good.
    kToChangeCode,
  };
  // `info` is at least an ICorProfilerInfo9. `other_profilers` lives as long as the process.
  Adapter(ComPtr<ProfilerInfo> info, OtherProfilers& other_profilers, Coming coming);

  const char* name() const override { return name_.c_str(); }
  void apply(const RuntimeNeeds& needs) override;
  void catch_up() override;
  Status leave() override;
  const char* code_obstacle() const override;
  const char* obstacle(uint32_t event) const override;
  oriel_method* method_at(uintptr_t address, uintptr_t* start, size_t* size) override;
  std::vector<IlPoint> il_map(uintptr_t start) override;
  int signal_to_share() const override;
  void describe(oriel_domain& domain) override { coreclr::describe(names(), domain); }
  void describe(oriel_assembly& assembly) override { describe_if_there(assembly); }
  void describe(oriel_image& image) override { describe_if_there(image); }
  void describe(oriel_class& klass) override { describe_if_there(klass); }
  void describe(oriel_method& method) override { describe_if_there(method); }
  std::string raw_name(oriel_class& klass) override;
  oriel_class* element_of(oriel_class& klass) override;
  oriel_class* declaring_class(oriel_method& method) override;
  oriel_method* compiled_method(bool* again) const override { return ObservedCompilations::compiled_method(again); }
  const char* purpose_of_function(const oriel_native& function) const override;
  const char* purpose_of_stub(uintptr_t address) const override;
  bool has_names(oriel_image& image, const char* prefix) override;
  bool is_optimized(oriel_image& image) override;
  bool is_trivial(oriel_image& image, uint32_t token) override;
  std::string mvid(oriel_image& image) override;
  std::vector<uint32_t> boxes(oriel_image& image, uint32_t token) override;
  Status snapshot(const oriel_heap_visitor& visitor, OwnedHeap& heap) override;
  uint32_t follow(oriel_object* object, uint64_t size) override {
    return followed_.follow_pinned(reinterpret_cast<ObjectID>(object), size);
  }
  oriel_class* class_of(oriel_object* object) override;
  bool field_of(oriel_object* object, const char* name, oriel_value* value) override;
  size_t text_of(oriel_object* object, char* buffer, size_t size) override;
  CodeEditor* code_editor() override { return &editor_; }
  std::vector<oriel_guest> guests() override { return other_profilers_.guests(); }
  Status add_guest(const std::string& description) override { return other_profilers_.add(description); }

  // Does anybody look up addresses? Any thread.
  bool wants_code_map() const { return code_map_wanted_.load(std::memory_order_relaxed); }

  // Whether an image was loaded from which filters may select methods. Until then nobody needs reports of compilations.
  // Any thread.
  bool follows_compilations() const { return any_selected_.load(std::memory_order_acquire); }
  // The image is loaded and attached to its assembly. None of its methods is compiled yet.
  void image_attached(ModuleID module);

  // Called before a session to a managed event source begins. Any thread.
  const char* remove_exit_waits();
  QuietEnds& quiet_ends() { return quiet_ends_; }

  // The program runs. From now on `apply` reports the threads that already exist.
  void started();
  // The runtime has let go: forgets what may go away from now on without a report.
  void left();
  bool is_attached() const { return coming_ != Coming::kAtStart; }
  bool only_watches() const { return coming_ == Coming::kToWatch; }

  ProfilerInfo& info() const { return *info_.get(); }
  LoadedModules& modules() { return modules_; }
  Names names() { return {info(), modules_}; }
  PrecompiledCode& precompiled() { return precompiled_; }
  Instrumenter& instrumenter() { return instrumenter_; }
  ObjectFields& object_fields() { return object_fields_; }
  ExceptionClauses& exception_clauses() { return exception_clauses_; }
  FollowedObjects& followed() { return followed_; }
  // exceptions_in_flight.h has what depends on it.
  uint16_t major_version() const { return major_version_; }
  bool has_pins() const { return weak_handles_.can_make(); }

 private:
  template <typename Thing>
  void describe_if_there(Thing& thing);
  void attach_known_threads();
  bool is_alive(const Held& held, FunctionID function);
  bool is_handed_out(uintptr_t address);
  void set_mask();
  void follow_compilations();
  bool may_choose_in_loaded();
  void follow_objects(bool wanted);
  EventMask without_late_gc(EventMask wanted);
  EventMask wanted_mask();
  void learn_code_that_can_go();
  void compile_quiet_ends();

  const Coming coming_;
  OtherProfilers& other_profilers_;
  ComPtr<ProfilerInfo> info_;
  const uint16_t major_version_;
  std::string name_;
  LoadedModules modules_;
  PrecompiledCode precompiled_;
  Instrumenter instrumenter_;
  ImageEditor editor_;
  ExceptionClauses exception_clauses_;
  ObjectFields object_fields_;
  RuntimeWeakHandles weak_handles_;
  FollowedObjects followed_;
  QuietEnds quiet_ends_;
  RuntimeEvents runtime_events_;  // used by apply only, like the next
  uint32_t refiltered_ = 0;       // the generation of filters that was applied to all methods
  std::mutex mask_lock_;          // guards the next four
  RuntimeNeeds needs_;
  EventMask in_force_;
  EventMask ever_in_force_;
  bool said_late_gc_ = false;
  std::vector<oriel_image*> can_go_;  // when the runtime was asked to let go
  std::atomic<bool> started_{false};
  std::atomic<bool> gc_requested_too_late_{false};
  std::atomic<bool> code_map_wanted_{false};
  std::atomic<bool> any_selected_{false};
};

}  // namespace oriel::coreclr
