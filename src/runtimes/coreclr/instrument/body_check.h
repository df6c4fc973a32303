// What a module's metadata says about a method's body, whether the body may be changed, and whether the runtime could
// compile a given body.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "il/body.h"
#include "il/stack.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

// Whether this is code of the runtime, written in C# in the core library, that must stay as it is.
bool is_reserved(const ModuleMetadata& metadata, const MethodDefinition& definition);

struct BodyFacts {
  il::MethodFacts facts;
  std::span<const uint8_t> local_signature;  // empty: no locals
  uint32_t locals = 0;
  bool returns_value = false;
};

// `metadata` must outlive the result.
Result<BodyFacts> learn_facts(const ModuleMetadata& metadata, const MethodDefinition& definition, const il::Body& body);

// Whether the runtime would accept the body for the method. Checks that its tokens exist and have the kind that their
// instructions require; il::verify checks the rest. The message contains the offset.
Status check_body(const ModuleMetadata& metadata, const MethodDefinition& definition, std::span<const uint8_t> body);

}  // namespace oriel::coreclr
