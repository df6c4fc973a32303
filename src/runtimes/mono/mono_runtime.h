// Mono behind the engine's interface.
#pragma once

#include <atomic>
#include <bitset>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {

class MonoRuntime final : public Runtime {
 public:
  // After find_functions, in the function by which Mono loads a profiler.
  MonoRuntime();

  const char* name() const override { return name_.c_str(); }
  // A method calls its finally blocks in its own frame, and Mono calls its filters so.
  bool has_funclets() const override { return false; }
  void apply(const RuntimeNeeds& needs) override;
  const char* obstacle(uint32_t event) const override;
  oriel_method* method_at(uintptr_t address, uintptr_t* start, size_t* size) override;
  std::vector<IlPoint> il_map(uintptr_t start) override;
  oriel_method* compiled_method(bool* again) const override;

  void describe(oriel_domain& domain) override;
  void describe(oriel_assembly& assembly) override;
  void describe(oriel_image& image) override;
  void describe(oriel_class& klass) override;
  void describe(oriel_method& method) override;
  std::string raw_name(oriel_class& klass) override;
  oriel_class* element_of(oriel_class& klass) override;
  oriel_class* declaring_class(oriel_method& method) override;
  bool counts_code() const override { return counts_code_.load(std::memory_order_relaxed); }
  void collect_counts(const oriel_method* method) override;
  std::string mvid(oriel_image& image) override;
  bool is_trivial(oriel_image& image, uint32_t token) override;
  const char* coverage_obstacle() const override;
  Status snapshot(const oriel_heap_visitor& visitor, OwnedHeap& heap) override;

  uint32_t follow(oriel_object* object, uint64_t size) override;
  oriel_class* class_of(oriel_object* object) override;
  bool field_of(oriel_object* object, const char* name, oriel_value* value) override;
  size_t text_of(oriel_object* object, char* buffer, size_t size) override;

  // The program's code is about to run: what must have been asked for before that was, or was not.
  void started() { started_.store(true); }
  // Mono has shut down: it may be called no more.
  void ended();
  bool has_ended();

 private:
  static constexpr size_t kMostCallbacks = 64;

  void enable_lasting(const RuntimeNeeds& needs);

  const std::string name_;
  std::mutex setting_;                   // callbacks; guards the next two
  std::bitset<kMostCallbacks> are_set_;  // by their places in all_callbacks
  bool ended_ = false;
  std::atomic<bool> started_{false};
  std::atomic<bool> reports_allocations_{false};
  std::atomic<bool> reports_clauses_{false};
  std::atomic<bool> counts_code_{false};
};

// With which Mono knows Oriel: one for the process.
MonoProfilerDesc* profiler_handle();

// Gives the class its name now, as Mono may not be asked for more than that.
void describe_plainly(oriel_class& klass);

}  // namespace oriel::mono
