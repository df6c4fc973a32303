// The settings in the environment: their names are those of the engine that the interfaces come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel::plugins {

// MicrosoftInstrumentationEngine_NAME; "" if there is none.
std::string environment(const std::string& name);
// The same of a name that ends with a class id, which may be written in either case.
std::string environment_of_class(const std::string& name, const std::string& class_id);
// What stands between colons, but nothing.
std::vector<std::string> parts_of(std::string_view text);
// The paths, with colons between them, in the values of all whose names begin so, in the environment's order.
std::vector<std::string> paths_beginning(const std::string& name);

}  // namespace oriel::plugins
