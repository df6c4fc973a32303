// The methods whose calls, awaits and allocations a log has, by the patterns of its options.
#pragma once

#include <string>

#include "options.h"

namespace oriel::log_module {

// One thread at a time.
class ChosenProbes {
 public:
  // Applies the patterns that changed, and sets the probes. Takes the patterns out of the options. The engine is to be
  // told besides (recorder.h: set_filters).
  void choose(Options& options);
  // Says on stderr what the user requested and did not get; `any_call`: a call was logged.
  void say_complaints(bool any_call) const;
  // Chooses nothing any more.
  static void clear();

 private:
  // As last applied.
  std::string calls_, async_, allocations_, followed_;
  bool trivial_ = false;
  bool allocations_chosen_ = false;
};

}  // namespace oriel::log_module
