// Which of a method's values its probes pass on, and how the engine finds them.
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
  // A type's name for people; returns a lasting_text.
  std::function<const std::string*(std::span<const uint8_t>)> type_name;
};

struct BuiltContext {
  const CallLayout* layout = nullptr;  // a lasting_layout
  std::vector<il::ContextWord> words;
  // The objects and byrefs among the values, for probes that let collections in. The caller sets their pin_local.
  std::vector<il::PinnedValue> pins;
};

// On enter: `this` and the arguments. On leave also the locals and the result, which is in `result_local`. Values of
// types that cannot be passed on are left out of the layout. Fails if there are too many values.
Result<BuiltContext> build_context(const MethodValues& values, EmitTokens& tokens, bool on_leave,
                                   std::optional<uint16_t> result_local);

}  // namespace oriel::coreclr
