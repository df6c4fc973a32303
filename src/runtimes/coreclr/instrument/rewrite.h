// Builds one method's body with the requested probes from its original bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/filters.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/instrument/type_kinds.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

struct RewriteRequest {
  ModuleID module = 0;
  Token token = 0;
  oriel_method* method = nullptr;     // what its probes report
  std::span<const uint8_t> original;  // as GetILFunctionBody returned it before any change
  WantedChanges wanted;
  // Where coverage is counted: the metadata's body, from which `original` was made, and the map from its offsets to
  // those of `original`, ascending by old offset. Empty: the body is not known, and nothing is counted.
  std::span<const uint8_t> in_metadata;
  std::span<const IlMapEntry> moves;  // empty: `original` is that body
  // A type's name for people, for a type as in a signature; returns a lasting_text (engine/call_context.h).
  std::function<const std::string*(std::span<const uint8_t>)> type_name;
  // The method that a probe reports for a methodDef of this module.
  std::function<oriel_method*(Token)> method_of;
};

// The offset in the original code by which a map lists the probes' exception clause: behind everything.
inline constexpr uint32_t kClauseOfProbes = 0x7fffffff;

struct Rewritten {
  std::vector<uint8_t> bytes;  // empty: nothing to change, for example no allocations to report
  std::vector<IlMapEntry> map;
  // Exceptions that leave the method have to be reported by the runtime's callbacks (il::InsertedProbes).
  bool has_tail_calls = false;
  // For an async method with probes: what its awaits await (AsyncMethod::awaited), each with its IL offset.
  struct AwaitSite {
    uint32_t il = 0;
    std::string awaited;
  };
  std::vector<AwaitSite> awaits;
  // The methods that it runs on other threads.
  struct HandedMethod {
    uint32_t il = 0;
    oriel_method* method = nullptr;
  };
  std::vector<HandedMethod> handed;
};

// The decoded body is verified before and after the change. The message says what is wrong with it.
Result<Rewritten> rewrite(const ModuleMetadata& metadata, const MethodDefinition& definition, EmitTokens& tokens,
                          TypeKinds& kinds, const RewriteRequest& request);

// Whether code compiled from this body may allocate, in itself or in code that is inlined into it. True if the body
// cannot be read.
bool may_allocate(std::span<const uint8_t> body);

}  // namespace oriel::coreclr
