// What a module's metadata knows of a method's body, whether it may be changed, and whether the runtime could compile a
// body that somebody made.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "il/body.h"
#include "il/stack.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

// Is this code of the runtime's own, written in C# in the core library, that must stay as it is?
bool is_reserved(const ModuleMetadata& metadata, const MethodDefinition& definition);

struct BodyFacts {
  il::MethodFacts facts;
  std::span<const uint8_t> local_signature;  // empty: no locals
  uint32_t locals = 0;
  bool returns_value = false;
};

// `metadata` must outlive what is returned.
Result<BodyFacts> learn_facts(const ModuleMetadata& metadata, const MethodDefinition& definition, const il::Body& body);

// Is this a body that the runtime would take for the method? Its tokens must be there and of the kind that their
// instructions want, the rest is il::verify's. The message tells the offset.
Status check_body(const ModuleMetadata& metadata, const MethodDefinition& definition, std::span<const uint8_t> body);

}  // namespace oriel::coreclr
