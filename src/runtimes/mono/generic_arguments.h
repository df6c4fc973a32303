// The types that generic instances are made of. Mono frees an instance with any of the images that these are from.
#pragma once

#include <vector>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// The images of the class's or method's generic arguments, and of what arrays, pointers and arguments are made of in
// turn; each once, in no order, among them perhaps its own. Not while the world is stopped.
std::vector<MonoImage*> images_behind(MonoClass* klass);
std::vector<MonoImage*> images_behind(MonoMethod* method);

}  // namespace oriel::mono
