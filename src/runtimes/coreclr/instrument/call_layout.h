// What the probes of a method hand over of its values, and how the engine finds it in there.
#pragma once

#include <functional>
#include <string>

#include "engine/call_context.h"
#include "il/probes/probes.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

struct MethodValues {
  ModuleID module = 0;
  const ModuleMetadata& metadata;
  const MethodDefinition& definition;
  Token token = 0;
  bool is_value_type = false;                // `this` is then the address of the struct
  std::span<const uint8_t> local_signature;  // the method's own locals
  // A type's name for people, a lasting_text.
  std::function<const std::string*(std::span<const uint8_t>)> type_name;
};

// The one string of this text that lives as long as the process. Any thread; throws std::bad_alloc.
const std::string* lasting_text(std::string text);
// The one layout equal to this that lives as long as the process. Any thread; throws std::bad_alloc.
const CallLayout* lasting_layout(CallLayout layout);

struct BuiltContext {
  const CallLayout* layout = nullptr;  // a lasting_layout
  std::vector<il::ContextWord> words;
  // What the values refer to themselves, for probes that let collections in; their pin_local is the caller's to give.
  std::vector<il::PinnedValue> pins;
};

// On enter: `this` and the arguments. On leave also the locals and the result, which is in `result_local`. A value
// whose type allows no such thing is left out of the layout. An error: too many values.
Result<BuiltContext> build_context(const MethodValues& values, EmitTokens& tokens, bool on_leave,
                                   std::optional<uint16_t> result_local);

}  // namespace oriel::coreclr
