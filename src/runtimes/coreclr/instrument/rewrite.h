// One method's body with the probes that are wanted: from its original bytes to those that the runtime is given.
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
  std::span<const uint8_t> original;  // as GetILFunctionBody gave it before any change
  WantedChanges wanted;
  // Where coverage is counted: the body that the metadata has, of which `original` was made, and where its instructions
  // are in that by rising old offset. No body: nobody knows, and nothing is counted.
  std::span<const uint8_t> in_metadata;
  std::span<const IlMapEntry> moves;  // empty: `original` is that body
  // A type's name for people, of a type as in a signature: a lasting_text (call_layout.h).
  std::function<const std::string*(std::span<const uint8_t>)> type_name;
  // The method of this module that a probe reports for a methodDef.
  std::function<oriel_method*(Token)> method_of;
};

// Where the clause of probes for exceptions is in the original code by the map of a body that has it: behind
// everything.
inline constexpr uint32_t kClauseOfProbes = 0x7fffffff;

struct Rewritten {
  std::vector<uint8_t> bytes;  // empty: nothing to change, as a body without allocations has none to report
  std::vector<IlMapEntry> map;
  // Exceptions that leave the method must be heard of by the runtime's callbacks (il::InsertedProbes).
  bool has_tail_calls = false;
  // Of an async method with probes, what its awaits await (AsyncMethod::awaited), each with its place in the IL.
  struct AwaitSite {
    uint32_t il = 0;
    std::string awaited;
  };
  std::vector<AwaitSite> awaits;
  // And the methods that it hands to other threads.
  struct HandedMethod {
    uint32_t il = 0;
    oriel_method* method = nullptr;
  };
  std::vector<HandedMethod> handed;
};

// The body as it was decoded, checked by our own verifier before and after. The message says what is wrong with it.
Result<Rewritten> rewrite(const ModuleMetadata& metadata, const MethodDefinition& definition, EmitTokens& tokens,
                          TypeKinds& kinds, const RewriteRequest& request);

// Whether code compiled from this body may allocate: in it or in what the compiler inlines into it. True if it cannot
// be read.
bool may_allocate(std::span<const uint8_t> body);

}  // namespace oriel::coreclr
