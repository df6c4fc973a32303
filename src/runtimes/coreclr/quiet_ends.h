// Keeps sessions to managed event sources from hanging the program's exit.
//
// The runtime ends by turning its sessions off, while it holds the lock of all event sources. What these sources do
// then may wait. The source of meters waits for its collecting thread (AggregationManager.Dispose), which wants that
// lock when it meets a new event source. The source of activities waits for a lock that is held while the program's
// code runs, which may create an event source. Both deadlock. So where such a session is requested, the code of these
// two is changed before it is compiled. The first wait gets a bound. When that has passed, nothing is taken from under
// the collecting thread: it would throw for that, and an exception while the runtime ends kills the process. The second
// wait is removed. Sessions to the runtime's own source end in native code and wait for nobody.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "il/stack.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/method_key.h"
#include "runtimes/coreclr/names/class_text.h"
#include "runtimes/coreclr/other_profilers.h"

namespace oriel::coreclr {

// The body without the last of exactly `calls` calls to the method that `is_it` recognizes by its token. The call's
// argument, an object, is popped instead; the call returns nothing. Everything else stays at its offset. Empty if the
// number of calls differs, or the body cannot be read.
std::vector<uint8_t> without_last_call(std::span<const uint8_t> body, size_t calls,
                                       const std::function<bool(Token)>& is_it);

// The body in which the only call to the method that `is_it` recognizes, an instance method without arguments that
// waits, is one of `bounded` instead, which takes milliseconds and returns whether the wait is over. If it is not, the
// method returns. Empty if there is not exactly one such call, or the body cannot be read or is one to be left alone.
std::vector<uint8_t> with_bounded_wait(std::span<const uint8_t> body, const il::MethodFacts& facts, Token bounded,
                                       const std::function<bool(Token)>& is_it);

// Whether managed code creates this source: true for all but the runtime's own, and for "*", which means all sources.
bool is_managed_source(const char16_t* name);

// Any thread.
class QuietEnds {
 public:
  QuietEnds(const Names& names, EmitTokens& tokens, OtherProfilers& other_profilers)
      : names_(names), tokens_(tokens), other_profilers_(other_profilers) {}

  // A session to a managed source is requested. Returns true the first time. Then, before the session begins, the
  // caller must listen to loads of modules and call look_at() for those that are loaded already.
  bool want() { return !wanted_.exchange(true); }
  bool is_wanted() const { return wanted_.load(std::memory_order_acquire); }

  // The module is loaded. Code of it that has been compiled already stays as it is.
  void look_at(ModuleID module);
  // The methods that must be compiled from their new bodies, each once: where Oriel was attached, code that exists
  // already cannot be refused.
  std::vector<MethodKey> take_changed();
  bool has_changed();
  // The runtime looks for precompiled code of the method. Whether it must compile the method instead.
  bool refuses_precompiled(FunctionID function);
  void module_unloading(ModuleID module);

 private:
  bool take_wait_out(const ModuleMetadata& metadata, const MethodKey& key, size_t wait);
  std::vector<uint8_t> changed_body(const ModuleMetadata& metadata, const MethodKey& key, size_t wait);
  void compile(const MethodKey& key);

  const Names names_;
  EmitTokens& tokens_;
  OtherProfilers& other_profilers_;
  std::atomic<bool> wanted_{false};
  std::atomic<bool> any_{false};
  std::mutex lock_;                  // guards the next; no callback is called under it
  std::vector<MethodKey> compiled_;  // methods whose precompiled code must not be used
  std::vector<MethodKey> changed_;   // of these, those that were not taken yet
};

}  // namespace oriel::coreclr
