// Which methods a module's patterns mean (base/patterns.h), asked by the engine's filters.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/patterns.h"
#include "oriel/oriel.h"

namespace oriel::modules {

class MethodFilter {
 public:
  explicit MethodFilter(MethodPatterns patterns) : patterns_(std::move(patterns)) {}
  MethodFilter(const MethodFilter&) = delete;
  MethodFilter& operator=(const MethodFilter&) = delete;

  // Asks for the method's name only where its image does not say enough. Any thread; calls oriel.h's names.
  bool wants(oriel_method* method);

  // Whether it may want any method of the image. Any thread.
  bool wants_any(oriel_image* image);

  // A line for the user about each pattern that has matched no method; `option` is how the user gave it ("--calls"),
  // and `any_call` whether what was wanted has happened at all.
  std::vector<std::string> complaints(const std::string& option, bool any_call) const;

 private:
  // What is known of an image: 0 nothing yet, else a Choice, and whether it is user code.
  enum : uint8_t { kKnown = 1, kUserCode = 2, kChoiceShift = 2 };
  static constexpr size_t kRemembered = 4096;

  uint8_t about(oriel_image* image);

  const MethodPatterns patterns_;
  std::atomic<bool> chose_any_{false};
  std::array<std::atomic<uint8_t>, kRemembered> images_{};  // by id; those beyond are asked each time
};

}  // namespace oriel::modules
