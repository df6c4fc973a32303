// Reading objects in callbacks that receive them. The garbage collector must not move them meanwhile.
#pragma once

#include <string>

#include "oriel/oriel.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {

// An instance field of reference type, by its name in this class or a base class; nullptr if there is none.
MonoObject* reference_in(MonoObject* object, MonoClass* klass, const char* field);

// A string as UTF-8, terminated and cut to `size`; returns the number of bytes without the terminator.
size_t text_of(MonoString* text, char* buffer, size_t size);

bool field_of(MonoObject* object, const char* name, oriel_value* value);

}  // namespace oriel::mono
