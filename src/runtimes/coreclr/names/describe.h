// Fills in the names of the runtime's things, for Runtime::describe.
#pragma once

#include "engine/things/entities.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

void describe(const Names& names, oriel_domain& domain);
void describe(const Names& names, oriel_assembly& assembly);
void describe(const Names& names, oriel_image& image);
void describe(const Names& names, oriel_class& klass);
void describe(const Names& names, oriel_method& method);

// As oriel_class_raw_name, oriel_class_element and oriel_method_declaring_class, of what is loaded.
std::string raw_name(const Names& names, const oriel_class& klass);
oriel_class* element_of(const Names& names, const oriel_class& klass);
oriel_class* declaring_class(const Names& names, const oriel_method& method);

}  // namespace oriel::coreclr
