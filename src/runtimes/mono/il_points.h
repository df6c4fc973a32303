// Of which IL Mono's compiler made code: known of programs that run with --debug.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/runtime.h"
#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// Of the method's code in the domain, if it begins at `start`; as Runtime::il_map. The caller holds the unload gate, on
// a thread that may ask (functions.h).
std::vector<IlPoint> il_points(MonoMethod* method, MonoDomain* domain, uintptr_t start);

}  // namespace oriel::mono
