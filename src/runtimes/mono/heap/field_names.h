// Names of fields by where they are. On a thread that may ask Mono, of classes whose fields are laid out.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// By offset; those of a structure in a field have the field's name before theirs: "entry.key".
using FieldNames = std::map<uintptr_t, std::string>;

// The instance fields of a class and its base classes, by their offset in an object.
FieldNames instance_fields(MonoClass* klass);
// Those of an array's elements, by their offset in the element; empty for elements that are references.
FieldNames element_fields(MonoClass* array);
// The static fields of a class, by their offset in the memory that it has for them. Not those of threads.
FieldNames static_fields(MonoClass* klass);

// The field that contains the offset; "" if there is none.
std::string field_at(const FieldNames& fields, uintptr_t offset);

}  // namespace oriel::mono
