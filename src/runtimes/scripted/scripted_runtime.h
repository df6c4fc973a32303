// A runtime without .NET: a script says what it loads, compiles, throws and unloads. For tests, races, fuzzing.
#pragma once

#include <atomic>
#include <mutex>

#include "base/status.h"
#include "engine/runtime.h"
#include "engine/things/entities.h"
#include "runtimes/scripted/editor.h"
#include "runtimes/scripted/world.h"

namespace oriel::scripted {

class ScriptedRuntime final : public Runtime {
 public:
  const char* name() const override { return "scripted"; }
  void apply(const RuntimeNeeds& needs) override;
  oriel_method* method_at(uintptr_t address, uintptr_t* start, size_t* size) override;
  // After an eight-byte prolog, each eight bytes of a method's code correspond to one byte of IL.
  std::vector<IlPoint> il_map(uintptr_t start) override;
  void describe(oriel_domain& domain) override;
  void describe(oriel_assembly& assembly) override;
  void describe(oriel_image& image) override;
  void describe(oriel_class& klass) override;
  void describe(oriel_method& method) override;
  // As given by the script.
  bool is_trivial(oriel_image& image, uint32_t token) override;
  // An object of this runtime is its class.
  oriel_class* class_of(oriel_object* object) override;

  CodeEditor* code_editor() override { return &editor_; }

  World& world() { return world_; }

  // The needs that the engine applied last.
  RuntimeNeeds needs() const;
  // How often an unloaded thing was to be described: an engine that does not fetch names in time.
  unsigned late_questions() const { return late_questions_.load(); }

 private:
  const Thing* thing_of(const Entity& entity);

  World world_;
  ScriptedEditor editor_{world_};
  mutable std::mutex needs_lock_;
  RuntimeNeeds needs_;
  std::atomic<unsigned> late_questions_{0};
};

// The engine's record of a thing, made if it has none.
oriel_domain* domain_of(const Thing& thing);
oriel_assembly* assembly_of(const Thing& thing);
oriel_image* image_of(const Thing& thing);
oriel_class* class_of_thing(const Thing& thing);
oriel_method* method_of(const Thing& thing);

}  // namespace oriel::scripted
