// The engine's records of the runtime's functions and classes, made with the image and token that belong to them.
#pragma once

#include "engine/entities.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

oriel_method* method_of(ProfilerInfo& info, FunctionID function);
oriel_class* class_of_id(ProfilerInfo& info, ClassID klass);

}  // namespace oriel::coreclr
