// What else may stand in a method's precompiled code: methods that were inlined into it when it was made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

// The methods of the same module that the body calls by name, each once. What was devirtualized is not found.
std::vector<Token> calls_within_module(const ModuleMetadata& metadata, std::span<const uint8_t> body);

// The methodDef that a call's token names; 0 if the method is of another module.
Token definition_within_module(const ModuleMetadata& metadata, Token callee);

// May a compiler have inlined the method, whose body has this many bytes? An estimate that says yes too often.
bool may_be_inlined(const MethodDefinition& definition, size_t body_bytes);

}  // namespace oriel::coreclr
