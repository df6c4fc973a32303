// Selects methods by a module's patterns (base/text/patterns.h), for the engine's filters.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/text/patterns.h"
#include "modules/method_set.h"
#include "oriel/oriel.h"

namespace oriel::modules {

class MethodFilter {
 public:
  // Getters and the like (oriel_method_is_trivial) may be excluded, unless a pattern names exactly them.
  enum class Trivial : uint8_t { kIn, kLeftOut };

  explicit MethodFilter(MethodPatterns patterns, Trivial trivial = Trivial::kIn)
      : patterns_(std::move(patterns)), trivial_(trivial), too_late_(oriel_event_obstacle(oriel_event_method_enter)) {}
  MethodFilter(const MethodFilter&) = delete;
  MethodFilter& operator=(const MethodFilter&) = delete;

  // Asks for the method's name only if its image does not decide. Any thread; calls oriel.h's names.
  bool wants(oriel_method* method);

  // Whether it may select any method of the image. Any thread.
  bool wants_any(oriel_image* image);

  // The number of selected methods that were excluded as trivial.
  uint64_t trivial_left_out() const { return left_out_.load(std::memory_order_relaxed); }

  // A line for the user about each pattern without a match; `option` is as the user gave it ("--calls"), and `any_call`
  // says whether any event occurred at all.
  std::vector<std::string> complaints(const std::string& option, bool any_call) const;

 private:
  // The cached state of an image: 0 unknown, else a Choice, and whether it is user code.
  enum : uint8_t { kKnown = 1, kUserCode = 2, kChoiceShift = 2 };
  static constexpr size_t kRemembered = 4096;

  uint8_t about(oriel_image* image);
  bool leaves_out(oriel_method* method, const std::string& assembly);

  const MethodPatterns patterns_;
  const Trivial trivial_;
  const char* const too_late_;  // which methods the runtime leaves out, as it runs them already; nullptr: none
  MethodSet trivial_methods_;
  std::atomic<uint64_t> left_out_{0};
  std::atomic<bool> chose_any_{false};
  std::array<std::atomic<uint8_t>, kRemembered> images_{};  // by id; higher ids are not cached
};

// The methods that a module's filter has chosen, while the filter may be replaced. A module's callbacks ask the set at
// each event; the engine's filters ask the filter, once for each method and again after a change.
class ChosenMethods {
 public:
  // Two loads and a bit's test. Any thread, async-safe.
  bool contains(uint32_t id) const { return set_.contains(id); }

  // The engine's filters': whether the filter of now wants the method, which then is in the set. Any thread; may throw
  // std::bad_alloc.
  bool wants(oriel_method* method);
  // Likewise, of any method of the image.
  bool wants_any(oriel_image* image) const;

  // Replaces the filter; nullptr: nothing is chosen. What the new one does not want is not in the set when this
  // returns; what both want is in it all the time. The engine has to be told besides, so that it asks again. One thread
  // at a time; may throw std::bad_alloc.
  void choose(std::unique_ptr<MethodFilter> filter);

  // nullptr: nothing is chosen. Any thread.
  std::shared_ptr<MethodFilter> filter() const;
  bool any() const { return filter() != nullptr; }

  // Puts a method in without asking.
  bool add(uint32_t id) { return set_.add(id); }

 private:
  mutable std::mutex lock_;  // the next, and changes of the set
  std::shared_ptr<MethodFilter> filter_;
  MethodSet set_;
};

}  // namespace oriel::modules
