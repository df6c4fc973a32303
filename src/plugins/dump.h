// Writes a method that plug-ins changed to the log, for people and for tools that compare.
#pragma once

#include "plugins/info/method_info.h"
#include "plugins/log.h"

namespace oriel::plugins {

void dump_method(MethodInfo& method, const Rendered& body, Log& log);

}  // namespace oriel::plugins
