// An image's metadata as it is in memory. Mono's own answers about signatures and members may make it load assemblies,
// which is for the program's threads to do: Oriel's have no domain to load them in. Reading needs no lock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metadata/type_text.h"
#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// Whether the image has metadata: not if the program is making it.
bool has_metadata(MonoImage* image);

// What there is not is "" or empty. Tokens are typeDefs, typeRefs, typeSpecs and methodDefs.
metadata::TypePath type_path(MonoImage* image, uint32_t token);
std::span<const uint8_t> type_spec(MonoImage* image, uint32_t token);
std::string method_name(MonoImage* image, uint32_t token);
std::span<const uint8_t> method_signature(MonoImage* image, uint32_t token);
// The names of the generic parameters that a typeDef or methodDef declares.
std::vector<std::string> generic_parameters(MonoImage* image, uint32_t token);
// The typeDef that declares the methodDef; 0 if there is none.
uint32_t type_with(MonoImage* image, uint32_t token);
// The one method of the typeDef with that name; 0 if there are none or several.
uint32_t only_method(MonoImage* image, uint32_t type, std::string_view name);
// The method's body, from its header on to the end of its code; empty if it has none, or its code is larger.
std::span<const uint8_t> method_body(MonoImage* image, uint32_t token, uint32_t most_code);

}  // namespace oriel::mono
