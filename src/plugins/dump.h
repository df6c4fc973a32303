// A method that plug-ins changed, written to the log for people and for tools that compare.
#pragma once

#include "plugins/log.h"
#include "plugins/method_info.h"

namespace oriel::plugins {

void dump_method(MethodInfo& method, const Rendered& body, Log& log);

}  // namespace oriel::plugins
