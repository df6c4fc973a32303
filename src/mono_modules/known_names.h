// What modules' handlers of samples may ask for: names that are known already, as Mono's are once a method runs.
#pragma once

#include "mono_modules/mono_api.h"

namespace oriel::mono_modules {

// Whether this thread is in a module's handler of samples, which interrupted anything: nothing may be locked or
// allocated. Async-safe.
bool in_sample_handler();

// For the time of a module's handler of samples. Async-safe.
class SampleHandler {
 public:
  SampleHandler();
  ~SampleHandler();
  SampleHandler(const SampleHandler&) = delete;
  SampleHandler& operator=(const SampleHandler&) = delete;
};

// So that handlers find the method's names and its class's. Any thread, not in a handler.
void learn_names(MonoMethod* method);

}  // namespace oriel::mono_modules
