// Settings in the environment. Their names are those of the CLR Instrumentation Engine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel::plugins {

// MicrosoftInstrumentationEngine_NAME; "" if there is none.
std::string environment(const std::string& name);
// Like environment(), for a name that ends with a class id in upper or lower case.
std::string environment_of_class(const std::string& name, const std::string& class_id);
// The parts of a list that is separated by colons, without empty ones.
std::vector<std::string> parts_of(std::string_view text);
// The paths in the values of all variables whose names begin with `name`. Values are separated by colons, variables in
// the environment's order.
std::vector<std::string> paths_beginning(const std::string& name);

}  // namespace oriel::plugins
