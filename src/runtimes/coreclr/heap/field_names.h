// Names of fields by where they are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

bool is_value_type(ProfilerInfo& info, const Held& held, ClassID klass);
// The instance fields of a class and its base classes, by their offset in an object. Of a value type, in a box.
std::map<uint32_t, std::string> instance_fields(const Names& names, const Held& held, ClassID klass);
// Those of an array's elements, by their offset in the element; empty for elements that are references.
std::map<uint32_t, std::string> element_fields(const Names& names, const Held& held, ClassID array);
// The static fields of a class that are initialized, by their address.
std::map<uintptr_t, std::string> static_fields(const Names& names, const Held& held, ClassID klass);

// The thread-static fields of a class that hold references, in the order of their places, which are the last ones of
// the class. Empty if it cannot be told which hold references.
std::vector<std::string> thread_static_references(const Names& names, const Held& held, ClassID klass);

// The field that contains the offset; "" if there is none.
std::string field_at(const std::map<uint32_t, std::string>& fields, uint32_t offset);

}  // namespace oriel::coreclr
