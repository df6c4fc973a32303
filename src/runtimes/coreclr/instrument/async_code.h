// What a compiler made of an async method: finds in a state machine's MoveNext what its probes need to know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "il/probes/async_probes.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

struct AsyncMethod {
  il::AsyncCode code;
  Token builder_field = 0;
  Token builder_type = 0;  // a typeRef, or a typeSpec made of one
  il::ToldBy told_by = il::ToldBy::kTask;
  bool is_value_task = false;
  // Of each await, the names of what it awaits, as people write them: "System.IO.Stream.ReadAsync"; "" where the code
  // does not tell.
  std::vector<std::string> awaited;
  // What it hands to other threads by Task.Run or the like: of a lambda its method. The offset is that of the await, if
  // it is awaited at once.
  struct Handed {
    Token method = 0;
    uint32_t il = 0;
  };
  std::vector<Handed> handed;
};

// Where `body` is that of an async method whose builder is one of the base library's.
std::optional<AsyncMethod> find_async_method(const il::Body& body, const ModuleMetadata& metadata);

struct AsyncTokens {
  il::TaskOfBuilder task;                // without its local
  std::vector<uint8_t> task_type;        // Task, as in a signature
  std::vector<uint8_t> value_task_type;  // what the builder gives, if that is a ValueTask
};

// Makes the tokens by which the method's task is told from others.
Result<AsyncTokens> make_async_tokens(const AsyncMethod& method, const ModuleMetadata& metadata, ModuleID module,
                                      EmitTokens& tokens);

}  // namespace oriel::coreclr
